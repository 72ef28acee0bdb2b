//! The Hub's check of the `Authorization` header, with its three ways to say no.

use hubkit_redaction::Secret;
use hyper::HeaderMap;
use hyper::header::AUTHORIZATION;

/// The key that is accepted.
#[derive(Debug, Clone)]
pub(crate) struct Bearer(Secret);

impl Bearer {
    /// Accepts this key and no other.
    pub(crate) fn new(key: Secret) -> Self {
        Self(key)
    }

    /// Checks a request. The scheme is exactly `Bearer`, in this case, and one space.
    ///
    /// # Errors
    /// The `message` of the 401.
    pub(crate) fn check(&self, headers: &HeaderMap) -> Result<(), &'static str> {
        let Some(value) = headers.get(AUTHORIZATION) else { return Err("Missing Authorization header") };
        let key = value.to_str().ok().and_then(|value| value.strip_prefix("Bearer "));
        match key {
            None => Err("Malformed Authorization header"),
            Some(key) if key.is_empty() || key.contains(' ') => Err("Malformed Authorization header"),
            Some(key) if key == self.0.expose() => Ok(()),
            Some(_) => Err("Invalid API key"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(value: Option<&str>) -> Result<(), &'static str> {
        let mut headers = HeaderMap::new();
        if let Some(value) = value {
            headers.insert(AUTHORIZATION, value.parse().unwrap());
        }
        Bearer::new(Secret::new("right-key")).check(&headers)
    }

    #[test]
    fn each_way_to_be_wrong_has_its_message() {
        assert_eq!(check(Some("Bearer right-key")), Ok(()));
        assert_eq!(check(None), Err("Missing Authorization header"));
        for malformed in [
            "",
            "Bearer",
            "bearer right-key",
            "BEARER right-key",
            "Bearer  right-key",
            "right-key",
            "Basic x",
        ] {
            assert_eq!(check(Some(malformed)), Err("Malformed Authorization header"), "{malformed:?}");
        }
        for invalid in ["Bearer wrong", "Bearer right-key2", "Bearer right-ke", "Bearer Right-key"] {
            assert_eq!(check(Some(invalid)), Err("Invalid API key"), "{invalid:?}");
        }
    }
}
