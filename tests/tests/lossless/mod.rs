//! The judge of the lossless editors: what is asked of them and what must be true of their answer, whatever
//! the format.

pub(crate) mod jobs;
pub(crate) mod judge;
pub(crate) mod tree;
