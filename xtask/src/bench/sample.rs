//! Generated configurations of a given size: Hermes-like YAML with comments, for the question how the
//! cost grows with the file.

use std::fmt::Write;

/// A commented YAML configuration of at least `bytes` bytes with an `mcp_servers` section in its middle.
pub(super) fn yaml(bytes: usize) -> String {
    let mut text = String::with_capacity(bytes + 1024);
    let mut section = 0;
    while text.len() < bytes / 2 {
        add_section(&mut text, section);
        section += 1;
    }
    text.push_str("mcp_servers:\n  # The clock needs no network.\n  clock: {command: uvx, args: [\"mcp-server-time\"]}\n\n");
    while text.len() < bytes {
        add_section(&mut text, section);
        section += 1;
    }
    text
}

/// One top-level section with the shapes that configurations are made of, about 700 bytes.
fn add_section(text: &mut String, number: usize) {
    // Writing to a string cannot fail.
    let _ = write!(
        text,
        "# Section {number}: what the platform of this name does when nobody is looking.\n\
         # Change it only together with the section that follows.\n\
         platform_{number}:\n\
         \x20 enabled: {enabled}   # read at start\n\
         \x20 name: \"The platform number {number}\"\n\
         \x20 retries: {retries}\n\
         \x20 factor: 1.5\n\
         \x20 allowed: [alpha, 'beta', \"gamma\", {number}]\n\
         \x20 limits: {{soft: {number}, hard: {hard}}}\n\
         \x20 greeting: |\n\
         \x20   Hello from section {number}.\n\
         \x20   # This line is text, not a comment.\n\
         \x20 rooms:\n\
         \x20   # One entry for each room.\n\
         \x20   - id: room-{number}-a\n\
         \x20     topic: plain words without quotes\n\
         \x20   - id: room-{number}-b\n\
         \x20     topic: 'it''s quoted'   # for the apostrophe\n\
         \x20 # nested_example:\n\
         \x20 #   key: value\n\n",
        enabled = if number.is_multiple_of(2) { "yes" } else { "false" },
        retries = number % 10,
        hard = number * 2,
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_has_the_wanted_size_and_one_section_of_servers() {
        let text = yaml(100_000);
        assert!((100_000..101_000).contains(&text.len()), "{}", text.len());
        assert_eq!(text.matches("\nmcp_servers:\n").count(), 1);
        assert_eq!(text.matches("platform_7:").count(), 1);
    }
}
