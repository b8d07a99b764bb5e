//! The macro `plugin!` in a program: nothing is registered there, and hosts learn what the crate holds.
#![deny(unsafe_code)]

mod hygiene;
mod info;
mod tree;
