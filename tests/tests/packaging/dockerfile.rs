//! What a recipe's Dockerfile says, and its files put where it says.

use std::fs;
use std::path::Path;

use hubkit_tests::binary::{self, repository};
use hubkit_tests::image::Image;

/// The folder that the recipes are built from, and the name under which the binary's folder is given to them.
const CONTEXT: &str = "packaging";
const BINARY_FROM: &str = "--from=dist";

/// The instructions of `packaging/container/RECIPE/Dockerfile`.
pub(crate) struct Dockerfile {
    instructions: Vec<(String, String)>,
}

impl Dockerfile {
    pub(crate) fn of(recipe: &str) -> Self {
        let path = repository().join(CONTEXT).join("container").join(recipe).join("Dockerfile");
        let text = fs::read_to_string(path).unwrap();
        let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
        let instruction = |line: &str| {
            let (name, rest) = line.split_once(' ').unwrap();
            (name.to_owned(), rest.to_owned())
        };
        Self { instructions: lines.map(instruction).collect() }
    }

    /// Copies what the instructions copy, with the modes that they give. All of it is root's.
    pub(crate) fn copy_into(&self, image: &Image) {
        for (_, rest) in self.instructions.iter().filter(|(name, _)| name == "COPY") {
            let words: Vec<&str> = rest.split(' ').collect();
            let (options, [source, target]) = words.split_at(words.len() - 2) else { panic!("COPY {rest}") };
            let mode = options.iter().find_map(|option| option.strip_prefix("--chmod="));
            let mode = u32::from_str_radix(mode.unwrap_or_else(|| panic!("COPY {rest}")), 8).unwrap();
            let bytes = if options.contains(&BINARY_FROM) {
                assert_eq!(*source, "hubkit");
                fs::read(binary::hubkit()).unwrap()
            } else {
                fs::read(repository().join(CONTEXT).join(source)).unwrap()
            };
            assert!(Path::new(target).is_absolute(), "COPY {rest}");
            image.file(target, bytes, 0, mode);
        }
    }

    /// The words of the last instruction of this name, which is in the form of a list.
    pub(crate) fn words(&self, name: &str) -> Vec<String> {
        let instruction = self.instructions.iter().rfind(|(found, _)| found == name);
        serde_json::from_str(&instruction.unwrap_or_else(|| panic!("there is no {name}")).1).unwrap()
    }
}
