//! Elementwise ops, and those that choose among elements. Most elementwise ops are formulas that serve every device:
//! `oplink-kernels-elementwise`.
//!
//! Tensors of int32 stay in host memory, as TensorFlow has it for most of these ops, and are computed there.

mod binary;
mod choice;
mod comparison;
pub mod complex;
mod conversion;
pub mod cross;
pub mod on_host;
mod shifts;
mod special;
mod sum;
