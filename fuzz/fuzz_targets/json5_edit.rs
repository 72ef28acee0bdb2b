//! Any text, or a random file as people write them, through the JSON5 editor.
#![no_main]

use hubkit_configurators::json5::Json5Document;
use hubkit_fuzz::{Editor, check};

struct Json5;

impl Editor for Json5 {
    type Document<'a> = Json5Document<'a>;

    const ENTRY: &'static [&'static str] = &["mcp", "servers", "hub"];

    fn told_by(numbers: &[u32]) -> String {
        hubkit_fuzz::json5_told_by(numbers)
    }
}

libfuzzer_sys::fuzz_target!(|data: &[u8]| check::<Json5>(data));
