//! The page's table of what is left over, and that no row of it is without a case.

use std::collections::BTreeSet;
use std::fs;

use hubkit_tests::binary::repository;

use crate::{cases, env_file, of_root};

/// The line above the table's rows.
const HEAD: &str = "| left by older wiring | what hubkit does |";

/// The first column.
fn rows() -> BTreeSet<String> {
    let page = fs::read_to_string(repository().join("docs/MIGRATION.md")).unwrap();
    let table = page.split_once(HEAD).unwrap().1.lines().skip(2).take_while(|line| line.starts_with('|'));
    table.map(|line| line.split('|').nth(1).unwrap().trim().to_owned()).collect()
}

#[test]
fn every_row_has_a_case_and_every_case_a_row() {
    let of_table = cases::CASES.iter().map(|(_, case)| case.row);
    let cases = of_table.chain([env_file::ROW, of_root::ROW]).map(str::to_owned).collect();
    assert_eq!(rows(), cases);
}
