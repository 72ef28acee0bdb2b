//! The commands that developers and continuous integration run.

fn main() {}
