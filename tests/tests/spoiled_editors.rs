//! The judge of the editors is judged itself: an editor with a fault must not pass the random tests.

#[cfg(test)]
mod json5_text;
#[cfg(test)]
mod lossless;
#[cfg(test)]
mod property;
#[cfg(test)]
mod sample;

use hubkit_configurators::json5::Json5Document;
use hubkit_configurators::{Action, Change, Document, Duplicate, Position, Refusal, RefusalKind, Value};
use hubkit_tests::oracle::NpmJson5;
use lossless::judge::{Engine, Oracles};
use property::Subject;

const ORACLES: Oracles = Oracles { host: NpmJson5::load, others: &[] };

/// What an edit of a spoiled editor returns instead of what the real one found.
trait Fault {
    fn spoil(text: &str, edited: String, changes: &[Change]) -> Result<String, Refusal>;
}

/// The real editor with a fault.
struct Spoiled<'a, F> {
    text: &'a str,
    inner: Json5Document<'a>,
    fault: std::marker::PhantomData<F>,
}

impl<'a, F: Fault> Document<'a> for Spoiled<'a, F> {
    fn parse(text: &'a str) -> Result<Self, Refusal> {
        Ok(Self { text, inner: Json5Document::parse(text)?, fault: std::marker::PhantomData })
    }

    fn is_blank(&self) -> bool {
        self.inner.is_blank()
    }

    fn get(&self, path: &[&str]) -> Option<Value> {
        self.inner.get(path)
    }

    fn position(&self, path: &[&str]) -> Option<Position> {
        self.inner.position(path)
    }

    fn duplicates(&self, path: &[&str]) -> Vec<Duplicate> {
        self.inner.duplicates(path)
    }

    fn edit(&self, changes: &[Change]) -> Result<String, Refusal> {
        F::spoil(self.text, self.inner.edit(changes)?, changes)
    }
}

struct Editor<F>(std::marker::PhantomData<F>);

impl<F: Fault + 'static> Engine for Editor<F> {
    type Document<'a> = Spoiled<'a, F>;
}

/// The message with which the random tests end.
fn verdict<F: Fault + 'static>() -> String {
    let subject =
        Subject { sample: json5_text::sample, entry: &["mcp", "servers", "hub"], oracles: |_| &ORACLES };
    let ran = std::panic::catch_unwind(|| property::run::<Editor<F>>(&subject, 300));
    let message = |payload: Box<dyn std::any::Any + Send>| payload.downcast_ref::<String>().cloned();
    ran.err().and_then(message).unwrap_or_else(|| "nothing was found".to_owned())
}

/// Faults as types; each spoils an edited text in one way.
macro_rules! faults {
    ($($name:ident: |$text:ident, $edited:ident, $changes:ident| $spoil:expr;)*) => {$(
        struct $name;
        impl Fault for $name {
            fn spoil($text: &str, $edited: String, $changes: &[Change]) -> Result<String, Refusal> {
                $spoil
            }
        }
    )*};
}

faults! {
    RefusesAll: |_text, _edited, _changes| Err(Refusal {
        kind: RefusalKind::Syntax, at: Some(Position { line: 1, column: 1 }), what: "no".to_owned(), next: "no",
    });
    EditsNothing: |text, _edited, _changes| Ok(text.to_owned());
    EndsTheFileAnew: |_text, edited, _changes| Ok(format!("{}\n\n", edited.trim_end()));
    LosesComments: |_text, edited, _changes| Ok(edited.replace("000", "00"));
    PrintsAnew: |text, edited, _changes| {
        let tree = Json5Document::parse(&edited)?.get(&[]);
        let root = tree.map(|tree| json(&tree)).unwrap_or_default();
        Ok(if edited == text { edited } else { root })
    };
    ForgetsOneChange: |text, _edited, changes| Json5Document::parse(text)?.edit(&changes[1..]);
    WritesAnotherValue: |text, edited, changes| {
        let wrong = |change: &Change| match &change.action {
            Action::Set(Value::Str(_)) => Change { path: change.path.clone(), action: Action::Set("wrong".into()) },
            _ => change.clone(),
        };
        let changes: Vec<Change> = changes.iter().map(wrong).collect();
        if edited == text { Ok(edited) } else { Json5Document::parse(text)?.edit(&changes) }
    };
    WritesListsAnew: |text, _edited, changes| with_lists_set(text, changes, Vec::push);
    PutsElementsInFront: |text, _edited, changes| {
        with_lists_set(text, changes, |elements, value| elements.insert(0, value))
    };
    KeepsElements: |text, _edited, changes| {
        let goes = |change: &&Change| matches!(change.action, Action::Drop(_));
        let stays: Vec<Change> = changes.iter().filter(|change| !goes(change)).cloned().collect();
        Json5Document::parse(text)?.edit(&stays)
    };
    NeverRests: |_text, edited, _changes| Ok(format!(" {edited}"));
    UsesOtherLineEnds: |_text, edited, _changes| Ok(edited.replace("\r\n", "\n").replace('\r', "\n"));
}

/// The text in which whole lists are set where elements come or go.
fn with_lists_set(
    text: &str,
    changes: &[Change],
    put: fn(&mut Vec<Value>, Value),
) -> Result<String, Refusal> {
    changes.iter().try_fold(text.to_owned(), |text, change| {
        let document = Json5Document::parse(&text)?;
        let path: Vec<&str> = change.path.iter().map(String::as_str).collect();
        let Some(Value::List(mut elements)) = document.get(&path) else {
            return document.edit(std::slice::from_ref(change));
        };
        match &change.action {
            Action::Append(value) if !elements.contains(value) => put(&mut elements, value.clone()),
            Action::Drop(value) => elements.retain(|element| element != value),
            _ => return document.edit(std::slice::from_ref(change)),
        }
        document.edit(&[Change::set(&path, Value::List(elements))])
    })
}

/// A tree as a program prints it.
fn json(value: &Value) -> String {
    match value {
        Value::Map(members) => {
            let member = |(key, value): &(String, Value)| format!("{key:?}: {}", json(value));
            format!("{{{}}}", members.iter().map(member).collect::<Vec<_>>().join(", "))
        }
        Value::List(items) => format!("[{}]", items.iter().map(json).collect::<Vec<_>>().join(", ")),
        Value::Null => "null".to_owned(),
        Value::Bool(bool) => bool.to_string(),
        Value::Int(number) => number.to_string(),
        Value::Float(number) => format!("{number:?}").replace("inf", "Infinity"),
        Value::Str(text) | Value::Other(text) => serde_json::to_string(text).unwrap_or_default(),
    }
}

#[test]
fn every_fault_is_found() {
    for (verdict, expected) in [
        (verdict::<RefusesAll>(), &["refused without need"][..]),
        (verdict::<EditsNothing>(), &["became"]),
        (verdict::<EndsTheFileAnew>(), &["bytes behind", "line ends"]),
        (verdict::<LosesComments>(), &["is gone"]),
        (verdict::<PrintsAnew>(), &["bytes"]),
        (verdict::<ForgetsOneChange>(), &["became"]),
        (verdict::<WritesAnotherValue>(), &["became"]),
        (verdict::<WritesListsAnew>(), &["bytes", "is gone"]),
        (verdict::<PutsElementsInFront>(), &["became"]),
        (verdict::<KeepsElements>(), &["became"]),
        (verdict::<NeverRests>(), &["bytes before", "second run"]),
        (verdict::<UsesOtherLineEnds>(), &["bytes"]),
    ] {
        let is_found = expected.iter().any(|words| verdict.contains(words));
        assert!(is_found, "expected {expected:?} in: {verdict}");
    }
}
