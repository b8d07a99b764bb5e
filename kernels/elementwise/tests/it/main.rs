//! The formulas against values of TensorFlow, and chains against the ops that they are made of.
#![allow(clippy::approx_constant, reason = "tables hold what TensorFlow printed")]

mod activations;
mod arithmetic;
mod bitwise;
mod chains;
mod comparisons;
mod engine;
mod exponential;
mod gradients;
mod logical;
mod rounding;
mod special;
mod support;
mod trigonometric;
