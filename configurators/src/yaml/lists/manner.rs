//! How an element is written: which quotes it has, and whether it is spread over lines. A new one follows it.

use crate::yaml::events::Style;
use crate::yaml::lookup::resolved;
use crate::yaml::scalar::Resolved;
use crate::yaml::style::{Habits, Quotes};
use crate::yaml::tree::{Id, Kind, Tree};
use crate::yaml::write::Pen;

/// The quotes of an element; those of the file where it has none.
pub(super) fn pen_of(tree: &Tree<'_>, habits: &Habits, item: Id) -> Pen {
    let inside = item..tree.node(item).after;
    let keys: Vec<Id> =
        inside.clone().flat_map(|id| tree.entries(id).map(|entry| entry.key).collect::<Vec<_>>()).collect();
    let (mut key_quotes, mut text_quotes) = (Seen::default(), Seen::default());
    for id in inside {
        let Kind::Scalar(text, style) = &tree.node(id).kind else { continue };
        if text.is_empty() || resolved(tree, id) != Some(Resolved::Str) {
            continue;
        }
        if keys.binary_search(&id).is_ok() { &mut key_quotes } else { &mut text_quotes }.note(*style);
    }
    let (single, double) = (key_quotes.single + text_quotes.single, key_quotes.double + text_quotes.double);
    let quotes = match single.cmp(&double) {
        std::cmp::Ordering::Greater => Quotes::Single,
        std::cmp::Ordering::Less => Quotes::Double,
        std::cmp::Ordering::Equal => habits.quotes,
    };
    Pen { quotes, quotes_keys: key_quotes.always(), quotes_texts: text_quotes.always() }
}

/// How often strings had which quotes.
#[derive(Debug, Default)]
struct Seen {
    single: usize,
    double: usize,
    none: usize,
}

impl Seen {
    fn note(&mut self, style: Style) {
        match style {
            Style::Single => self.single += 1,
            Style::Double => self.double += 1,
            _ => self.none += 1,
        }
    }

    fn always(&self) -> bool {
        self.none == 0 && self.single + self.double > 0
    }
}
