//! Gradients of the built-in ops: for each op a function that adds the nodes of its gradient to a graph.
//!
//! They are made of ops only, whatever device runs them, and follow TensorFlow's: the same values, `None` for the same
//! inputs. The crate is linked with `link!(oplink_gradients)`; a program that differentiates nothing leaves it out. Ops
//! through which nothing is differentiated (`Shape`, `Less`, `Floor`, …) say so where they are declared.
#![forbid(unsafe_code)]

mod array;
mod batching;
mod branches;
mod colors;
mod csr;
mod decomposition;
mod einsum;
mod equations;
mod factors;
mod image;
mod isotonic;
mod linalg;
mod lists;
mod math;
mod matrices;
mod nn;
mod nodes;
mod optionals;
mod ragged;
mod ranking;
mod reduction;
mod segments;
mod signal;
mod singular;
mod sparse;
mod sparse_segments;
mod state;
mod tensor_arrays;

use oplink::Output;

/// What a gradient function gives: a gradient for each input that has one.
type Gradients = oplink::Result<Vec<Option<Output>>>;

/// Gradients that the sources declare.
const DECLARED: usize = 368;

oplink::anchor!(ops = 0, kernels = 0, gradients = DECLARED);
