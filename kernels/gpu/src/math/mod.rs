//! Elementwise ops, and those that choose among elements.
//!
//! Tensors of int32 stay in host memory, as TensorFlow has it for most of these ops, and are computed there.

mod binary;
mod bitwise;
mod choice;
mod comparison;
mod conversion;
mod error_function;
mod gradient;
mod logical;
pub mod on_host;
mod sum;
mod unary;
