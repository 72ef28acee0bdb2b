//! Random JSON5 files as people and programs write them: pretty or on one line, strict or with everything that
//! JSON5 allows, comments wherever they may stand. The generator knows where the section stands and whether
//! anything hard is in the way.

mod scalar;
mod section;

use std::ops::Range;

use crate::sample::Sample;
use crate::sample::tape::Tape;

/// The file that is told by `numbers`.
pub(crate) fn sample(numbers: &[u32]) -> Sample {
    let mut writer = Writer::new(Tape::new(numbers));
    writer.file();
    writer.finish()
}

/// How members are laid out.
#[derive(Clone, Copy, PartialEq)]
enum Layout {
    /// A line each.
    Lines,
    /// A line each, the comma in front.
    CommaFirst,
    /// All on one line.
    OneLine,
    /// All on one line without blanks.
    Minified,
}

/// What is written while a file is told.
struct Writer<'t> {
    tape: Tape<'t>,
    out: String,
    end: &'static str,
    indent: &'static str,
    /// Strict JSON: no comments, no trailing commas, double quotes.
    strict: bool,
    comments: Vec<String>,
    remarks: usize,
    keys: usize,
    /// Comments written now may go with what they belong to.
    loose: bool,
    zone: Option<Range<usize>>,
    adds_only: bool,
    hard: bool,
}

impl<'t> Writer<'t> {
    fn new(mut tape: Tape<'t>) -> Self {
        let end = tape.pick(&["\n", "\n", "\n", "\r\n", "\r"]);
        let indent = tape.pick(&["  ", "  ", "    ", "\t", " ", ""]);
        let strict = tape.rarely(6);
        Self {
            tape,
            out: String::new(),
            end,
            indent,
            strict,
            comments: Vec::new(),
            remarks: 0,
            keys: 0,
            loose: false,
            zone: None,
            adds_only: true,
            hard: false,
        }
    }

    fn finish(self) -> Sample {
        let everything = 0..self.out.len();
        Sample {
            zone: self.zone.unwrap_or(everything),
            text: self.out,
            comments: self.comments,
            adds_only: self.adds_only,
            hard: self.hard,
        }
    }

    fn file(&mut self) {
        if self.tape.rarely(15) {
            self.out.push('\u{feff}');
        }
        self.remarks_between(0);
        let layout = self.layout();
        self.object(layout, 0, &mut |writer, layout, depth| writer.root_member(layout, depth));
        self.remarks_between(0);
        if !self.tape.rarely(4) {
            self.out.push_str(self.end);
        }
    }

    fn layout(&mut self) -> Layout {
        match self.tape.below(10) {
            0..=5 => Layout::Lines,
            6 => Layout::CommaFirst,
            7 | 8 => Layout::OneLine,
            _ => Layout::Minified,
        }
    }

    /// The layout of something inside: on one line there is no way back to many.
    fn inner_layout(&mut self, outer: Layout) -> Layout {
        match outer {
            Layout::Lines | Layout::CommaFirst => {
                if self.tape.rarely(3) {
                    Layout::OneLine
                } else {
                    outer
                }
            }
            other => other,
        }
    }

    /// Braces with up to five members between them.
    fn object(&mut self, layout: Layout, depth: usize, member: &mut dyn FnMut(&mut Self, Layout, usize)) {
        let count = self.tape.below(5);
        self.object_of(count, layout, depth, member);
    }

    fn object_of(
        &mut self,
        count: usize,
        layout: Layout,
        depth: usize,
        member: &mut dyn FnMut(&mut Self, Layout, usize),
    ) {
        let loose = self.loose;
        self.out.push('{');
        for number in 0..count {
            self.before_member(layout, depth + 1, number);
            member(self, layout, depth + 1);
            let is_last = number + 1 == count;
            let comma_here = layout != Layout::CommaFirst;
            if (!is_last && comma_here) || (is_last && self.trailing_comma()) {
                if self.tape.rarely(15) {
                    self.out.push(' ');
                }
                self.out.push(',');
            }
            self.behind_member(layout);
            self.loose = loose;
        }
        self.before_close(layout, depth);
        self.out.push('}');
    }

    fn trailing_comma(&mut self) -> bool {
        !self.strict && self.tape.rarely(2)
    }

    fn before_member(&mut self, layout: Layout, depth: usize, number: usize) {
        match layout {
            Layout::Lines | Layout::CommaFirst => {
                self.remark_lines(depth);
                self.new_line(depth);
                if layout == Layout::CommaFirst && number > 0 {
                    self.out.push_str(", ");
                }
            }
            Layout::OneLine => {
                self.out.push(' ');
                self.small_remark();
            }
            Layout::Minified => {}
        }
    }

    fn behind_member(&mut self, layout: Layout) {
        match layout {
            Layout::Lines | Layout::CommaFirst if self.tape.rarely(4) => self.line_remark(),
            Layout::OneLine => self.small_remark(),
            _ => {}
        }
    }

    fn before_close(&mut self, layout: Layout, depth: usize) {
        match layout {
            Layout::Lines | Layout::CommaFirst => {
                self.remark_lines(depth + 1);
                self.new_line(depth);
            }
            Layout::OneLine => self.out.push(' '),
            Layout::Minified => {}
        }
    }

    fn root_member(&mut self, layout: Layout, depth: usize) {
        if self.zone.is_none() && self.tape.below(3) != 2 {
            self.section(layout, depth);
        } else {
            self.member(layout, depth);
        }
    }

    fn member(&mut self, layout: Layout, depth: usize) {
        let key = self.key();
        self.out.push_str(&key);
        self.colon(layout);
        self.value(layout, depth);
    }

    fn colon(&mut self, layout: Layout) {
        if self.tape.rarely(12) {
            self.out.push(' ');
        }
        self.out.push(':');
        if layout != Layout::Minified {
            self.out.push(' ');
            self.small_remark();
        }
    }

    fn value(&mut self, layout: Layout, depth: usize) {
        match self.tape.below(if depth > 4 { 5 } else { 8 }) {
            0..=4 => {
                let text = self.scalar();
                self.out.push_str(&text);
            }
            5 => self.list(layout, depth),
            _ => {
                let inner = self.inner_layout(layout);
                self.object(inner, depth, &mut |writer, layout, depth| writer.member(layout, depth));
            }
        }
    }

    fn list(&mut self, layout: Layout, depth: usize) {
        let layout = self.inner_layout(layout);
        self.out.push('[');
        let count = self.tape.below(4);
        for number in 0..count {
            self.before_member(layout, depth + 1, number);
            self.value(layout, depth + 1);
            let is_last = number + 1 == count;
            if (!is_last && layout != Layout::CommaFirst) || (is_last && self.trailing_comma()) {
                self.out.push(',');
            }
            self.behind_member(layout);
        }
        self.before_close(layout, depth);
        self.out.push(']');
    }

    // ------------------------------------------------------------------ lines

    fn new_line(&mut self, depth: usize) {
        self.out.push_str(self.end);
        for _ in 0..depth {
            self.out.push_str(self.indent);
        }
    }

    /// A comment with a number of its own, to the end of the line or closed.
    fn remark(&mut self, to_line_end: bool) {
        self.remarks += 1;
        let number = self.remarks;
        let shape = self.tape.pick(&["note", " note", " key: \"v\", {", " é 漢 🛰 '", " http://h/x", " * }"]);
        let text =
            if to_line_end { format!("//{shape} {number:04}.") } else { format!("/*{shape} {number:04}.*/") };
        self.out.push_str(&text);
        if !self.loose {
            self.comments.push(text);
        }
    }

    fn line_remark(&mut self) {
        if !self.strict {
            self.out.push(' ');
            let to_line_end = self.tape.below(3) != 2;
            self.remark(to_line_end);
        }
    }

    fn small_remark(&mut self) {
        if !self.strict && self.tape.rarely(15) {
            self.remark(false);
            self.out.push(' ');
        }
    }

    /// No, one or several comment lines and blank lines.
    fn remark_lines(&mut self, depth: usize) {
        if !self.tape.rarely(4) {
            return;
        }
        for _ in 0..=self.tape.below(3) {
            if self.strict || self.tape.rarely(4) {
                self.out.push_str(self.end);
            } else {
                self.new_line(depth);
                let to_line_end = self.tape.below(3) != 2;
                self.remark(to_line_end);
            }
        }
    }

    /// Comments outside the root.
    fn remarks_between(&mut self, depth: usize) {
        if !self.strict && self.tape.rarely(4) {
            self.remark_lines(depth);
            self.remark(true);
            self.out.push_str(self.end);
        }
    }
}
