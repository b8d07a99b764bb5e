//! Graphs with branches and loops, asynchronous kernels, several threads, and steps that stop early.

mod branches;
mod kernels;
mod loops;
mod text;

pub(crate) use kernels::KERNELS;
