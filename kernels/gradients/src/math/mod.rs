//! Elementwise ops.

mod binary;
mod choice;
mod complex;
mod gamma;
mod integrals;
mod powers;
mod special;
mod sums;
mod trigonometric;
mod truncated_normal;
mod unary;
