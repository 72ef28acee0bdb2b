//! What a change makes of the value tree that an oracle read.

use hubkit_configurators::{Action, Change, Value};
use hubkit_tests::oracle::Tagged;

/// The tree that `changes` should lead to. `None` where something that is no mapping stands in the way.
pub(crate) fn changed(before: &Tagged, changes: &[Change]) -> Option<Tagged> {
    changes.iter().try_fold(before.clone(), |tree, change| match &change.action {
        Action::Set(value) => with(Some(&tree), &change.path, value),
        Action::Remove => Some(without(&tree, &change.path)),
        Action::Append(value) => with_element(&tree, &change.path, value),
        Action::Drop(value) => Some(without_element(&tree, &change.path, value)),
    })
}

/// Whether a mapping may be written in this place: nothing, `null`, `''` and `{}` keep it free.
fn is_free(place: Option<&Tagged>) -> bool {
    match place {
        None | Some(Tagged::Null) => true,
        Some(Tagged::Str(text)) => text.is_empty(),
        Some(Tagged::Map(members)) => members.is_empty(),
        Some(_) => false,
    }
}

fn with(tree: Option<&Tagged>, path: &[String], value: &Value) -> Option<Tagged> {
    let standing = tree.and_then(|tree| at(tree, path));
    put(tree, path, as_read(value, standing))
}

fn put(place: Option<&Tagged>, path: &[String], wanted: Tagged) -> Option<Tagged> {
    let Some((key, rest)) = path.split_first() else { return Some(wanted) };
    let mut members = match place {
        Some(Tagged::Map(members)) => members.clone(),
        place if is_free(place) => Vec::new(),
        _ => return None,
    };
    let inner = put(place.and_then(|place| place.get(key)), rest, wanted)?;
    let name = Tagged::Str(key.clone());
    match members.iter_mut().find(|(existing, _)| *existing == name) {
        Some(member) => member.1 = inner,
        None => members.push((name, inner)),
    }
    Some(Tagged::Map(members))
}

fn without(tree: &Tagged, path: &[String]) -> Tagged {
    let (Tagged::Map(members), Some((key, rest))) = (tree, path.split_first()) else { return tree.clone() };
    let name = Tagged::Str(key.clone());
    let keep = |(existing, value): &(Tagged, Tagged)| match (*existing == name, rest.is_empty()) {
        (true, true) => None,
        (true, false) => Some((existing.clone(), without(value, rest))),
        (false, _) => Some((existing.clone(), value.clone())),
    };
    Tagged::Map(members.iter().filter_map(keep).collect())
}

/// The tree in whose list at `path` the value stands. `None` where something else stands there.
fn with_element(tree: &Tagged, path: &[String], value: &Value) -> Option<Tagged> {
    let mut elements = match at(tree, path) {
        Some(Tagged::List(elements)) => elements.clone(),
        None | Some(Tagged::Null) => Vec::new(),
        Some(Tagged::Str(text)) if text.is_empty() => Vec::new(),
        Some(_) => return None,
    };
    if !elements.iter().any(|element| element.agrees_with(value).is_ok()) {
        elements.push(as_read(value, None));
    }
    put(Some(tree), path, Tagged::List(elements))
}

/// Whether a list of ours holds the value, mappings in any order.
pub(crate) fn is_element(list: Option<&Value>, value: &Value) -> bool {
    let Some(Value::List(elements)) = list else { return false };
    elements.iter().any(|element| as_read(value, None).agrees_with(element).is_ok())
}

fn without_element(tree: &Tagged, path: &[String], value: &Value) -> Tagged {
    let Some(Tagged::List(elements)) = at(tree, path) else { return tree.clone() };
    let kept = elements.iter().filter(|element| element.agrees_with(value).is_err()).cloned().collect();
    put(Some(tree), path, Tagged::List(kept)).unwrap_or_else(|| tree.clone())
}

fn at<'t>(tree: &'t Tagged, path: &[String]) -> Option<&'t Tagged> {
    path.iter().try_fold(tree, |tree, key| tree.get(key))
}

/// A value of ours as the oracle reports it. Where it agrees with what stands there, what stands there.
fn as_read(value: &Value, standing: Option<&Tagged>) -> Tagged {
    if let Some(standing) = standing
        && standing.agrees_with(value).is_ok()
    {
        return standing.clone();
    }
    match value {
        Value::Null => Tagged::Null,
        Value::Bool(bool) => Tagged::Bool(*bool),
        Value::Int(number) => Tagged::Int(number.to_string()),
        Value::Float(number) => Tagged::Float(*number),
        Value::Str(text) => Tagged::Str(text.clone()),
        Value::List(items) => Tagged::List(items.iter().map(|item| as_read(item, None)).collect()),
        Value::Map(members) => {
            let member = |(key, value): &(String, Value)| (Tagged::Str(key.clone()), as_read(value, None));
            Tagged::Map(members.iter().map(member).collect())
        }
        Value::Other(text) => Tagged::Other(text.clone()),
    }
}

/// Where `actual` is not `expected`. A key that was not there before may stand anywhere in its mapping; all
/// others keep their order.
pub(crate) fn difference(before: Option<&Tagged>, expected: &Tagged, actual: &Tagged) -> Option<String> {
    let (Tagged::Map(wanted), Tagged::Map(found)) = (expected, actual) else {
        return (!same_scalar(expected, actual)).then(|| format!("{expected:?} became {actual:?}"));
    };
    let old = match before {
        Some(Tagged::Map(members)) => members.as_slice(),
        _ => wanted.as_slice(),
    };
    let old_keys = |members: &[(Tagged, Tagged)]| -> Vec<Tagged> {
        let existed = |key: &&Tagged| old.iter().any(|(name, _)| name == *key);
        members.iter().map(|(key, _)| key).filter(existed).cloned().collect()
    };
    if wanted.len() != found.len() || old_keys(wanted) != old_keys(found) {
        let keys = |members: &[(Tagged, Tagged)]| {
            format!("{:?}", members.iter().map(|(k, _)| k).collect::<Vec<_>>())
        };
        return Some(format!("keys {} became {}", keys(wanted), keys(found)));
    }
    wanted.iter().find_map(|(key, value)| {
        let there = found.iter().find(|(name, _)| name == key).map(|(_, value)| value);
        let Some(there) = there else { return Some(format!("{key:?} is missing")) };
        let old = match before {
            Some(Tagged::Map(old)) => old.iter().find(|(name, _)| name == key).map(|(_, value)| value),
            _ => None,
        };
        difference(old, value, there).map(|what| format!("{key:?} > {what}"))
    })
}

/// The tree without the members whose key is no string, and with an integer for minus zero.
pub(crate) fn loosely(tree: &Tagged) -> Tagged {
    match tree {
        Tagged::Map(members) => {
            let named = members.iter().filter(|(key, _)| matches!(key, Tagged::Str(_)));
            Tagged::Map(named.map(|(key, value)| (key.clone(), loosely(value))).collect())
        }
        Tagged::List(items) => Tagged::List(items.iter().map(loosely).collect()),
        Tagged::Number(number) if *number == 0.0 => Tagged::Number(0.0),
        other => other.clone(),
    }
}

/// Equal, where JSON5's one kind of number stands for our integers.
fn same_scalar(expected: &Tagged, actual: &Tagged) -> bool {
    match (expected, actual) {
        (Tagged::Int(digits), Tagged::Number(number)) => digits.parse() == Ok(*number),
        (Tagged::List(a), Tagged::List(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| difference(None, a, b).is_none())
        }
        _ => expected == actual,
    }
}
