//! Any text, or a random file as people write them, through the YAML editor.
#![no_main]

use hubkit_configurators::yaml::YamlDocument;
use hubkit_fuzz::{Editor, check};

struct Yaml;

impl Editor for Yaml {
    type Document<'a> = YamlDocument<'a>;

    const ENTRY: &'static [&'static str] = &["mcp_servers", "hub"];

    fn told_by(numbers: &[u32]) -> String {
        hubkit_fuzz::yaml_told_by(numbers)
    }
}

libfuzzer_sys::fuzz_target!(|data: &[u8]| check::<Yaml>(data));
