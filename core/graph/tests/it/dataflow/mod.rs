//! Graphs with branches and loops, asynchronous kernels, several threads, and steps that stop early.

mod branches;
mod failures;
mod kernels;
mod loops;
mod malformed;
mod metadata;
mod nested;
mod programs;
mod references;
mod sharing;
mod stopping;
mod text;

pub(crate) use kernels::KERNELS;
