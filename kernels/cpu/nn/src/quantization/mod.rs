//! Quantised ranges.

pub mod fake_quant;
pub mod quantize_and_dequantize;
