//! Repository tasks: `cargo xtask tidy` checks the house rules, `cargo xtask anchors` writes what each crate declares
//! into its anchor, `cargo xtask index` writes the table of ops by family, `cargo xtask capi` builds
//! and installs the C API, `cargo xtask build-cost` measures builds, `cargo xtask bench` measures networks beside other
//! runtimes, `cargo xtask gpu-bundle` makes a file that tests and measures a GPU of NVIDIA on another machine.

mod anchors;
mod bench;
mod build_cost;
mod capi;
mod gpu_bundle;
mod index;
mod source;
mod tidy;

use std::process::ExitCode;

fn main() -> ExitCode {
    let task = std::env::args().nth(1).unwrap_or_default();
    let problems = match task.as_str() {
        "tidy" => tidy::run(),
        "anchors" => anchors::write(),
        "index" => index::write(),
        "bench" => bench::run(&std::env::args().skip(2).collect::<Vec<_>>()),
        "build-cost" => build_cost::run(&std::env::args().skip(2).collect::<Vec<_>>()),
        "capi" => capi::run(&std::env::args().skip(2).collect::<Vec<_>>()),
        "gpu-bundle" => gpu_bundle::run(&std::env::args().skip(2).collect::<Vec<_>>()),
        _ => {
            eprintln!("usage: cargo xtask tidy|anchors|index|bench|build-cost|capi|gpu-bundle");
            return ExitCode::from(2);
        }
    };
    for problem in &problems {
        eprintln!("{problem}");
    }
    println!("{task}: {} problem(s)", problems.len());
    if problems.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
