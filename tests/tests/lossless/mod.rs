//! The judge of the lossless editors: what is asked of them and what must be true of their answer, whatever
//! the format.

pub mod jobs;
pub mod judge;
pub mod tree;
