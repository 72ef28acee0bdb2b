//! Whether two elements are the same to the host.

use crate::Value;

/// Whether two values are equal, mappings in any order. What is neither scalar, list nor mapping equals nothing.
pub(super) fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Map(a), Value::Map(b)) => {
            a.len() == b.len() && a.iter().all(|(key, a)| b.iter().any(|(name, b)| name == key && same(a, b)))
        }
        (Value::List(a), Value::List(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        (Value::Other(_), _) => false,
        (Value::Float(a), Value::Float(b)) => a == b || (a.is_nan() && b.is_nan()),
        _ => a == b,
    }
}
