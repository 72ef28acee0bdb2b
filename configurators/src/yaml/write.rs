//! Prints new text. Strings read back as exactly themselves in YAML 1.1 and in 1.2: everything but a plain
//! word is quoted, and so is every word that either version takes for something else.

use super::scalar::is_ambiguous;
use super::style::Quotes;
use crate::Value;

/// How the strings of new text are quoted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Pen {
    pub(super) quotes: Quotes,
    /// Whether keys are quoted that could be bare.
    pub(super) quotes_keys: bool,
    /// Whether other strings are.
    pub(super) quotes_texts: bool,
}

impl From<Quotes> for Pen {
    fn from(quotes: Quotes) -> Self {
        Self { quotes, quotes_keys: false, quotes_texts: false }
    }
}

impl Pen {
    fn key(self, key: &str) -> String {
        if self.quotes_keys { quoted(key, self.quotes) } else { string(key, self.quotes) }
    }

    fn text(self, text: &str) -> String {
        if self.quotes_texts { quoted(text, self.quotes) } else { string(text, self.quotes) }
    }
}

/// A value on one line.
pub(super) fn inline(value: &Value, pen: impl Into<Pen>) -> String {
    let pen = pen.into();
    match value {
        // A value of the other kind is refused before anything is printed.
        Value::Null | Value::Other(_) => "null".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Int(number) => number.to_string(),
        Value::Float(number) => float(*number),
        Value::Str(text) => pen.text(text),
        Value::List(items) => {
            let items: Vec<String> = items.iter().map(|item| inline(item, pen)).collect();
            format!("[{}]", items.join(", "))
        }
        Value::Map(members) => format!("{{{}}}", flow_members(members, pen)),
    }
}

/// The members of a mapping on one line, without the braces.
pub(super) fn flow_members(members: &[(String, Value)], pen: impl Into<Pen>) -> String {
    let pen = pen.into();
    let member = |(key, value): &(String, Value)| format!("{}: {}", pen.key(key), inline(value, pen));
    members.iter().map(member).collect::<Vec<_>>().join(", ")
}

/// How block text is laid out.
#[derive(Debug, Clone, Copy)]
pub(super) struct Layout {
    /// Spaces before the members.
    pub(super) indent: usize,
    /// Spaces more for the members of each nested mapping.
    pub(super) step: usize,
    pub(super) ending: &'static str,
    pub(super) pen: Pen,
}

/// The members of a mapping as lines, without a line break after the last.
pub(super) fn block_members(members: &[(String, Value)], layout: Layout) -> String {
    let mut lines = Vec::new();
    for (key, value) in members {
        let key = format!("{}{}:", " ".repeat(layout.indent), layout.pen.key(key));
        match value {
            Value::Map(inner) if !inner.is_empty() => {
                lines.push(key);
                lines.push(block_members(inner, Layout { indent: layout.indent + layout.step, ..layout }));
            }
            _ => lines.push(format!("{key} {}", inline(value, layout.pen))),
        }
    }
    lines.join(layout.ending)
}

/// A string, bare only if it is a word.
pub(super) fn string(text: &str, quotes: Quotes) -> String {
    let is_word = text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'));
    if is_word && !is_ambiguous(text) {
        return text.to_owned();
    }
    quoted(text, quotes)
}

/// A string in quotes.
fn quoted(text: &str, quotes: Quotes) -> String {
    let fits_single = !text.contains(|c: char| c == '\'' || needs_escape(c));
    if quotes == Quotes::Single && fits_single { format!("'{text}'") } else { double_quoted(text) }
}

/// Characters that a reader may not take, may fold, or that a person cannot see.
fn needs_escape(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2064}')
        || matches!(c, '\u{feff}' | '\u{fff9}'..='\u{ffff}')
}

fn double_quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for c in text.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            c if needs_escape(c) => quoted.push_str(&format!("\\u{:04X}", u32::from(c))),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

/// YAML 1.1 wants a point in the mantissa and a sign in the exponent.
fn float(number: f64) -> String {
    if number.is_nan() {
        return ".nan".to_owned();
    }
    if number.is_infinite() {
        return if number > 0.0 { ".inf" } else { "-.inf" }.to_owned();
    }
    let text = format!("{number:?}");
    let Some((mantissa, exponent)) = text.split_once('e') else { return text };
    let point = if mantissa.contains('.') { "" } else { ".0" };
    let sign = if exponent.starts_with('-') { "" } else { "+" };
    format!("{mantissa}{point}e{sign}{exponent}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_words_stay_bare() {
        for text in ["streamable-http", "Authorization", "connect_timeout", "_x"] {
            assert_eq!(string(text, Quotes::Double), text);
        }
        for text in
            ["", "yes", "Off", "y", "null", "180", "1e3", "-x", "a b", "a:b", "http://h/", "x.", "#", "é"]
        {
            assert_eq!(string(text, Quotes::Double), format!("\"{text}\""), "{text}");
            assert_eq!(string(text, Quotes::Single), format!("'{text}'"), "{text}");
        }
    }

    #[test]
    fn what_single_quotes_cannot_hold_gets_double_ones() {
        assert_eq!(string("it's", Quotes::Single), "\"it's\"");
        assert_eq!(string("a\nb", Quotes::Single), r#""a\nb""#);
        assert_eq!(string("a\"\\\u{7}\u{85}\u{feff}", Quotes::Double), r#""a\"\\\u0007\u0085\uFEFF""#);
    }

    #[test]
    fn numbers_read_back_in_both_versions() {
        assert_eq!(inline(&Value::Int(180), Quotes::Double), "180");
        assert_eq!(inline(&Value::Float(1.5), Quotes::Double), "1.5");
        assert_eq!(inline(&Value::Float(1e300), Quotes::Double), "1.0e+300");
        assert_eq!(inline(&Value::Float(2.5e-9), Quotes::Double), "2.5e-9");
        assert_eq!(inline(&Value::Float(180.0), Quotes::Double), "180.0");
    }

    #[test]
    fn nested_mappings_become_lines() {
        let headers = Value::Map(vec![("Authorization".into(), "Bearer k".into())]);
        let members = vec![("url".into(), "http://h".into()), ("headers".into(), headers)];
        let layout = Layout { indent: 2, step: 4, ending: "\r\n", pen: Quotes::Double.into() };
        assert_eq!(
            block_members(&members, layout),
            "  url: \"http://h\"\r\n  headers:\r\n      Authorization: \"Bearer k\""
        );
        assert_eq!(
            flow_members(&members, Quotes::Single),
            "url: 'http://h', headers: {Authorization: 'Bearer k'}"
        );
    }
}
