//! End-to-end tests: real hosts, oracles, drills, field reports, architecture.
