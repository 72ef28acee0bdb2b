//! End-to-end tests: real hosts, oracles, drills, field reports, architecture.

pub mod binary;
pub mod fixtures;
pub mod gateway;
pub mod hosts;
pub mod image;
pub mod onboarding;
pub mod oracle;
pub mod privilege;
pub mod scratch_home;
pub mod stub_openai;
pub mod table;
