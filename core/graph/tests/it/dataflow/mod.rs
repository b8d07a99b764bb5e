//! Graphs with branches and loops, asynchronous kernels, several threads, and steps that stop early.

mod branches;
mod kernels;
mod loops;
mod malformed;
mod nested;
mod programs;
mod text;

pub(crate) use kernels::KERNELS;
