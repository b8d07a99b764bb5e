//! Elementwise ops.

mod binary;
mod choice;
mod complex;
mod powers;
mod special;
mod sums;
mod trigonometric;
mod unary;
