//! Kernels that make, move, join, split and index elements.
//!
//! Most serve every dtype: they copy elements by width, through [`movement`](oplink_cpu_support::movement).
#![deny(unsafe_code)]
#![allow(clippy::inline_always, reason = "a loop is vectorised for an instruction set only with its body inlined")]
#![allow(clippy::return_self_not_must_use, reason = "arithmetic that nobody calls for an effect")]
#![cfg_attr(test, allow(clippy::approx_constant, reason = "tables hold what TensorFlow printed"))]

mod arguments;

pub mod assert;
pub mod bitcast;
pub mod blocks;
pub mod broadcasting;
pub mod constant;
pub mod counting;
pub mod debug;
pub mod diagonals;
pub mod edit_distance;
pub mod filled;
pub mod formats;
pub mod gathering;
pub mod identity;
pub mod inplace;
pub mod joining;
pub mod one_hot;
pub mod padding;
pub mod partition;
pub mod permutation;
pub mod ragged;
pub mod reshaping;
pub mod scatter;
pub mod sequences;
pub mod shape;
pub mod strided;
pub mod unique;

pub use assert::*;
pub use bitcast::*;
pub use blocks::*;
pub use broadcasting::*;
pub use constant::*;
pub use counting::*;
pub use debug::*;
pub use diagonals::*;
pub use edit_distance::*;
pub use filled::*;
pub use formats::*;
pub use gathering::*;
pub use identity::*;
pub use inplace::*;
pub use joining::*;
pub use one_hot::*;
pub use padding::*;
pub use partition::*;
pub use permutation::*;
pub use ragged::*;
pub use reshaping::*;
pub use scatter::*;
pub use sequences::*;
pub use shape::*;
pub use strided::*;
pub use unique::*;

oplink::anchor!(ops = 0, kernels = 138);
