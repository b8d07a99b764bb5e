//! Ops that make, move, join, split and index elements.

mod blocks;
mod broadcasting;
mod counting;
mod creation;
mod diagonals;
mod edit_distance;
mod gathering;
mod identity;
mod joining;
mod padding;
mod partition;
mod permutation;
mod ragged;
mod reshaping;
mod scatter;
mod shape;
mod slicing;
mod unique;

pub use blocks::*;
pub use broadcasting::*;
pub use counting::*;
pub use creation::*;
pub use diagonals::*;
pub use edit_distance::*;
pub use gathering::*;
pub use identity::*;
pub use joining::*;
pub use padding::*;
pub use partition::*;
pub use permutation::*;
pub use ragged::*;
pub use reshaping::*;
pub use scatter::*;
pub use shape::*;
pub use slicing::*;
pub use unique::*;
