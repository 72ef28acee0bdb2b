//! Random YAML files through the engine, judged by PyYAML and ruamel.

#[cfg(test)]
mod lossless;
#[cfg(test)]
mod property;
#[cfg(test)]
mod sample;
#[cfg(test)]
mod yaml_text;

use hubkit_configurators::yaml::YamlDocument;
use hubkit_tests::oracle::{Pyyaml, Ruamel};
use lossless::judge::{Engine, Oracles};
use property::Subject;

/// The entry in Hermes's file.
const HERMES: &[&str] = &["mcp_servers", "hub"];

struct Yaml;

impl Engine for Yaml {
    type Document<'a> = YamlDocument<'a>;
}

const ORACLES: Oracles = Oracles { host: Pyyaml::load, others: &[Pyyaml::load_pure, Ruamel::load] };

#[test]
fn random_files_are_edited_as_the_libraries_would_have_it() {
    let subject = Subject { sample: yaml_text::sample, entry: HERMES, oracles: |_| &ORACLES };
    property::run::<Yaml>(&subject, 4_000);
}
