//! Runs a graph with the kernels that the selection left.
#![forbid(unsafe_code)]

use std::process::ExitCode;

use oplink::runtime::Registry;

fn main() -> ExitCode {
    size_runner::main(Registry::global().cloned())
}
