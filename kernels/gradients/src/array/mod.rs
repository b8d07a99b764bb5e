//! Ops that move, join, split and index elements.

mod blocks;
mod diagonals;
mod gather;
mod join;
mod part;
mod pass;
mod patches;
mod ragged;
mod scatter;
mod shape;

pub(crate) use gather::gathered_rows;
