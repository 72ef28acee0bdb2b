//! What is asked of the engines: what wiring a host asks of them.

use hubkit_configurators::{Change, Value};

/// Keys that go from an entry that is already there.
pub(crate) const STALE: &[&str] = &["transport", "type", "command", "args"];

/// The whole entry, where there is none.
pub(crate) fn add(entry: &[&str], url: &str) -> Vec<Change> {
    let members = vec![
        ("url".to_owned(), url.into()),
        ("headers".to_owned(), Value::Map(vec![("Authorization".to_owned(), bearer())])),
        ("timeout".to_owned(), Value::Int(180)),
    ];
    vec![Change::set(entry, Value::Map(members))]
}

/// What defines the transport, in an entry that is already there.
pub(crate) fn update(entry: &[&str], url: &str) -> Vec<Change> {
    let mut changes = vec![
        Change::set(&[entry, &["url"]].concat(), url.into()),
        Change::set(&[entry, &["headers", "Authorization"]].concat(), bearer()),
    ];
    changes.extend(STALE.iter().map(|key| Change::remove(&[entry, &[*key]].concat())));
    changes
}

fn bearer() -> Value {
    "Bearer 0123456789abcdef".into()
}
