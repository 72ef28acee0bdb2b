//! URLs of the Hub: what is accepted, and how the MCP endpoint is made from the base.

use url::Url;

use crate::clean::{first_stray, is_placeholder};

/// Path of the MCP endpoint below the Hub's base URL.
pub const MCP_PATH: &str = "/api/mcp";

/// Checks an http(s) URL without changing it.
///
/// # Errors
/// A fragment that says what is wrong and never contains the URL, which may carry a credential.
pub fn check(text: &str) -> Result<(), String> {
    if let Some(stray) = first_stray(text) {
        return Err(format!("contains {stray}"));
    }
    if is_placeholder(text) {
        return Err("is a placeholder that nobody filled in".to_owned());
    }
    let url = Url::parse(text).map_err(|error| format!("is no URL ({error})"))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err("is not an http or https URL".to_owned());
    }
    // `http:/host` and `http:host` parse too, as the URL standard demands; the hosts take neither.
    let rest = &text[url.scheme().len()..];
    if !rest.starts_with("://") || rest.starts_with(":///") || rest.contains('\\') {
        return Err("is no URL (`//` and a host name must follow the scheme)".to_owned());
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err("carries a user name or password".to_owned());
    }
    if url.fragment().is_some() {
        return Err("carries a fragment (`#…`)".to_owned());
    }
    Ok(())
}

/// The Hub's base URL from what an operator gave: no trailing slash, no `/api` or `/api/mcp` at the end of the
/// path. The second part notes what was taken off. `text` has passed [`check`].
///
/// # Errors
/// There is a query, to which no path can be appended.
pub fn base(text: &str) -> Result<(String, Option<String>), String> {
    if text.contains('?') {
        return Err("carries a query (`?…`)".to_owned());
    }
    let host = text.find("://").map_or(0, |scheme| scheme + "://".len());
    let path = text[host..].find('/').map_or(text.len(), |slash| host + slash);
    let (origin, path) = text.split_at(path);
    let bare = path.trim_end_matches('/');
    for suffix in [MCP_PATH, "/api"] {
        if let Some(rest) = bare.strip_suffix(suffix) {
            let base = format!("{origin}{}", rest.trim_end_matches('/'));
            return Ok((base, Some(format!("trailing `{suffix}` removed"))));
        }
    }
    let note = (bare.len() != path.len()).then(|| "trailing slash removed".to_owned());
    Ok((format!("{origin}{bare}"), note))
}

/// Whether two URLs have the same scheme, host and port.
#[must_use]
pub fn same_origin(a: &str, b: &str) -> bool {
    matches!((Url::parse(a), Url::parse(b)), (Ok(a), Ok(b)) if a.origin() == b.origin())
}

/// The path and query of `url` at the place of `base`, which is a base URL without them. `None` where `url`
/// is none.
#[must_use]
pub fn at_origin_of(base: &str, url: &str) -> Option<String> {
    let url = Url::parse(url).ok()?;
    let query = url.query().map(|query| format!("?{query}")).unwrap_or_default();
    Some(format!("{}{}{query}", base.trim_end_matches('/'), url.path()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_api_mcp_whatever_was_given() {
        for given in [
            "http://ci-hub:5002",
            "http://ci-hub:5002/",
            "http://ci-hub:5002/api/mcp",
            "http://ci-hub:5002/api/mcp/",
            "http://ci-hub:5002/api/",
        ] {
            assert_eq!(
                format!("{}{MCP_PATH}", base(given).unwrap().0),
                "http://ci-hub:5002/api/mcp",
                "{given}"
            );
        }
        assert_eq!(base("http://ci-hub:5002").unwrap().1, None);
        assert!(base("http://ci-hub:5002//").unwrap().1.is_some());
        assert_eq!(base("http://h/hub/api/mcp").unwrap().0, "http://h/hub");
    }

    #[test]
    fn a_host_that_is_called_api_is_no_path() {
        for given in ["http://api", "http://api/", "https://api", "http://api/api/mcp"] {
            let (base, _) = base(given).unwrap();
            assert!(base.ends_with("//api"), "{given}: {base}");
        }
    }

    #[test]
    fn nothing_can_be_appended_to_a_query() {
        for given in ["http://hub:5002/?x=1", "http://h/?", "http://h/api/mcp?tok=1"] {
            assert!(base(given).unwrap_err().contains("query"), "{given}");
        }
    }

    #[test]
    fn urls_that_hosts_take_pass() {
        for good in [
            "http://ci-hub:5002/api/mcp",
            "https://hub.example/x/api/mcp/?a=b",
            "http://[::1]:3000/api/mcp",
            "HTTP://HUB/",
        ] {
            assert_eq!(check(good), Ok(()), "{good}");
        }
    }

    #[test]
    fn others_are_refused_without_being_shown() {
        for bad in [
            "ci-hub:5002",
            "ftp://hub/",
            "http://",
            "http:/hub",
            "http:hub",
            "http:///hub",
            "http://hub\\x",
            "http://user:pa55word@hub/",
            "http://hub/#f",
            "http://hub/ x",
            "http://h\u{200b}ub/",
            "${HUB_URL}/api/mcp",
            "http://${HOST}/",
            "<url>",
            "http://hub:99999/",
        ] {
            let error = check(bad).unwrap_err();
            assert!(!error.contains("pa55word") && !error.contains("hub"), "{bad}: {error}");
        }
    }

    #[test]
    fn origins_are_compared_as_urls() {
        assert!(same_origin("http://Gateway/api", "http://gateway:80"));
        for other in ["https://gateway", "http://gateway:8642", "http://gateway.x", "gateway"] {
            assert!(!same_origin("http://gateway", other), "{other}");
        }
        let moved = at_origin_of("http://gateway:1/", "http://old:2/api/memory/mcp?x=1");
        assert_eq!(moved.unwrap(), "http://gateway:1/api/memory/mcp?x=1");
    }
}
