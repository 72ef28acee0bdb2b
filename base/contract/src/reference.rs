//! A credential in a host's file as a reference to the environment.

/// The header value that both hosts expand when they load their file: `Bearer ${VARIABLE}`.
#[must_use]
pub fn bearer_reference(variable: &str) -> String {
    format!("Bearer ${{{variable}}}")
}
