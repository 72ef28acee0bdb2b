//! The file that keeps what the Hub handed out: `.env.hub-bootstrap` in the agent's home.
//!
//! It lies where the agent can write, and shells may read it. So it is data both ways: of what is read back,
//! only assignments of listed names count, and every value is written in single quotes, where nothing expands.

use std::collections::BTreeMap;

use hubkit_contract::clean;
use hubkit_contract::handout::{self, App};
use hubkit_contract::limits::HANDOUT_VALUE_BYTES;
use hubkit_redaction::Secret;

/// The file's name in the agent's home.
pub(crate) const NAME: &str = ".env.hub-bootstrap";

/// The first line; the file says itself that edits are lost.
const HEADER: &str = "# Written by hubkit at every start from what the Hub hands out; edits are lost.";

/// Values by listed name.
pub(crate) type Values = BTreeMap<&'static str, Secret>;

/// The assignments of listed names in `bytes`; of several the last, as shells read them. Everything else, also a
/// value with control characters or one that is too long, is as if it were not there. Takes what hubkit writes
/// (single quotes) and what older scripts left (no quotes, double quotes, `export`).
pub(crate) fn parse(app: App, bytes: &[u8]) -> Values {
    let text = String::from_utf8_lossy(bytes);
    let assignments = text.lines().filter_map(|line| {
        let line = line.trim();
        let line = line.strip_prefix("export ").unwrap_or(line);
        let (name, value) = line.split_once('=')?;
        let name = handout::names(app).find(|listed| *listed == name.trim_end())?;
        let value = unquoted(value.trim())?;
        let fits =
            !value.is_empty() && value.len() <= HANDOUT_VALUE_BYTES && clean::first_control(&value).is_none();
        fits.then(|| (name, Secret::new(value)))
    });
    assignments.collect()
}

/// The text of a value; `None` where the quoting does not end, or ends early.
fn unquoted(value: &str) -> Option<String> {
    if let Some(inside) = value.strip_prefix('\'') {
        // An apostrophe is written as '\'' between two quoted pieces.
        let inside = inside.strip_suffix('\'').filter(|inside| !inside.contains('\u{0}'))?;
        let text = inside.replace(r"'\''", "\u{0}");
        return (!text.contains('\'')).then(|| text.replace('\u{0}', "'"));
    }
    if let Some(inside) = value.strip_prefix('"') {
        let inside = inside.strip_suffix('"')?;
        let mut text = String::new();
        let mut chars = inside.chars();
        while let Some(c) = chars.next() {
            match c {
                '"' => return None,
                '\\' => text.push(chars.next()?),
                c => text.push(c),
            }
        }
        return Some(text);
    }
    (!value.contains(['\'', '"', '`', '$', '\\', ';', '&', '|', '<', '>', '(', ')', ' ', '\t']))
        .then(|| value.to_owned())
}

/// The file's text. `stale` says in one line why these are older values.
pub(crate) fn render(app: App, values: &Values, stale: Option<&str>) -> String {
    let mut text = format!("{HEADER}\n");
    if let Some(why) = stale {
        let why: String = why.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        text.push_str(&format!("# stale: {why}\n"));
    }
    for name in handout::names(app) {
        if let Some(value) = values.get(name) {
            text.push_str(&format!("{name}='{}'\n", value.expose().replace('\'', r"'\''")));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Vec<(&'static str, String)> {
        let values = parse(App::OpenClaw, text.as_bytes());
        values.into_iter().map(|(name, value)| (name, value.expose().to_owned())).collect()
    }

    #[test]
    fn what_is_written_is_read_back_whatever_it_holds() {
        for value in
            ["plain", "it's", "''", "$(id)", "`id`", "a\\b", "${X}", "# no comment", "\"", "'", "ü=1"]
        {
            let mut values = Values::new();
            values.insert("DEFAULT_MODEL", Secret::new(value));
            let text = render(App::OpenClaw, &values, Some("a\nb"));
            assert_eq!(text.lines().count(), 3, "{text}");
            assert_eq!(parsed(&text), [("DEFAULT_MODEL", value.to_owned())]);
        }
    }

    #[test]
    fn nothing_but_listed_names_with_plain_values_is_taken_from_what_an_agent_could_have_written() {
        let hostile = "LD_PRELOAD='/tmp/x.so'\nPATH=/tmp\nNODE_OPTIONS='--require /tmp/x'\nOPENAI_API_KEY=$(id)\n\
            DEFAULT_MODEL=`id`\nEMBEDDINGS_MODEL='a' ; id\nOPENAI_API_BASE='open\nHERMES_DEFAULT_MODEL='x'\n\
            OLLAMA_HOST='a\u{1b}b'\nOLLAMA_HOST='a\0b'\nOLLAMA_HOST='a\u{202e}b'\neval x\n=x\n";
        assert_eq!(parsed(hostile), []);
    }

    #[test]
    fn what_older_scripts_left_is_read() {
        let text = "# x\nexport OPENAI_API_BASE=http://hub/v1\nDEFAULT_MODEL=\"a \\\"b\\\"\"\nDEFAULT_MODEL=qwen3:8b\n";
        assert_eq!(
            parsed(text),
            [("DEFAULT_MODEL", "qwen3:8b".to_owned()), ("OPENAI_API_BASE", "http://hub/v1".to_owned())]
        );
    }

    #[test]
    fn a_value_may_be_as_long_as_the_limit_and_no_longer() {
        let at = "x".repeat(HANDOUT_VALUE_BYTES);
        assert_eq!(parsed(&format!("DEFAULT_MODEL='{at}'")).len(), 1);
        assert_eq!(parsed(&format!("DEFAULT_MODEL='{at}x'")).len(), 0);
    }
}
