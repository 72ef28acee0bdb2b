//! The section with the servers, in every state in which people leave it.

use super::Writer;

impl Writer<'_> {
    /// `mcp_servers` with or without our entry.
    pub(super) fn section(&mut self, indent: usize) {
        self.remark_lines(indent);
        let start = self.out.len();
        if self.tape.rarely(25) {
            // The same key once more, in front; the last one is read.
            self.line_at(indent, "mcp_servers: {first: {url: u}}");
            self.hard = true;
        }
        self.pad(indent);
        let key = self.tape.pick(&[
            "mcp_servers",
            "mcp_servers",
            "\"mcp_servers\"",
            "'mcp_servers'",
            "\"mcp\\x5fservers\"",
        ]);
        self.out.push_str(key);
        self.gap_before_colon();
        match self.tape.below(16) {
            0..=8 => self.servers(indent),
            9 => self.free_place(),
            10 => self.free_place(),
            11 => self.flow_servers(indent),
            12 => self.flow_servers(indent),
            13 => {
                self.blank();
                self.out.push_str("&servers");
                self.servers(indent);
            }
            14 => {
                self.hard = true;
                let odd =
                    self.tape.pick(&[" [a, b]", " none", " !custom {a: 1}", " 5", " !!map {a: {url: u}}"]);
                self.out.push_str(odd);
                self.rest_of_line();
            }
            _ => {
                self.hard = true;
                self.rest_of_line();
                self.line_at(indent + 2, "base: &base {url: u, transport: sse}");
                self.line_at(indent + 2, "hub:");
                self.line_at(indent + 4, "<<: *base");
                self.line_at(indent + 4, "enabled: true");
            }
        }
        // Where the new text goes between here and the next key is the engine's choice.
        self.zone = Some(start..start);
        self.zone_is_open = true;
    }

    /// Nothing that is in the way of a mapping.
    fn free_place(&mut self) {
        self.adds_only = false;
        let word = self.tape.pick(&["", "{}", "~", "null", "''", "{ }", "\"\""]);
        if !word.is_empty() {
            self.blank();
        }
        self.out.push_str(word);
        self.rest_of_line();
    }

    /// Servers in block style, with our entry among them or not.
    fn servers(&mut self, indent: usize) {
        self.rest_of_line();
        let at = indent + 1 + self.tape.below(8);
        let count = self.tape.below(3);
        let place = self.tape.below(5);
        for number in 0..=count {
            if number == place {
                self.entry(at);
            }
            if number < count {
                self.member(at, 2);
            }
        }
        if place > count && count == 0 {
            self.line_at(at, "only: {url: u}");
        }
    }

    /// Our entry, stale in one way or another.
    fn entry(&mut self, indent: usize) {
        self.remark_lines(indent);
        self.pad(indent);
        let key = self.tape.pick(&["hub", "hub", "\"hub\"", "'hub'", "\"\\x68ub\""]);
        self.out.push_str(key);
        self.gap_before_colon();
        match self.tape.below(10) {
            0..=6 => self.entry_members(indent),
            7 => self.free_place(),
            8 => {
                self.adds_only = false;
                self.blank();
                self.out.push_str("{url: 'old', transport: sse, x: 1}");
                self.rest_of_line();
            }
            _ => {
                self.hard = true;
                let odd = self.tape.pick(&[" off", " [a]", " !custom {}", " 0"]);
                self.out.push_str(odd);
                self.rest_of_line();
            }
        }
    }

    fn entry_members(&mut self, indent: usize) {
        self.adds_only = false;
        self.rest_of_line();
        let at = indent + 1 + self.tape.below(6);
        let mut written = 0;
        for name in ["command", "url", "transport", "headers", "args", "tools", "type", "enabled"] {
            if self.tape.below(2) == 0 {
                continue;
            }
            written += 1;
            self.remark_lines(at);
            self.pad(at);
            self.out.push_str(name);
            self.gap_before_colon();
            match name {
                "command" | "transport" | "args" | "type" => {
                    self.loose = true;
                    self.value(at, 3);
                    self.loose = false;
                }
                "url" => self.entry_url(at),
                "headers" => self.entry_headers(at),
                _ => self.value(at, 3),
            }
        }
        if written == 0 {
            self.line_at(at, "enabled: false");
        }
    }

    fn entry_url(&mut self, indent: usize) {
        match self.tape.below(8) {
            6 => self.empty_value(),
            7 => self.long_scalar(indent),
            _ => self.scalar_value(),
        }
    }

    fn entry_headers(&mut self, indent: usize) {
        match self.tape.below(6) {
            0 => self.free_place(),
            1 => {
                self.blank();
                self.out.push_str("{Authorization: 'Bearer old', X-A: b}");
                self.rest_of_line();
            }
            2 => {
                self.blank();
                self.out.push_str("{X-A: b }");
                self.rest_of_line();
            }
            _ => {
                self.rest_of_line();
                let at = indent + 1 + self.tape.below(4);
                if self.tape.rarely(2) {
                    self.member(at, 3);
                }
                self.line_at(at, "Authorization: \"Bearer ${HUB_MCP_API_KEY}\"");
                if self.tape.rarely(2) {
                    self.member(at, 3);
                }
            }
        }
    }

    /// Servers in flow style.
    fn flow_servers(&mut self, indent: usize) {
        self.blank();
        self.out.push('{');
        self.flow_space(indent + 1);
        let servers =
            self.tape.pick(&["a: {url: x}", "a: {url: x}, hub: {command: c, k: [1, 2]}", "\"b\": 1"]);
        if servers.contains("hub") {
            self.adds_only = false;
        }
        self.out.push_str(servers);
        if self.tape.rarely(4) {
            self.out.push(',');
        }
        self.flow_space(indent + 1);
        self.out.push('}');
        self.rest_of_line();
    }
}
