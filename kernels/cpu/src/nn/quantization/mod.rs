//! Quantised ranges.

mod fake_quant;
pub mod fake_quant_with_min_max_args;
pub mod fake_quant_with_min_max_vars;
pub mod quantize_and_dequantize_v2;

pub use fake_quant_with_min_max_args::*;
pub use fake_quant_with_min_max_vars::*;
pub use quantize_and_dequantize_v2::*;
