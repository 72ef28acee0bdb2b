//! Cleaning of one variable's text: what is forgiven and noted, what is refused and how it is named.
//!
//! Never puts a value into a message: a refused secret is described by kind and position alone.

/// A value after cleaning.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cleaned {
    /// The value to use; not blank.
    pub text: String,
    /// What was taken off, each a fragment such as "trailing line break removed".
    pub notes: Vec<String>,
}

/// Takes surrounding ASCII white space and one pair of matching quotes off. `None` for a blank value, which
/// counts as unset: container tools pass an unset variable on as an empty one.
#[must_use]
pub fn clean(raw: &str) -> Option<Cleaned> {
    let mut notes = Vec::new();
    let mut text = raw.trim_matches(|c: char| c.is_ascii_whitespace());
    if text.len() != raw.len() {
        notes.push(surrounding(raw, text));
    }
    if let Some(inner) = unquoted(text) {
        notes.push("surrounding quotes removed".to_owned());
        text = inner.trim_matches(|c: char| c.is_ascii_whitespace());
    }
    (!text.is_empty()).then(|| Cleaned { text: text.to_owned(), notes })
}

fn surrounding(raw: &str, text: &str) -> String {
    let leading = raw.len() - raw.trim_start_matches(|c: char| c.is_ascii_whitespace()).len();
    let trailing = &raw[(leading + text.len()).min(raw.len())..];
    match (leading > 0 && !text.is_empty(), trailing.contains(['\n', '\r'])) {
        (false, true) => "trailing line break removed".to_owned(),
        (false, false) => "trailing white space removed".to_owned(),
        (true, _) if trailing.is_empty() => "leading white space removed".to_owned(),
        (true, _) => "surrounding white space removed".to_owned(),
    }
}

/// The inside of a text in one pair of matching quotes, as an env file read without a shell leaves them.
fn unquoted(text: &str) -> Option<&str> {
    ['"', '\''].into_iter().find_map(|quote| text.strip_prefix(quote)?.strip_suffix(quote))
}

/// The first character that may not stand in an HTTP header value or a URL, described for a person.
///
/// Allowed is visible ASCII (0x21-0x7E).
#[must_use]
pub fn first_stray(text: &str) -> Option<String> {
    let (index, c) = text.chars().enumerate().find(|(_, c)| !c.is_ascii_graphic())?;
    Some(format!("{} at character {}", describe(c), index + 1))
}

/// The first control character, described for a person.
#[must_use]
pub fn first_control(text: &str) -> Option<String> {
    let (index, c) = text.chars().enumerate().find(|(_, c)| c.is_control() || is_invisible(*c))?;
    Some(format!("{} at character {}", describe(c), index + 1))
}

fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

fn describe(c: char) -> String {
    let kind = match c {
        '\n' => "a line feed",
        '\r' => "a carriage return",
        '\t' => "a tab",
        ' ' => "a space",
        '\u{a0}' => "a no-break space",
        '\u{200b}' => "a zero-width space",
        '\u{200c}' | '\u{200d}' | '\u{2060}' => "a zero-width joiner",
        '\u{feff}' => "a byte order mark",
        c if is_invisible(c) => "an invisible character",
        c if c.is_control() => "a control character",
        _ => "a character outside ASCII",
    };
    format!("{kind} (U+{:04X})", u32::from(c))
}

/// Whether a value is a template that nobody filled in (`${NAME}`, `$NAME`, `%NAME%`, `<name>`, `{{ name }}`), or
/// what another tool prints in a secret's place.
///
/// Hosts expand `${…}` anywhere in a string, so a credential or URL that contains it is never a literal.
#[must_use]
pub fn is_placeholder(text: &str) -> bool {
    let wrapped = |open: &str, close: &str| text.starts_with(open) && text.ends_with(close);
    let variable = |name: &str| {
        !name.is_empty() && name.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_')
    };
    text.contains("${")
        || text.strip_prefix('$').is_some_and(variable)
        || text.strip_prefix('%').and_then(|rest| rest.strip_suffix('%')).is_some_and(variable)
        || wrapped("<", ">")
        || wrapped("{{", "}}")
        || text.chars().all(|c| c == '*')
        || ["[redacted]", "__openclaw_redacted__", "undefined", "null"]
            .contains(&text.to_ascii_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cleaned(raw: &str) -> (String, Vec<String>) {
        let cleaned = clean(raw).unwrap();
        (cleaned.text, cleaned.notes)
    }

    #[test]
    fn white_space_and_quotes_go_with_a_note() {
        assert_eq!(cleaned("k_test_9"), ("k_test_9".into(), vec![]));
        assert_eq!(cleaned("k_test_9\n"), ("k_test_9".into(), vec!["trailing line break removed".into()]));
        assert_eq!(cleaned("k_test_9  "), ("k_test_9".into(), vec!["trailing white space removed".into()]));
        assert_eq!(cleaned("  k_test_9"), ("k_test_9".into(), vec!["leading white space removed".into()]));
        assert_eq!(
            cleaned(" k_test_9\r\n"),
            ("k_test_9".into(), vec!["surrounding white space removed".into()])
        );
        assert_eq!(cleaned("\"k_test_9\""), ("k_test_9".into(), vec!["surrounding quotes removed".into()]));
        assert_eq!(cleaned("'").0, "'");
    }

    #[test]
    fn blank_is_unset() {
        for raw in ["", " ", "\n", "\"\"", "' '"] {
            assert_eq!(clean(raw), None, "{raw:?}");
        }
    }

    #[test]
    fn strays_are_named_by_kind_and_position() {
        assert_eq!(first_stray("k_te\r\nX: y").unwrap(), "a carriage return (U+000D) at character 5");
        assert_eq!(first_stray("\u{200b}k").unwrap(), "a zero-width space (U+200B) at character 1");
        assert_eq!(first_stray("kéy").unwrap(), "a character outside ASCII (U+00E9) at character 2");
        assert_eq!(first_stray("a b").unwrap(), "a space (U+0020) at character 2");
        assert_eq!(first_stray("k_test_9~!"), None);
        assert_eq!(first_control("é ok"), None);
        assert!(first_control("a\u{7}b").unwrap().contains("U+0007"));
    }

    #[test]
    fn placeholders_are_recognised() {
        for text in [
            "${HUB_MCP_API_KEY}",
            "$HUB_MCP_API_KEY",
            "%KEY%",
            "<HUB_MCP_API_KEY>",
            "{{ key }}",
            "****",
            "x${A}y",
            "undefined",
        ] {
            assert!(is_placeholder(text), "{text}");
        }
        for text in ["k_test_9", "$x", "a<b>c", "*a*"] {
            assert!(!is_placeholder(text), "{text}");
        }
    }
}
