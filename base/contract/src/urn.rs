//! The name of an app on a Hub.

use std::fmt;

/// `<app>:<store>`: the app's name first, then the slug of the store it was installed from. Other tools have
/// swapped the two; this type is the one place that knows the order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Urn {
    app: String,
    store: String,
}

impl Urn {
    /// Parses `<app>:<store>`. `None` unless there are exactly two non-empty parts of letters, digits, `-`,
    /// `_` and `.`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (app, store) = text.split_once(':')?;
        let good = |part: &str| {
            !part.is_empty()
                && part.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.'))
        };
        (good(app) && good(store)).then(|| Self { app: app.to_owned(), store: store.to_owned() })
    }

    /// The app's name.
    #[must_use]
    pub fn app(&self) -> &str {
        &self.app
    }

    /// The slug of the store.
    #[must_use]
    pub fn store(&self) -> &str {
        &self.store
    }
}

impl fmt::Display for Urn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.app, self.store)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn app_comes_first() {
        let urn = Urn::parse("ci-hermes:official").unwrap();
        assert_eq!((urn.app(), urn.store()), ("ci-hermes", "official"));
        assert_eq!(urn.to_string(), "ci-hermes:official");
    }

    #[test]
    fn anything_else_is_no_urn() {
        for text in ["", ":", "a:", ":b", "a", "a:b:c", "a b:c", "a/b:c"] {
            assert_eq!(Urn::parse(text), None, "{text:?}");
        }
    }
}
