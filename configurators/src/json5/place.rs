//! Where new members go: behind everything that stands in their object, laid out as their siblings are.

use super::chars::is_break;
use super::layout::indentation;
use super::style::{Spacing, Style};
use super::tree::{Member, Node, Tree};
use super::write::{Layout, New, Unwritable};
use crate::splice::Splice;

/// The file that new text goes into.
pub(super) struct Site<'t, 'a> {
    pub(super) text: &'a str,
    pub(super) tree: &'t Tree<'a>,
    pub(super) style: &'t Style,
}

/// The new members of one object.
pub(super) type Additions<'c> = Vec<(&'c str, New<'c>)>;

impl Site<'_, '_> {
    /// Adds members to `object`, which is the value of `owner` (none: it is the root).
    pub(super) fn add(
        &self,
        object: &Node<'_>,
        owner: Option<&Member<'_>>,
        new: &Additions<'_>,
    ) -> Result<Vec<Splice>, Unwritable> {
        match object.members().last() {
            Some(last) => self.append(object, last, new),
            None => self.fill(object, owner, new),
        }
    }

    /// Writes `new` instead of the value of `owner`.
    pub(super) fn replace(&self, owner: &Member<'_>, new: &New<'_>) -> Result<Splice, Unwritable> {
        let layout = match indentation(self.text, owner.key.start) {
            Some(indent) => Layout::Lines(indent),
            None => Layout::Inline(self.style.spacing),
        };
        Ok(Splice::replace(owner.value.span.clone(), self.style.value(new, layout)?))
    }

    /// Behind the last member, its comma and the comments that follow.
    fn append(
        &self,
        object: &Node<'_>,
        last: &Member<'_>,
        new: &Additions<'_>,
    ) -> Result<Vec<Splice>, Unwritable> {
        let trailing = last.comma.is_some();
        let mut splices = Vec::new();
        if !trailing {
            splices.push(Splice::insert(last.value.span.end, ","));
        }
        let token_end = last.comma.map_or(last.value.span.end, |comma| comma + 1);
        let at = self.tree.last_comment_end(token_end..object.close()).unwrap_or(token_end);
        let comma = if trailing { "," } else { "" };
        let text = match self.member_indent(object) {
            Some(indent) => {
                let style = Style { trailing_comma: trailing, ..self.style.clone() };
                let break_and_indent = format!("{}{indent}", style.newline);
                let members = written(&style, new, Layout::Lines(&indent))?;
                format!("{break_and_indent}{}{comma}", members.join(&format!(",{break_and_indent}")))
            }
            None => {
                let spacing = self.style.spacing_in(self.text, object);
                let members = written(self.style, new, Layout::Inline(spacing))?;
                format!("{}{}{comma}", spacing.comma, members.join(&format!(",{}", spacing.comma)))
            }
        };
        splices.push(Splice::insert(at, text));
        Ok(splices)
    }

    /// The indentation of members that stand on lines of their own; `None` for an object on one line.
    fn member_indent(&self, object: &Node<'_>) -> Option<String> {
        let own_line = |member: &Member<'_>| indentation(self.text, member.key.start);
        let last_own = object.members().last().and_then(own_line);
        let close = indentation(self.text, object.close());
        let siblings = || object.members().iter().rev().find_map(own_line);
        match (last_own, close) {
            (Some(indent), _) => Some(indent.to_owned()),
            (None, Some(close)) => {
                Some(siblings().map_or_else(|| format!("{close}{}", self.style.unit), str::to_owned))
            }
            (None, None) => None,
        }
    }

    /// Into an object without members, behind the comments in it.
    fn fill(
        &self,
        object: &Node<'_>,
        owner: Option<&Member<'_>>,
        new: &Additions<'_>,
    ) -> Result<Vec<Splice>, Unwritable> {
        let (open, close) = (object.span.start + 1, object.close());
        let comment = self.tree.last_comment_end(open..close);
        let at = comment.unwrap_or(open);
        let spread = self.text[at..close].contains(is_break);
        let outer = match owner {
            _ if spread => indentation(self.text, close),
            Some(owner) => indentation(self.text, owner.key.start),
            None => Some(indentation(self.text, object.span.start).unwrap_or("")),
        };
        let style = self.style;
        if let Some(outer) = outer {
            let indent = format!("{outer}{}", style.unit);
            let members = written(style, new, Layout::Lines(&indent))?;
            let break_and_indent = format!("{}{indent}", style.newline);
            let comma = if style.trailing_comma { "," } else { "" };
            let lines = format!("{break_and_indent}{}{comma}", members.join(&format!(",{break_and_indent}")));
            return Ok(vec![if spread {
                Splice::insert(at, lines)
            } else {
                Splice::replace(at..close, format!("{lines}{}{outer}", style.newline))
            }]);
        }
        let Spacing { braces, comma, .. } = style.spacing;
        let members = written(style, new, Layout::Inline(style.spacing))?.join(&format!(",{comma}"));
        let before = if comment.is_some() { " " } else { braces };
        Ok(vec![Splice::replace(at..close, format!("{before}{members}{braces}"))])
    }
}

fn written(style: &Style, new: &Additions<'_>, layout: Layout<'_>) -> Result<Vec<String>, Unwritable> {
    new.iter().map(|(key, value)| style.member(key, value, layout)).collect()
}
