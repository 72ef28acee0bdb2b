//! Random JSON5 files through the engine, judged by npm's json5, and by JSON itself where the file was JSON.

#[cfg(test)]
mod json5_text;
#[cfg(test)]
mod lossless;
#[cfg(test)]
mod property;
#[cfg(test)]
mod sample;

use hubkit_configurators::json5::Json5Document;
use hubkit_tests::oracle::NpmJson5;
use lossless::judge::{Engine, Oracles};
use property::Subject;

/// The entry in OpenClaw's file. The corpus calls it `hub`; the engine takes any name.
const OPENCLAW: &[&str] = &["mcp", "servers", "hub"];

struct Json5;

impl Engine for Json5 {
    type Document<'a> = Json5Document<'a>;
}

const ORACLES: Oracles = Oracles { host: NpmJson5::load, others: &[] };
const STRICT: Oracles = Oracles { host: NpmJson5::load, others: &[NpmJson5::load_strict] };

#[test]
fn random_files_are_edited_as_the_library_would_have_it() {
    let oracles = |text: &str| match NpmJson5::load_strict(text.as_bytes()) {
        Ok(_) => &STRICT,
        Err(_) => &ORACLES,
    };
    let subject = Subject { sample: json5_text::sample, entry: OPENCLAW, oracles };
    property::run::<Json5>(&subject, 10_000);
}
