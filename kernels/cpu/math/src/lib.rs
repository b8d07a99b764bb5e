//! Ops of numbers that no formula of single values says, and those that choose among elements. The formulas are in
//! `oplink-kernels-elementwise`, which this crate links.
#![deny(unsafe_code)]
#![allow(clippy::inline_always, reason = "a loop is vectorised for an instruction set only with its body inlined")]
#![allow(clippy::return_self_not_must_use, reason = "arithmetic that nobody calls for an effect")]
#![cfg_attr(test, allow(clippy::approx_constant, reason = "tables hold what TensorFlow printed"))]

pub mod betainc;
pub mod binary;
pub mod choice;
pub mod comparison;
pub mod conversion;
pub mod sum;

oplink::link!(oplink_kernels_elementwise);
oplink::anchor!(ops = 0, kernels = 30);
