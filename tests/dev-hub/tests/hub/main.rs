//! The development Hub and the first contact, from outside.

mod answers;
mod contact;
mod life;
mod raw;
mod scripted;
