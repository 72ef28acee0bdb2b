//! A value as an oracle reads it, with the kinds that matter kept apart, and its comparison with ours.

#![expect(clippy::panic, reason = "an oracle that speaks another language must fail the test that asked it")]

use std::slice::Iter;

use hubkit_configurators::Value;
use serde_json::Value as Json;

/// A value as an oracle reads it.
#[derive(Debug, Clone)]
pub enum Tagged {
    /// Null.
    Null,
    /// A boolean.
    Bool(bool),
    /// A YAML integer of any size, in decimal digits.
    Int(String),
    /// A YAML number that is no integer, the infinities and NaN among them.
    Float(f64),
    /// A JSON5 number; the format knows one kind.
    Number(f64),
    /// A string.
    Str(String),
    /// A date, or a date with a time, in ISO 8601.
    Date(String),
    /// A sequence.
    List(Vec<Tagged>),
    /// A mapping in the oracle's order, without duplicates.
    Map(Vec<(Tagged, Tagged)>),
    /// Something that no recipe writes: bytes, a set, pairs.
    Other(String),
}

/// Numbers are equal when they are the same number: NaN equals NaN, and zero differs from minus zero.
impl PartialEq for Tagged {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Null, Self::Null) => true,
            (Self::Bool(a), Self::Bool(b)) => a == b,
            (Self::Float(a), Self::Float(b)) | (Self::Number(a), Self::Number(b)) => same(*a, *b),
            (Self::Int(a), Self::Int(b))
            | (Self::Str(a), Self::Str(b))
            | (Self::Date(a), Self::Date(b))
            | (Self::Other(a), Self::Other(b)) => a == b,
            (Self::List(a), Self::List(b)) => a == b,
            (Self::Map(a), Self::Map(b)) => a == b,
            _ => false,
        }
    }
}

impl Tagged {
    /// The member `key` of a mapping; `None` for a missing key and for anything that is no mapping.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Self> {
        match self {
            Self::Map(entries) => {
                entries.iter().find(|(k, _)| matches!(k, Self::Str(k) if k == key)).map(|(_, v)| v)
            }
            _ => None,
        }
    }

    /// The member at the end of a path of keys.
    #[must_use]
    pub fn at(&self, path: &[&str]) -> Option<&Self> {
        path.iter().try_fold(self, |value, key| value.get(key))
    }

    /// Whether our reader read the same. Mappings are compared without regard to order: with duplicate
    /// keys the libraries keep the first one's place, and JavaScript sorts some keys. A value that ours
    /// calls [`Value::Other`] is taken for any date, for other special things and for mappings with keys
    /// that are no strings.
    ///
    /// # Errors
    /// The path to the first difference, and both sides of it.
    pub fn agrees_with(&self, ours: &Value) -> Result<(), String> {
        self.compare(ours, "$")
    }

    fn compare(&self, ours: &Value, path: &str) -> Result<(), String> {
        let equal = match (self, ours) {
            (Self::Null, Value::Null) => true,
            (Self::Bool(a), Value::Bool(b)) => a == b,
            (Self::Int(a), Value::Int(b)) => a.parse() == Ok(*b),
            // An integer past 64 bits; both sides round to the nearest double.
            (Self::Int(a), Value::Float(b)) => {
                a.parse::<i64>().is_err() && a.parse::<f64>().is_ok_and(|a| same(a, *b))
            }
            (Self::Number(a), Value::Int(b)) => exactly(*b).is_some_and(|b| same(*a, b)),
            (Self::Float(a) | Self::Number(a), Value::Float(b)) => same(*a, *b),
            (Self::Str(a), Value::Str(b)) => a == b,
            (Self::Date(_) | Self::Other(_), Value::Other(_)) => true,
            (Self::List(a), Value::List(b)) if a.len() == b.len() => {
                for (at, (a, b)) in a.iter().zip(b).enumerate() {
                    a.compare(b, &format!("{path}[{at}]"))?;
                }
                true
            }
            (Self::Map(a), Value::Other(_)) => a.iter().any(|(key, _)| !matches!(key, Self::Str(_))),
            (Self::Map(a), Value::Map(b)) if a.len() == b.len() => {
                for (key, member) in b {
                    let Some(theirs) = self.get(key) else {
                        return Err(format!("at {path}: only we read the key {key:?}"));
                    };
                    theirs.compare(member, &format!("{path}.{key}"))?;
                }
                true
            }
            _ => false,
        };
        if equal { Ok(()) } else { Err(format!("at {path}: the oracle reads {self:?}, we read {ours:?}")) }
    }

    /// Builds the value from the flat form in which the oracles send it.
    pub(super) fn from_tokens(tokens: &[Json]) -> Self {
        let mut rest = tokens.iter();
        let value = Self::next(&mut rest);
        assert!(rest.next().is_none(), "the oracle sent more than one value");
        value
    }

    fn next(rest: &mut Iter<'_, Json>) -> Self {
        let Some(token) = rest.next() else { panic!("the oracle's answer ends too early") };
        let text = || token[1].as_str().map(str::to_owned);
        let count = || token[1].as_u64();
        let value = match token[0].as_str() {
            Some("null") => Some(Self::Null),
            Some("bool") => token[1].as_bool().map(Self::Bool),
            Some("int") => text().map(Self::Int),
            Some("float") => text().and_then(|text| text.parse().ok()).map(Self::Float),
            Some("number") => text().and_then(|text| text.parse().ok()).map(Self::Number),
            Some("str") => text().map(Self::Str),
            Some("date") => text().map(Self::Date),
            Some("other") => text().map(Self::Other),
            Some("list") => count().map(|count| Self::List((0..count).map(|_| Self::next(rest)).collect())),
            Some("map") => count()
                .map(|count| Self::Map((0..count).map(|_| (Self::next(rest), Self::next(rest))).collect())),
            _ => None,
        };
        value.unwrap_or_else(|| panic!("the oracle sent a token that is not understood: {token}"))
    }
}

fn same(a: f64, b: f64) -> bool {
    a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan())
}

/// The double that is exactly this integer, if there is one.
#[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "checked by the way back")]
fn exactly(integer: i64) -> Option<f64> {
    let double = integer as f64;
    (double as i64 == integer).then_some(double)
}
