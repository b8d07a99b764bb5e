//! Elementwise ops, and those that choose among elements.

pub mod binary;
pub mod bitwise;
pub mod choice;
pub mod comparison;
pub mod complex;
pub mod conversion;
pub mod fused;
pub mod gradient;
pub mod logical;
pub mod special;
pub mod sum;
pub mod unary;
