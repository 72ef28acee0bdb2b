//! Leftovers of the transport that the Hub no longer speaks: HTTP with server-sent events, which had two URLs, one
//! for the stream and one for messages. Today there is one endpoint.

use std::ffi::OsString;

use crate::clean;
use crate::environment::{HUB_MCP_LEGACY_CLIENT, HUB_MCP_MESSAGES_URL, HUB_MCP_URL};
use crate::hub_url::MCP_PATH;

/// Ends of a path that belong to the older transport.
const ENDS: [&str; 2] = ["/sse", "/messages"];

/// The end of the path of `url` that belongs to the older transport.
#[must_use]
pub fn retired_end(url: &str) -> Option<&'static str> {
    let path = without_query(url);
    ENDS.into_iter().find(|end| path.ends_with(end))
}

/// Today's endpoint for one of the Hub's two older URLs. `None` for every other URL, also for one that is of the
/// older transport but leads elsewhere than below the Hub's endpoint.
#[must_use]
pub fn renewed(url: &str) -> Option<String> {
    let path = without_query(url);
    let base = ENDS.into_iter().find_map(|end| path.strip_suffix(end))?;
    base.ends_with(MCP_PATH).then(|| base.to_owned())
}

/// The URL up to its query or fragment, without slashes at the end.
fn without_query(url: &str) -> &str {
    url.split(['?', '#']).next().unwrap_or_default().trim_end_matches('/')
}

/// What older set-ups left in the environment, one sentence each, without values. A `HUB_MCP_URL` that can be
/// [`renewed`] is none: the intake does that.
#[must_use]
pub fn stale_environment(variable: &dyn Fn(&str) -> Option<OsString>) -> Vec<String> {
    let text = |name: &str| {
        let raw = variable(name)?;
        clean::clean(&raw.to_string_lossy()).map(|cleaned| cleaned.text)
    };
    let mut found = Vec::new();
    if let Some(url) = text(HUB_MCP_URL)
        && let (Some(end), None) = (retired_end(&url), renewed(&url))
    {
        found.push(format!(
            "{HUB_MCP_URL} ends in `{end}`, where the older transport was: set it to the Hub's endpoint, `…{MCP_PATH}`"
        ));
    }
    if text(HUB_MCP_MESSAGES_URL).is_some() {
        found.push(format!("{HUB_MCP_MESSAGES_URL} is of the older transport and is not read: unset it"));
    }
    let asks = |word: &str| !["false", "0", "no", "off"].contains(&word.to_ascii_lowercase().as_str());
    if text(HUB_MCP_LEGACY_CLIENT).is_some_and(|word| asks(&word)) {
        found.push(format!(
            "{HUB_MCP_LEGACY_CLIENT} asks for a client that no longer exists, and is not read: unset it"
        ));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_hubs_own_older_urls_are_renewed() {
        for old in [
            "http://ci-hub:5002/api/mcp/sse",
            "http://ci-hub:5002/api/mcp/messages",
            "http://ci-hub:5002/api/mcp/sse/",
            "http://ci-hub:5002/api/mcp/messages?sessionId=1",
        ] {
            assert_eq!(renewed(old).unwrap(), "http://ci-hub:5002/api/mcp", "{old}");
            assert!(retired_end(old).is_some(), "{old}");
        }
        for other in ["http://h/sse", "http://h/mcp/messages"] {
            assert_eq!(renewed(other), None, "{other}");
            assert!(retired_end(other).is_some(), "{other}");
        }
        for today in [
            "http://ci-hub:5002/api/mcp",
            "http://h/api/mcp/",
            "http://h/sse/x",
            "http://h/?x=/sse",
            "http://h/classe",
        ] {
            assert_eq!((renewed(today), retired_end(today)), (None, None), "{today}");
        }
    }

    #[test]
    fn what_nothing_reads_any_more_is_said_without_its_value() {
        let said = |name: &'static str, value: &'static str| {
            stale_environment(&move |asked| (asked == name).then(|| OsString::from(value)))
        };
        for (name, value) in [
            (HUB_MCP_MESSAGES_URL, "http://hub/api/mcp/messages?t=s3cret"),
            (HUB_MCP_LEGACY_CLIENT, "true"),
            (HUB_MCP_LEGACY_CLIENT, "1"),
            (HUB_MCP_URL, "http://s3cret/sse"),
        ] {
            let said = said(name, value);
            assert!(said.len() == 1 && said[0].starts_with(name) && !said[0].contains(value), "{said:?}");
        }
        for (name, value) in [
            (HUB_MCP_MESSAGES_URL, " "),
            (HUB_MCP_LEGACY_CLIENT, "false"),
            (HUB_MCP_LEGACY_CLIENT, ""),
            (HUB_MCP_URL, "http://hub/api/mcp"),
            (HUB_MCP_URL, "http://hub/api/mcp/sse"),
        ] {
            assert_eq!(said(name, value), Vec::<String>::new(), "{name}={value}");
        }
    }
}
