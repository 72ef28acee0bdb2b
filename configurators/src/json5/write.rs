//! New text: keys, scalars, lists and objects in a file's style. Never copies anything from the file.

use super::style::{Spacing, Style};
use super::token::is_plain_key;
use crate::Value;

/// A value that does not stand in the file yet.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum New<'c> {
    /// A value as the caller gave it.
    Given(&'c Value),
    /// An object on the way to given values.
    Object(Vec<(&'c str, New<'c>)>),
}

/// How an object is laid out.
#[derive(Debug, Clone, Copy)]
pub(super) enum Layout<'i> {
    /// One member a line, the closing brace at this indentation.
    Lines(&'i str),
    /// All on one line.
    Inline(Spacing),
}

/// The value cannot be written; a lower-case fragment says why.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Unwritable(pub(super) &'static str);

impl Style {
    /// `key: value` without a comma. In [`Layout::Lines`] the indentation is the member's own.
    pub(super) fn member(
        &self,
        key: &str,
        value: &New<'_>,
        layout: Layout<'_>,
    ) -> Result<String, Unwritable> {
        let colon = match layout {
            Layout::Lines(_) => self.spacing.colon,
            Layout::Inline(spacing) => spacing.colon,
        };
        Ok(format!("{}:{colon}{}", self.key(key), self.value(value, layout)?))
    }

    /// A value. In [`Layout::Lines`] the indentation is that of the line it starts on.
    pub(super) fn value(&self, value: &New<'_>, layout: Layout<'_>) -> Result<String, Unwritable> {
        match (value, layout) {
            (New::Given(value), layout) => self.given(value, layout),
            (New::Object(members), Layout::Lines(outer)) => {
                let (newline, inner) = (self.newline, format!("{outer}{}", self.unit));
                let members = self.members(members, Layout::Lines(&inner))?;
                let lines = members.join(&format!(",{newline}{inner}"));
                let comma = if self.trailing_comma { "," } else { "" };
                Ok(format!("{{{newline}{inner}{lines}{comma}{newline}{outer}}}"))
            }
            (New::Object(members), Layout::Inline(spacing)) => {
                let members = self.members(members, layout)?;
                Ok(braced(&members, spacing))
            }
        }
    }

    fn members(&self, members: &[(&str, New<'_>)], layout: Layout<'_>) -> Result<Vec<String>, Unwritable> {
        members.iter().map(|(key, value)| self.member(key, value, layout)).collect()
    }

    fn given(&self, value: &Value, layout: Layout<'_>) -> Result<String, Unwritable> {
        let spacing = match layout {
            Layout::Lines(_) => Spacing { braces: " ", comma: " ", ..self.spacing },
            Layout::Inline(spacing) => spacing,
        };
        Ok(match value {
            Value::Null => "null".to_owned(),
            Value::Bool(bool) => bool.to_string(),
            Value::Int(number) => number.to_string(),
            Value::Float(number) if number.is_finite() => number.to_string(),
            Value::Float(_) if self.strict => return Err(Unwritable("strict JSON has no such number")),
            Value::Float(number) if number.is_nan() => "NaN".to_owned(),
            Value::Float(number) => if *number > 0.0 { "Infinity" } else { "-Infinity" }.to_owned(),
            Value::Str(text) => quoted(text, self.text_quote, self.strict),
            Value::List(items) => {
                let items =
                    items.iter().map(|item| self.given(item, layout)).collect::<Result<Vec<_>, _>>()?;
                format!("[{}]", items.join(&format!(",{}", spacing.comma)))
            }
            Value::Map(members) if members.is_empty() => "{}".to_owned(),
            Value::Map(members) => {
                let members = members
                    .iter()
                    .map(|(key, value)| {
                        Ok(format!("{}:{}{}", self.key(key), spacing.colon, self.given(value, layout)?))
                    })
                    .collect::<Result<Vec<_>, _>>()?;
                braced(&members, spacing)
            }
            Value::Other(_) => return Err(Unwritable("JSON has no such value")),
        })
    }

    fn key(&self, key: &str) -> String {
        if self.bare_keys && is_plain_key(key) {
            key.to_owned()
        } else {
            quoted(key, self.key_quote, self.strict)
        }
    }
}

fn braced(members: &[String], spacing: Spacing) -> String {
    let pad = spacing.braces;
    format!("{{{pad}{}{pad}}}", members.join(&format!(",{}", spacing.comma)))
}

/// A string in the wanted quotes, or in the other ones where that saves an escape.
fn quoted(text: &str, wanted: char, strict: bool) -> String {
    let other = if wanted == '"' { '\'' } else { '"' };
    let quote = if !strict && text.contains(wanted) && !text.contains(other) { other } else { wanted };
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push(quote);
    for c in text.chars() {
        match c {
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            c if c == quote => quoted.extend(['\\', c]),
            // Line separators would pass, but with a warning of npm `json5`; the rest cannot be seen.
            c if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}') => {
                quoted.push_str(&format!("\\u{:04x}", u32::from(c)));
            }
            c => quoted.push(c),
        }
    }
    quoted.push(quote);
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_are_escaped_in_the_quotes_that_need_least() {
        assert_eq!(quoted("a", '\'', false), "'a'");
        assert_eq!(quoted("it's", '\'', false), "\"it's\"");
        assert_eq!(quoted("say \"it's\"", '\'', false), "'say \"it\\'s\"'");
        assert_eq!(quoted("a'b\"", '"', true), "\"a'b\\\"\"");
        assert_eq!(quoted("\u{7}\u{2028}\\\n", '"', true), "\"\\u0007\\u2028\\\\\\n\"");
    }

    #[test]
    fn what_json_does_not_have_is_not_written() {
        let mut style = Style::fresh("\n");
        let infinity = Value::Float(f64::NEG_INFINITY);
        let layout = Layout::Lines("");
        assert!(style.value(&New::Given(&infinity), layout).is_err());
        style.strict = false;
        assert_eq!(style.value(&New::Given(&infinity), layout).unwrap(), "-Infinity");
        assert!(style.value(&New::Given(&Value::Other("x".into())), layout).is_err());
    }
}
