//! What a document holds and what we want it to hold, in terms both formats share.

/// A host-neutral value.
///
/// Numbers that a recipe writes are integers; everything else that a file may hold is kept readable
/// enough to decide "is this already right?", never to be written back.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// `null`, `~`, or nothing after the colon.
    Null,
    /// A boolean, in whatever spelling the host's parser takes for one.
    Bool(bool),
    /// An integer of any spelling (`180`, `0xB4`, `1_80`) that fits.
    Int(i64),
    /// Any other number: fractions, exponents, infinities, integers past 64 bits.
    Float(f64),
    /// A string, decoded.
    Str(String),
    /// A sequence.
    List(Vec<Value>),
    /// A mapping in file order. For duplicate keys only the live (last) one is present; keys that are no strings
    /// are left out, since no path of ours leads through one.
    Map(Vec<(String, Value)>),
    /// Something else the host reads and we never write: a date, a tagged node. Holds the source text.
    Other(String),
}

impl Value {
    /// The member `key` of a mapping; `None` for a missing key and for anything that is no mapping.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Value> {
        match self {
            Value::Map(entries) => entries.iter().find(|(k, _)| k == key).map(|(_, v)| v),
            _ => None,
        }
    }

    /// The text of a string; `None` for every other kind.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Value::Str(text) => Some(text),
            _ => None,
        }
    }

    /// What a person calls this kind of value in an error message.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Value::Null => "null",
            Value::Bool(_) => "a boolean",
            Value::Int(_) | Value::Float(_) => "a number",
            Value::Str(_) => "a string",
            Value::List(_) => "a list",
            Value::Map(_) => "a mapping",
            Value::Other(_) => "a special value",
        }
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Value::Str(text.to_owned())
    }
}
