//! A development Hub on loopback: health and /api/mcp, for the demo and the tests.
