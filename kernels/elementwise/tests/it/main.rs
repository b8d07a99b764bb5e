//! The formulas against values of TensorFlow, and chains against the ops that they are made of.
#![allow(clippy::approx_constant, reason = "tables hold what TensorFlow printed")]

mod activations;
mod arithmetic;
mod bitwise;
mod cephes;
mod chains;
mod comparisons;
mod complex;
mod complex_elementary;
mod division;
mod engine;
mod exponential;
mod gradients;
mod integrals;
mod logical;
mod neighbours;
mod rounding;
mod shifts;
mod special;
mod support;
mod trigonometric;
