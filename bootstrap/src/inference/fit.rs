//! What of a hand-out may stand in a host's file.
//!
//! Hosts expand `${NAME}` wherever it stands in their files. In a value that nobody vouches for it would send the
//! agent's own credentials to whoever answered in the Hub's place, so such a value is refused. In the environment
//! and in single quotes nothing expands, so there it is data like any other.

use hubkit_contract::clean::is_placeholder;
use hubkit_contract::hub_url;

/// Where a model is served.
///
/// # Errors
/// A sentence without the value.
pub(super) fn endpoint(variable: &str, text: &str) -> Result<String, String> {
    hub_url::check(text).map_err(|what| unfit(variable, &what))?;
    Ok(text.to_owned())
}

/// Where Ollama listens: a URL or `host:port`, as the variable is used elsewhere.
///
/// # Errors
/// A sentence without the value.
pub(super) fn ollama(variable: &str, text: &str) -> Result<String, String> {
    let url = if text.contains("://") { text.to_owned() } else { format!("http://{text}") };
    endpoint(variable, &url)
}

/// A name or a key.
///
/// # Errors
/// A sentence without the value.
pub(super) fn word<'t>(variable: &str, text: &'t str) -> Result<&'t str, String> {
    if is_placeholder(text) {
        return Err(unfit(variable, "is a placeholder that nobody filled in"));
    }
    Ok(text)
}

fn unfit(variable: &str, what: &str) -> String {
    format!(
        "{variable} of the Hub's hand-out {what}, so nothing is written into the agent's file; correct it in the Hub"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_a_host_would_expand_or_could_not_reach_is_fit() {
        for bad in
            ["http://evil/${HUB_MCP_API_KEY}", "${URL}", "ftp://hub/", "hub:11434", "http://me:pa55word@hub/"]
        {
            let said = endpoint("OPENAI_API_BASE", bad).unwrap_err();
            assert!(
                said.starts_with("OPENAI_API_BASE of the Hub's hand-out ") && !said.contains(bad),
                "{said}"
            );
        }
        assert!(word("DEFAULT_MODEL", "a${HUB_MCP_API_KEY}").is_err());
        assert!(ollama("OLLAMA_HOST", "http://h/${X}").is_err() && ollama("OLLAMA_HOST", "a b").is_err());
    }

    #[test]
    fn what_the_hub_says_is_fit() {
        assert_eq!(endpoint("A", "http://hub:11434/v1").unwrap(), "http://hub:11434/v1");
        assert_eq!(ollama("A", "hub:11434").unwrap(), "http://hub:11434");
        assert_eq!(ollama("A", "https://hub").unwrap(), "https://hub");
        assert_eq!(word("A", "hf.co/a/b:q4_k_m").unwrap(), "hf.co/a/b:q4_k_m");
    }
}
