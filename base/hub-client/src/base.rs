//! A base URL that was checked, and the URLs below it.

use hubkit_contract::hub_url;
use url::Url;

use crate::error::HubError;

/// A base URL without query, credentials and trailing slash.
#[derive(Debug, Clone)]
pub(crate) struct Base(String);

impl Base {
    /// Takes the base URL of `place`, which names it in the error. A trailing `/api` is taken off.
    pub(crate) fn new(place: &'static str, text: &str) -> Result<Self, HubError> {
        let unusable = |what| HubError::Endpoint { place, what };
        hub_url::check(text).map_err(unusable)?;
        let (base, _) = hub_url::base(text).map_err(unusable)?;
        Ok(Self(base))
    }

    /// The URL of a route, which begins with a slash.
    pub(crate) fn route(&self, path: &str) -> Result<Url, HubError> {
        let unusable = |error: url::ParseError| HubError::Endpoint {
            place: "the base URL",
            what: format!("takes no route below it ({error})"),
        };
        Url::parse(&format!("{}{path}", self.0)).map_err(unusable)
    }

    /// Whether nothing proves who answers.
    pub(crate) fn is_plain_http(&self) -> bool {
        !self.0.get(..6).is_some_and(|scheme| scheme.eq_ignore_ascii_case("https:"))
    }
}

/// The text of a URL that may stand in messages: without user, password, query and fragment.
pub(crate) fn shown(url: &Url) -> String {
    let mut shown = url.clone();
    shown.set_query(None);
    shown.set_fragment(None);
    // Fails only for URLs that can have neither.
    let _none = shown.set_username("").and_then(|()| shown.set_password(None));
    shown.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn routes_are_below_the_base_whatever_its_end() {
        for given in
            ["http://hub:5002", "http://hub:5002/", "http://hub:5002/api/", "http://hub:5002/api/mcp"]
        {
            let base = Base::new("HUB_URL", given).unwrap();
            assert_eq!(base.route("/api/health?x=1").unwrap().as_str(), "http://hub:5002/api/health?x=1");
            assert!(base.is_plain_http());
        }
        let base = Base::new("HUB_URL", "HTTPS://hub/below").unwrap();
        assert_eq!(base.route("/api/health").unwrap().as_str(), "https://hub/below/api/health");
        assert!(!base.is_plain_http());
    }

    #[test]
    fn an_unusable_base_is_refused_and_not_shown() {
        for bad in ["hub:5002", "http://user:pa55word@hub/", "ftp://pa55word/", "http://hub/?k=pa55word", ""]
        {
            let error = Base::new("HUB_URL", bad).unwrap_err();
            assert_eq!(error.exit_code(), hubkit_contract::exit::CONFIG, "{bad}");
            assert!(!format!("{error} {error:?}").contains("pa55word"), "{error}");
        }
    }

    #[test]
    fn what_is_shown_has_neither_query_nor_credentials() {
        let url = Url::parse("http://user:pa55word@hub/a?k=pa55word#pa55word").unwrap();
        assert_eq!(shown(&url), "http://hub/a");
    }
}
