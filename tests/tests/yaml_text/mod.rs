//! Random YAML files as people write them: every style, odd spacing, comments wherever they may stand. The
//! generator knows where the section and the entry stand, and whether anything hard is in the way.

mod flow;
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

/// What is written while a file is told.
struct Writer<'t> {
    tape: Tape<'t>,
    out: String,
    end: &'static str,
    mixed: bool,
    comments: Vec<String>,
    remarks: usize,
    anchors: usize,
    keys: usize,
    /// Comments written now may go with what they belong to.
    loose: bool,
    zone: Option<Range<usize>>,
    /// The next key at the root ends the zone.
    zone_is_open: bool,
    adds_only: bool,
    hard: bool,
    /// A block scalar was the last thing: deeper comment lines would be part of it.
    after_block: bool,
}

impl<'t> Writer<'t> {
    fn new(mut tape: Tape<'t>) -> Self {
        let end = tape.pick(&["\n", "\n", "\n", "\r\n"]);
        let mixed = tape.rarely(12);
        Self {
            tape,
            out: String::new(),
            end,
            mixed,
            comments: Vec::new(),
            remarks: 0,
            anchors: 0,
            keys: 0,
            loose: false,
            zone: None,
            zone_is_open: false,
            adds_only: true,
            hard: false,
            after_block: false,
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

    fn close_zone(&mut self) {
        if let (Some(zone), true) = (&mut self.zone, self.zone_is_open) {
            zone.end = self.out.len();
            self.zone_is_open = false;
        }
    }

    fn file(&mut self) {
        if self.tape.rarely(15) {
            self.out.push('\u{feff}');
        }
        self.remark_lines(0);
        match self.tape.below(12) {
            10 => self.line("---"),
            11 => self.line("%YAML 1.1\n---"),
            _ => {}
        }
        let indent = if self.tape.rarely(15) { 1 + self.tape.below(3) } else { 0 };
        if self.tape.rarely(14) {
            self.flow_root();
        } else {
            self.block_root(indent);
        }
        self.close_zone();
        if self.tape.rarely(20) {
            self.line("...");
        }
        if self.tape.rarely(6) && !self.mixed {
            let kept = self.out.trim_end_matches(['\n', '\r']).len();
            self.out.truncate(kept);
            if let Some(zone) = &mut self.zone {
                zone.end = zone.end.min(kept);
            }
        }
    }

    /// A root of some members, with the section among them or not.
    fn block_root(&mut self, indent: usize) {
        let count = self.tape.below(6);
        let place = self.tape.below(7);
        for number in 0..=count {
            if number == place {
                self.section(indent);
            }
            if number < count {
                self.member(indent, 0);
            }
        }
        if place > count && count == 0 {
            self.line_at(indent, "only: member");
        }
    }

    /// One member of a block mapping, with everything under it.
    fn member(&mut self, indent: usize, depth: usize) {
        self.remark_lines(indent);
        if depth == 0 {
            self.close_zone();
        }
        let key = self.key();
        self.pad(indent);
        self.out.push_str(&key);
        self.gap_before_colon();
        self.value(indent, depth);
    }

    /// What follows a colon, up to and with the end of its last line.
    fn value(&mut self, indent: usize, depth: usize) {
        match self.tape.below(if depth > 3 { 9 } else { 14 }) {
            0..=4 => self.scalar_value(),
            5 => self.empty_value(),
            6 => self.block_scalar(indent),
            7 => self.flow_value(indent),
            8 => self.long_scalar(indent),
            9 | 10 => self.list(indent, depth),
            11 => self.anchored(indent, depth),
            _ => self.mapping(indent, depth),
        }
    }

    fn scalar_value(&mut self) {
        let text = self.scalar();
        self.blank();
        self.out.push_str(&text);
        self.rest_of_line();
    }

    fn empty_value(&mut self) {
        let word = self.tape.pick(&["", "~", "null", "{}", "[]", "''", "\"\""]);
        if !word.is_empty() {
            self.blank();
        }
        self.out.push_str(word);
        self.rest_of_line();
    }

    fn mapping(&mut self, indent: usize, depth: usize) {
        self.rest_of_line();
        let deeper = indent + 1 + self.tape.below(4);
        for _ in 0..=self.tape.below(3) {
            self.member(deeper, depth + 1);
        }
    }

    fn list(&mut self, indent: usize, depth: usize) {
        self.rest_of_line();
        // Hyphens may stand right under the key.
        let at = indent + self.tape.below(4);
        for _ in 0..=self.tape.below(3) {
            self.remark_lines(at);
            self.pad(at);
            self.out.push('-');
            match self.tape.below(10) {
                6 | 7 if depth < 4 => self.larger_item(at, depth),
                4 | 8 if depth < 4 => {
                    let key = self.key();
                    let gap = 1 + self.tape.below(3);
                    self.pad(gap);
                    self.out.push_str(&key);
                    self.out.push(':');
                    self.value(at + 1 + gap, depth + 2);
                }
                5 => {
                    if self.tape.rarely(2) {
                        self.out.push(' ');
                        self.remark();
                    }
                    self.end_line();
                    self.after_block = false;
                }
                _ => {
                    let text = self.scalar();
                    // libyaml takes no tab here, unlike behind a colon.
                    let gap =
                        if self.tape.rarely(100) { "\t" } else { self.tape.pick(&[" ", " ", "  ", "    "]) };
                    self.out.push_str(gap);
                    self.out.push_str(&text);
                    self.rest_of_line();
                }
            }
        }
    }

    /// What follows the dash of an item that is no scalar on its line.
    fn larger_item(&mut self, at: usize, depth: usize) {
        match self.tape.below(6) {
            0 => self.block_scalar(at),
            1 => self.flow_value(at),
            2 => self.list(at + 1, depth + 2),
            3 => self.mapping(at, depth + 1),
            4 => {
                self.end_line();
                self.pad(at + 2);
                let text = self.scalar();
                self.out.push_str(&text);
                self.rest_of_line();
            }
            _ => {
                self.anchors += 1;
                let name = format!("a{}", self.anchors);
                self.out.push_str(&format!(" &{name}"));
                self.scalar_value();
                self.pad(at);
                self.out.push_str(&format!("- *{name}"));
                self.rest_of_line();
            }
        }
    }

    /// An anchor, and an alias to it in the next member.
    fn anchored(&mut self, indent: usize, depth: usize) {
        // What an alias needs cannot be removed.
        self.hard |= self.loose;
        self.anchors += 1;
        let name = format!("a{}", self.anchors);
        self.blank();
        self.out.push_str(&format!("&{name}"));
        if self.tape.rarely(2) {
            self.mapping(indent, depth);
            let key = self.key();
            self.pad(indent);
            self.out.push_str(&key);
            self.out.push(':');
            self.rest_of_line();
            self.line_at(indent + 2, &format!("<<: *{name}"));
        } else {
            self.scalar_value();
            let key = self.key();
            self.line_at(indent, &format!("{key}: *{name}"));
        }
    }

    // ------------------------------------------------------------------ lines

    fn pad(&mut self, width: usize) {
        self.out.extend(std::iter::repeat_n(' ', width));
    }

    fn blank(&mut self) {
        let blanks = self.tape.pick(&[" ", " ", " ", "  ", "\t", "    "]);
        self.out.push_str(blanks);
    }

    fn gap_before_colon(&mut self) {
        if self.tape.rarely(20) {
            self.out.push(' ');
        }
        self.out.push(':');
    }

    fn end_line(&mut self) {
        let end = if self.mixed { self.tape.pick(&["\n", "\r\n"]) } else { self.end };
        self.out.push_str(end);
    }

    /// Ends the line, with a comment or blanks in front of the end now and then.
    fn rest_of_line(&mut self) {
        self.after_block = false;
        match self.tape.below(8) {
            6 => {
                let gap = self.tape.pick(&[" ", "  ", "\t", "      "]);
                self.out.push_str(gap);
                self.remark();
            }
            7 => self.out.push_str("  "),
            _ => {}
        }
        self.end_line();
    }

    fn line(&mut self, text: &str) {
        self.line_at(0, text);
    }

    fn line_at(&mut self, indent: usize, text: &str) {
        for part in text.split('\n') {
            self.pad(indent);
            self.out.push_str(part);
            self.end_line();
        }
        self.after_block = false;
    }

    /// A comment with a number of its own.
    fn remark(&mut self) {
        self.remarks += 1;
        let shape = self.tape.pick(&["# note", "#note", "## note", "# key: note", "# - {é: \"", "# 漢 🛰 '"]);
        let text = format!("{shape} {:04}.", self.remarks);
        self.out.push_str(&text);
        if !self.loose {
            self.comments.push(text);
        }
    }

    /// No, one or several comment lines and blank lines, at any depth that keeps them comments.
    fn remark_lines(&mut self, indent: usize) {
        if !self.tape.rarely(3) {
            return;
        }
        for _ in 0..=self.tape.below(3) {
            if self.tape.rarely(4) {
                if self.tape.rarely(4) && !self.after_block {
                    self.out.push_str("   ");
                }
            } else {
                let at = match self.tape.below(5) {
                    3 => 0,
                    4 if !self.after_block => indent + 2,
                    _ => indent,
                };
                self.pad(at);
                self.remark();
            }
            self.end_line();
        }
    }
}
