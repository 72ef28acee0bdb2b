//! `mcp` and its servers, in every state in which people leave them.

use super::{Layout, Writer};

impl Writer<'_> {
    /// The member `mcp`, with or without our entry.
    pub(super) fn section(&mut self, layout: Layout, depth: usize) {
        let start = self.out.len();
        self.zone = Some(0..0);
        if self.tape.rarely(25) {
            // The same key once more, in front; the last one is read.
            self.out.push_str("\"mcp\": {\"servers\": {\"first\": {}}}, ");
            self.hard = true;
        }
        self.name("mcp", &["mcp", "'mcp'", "m\\u0063p"]);
        self.colon(layout);
        let inner = self.inner_layout(layout);
        match self.tape.below(12) {
            0..=7 => self.members_with(inner, depth, &mut Self::servers),
            8 | 9 => self.free_place(),
            10 => {
                self.hard = true;
                let odd = self.tape.pick(&["[]", "5", "\"x\"", "true"]);
                self.out.push_str(odd);
            }
            _ => self.object(inner, depth, &mut |writer, layout, depth| writer.member(layout, depth)),
        }
        self.zone = Some(start..self.out.len());
    }

    fn servers(&mut self, layout: Layout, depth: usize) {
        self.name("servers", &["servers", "'servers'", "\"\\u0073ervers\""]);
        self.colon(layout);
        let inner = self.inner_layout(layout);
        match self.tape.below(8) {
            0..=4 => self.members_with(inner, depth, &mut Self::entry),
            5 => self.free_place(),
            6 => {
                self.hard = true;
                self.out.push_str("[1]");
            }
            _ => self.object(inner, depth, &mut |writer, layout, depth| writer.member(layout, depth)),
        }
    }

    /// Our entry, stale in one way or another.
    fn entry(&mut self, layout: Layout, depth: usize) {
        self.name("hub", &["hub", "'hub'", "\"\\u0068ub\""]);
        self.colon(layout);
        self.adds_only = false;
        match self.tape.below(8) {
            0 => self.free_place(),
            1 => {
                self.hard = true;
                let odd = self.tape.pick(&["[1]", "5", "\"x\"", "false"]);
                self.out.push_str(odd);
            }
            _ => {
                let inner = self.inner_layout(layout);
                let names: Vec<&str> =
                    ["command", "url", "transport", "headers", "args", "tools", "type", "enabled"]
                        .into_iter()
                        .filter(|_| self.tape.below(2) == 1)
                        .collect();
                let mut rest = names.iter();
                self.object_of(names.len(), inner, depth, &mut |writer, layout, depth| {
                    if let Some(name) = rest.next() {
                        writer.entry_member(name, layout, depth);
                    }
                });
            }
        }
    }

    fn entry_member(&mut self, name: &str, layout: Layout, depth: usize) {
        let quoted = format!("'{name}'");
        self.name(name, &[name, &quoted]);
        let goes = ["command", "transport", "args", "type"].contains(&name);
        // A comment in front of a value that goes, or behind it on its line, may go with it; the braces
        // around it take this back.
        self.loose |= goes;
        self.colon(layout);
        match name {
            "headers" => match self.tape.below(4) {
                0 => self.free_place(),
                1 => self.object(layout, depth, &mut |writer, layout, depth| writer.member(layout, depth)),
                _ => {
                    let inner = self.inner_layout(layout);
                    self.members_with(inner, depth, &mut |writer, layout, _| {
                        writer.name("Authorization", &["Authorization", "'Authorization'"]);
                        writer.colon(layout);
                        writer.out.push_str("\"Bearer ${HUB_MCP_API_KEY}\"");
                    });
                }
            },
            "url" => {
                let text = self.scalar();
                self.out.push_str(&text);
            }
            _ => self.value(layout, depth),
        }
    }

    /// Braces with other members and, somewhere among them, the one that `wanted` writes.
    fn members_with(
        &mut self,
        layout: Layout,
        depth: usize,
        wanted: &mut dyn FnMut(&mut Self, Layout, usize),
    ) {
        let count = 1 + self.tape.below(3);
        let place = self.tape.below(count);
        let mut number = 0;
        self.object_of(count, layout, depth, &mut |writer, layout, depth| {
            if number == place {
                wanted(writer, layout, depth)
            } else {
                writer.member(layout, depth)
            }
            number += 1;
        });
    }

    /// Nothing that is in the way of a mapping.
    fn free_place(&mut self) {
        self.adds_only = false;
        let words =
            if self.strict { &["{}", "null", "\"\""][..] } else { &["{}", "null", "''", "{ }", "{ /**/ }"] };
        let word = self.tape.pick(words);
        self.out.push_str(word);
    }

    /// A key in one of its spellings; strict JSON knows one.
    fn name(&mut self, name: &str, spellings: &[&str]) {
        let quoted = format!("\"{name}\"");
        let spelling =
            if self.strict || self.tape.below(3) == 0 { &quoted } else { self.tape.pick(spellings) };
        self.out.push_str(spelling);
    }
}
