//! Flow collections, on one line or on several.

use super::Writer;

impl Writer<'_> {
    /// A flow collection as a value.
    pub(super) fn flow_value(&mut self, indent: usize) {
        self.blank();
        self.flow(indent + 1, 0);
        self.rest_of_line();
    }

    fn flow(&mut self, indent: usize, depth: usize) {
        let is_map = self.tape.below(2) == 0;
        self.out.push(if is_map { '{' } else { '[' });
        let count = self.tape.below(4);
        for number in 0..count {
            self.flow_space(indent);
            if is_map {
                let key = self.key();
                self.out.push_str(&format!("{key}: "));
            }
            self.flow_item(indent, depth);
            if number + 1 < count || self.tape.rarely(6) {
                self.out.push(',');
            }
        }
        self.flow_space(indent);
        self.out.push(if is_map { '}' } else { ']' });
    }

    fn flow_item(&mut self, indent: usize, depth: usize) {
        if depth < 3 && self.tape.rarely(4) {
            return self.flow(indent, depth + 1);
        }
        let text = self.scalar();
        let is_quoted = text.starts_with(['"', '\'']);
        let is_safe = is_quoted || !text.contains([',', '[', ']', '{', '}', '?', '#', ':']);
        self.out.push_str(if is_safe { &text } else { "plain" });
    }

    /// Nothing, a blank, or a new line with a comment in front of it.
    pub(super) fn flow_space(&mut self, indent: usize) {
        match self.tape.below(8) {
            0..=3 => self.out.push(' '),
            4 => {}
            5 => {
                self.end_line();
                self.pad(indent);
            }
            6 => {
                self.out.push(' ');
                self.remark();
                self.end_line();
                self.pad(indent);
            }
            _ => {
                self.end_line();
                self.end_line();
                self.pad(indent + 2);
            }
        }
    }

    /// A root in flow style, with the section or without it.
    pub(super) fn flow_root(&mut self) {
        self.out.push('{');
        let count = self.tape.below(3);
        self.adds_only = count > 0;
        for _ in 0..count {
            self.flow_space(0);
            let key = self.key();
            self.out.push_str(&format!("{key}: "));
            self.flow_item(0, 0);
            self.out.push(',');
        }
        self.flow_space(0);
        let start = self.out.len();
        match self.tape.below(4) {
            0 => {}
            1 => {
                self.adds_only = true;
                self.out.push_str("mcp_servers: {a: {url: u}}");
            }
            2 => {
                self.adds_only = true;
                self.out.push_str("\"mcp_servers\" : {a: 1, }");
            }
            _ => {
                self.adds_only = false;
                self.out.push_str("mcp_servers: {}");
            }
        }
        let inserted = self.out.len() > start;
        if inserted && self.tape.rarely(3) {
            self.out.push_str(", z: 1");
        }
        self.flow_space(0);
        self.out.push('}');
        self.rest_of_line();
    }
}
