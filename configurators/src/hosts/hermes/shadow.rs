//! Variables that Hermes's own `.env` sets: it goes over the environment, so what hubkit gives the agent under the
//! same names does not arrive. Says names and lines, never a value; the file may be the agent's.

use std::path::Path;

use hubkit_redaction::Secret;

use super::dotenv::{Binding, bindings};
use crate::hosts::small_file::{self, Unread};

/// The file in Hermes's home.
const NAME: &str = ".env";

/// Largest file that is looked into, bytes.
const BYTES: usize = 1024 * 1024;

/// Ends of names whose values Hermes takes all characters outside ASCII out of.
const CREDENTIALS: [&str; 4] = ["_API_KEY", "_TOKEN", "_SECRET", "_KEY"];

/// What `.env` in `directory`, which is Hermes's home, sets of the variables `expected`, one sentence each. A variable
/// may come with the value that the agent should see; whether the file says the same is then part of the sentence.
#[must_use]
pub fn shadowed(directory: &Path, expected: &[(&str, Option<&Secret>)]) -> Vec<String> {
    if expected.is_empty() {
        return Vec::new();
    }
    let path = directory.join(NAME);
    let shown = path.display();
    let bytes = match small_file::read(&path, BYTES) {
        Ok(bytes) => bytes,
        Err(Unread::Missing) => return Vec::new(),
        Err(other) => {
            return vec![format!(
                "{shown} {}, so it was not looked into: what it sets goes over the environment",
                why(&other)
            )];
        }
    };
    let bindings = bindings(&text(&bytes));
    let last = |name: &str| bindings.iter().rfind(|binding| binding.name == name);
    let said = expected.iter().filter_map(|(name, value)| {
        let Binding { line, text: Some(text), .. } = last(name)? else { return None };
        let verdict = match value {
            Some(value) if !is_composed(text) && is_same(name, text, value) => {
                "to what it is now, and Hermes takes it from there also when the Hub changes it"
            }
            Some(_) if !is_composed(text) => "to another value, and Hermes takes that one",
            _ => "and Hermes takes that, whatever the environment holds",
        };
        Some(format!("line {line} of {shown} sets {name} {verdict}: take the line out"))
    });
    said.collect()
}

/// The text as Hermes mends it before it reads it.
fn text(bytes: &[u8]) -> String {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    String::from_utf8_lossy(bytes).replace('\0', "")
}

/// Whether the value is put together from others when Hermes starts.
fn is_composed(text: &str) -> bool {
    text.contains("${")
}

fn is_same(name: &str, text: &str, value: &Secret) -> bool {
    if CREDENTIALS.iter().any(|end| name.ends_with(end)) {
        text.chars().filter(char::is_ascii).eq(value.expose().chars())
    } else {
        text == value.expose()
    }
}

fn why(unread: &Unread) -> String {
    match unread {
        Unread::Missing => "is missing".to_owned(),
        Unread::Link => "is a link".to_owned(),
        Unread::NoFile => "is no regular file".to_owned(),
        Unread::TooLarge => format!("is larger than {BYTES} bytes"),
        Unread::Failed => "cannot be read".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hosts::small_file::tests::Scratch;

    const KEY: &str = "HUB_MCP_API_KEY";
    const CANARY: &str = "canary-0123456789abcdef";

    fn said(scratch: &Scratch, value: Option<&str>) -> Vec<String> {
        let value = value.map(Secret::new);
        shadowed(&scratch.0, &[(KEY, value.as_ref()), ("OLLAMA_HOST", None)])
    }

    #[test]
    fn names_and_lines_are_said_and_never_a_value() {
        let scratch = Scratch::new();
        assert_eq!(said(&scratch, Some(CANARY)), Vec::<String>::new(), "no file");
        for (text, value, parts) in [
            (format!("{KEY}={CANARY}\n"), Some(CANARY), vec!["line 1 of ", "to what it is now"]),
            (
                format!("# x\nexport {KEY}=\"{CANARY}\" # mine\n"),
                Some(CANARY),
                vec!["line 2 of ", "to what it is now"],
            ),
            (format!("{KEY}={CANARY}\u{200b}\n"), Some(CANARY), vec!["to what it is now"]),
            (format!("\u{feff}{KEY}={CANARY}\0\n"), Some(CANARY), vec!["line 1 of ", "to what it is now"]),
            (format!("{KEY}={CANARY}\n"), Some("another"), vec!["to another value"]),
            (format!("{KEY}=\n"), Some(CANARY), vec!["to another value"]),
            (format!("{KEY}={CANARY}\n{KEY}=x\n"), Some(CANARY), vec!["line 2 of ", "to another value"]),
            (format!("{KEY}=${{OTHER}}\n"), Some("${OTHER}"), vec!["whatever the environment holds"]),
            (format!("{KEY}={CANARY}\n"), None, vec!["sets HUB_MCP_API_KEY and Hermes takes that"]),
        ] {
            scratch.write(".env", &text);
            let said = said(&scratch, value);
            assert_eq!(said.len(), 1, "{text:?}: {said:?}");
            assert!(parts.iter().all(|part| said[0].contains(part)), "{text:?}: {said:?}");
            assert!(!said[0].contains("canary") && said[0].contains(KEY), "{said:?}");
        }
    }

    #[test]
    fn lines_that_set_nothing_are_no_shadow() {
        let scratch = Scratch::new();
        for text in [
            format!("# {KEY}={CANARY}\n"),
            format!("X{KEY}={CANARY}\n{KEY}_FILE=/x\n"),
            format!("{KEY}\n"),
            format!("{KEY}={CANARY}\n{KEY}\n"),
            format!("OTHER='\n{KEY}={CANARY}\n'\n"),
            format!("{KEY}=\"{CANARY}\" x\n"),
            format!("hub_mcp_api_key={CANARY}\n"),
            String::new(),
        ] {
            scratch.write(".env", &text);
            assert_eq!(said(&scratch, Some(CANARY)), Vec::<String>::new(), "{text:?}");
        }
        scratch.write(".env", format!("{KEY}={CANARY}\n"));
        assert_eq!(shadowed(&scratch.0, &[]), Vec::<String>::new(), "nothing is given to the agent");
        assert_eq!(shadowed(&scratch.0, &[("OLLAMA_HOST", None)]), Vec::<String>::new());
    }

    #[test]
    fn what_is_no_small_file_is_said_and_not_read() {
        let scratch = Scratch::new();
        let real = scratch.write("real", format!("{KEY}={CANARY}\n"));
        std::os::unix::fs::symlink(real, scratch.0.join(".env")).unwrap();
        let linked = said(&scratch, Some(CANARY));
        assert!(
            linked.len() == 1 && linked[0].contains(".env is a link, so it was not looked into"),
            "{linked:?}"
        );
        std::fs::remove_file(scratch.0.join(".env")).unwrap();
        scratch.write(".env", vec![b'\n'; BYTES + 1]);
        assert!(said(&scratch, None)[0].contains("is larger than"));
        scratch.write(".env", [format!("{KEY}=").as_bytes(), &[0xff, 0xfe, b'\n']].concat());
        assert_eq!(said(&scratch, Some(CANARY)).len(), 1, "bytes that are no UTF-8");
    }
}
