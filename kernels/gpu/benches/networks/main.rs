//! Networks on a GPU of CUDA: how far they are from TensorFlow, how long a result takes, and what is left of that when
//! the whole network is one CUDA graph.
//!
//! `cargo bench -p oplink-kernels-gpu --bench networks -- [--small] GRAPH...` prints a table. Beside each `GRAPH.pb` is
//! its `GRAPH.npz` with inputs and TensorFlow's outputs. `--small` takes few runs, as an emulated GPU manages: figures
//! that say nothing. A network that is further from TensorFlow than 1e-4 is a failure.

#[path = "../../../../tests/it/arrays.rs"]
#[allow(dead_code, reason = "shared with tests, which use more of it")]
mod arrays;
mod latency;
mod network;
mod recorded;
mod weights;

use std::error::Error;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use oplink_core::{Device, devices};
use oplink_device_gpu::{CudaDeviceContext, why_no_gpu};

use oplink_device_cpu as _;

use latency::Runs;
use network::Network;

oplink::link!(oplink_kernels_cpu);
oplink::link!(oplink_kernels_gpu);

type Outcome<T> = Result<T, Box<dyn Error>>;

/// The largest difference from TensorFlow's values, relative to the largest of them.
const TOLERANCE: f32 = 1e-4;

fn main() -> ExitCode {
    // `cargo bench` adds an argument of its own.
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let (options, paths): (Vec<&String>, Vec<&String>) =
        arguments.iter().partition(|argument| argument.starts_with("--"));
    if options.iter().any(|option| *option != "--small") {
        eprintln!("usage: networks [--small] GRAPH.pb...");
        return ExitCode::from(2);
    }
    // Without arguments there is nothing to measure: `cargo bench` runs every benchmark so.
    if paths.is_empty() {
        return ExitCode::SUCCESS;
    }
    let runs = if options.is_empty() { Runs::MANY } else { Runs::FEW };
    match run(runs, &paths) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// Whether every network gave TensorFlow's values.
fn run(runs: Runs, paths: &[&String]) -> Outcome<bool> {
    let found = devices()?;
    let Some(gpu) = found.iter().find(|device| cuda_of(device).is_some()) else {
        println!("no CUDA device was found: nothing is measured.");
        why_no_gpu().iter().for_each(|reason| println!("- {reason}"));
        return Ok(false);
    };
    println!(
        "| network | error | nodes on the GPU | of them fused | on the host | first result | from host to host, node by node | by \
         default | on the GPU, node by node | as a CUDA graph |\n|---|---|---|---|---|---|---|---|---|---|"
    );
    let mut all = true;
    for path in paths {
        let path = Path::new(path);
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        match row(runs, path, gpu) {
            Ok((row, is_right)) => {
                println!("| {name} | {row} |");
                all &= is_right;
            }
            Err(error) => {
                println!("| {name} | failed: {} | | | | | | | | |", error.to_string().replace('\n', " "));
                all = false;
            }
        }
    }
    Ok(all)
}

fn cuda_of(device: &Arc<dyn Device>) -> Option<&CudaDeviceContext> {
    device.context()?.as_any().downcast_ref()
}

/// A network's row, and whether its values are TensorFlow's.
fn row(runs: Runs, path: &Path, gpu: &Arc<dyn Device>) -> Outcome<(String, bool)> {
    let network = Network::load(path)?;
    let first = latency::measure(runs, &network, gpu)?;
    let (figure, recorded) = match recorded::measure(runs, &network, gpu) {
        Ok((time, error)) => (format!("{} (error {error:.1e})", latency::text(time)), error),
        Err(error) => (format!("none: {}", error.to_string().replace('\n', " ")), 0.0),
    };
    let latency::Latency { error, on_gpu, fused, on_host, first, from_host, by_default, resident } = first;
    let is_right = error <= TOLERANCE && recorded <= TOLERANCE;
    let mark = if is_right { "" } else { ", WRONG" };
    let [first, from_host, by_default, resident] = [first, from_host, by_default, resident].map(latency::text);
    Ok((
        format!(
            "{error:.1e}{mark} | {on_gpu} | {fused} | {on_host} | {first} | {from_host} | {by_default} | {resident} | \
             {figure}"
        ),
        is_right,
    ))
}
