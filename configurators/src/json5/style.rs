//! How a file is written: quotes, keys, indentation, spacing, commas, line breaks. New text follows it.

use std::collections::HashMap;

use super::chars::{is_blank, is_break};
use super::layout::indentation;
use super::token::is_plain_key;
use super::tree::{Kind, Member, Node, Tree};

/// The habits of one file.
#[derive(Debug, Clone)]
pub(super) struct Style {
    /// Strict JSON: double quotes, quoted keys, no trailing commas, whatever else was counted.
    pub(super) strict: bool,
    pub(super) newline: &'static str,
    /// One step of indentation.
    pub(super) unit: String,
    pub(super) key_quote: char,
    pub(super) text_quote: char,
    /// Keys stand without quotes where they can.
    pub(super) bare_keys: bool,
    /// The last member of an object that is spread over lines has a comma.
    pub(super) trailing_comma: bool,
    pub(super) spacing: Spacing,
}

/// Where an object on one line has spaces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Spacing {
    /// Inside the braces.
    pub(super) braces: &'static str,
    /// Behind a colon.
    pub(super) colon: &'static str,
    /// Behind a comma.
    pub(super) comma: &'static str,
}

impl Style {
    /// The style of a file that is made from nothing.
    pub(super) fn fresh(newline: &'static str) -> Self {
        Self {
            strict: true,
            newline,
            unit: "  ".to_owned(),
            key_quote: '"',
            text_quote: '"',
            bare_keys: false,
            trailing_comma: false,
            spacing: Spacing { braces: " ", colon: " ", comma: " " },
        }
    }

    /// The style of `text`, by majority.
    pub(super) fn of(text: &str, tree: &Tree<'_>, strict: bool) -> Self {
        let mut census = Census { text, ..Census::default() };
        if let Some(root) = &tree.root {
            census.node(root);
        }
        let fresh = Self::fresh(newline(text));
        let quote = |here: Tally, elsewhere: Tally| {
            let single = here.majority().or(elsewhere.majority()).unwrap_or(false);
            if single && !strict { '\'' } else { '"' }
        };
        Self {
            strict,
            key_quote: quote(census.single_key, census.single_text),
            text_quote: quote(census.single_text, census.single_key),
            bare_keys: !strict && census.bare.majority().unwrap_or(false),
            trailing_comma: !strict && census.trailing.majority().unwrap_or(false),
            unit: census.unit().unwrap_or(fresh.unit),
            spacing: Spacing {
                braces: space(census.braces.majority().unwrap_or(true)),
                colon: space(census.colon.majority().unwrap_or(true)),
                comma: space(census.comma.majority().or(census.colon.majority()).unwrap_or(true)),
            },
            newline: fresh.newline,
        }
    }

    /// This style with the quotes, keys and layout of one value, where that shows any.
    pub(super) fn like(&self, text: &str, node: &Node<'_>) -> Self {
        let mut census = Census { text, ..Census::default() };
        census.node(node);
        let quote = |seen: Tally, otherwise: char| match seen.majority() {
            Some(true) if !self.strict => '\'',
            Some(_) => '"',
            None => otherwise,
        };
        let habit = |seen: Tally, otherwise: bool| !self.strict && seen.majority().unwrap_or(otherwise);
        Self {
            key_quote: quote(census.single_key, self.key_quote),
            text_quote: quote(census.single_text, self.text_quote),
            bare_keys: habit(census.bare, self.bare_keys),
            trailing_comma: habit(census.trailing, self.trailing_comma),
            unit: census.unit().unwrap_or_else(|| self.unit.clone()),
            spacing: Spacing {
                colon: census.colon.majority().map_or(self.spacing.colon, space),
                ..self.spacing
            },
            ..self.clone()
        }
    }

    /// The spacing of one object, where it shows any, else the file's.
    pub(super) fn spacing_in(&self, text: &str, object: &Node<'_>) -> Spacing {
        let members = object.members();
        let Some(first) = members.first() else { return self.spacing };
        let colon = space(ends_blank(text, first.value.span.start));
        let comma = members.iter().find_map(|member| member.comma);
        Spacing {
            braces: space(starts_blank(text, object.span.start + 1)),
            colon,
            comma: comma.map_or(colon, |comma| space(starts_blank(text, comma + 1))),
        }
    }
}

fn space(yes: bool) -> &'static str {
    if yes { " " } else { "" }
}

fn starts_blank(text: &str, at: usize) -> bool {
    text.get(at..).is_some_and(|rest| rest.starts_with(|c| is_blank(c) || is_break(c)))
}

fn ends_blank(text: &str, at: usize) -> bool {
    text.get(..at).is_some_and(|before| before.ends_with(|c| is_blank(c) || is_break(c)))
}

/// The line break that most lines end with.
pub(super) fn newline(text: &str) -> &'static str {
    let crlf = text.matches("\r\n").count();
    let lf = text.matches('\n').count() - crlf;
    let cr = text.matches('\r').count() - crlf;
    if crlf > lf && crlf >= cr {
        "\r\n"
    } else if cr > lf {
        "\r"
    } else {
        "\n"
    }
}

/// Votes for and against a habit.
#[derive(Debug, Default, Clone, Copy)]
struct Tally {
    yes: usize,
    no: usize,
}

impl Tally {
    fn vote(&mut self, yes: bool) {
        if yes {
            self.yes += 1;
        } else {
            self.no += 1;
        }
    }

    /// `None` without a vote. A draw counts as no.
    fn majority(self) -> Option<bool> {
        (self.yes + self.no > 0).then_some(self.yes > self.no)
    }
}

#[derive(Default)]
struct Census<'a> {
    text: &'a str,
    single_key: Tally,
    single_text: Tally,
    bare: Tally,
    trailing: Tally,
    braces: Tally,
    colon: Tally,
    comma: Tally,
    units: HashMap<&'a str, usize>,
}

impl<'a> Census<'a> {
    fn node(&mut self, node: &Node<'_>) {
        match &node.kind {
            Kind::Text => self.single_text.vote(self.text[node.span.clone()].starts_with('\'')),
            Kind::List(items) => {
                if let Some(first) = items.first() {
                    self.step(first.span.start, node.close());
                }
                items.iter().for_each(|item| self.node(item));
            }
            Kind::Object(members) => self.object(node, members),
            Kind::Null | Kind::Bool(_) | Kind::Number => {}
        }
    }

    fn object(&mut self, node: &Node<'_>, members: &[Member<'_>]) {
        let (Some(first), Some(last)) = (members.first(), members.last()) else { return };
        self.step(first.key.start, node.close());
        if indentation(self.text, node.close()).is_some() {
            self.trailing.vote(last.comma.is_some());
        } else {
            self.braces.vote(starts_blank(self.text, node.span.start + 1));
        }
        for member in members {
            self.key(member);
            self.node(&member.value);
        }
    }

    fn key(&mut self, member: &Member<'_>) {
        let raw = &self.text[member.key.clone()];
        if raw.starts_with(['"', '\'']) {
            self.single_key.vote(raw.starts_with('\''));
            // A key that needs its quotes says nothing about the others.
            if is_plain_key(&member.name) {
                self.bare.vote(false);
            }
        } else {
            self.bare.vote(true);
        }
        self.colon.vote(ends_blank(self.text, member.value.span.start));
        if let Some(comma) = member.comma {
            self.comma.vote(starts_blank(self.text, comma + 1));
        }
    }

    /// Counts how much further in the first entry of a bracket stands than the bracket's end.
    fn step(&mut self, first: usize, close: usize) {
        let Some(inner) = indentation(self.text, first) else { return };
        let Some(step) = indentation(self.text, close).and_then(|outer| inner.strip_prefix(outer)) else {
            return;
        };
        let spaces = (1..=8).contains(&step.len()) && step.bytes().all(|byte| byte == b' ');
        if spaces || step == "\t" {
            *self.units.entry(step).or_default() += 1;
        }
    }

    fn unit(&self) -> Option<String> {
        let most = self.units.iter().max_by_key(|(step, count)| (**count, std::cmp::Reverse(step.len())))?;
        Some((*most.0).to_owned())
    }
}
