//! From source text to values, as JavaScript reads them. Expects text that the scanner took.

use std::borrow::Cow;
use std::collections::HashMap;

use super::tree::{Kind, Node};
use crate::Value;

/// The value of a string with its quotes.
pub(super) fn string(raw: &str) -> Cow<'_, str> {
    let inside = raw.get(1..raw.len().saturating_sub(1)).unwrap_or_default();
    if !inside.contains('\\') {
        return Cow::Borrowed(inside);
    }
    let mut decoded = String::with_capacity(inside.len());
    let mut rest = inside;
    while let Some(at) = rest.find('\\') {
        decoded.push_str(&rest[..at]);
        let mut chars = rest[at + 1..].chars();
        if let Some(c) = chars.next() {
            let (c, left) = escape(c, chars.as_str());
            decoded.extend(c);
            rest = left;
        } else {
            rest = "";
        }
    }
    decoded.push_str(rest);
    Cow::Owned(decoded)
}

/// The character that an escape stands for, if any, and what is left behind it.
fn escape(letter: char, left: &str) -> (Option<char>, &str) {
    let plain = |c| (Some(c), left);
    match letter {
        'b' => plain('\u{8}'),
        'f' => plain('\u{c}'),
        'n' => plain('\n'),
        'r' => plain('\r'),
        't' => plain('\t'),
        'v' => plain('\u{b}'),
        '0' => plain('\0'),
        '\n' | '\u{2028}' | '\u{2029}' => (None, left),
        '\r' => (None, left.strip_prefix('\n').unwrap_or(left)),
        'x' => {
            let (unit, left) = hex(left, 2);
            (char::from_u32(unit), left)
        }
        'u' => {
            let (unit, left) = hex(left, 4);
            let (low, behind) = left.strip_prefix("\\u").map_or((0, left), |second| hex(second, 4));
            match (unit, low) {
                (0xd800..=0xdbff, 0xdc00..=0xdfff) => {
                    let code = 0x1_0000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
                    (char::from_u32(code), behind)
                }
                _ => (Some(char::from_u32(unit).unwrap_or(char::REPLACEMENT_CHARACTER)), left),
            }
        }
        other => plain(other),
    }
}

fn hex(text: &str, digits: usize) -> (u32, &str) {
    let (digits, left) = text.split_at_checked(digits).unwrap_or((text, ""));
    (u32::from_str_radix(digits, 16).unwrap_or(0), left)
}

/// The value of a number, as JavaScript's one number type holds it.
pub(super) fn number(raw: &str) -> f64 {
    let unsigned = raw.trim_start_matches(['+', '-']);
    let size = match unsigned {
        "Infinity" => f64::INFINITY,
        "NaN" => f64::NAN,
        _ => match unsigned.strip_prefix("0x").or_else(|| unsigned.strip_prefix("0X")) {
            #[expect(clippy::cast_precision_loss, reason = "rounding to a double is what JavaScript does")]
            Some(digits) => u128::from_str_radix(digits, 16).map_or(f64::INFINITY, |n| n as f64),
            None => unsigned.parse().unwrap_or(f64::NAN),
        },
    };
    if raw.starts_with('-') { -size } else { size }
}

/// The value that the host reads at `node`.
pub(super) fn value(text: &str, node: &Node<'_>) -> Value {
    let raw = &text[node.span.clone()];
    match &node.kind {
        Kind::Null => Value::Null,
        Kind::Bool(bool) => Value::Bool(*bool),
        Kind::Number => number_value(number(raw)),
        Kind::Text => Value::Str(string(raw).into_owned()),
        Kind::List(items) => Value::List(items.iter().map(|item| value(text, item)).collect()),
        Kind::Object(members) => {
            let live: HashMap<&str, usize> =
                members.iter().enumerate().map(|(index, member)| (&*member.name, index)).collect();
            let last = members.iter().enumerate().filter(|(index, member)| live[&*member.name] == *index);
            Value::Map(last.map(|(_, m)| (m.name.clone().into_owned(), value(text, &m.value))).collect())
        }
    }
}

fn number_value(number: f64) -> Value {
    // Both bounds are exact doubles; the upper one is the first integer that does not fit.
    if number.fract() == 0.0 && (-9_223_372_036_854_775_808.0..9_223_372_036_854_775_808.0).contains(&number)
    {
        #[expect(clippy::cast_possible_truncation, reason = "the range was checked")]
        return Value::Int(number as i64);
    }
    Value::Float(number)
}

/// Whether `have` already means `wanted` to the host: numbers by value, mappings in any order.
pub(super) fn means(have: &Value, wanted: &Value) -> bool {
    match (have, wanted) {
        (Value::Map(have), Value::Map(wanted)) => {
            have.len() == wanted.len()
                && wanted.iter().all(|(key, wanted)| {
                    have.iter().find(|(name, _)| name == key).is_some_and(|(_, have)| means(have, wanted))
                })
        }
        (Value::List(have), Value::List(wanted)) => {
            have.len() == wanted.len() && have.iter().zip(wanted).all(|(have, wanted)| means(have, wanted))
        }
        _ => match (double(have), double(wanted)) {
            (Some(have), Some(wanted)) => have == wanted || (have.is_nan() && wanted.is_nan()),
            (None, None) => have == wanted,
            _ => false,
        },
    }
}

#[expect(clippy::cast_precision_loss, reason = "the host holds every number as a double")]
fn double(value: &Value) -> Option<f64> {
    match value {
        Value::Int(number) => Some(*number as f64),
        Value::Float(number) => Some(*number),
        _ => None,
    }
}
