//! Where a server is, and what opens it.

use hubkit_redaction::Secret;
use url::Url;

use crate::error::ContactError;

/// An MCP endpoint with its credential.
#[derive(Debug, Clone)]
pub struct Endpoint {
    /// http or https URL, as the host's configuration has it.
    pub url: String,
    /// The full value of the `Authorization` header, scheme included.
    pub authorization: Secret,
}

impl Endpoint {
    /// The parsed URL, and the text that may stand in messages: without user, password, query and fragment.
    pub(crate) fn parse(&self) -> Result<(Url, String), ContactError> {
        hubkit_contract::hub_url::check(&self.url).map_err(|what| ContactError::Endpoint { what })?;
        let url =
            Url::parse(&self.url).map_err(|error| ContactError::Endpoint { what: error.to_string() })?;
        let mut shown = url.clone();
        shown.set_query(None);
        shown.set_fragment(None);
        Ok((url, shown.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn endpoint(url: &str) -> Endpoint {
        Endpoint { url: url.to_owned(), authorization: Secret::new("Bearer 0123456789abcdef") }
    }

    #[test]
    fn messages_get_the_url_without_its_query() {
        let (url, shown) = endpoint("http://hub:5002/api/mcp?key=0123456789abcdef").parse().unwrap();
        assert_eq!(url.query(), Some("key=0123456789abcdef"));
        assert_eq!(shown, "http://hub:5002/api/mcp");
    }

    #[test]
    fn an_unusable_url_is_refused_and_not_shown() {
        for bad in
            ["hub:5002/api/mcp", "http://user:pa55word@hub/", "ftp://hub/pa55word", "http://${HUB}/pa55word"]
        {
            let error = endpoint(bad).parse().unwrap_err();
            assert_eq!(error.exit_code(), hubkit_contract::exit::CONFIG, "{bad}");
            assert!(!format!("{error} {error:?}").contains("pa55word"), "{bad}: {error}");
        }
    }
}
