//! Reads a JSON5 text into its tree of spans: npm `json5` 2.2.3's grammar, nothing looser, one pass.
//!
//! Never decodes a scalar (only keys, which are needed to find anything) and never recurses past the limit.

use std::borrow::Cow;

use hubkit_contract::limits::CONFIG_NESTING;

use super::chars::{is_blank, is_break};
use super::tree::{Kind, Member, Node, Tree};

/// Why a text could not be scanned, and at which byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Fault {
    pub(super) at: usize,
    pub(super) why: Why,
}

/// The kinds of [`Fault`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Why {
    /// Not the grammar; a lower-case fragment says what was met.
    Syntax(&'static str),
    /// Nested past the limit.
    TooDeep,
}

/// Scans the whole of `text`.
pub(super) fn scan(text: &str) -> Result<Tree<'_>, Fault> {
    let mut scanner = Scanner { text, at: 0, depth: 0, comments: Vec::new(), halves: Vec::new() };
    scanner.trivia()?;
    if scanner.byte().is_none() {
        return Ok(Tree { root: None, comments: scanner.comments, halves: Vec::new() });
    }
    let root = scanner.value()?;
    scanner.trivia()?;
    if scanner.byte().is_some() {
        return Err(scanner.fault("something stands after the end of the value"));
    }
    Ok(Tree { root: Some(root), comments: scanner.comments, halves: scanner.halves })
}

/// A position in the text; the tokens themselves are in `token.rs`.
pub(super) struct Scanner<'a> {
    pub(super) text: &'a str,
    pub(super) at: usize,
    depth: usize,
    comments: Vec<std::ops::Range<usize>>,
    pub(super) halves: Vec<usize>,
}

impl<'a> Scanner<'a> {
    pub(super) fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    pub(super) fn char(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    pub(super) fn fault(&self, what: &'static str) -> Fault {
        self.fault_at(self.at, what)
    }

    pub(super) fn fault_at(&self, at: usize, what: &'static str) -> Fault {
        if at >= self.text.len() {
            return Fault { at, why: Why::Syntax("the file ends too early") };
        }
        Fault { at, why: Why::Syntax(what) }
    }

    /// Skips white space and comments, keeping the comments' places.
    fn trivia(&mut self) -> Result<(), Fault> {
        while let Some(byte) = self.byte() {
            match byte {
                b' ' | b'\n' | b'\r' | b'\t' | 0x0b | 0x0c => self.at += 1,
                b'/' => self.comment()?,
                0x80.. => match self.char().filter(|c| is_blank(*c) || is_break(*c)) {
                    Some(c) => self.at += c.len_utf8(),
                    None => break,
                },
                _ => break,
            }
        }
        Ok(())
    }

    fn comment(&mut self) -> Result<(), Fault> {
        let start = self.at;
        let rest = &self.text[start..];
        let length = if rest.starts_with("//") {
            rest.find(is_break).unwrap_or(rest.len())
        } else if let Some(inside) = rest.strip_prefix("/*") {
            let what = Why::Syntax("a comment that starts here does not end");
            inside.find("*/").ok_or(Fault { at: start, why: what })? + "/**/".len()
        } else {
            return Err(self.fault("a lone slash"));
        };
        self.at += length;
        self.comments.push(start..self.at);
        Ok(())
    }

    fn value(&mut self) -> Result<Node<'a>, Fault> {
        let start = self.at;
        let kind = match self.byte() {
            Some(b'{') => self.nested(Self::object)?,
            Some(b'[') => self.nested(Self::list)?,
            Some(quote @ (b'"' | b'\'')) => {
                self.quoted(quote)?;
                Kind::Text
            }
            _ => self.literal()?,
        };
        Ok(Node { kind, span: start..self.at })
    }

    fn nested(&mut self, inside: fn(&mut Self) -> Result<Kind<'a>, Fault>) -> Result<Kind<'a>, Fault> {
        if self.depth == CONFIG_NESTING {
            return Err(Fault { at: self.at, why: Why::TooDeep });
        }
        self.depth += 1;
        self.at += 1;
        let kind = inside(self)?;
        self.depth -= 1;
        self.at += 1;
        Ok(kind)
    }

    /// From behind the opening brace to the closing one.
    fn object(&mut self) -> Result<Kind<'a>, Fault> {
        let mut members = Vec::new();
        loop {
            self.trivia()?;
            if self.byte() == Some(b'}') {
                break;
            }
            let start = self.at;
            let name = self.key()?;
            let key = start..self.at;
            self.trivia()?;
            if self.byte() != Some(b':') {
                return Err(self.fault("a colon is missing after the key"));
            }
            self.at += 1;
            self.trivia()?;
            let value = self.value()?;
            let comma = self.comma(b'}', "a comma or a closing brace is missing")?;
            members.push(Member { name, key, value, comma });
        }
        Ok(Kind::Object(members))
    }

    /// From behind the opening bracket to the closing one.
    fn list(&mut self) -> Result<Kind<'a>, Fault> {
        let mut items = Vec::new();
        loop {
            self.trivia()?;
            if self.byte() == Some(b']') {
                break;
            }
            items.push(self.value()?);
            self.comma(b']', "a comma or a closing bracket is missing")?;
        }
        Ok(Kind::List(items))
    }

    /// What must stand behind a value: a comma, whose place it gives, or `close`, which it leaves.
    fn comma(&mut self, close: u8, what: &'static str) -> Result<Option<usize>, Fault> {
        self.trivia()?;
        match self.byte() {
            Some(b',') => {
                self.at += 1;
                Ok(Some(self.at - 1))
            }
            Some(byte) if byte == close => Ok(None),
            _ => Err(self.fault(what)),
        }
    }

    fn key(&mut self) -> Result<Cow<'a, str>, Fault> {
        let start = self.at;
        match self.byte() {
            Some(quote @ (b'"' | b'\'')) => {
                self.quoted(quote)?;
                Ok(super::decode::string(&self.text[start..self.at]))
            }
            _ => self.bare_key(),
        }
    }
}
