//! Faults that real tools of this kind had, as properties, and the test that holds each. A test of the
//! project checks that every named test exists.

/// Where a property is held.
#[derive(Debug, Clone, Copy)]
pub enum Held {
    /// By this test.
    Test {
        /// The file, from the root of the repository.
        file: &'static str,
        /// The test function.
        name: &'static str,
    },
    /// By none, for this reason.
    NotYet(&'static str),
}

/// One row of the documented table.
pub struct Row {
    /// The public report, or the row of a table of such reports.
    pub report: &'static str,
    /// What must always hold.
    pub property: &'static str,
    /// Where it is held.
    pub held: Held,
}

/// All rows in the order of the documentation.
pub const TABLE: &[Row] = &[];
