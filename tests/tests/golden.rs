//! What wiring writes is taken out again without a trace: golden files of every layout, the corpora, and random
//! files, for both hosts. The entry is made by the real recipes.

#[cfg(test)]
#[path = "golden/foreign.rs"]
mod foreign;
#[cfg(test)]
#[path = "golden/random.rs"]
mod random;
#[cfg(test)]
#[path = "golden/table.rs"]
mod table;
#[cfg(test)]
#[path = "golden/tables.rs"]
mod tables;
#[cfg(test)]
#[path = "golden/wiring.rs"]
mod wiring;

#[cfg(test)]
mod json5_text;
#[cfg(test)]
#[expect(dead_code, reason = "what the generators know beside the text is for the tests of the editors")]
mod sample;
#[cfg(test)]
mod yaml_text;
