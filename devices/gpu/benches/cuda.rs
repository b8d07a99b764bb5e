//! What a GPU of CUDA does through this crate, beside what it can do: copies, elementwise programs, products of
//! matrices against cuBLASLt called directly, convolutions against cuDNN called directly, and the cost of a launch, one
//! after the other and by a CUDA graph.
//!
//! `cargo bench -p oplink-device-gpu --bench cuda -- [--small] [PART...]` prints a table; without a part, all of them.
//! `--small` takes sizes that an emulated GPU manages: figures that say nothing. `about` says which GPU and libraries
//! there are. On a machine without such a GPU it says why, and only a part that was named makes that a failure.

extern crate oplink_api as oplink;

#[path = "cuda/convolutions.rs"]
mod convolutions;
#[path = "cuda/copies.rs"]
mod copies;
#[path = "cuda/direct/mod.rs"]
mod direct;
#[path = "cuda/launches.rs"]
mod launches;
#[path = "cuda/measure.rs"]
mod measure;
#[path = "cuda/products.rs"]
mod products;
#[path = "cuda/sums.rs"]
mod sums;

use std::error::Error;
use std::process::ExitCode;
use std::sync::Arc;

use oplink_core::{Device, DeviceOptions};
use oplink_device_gpu::{CudaDeviceContext, FACTORY, why_no_gpu};

use measure::{Bench, LARGE, SMALL, row};

type Outcome<T> = Result<T, Box<dyn Error>>;

/// A part of the table, and what prints it.
type Part = (&'static str, fn(&Bench<'_>) -> Outcome<()>);

const PARTS: [Part; 5] = [
    ("copies", copies::copies),
    ("elementwise", copies::elementwise),
    ("products", products::products),
    ("convolutions", convolutions::convolutions),
    ("launches", launches::launches),
];

fn main() -> ExitCode {
    // `cargo bench` adds an argument of its own.
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let (options, named): (Vec<&str>, Vec<&str>) =
        arguments.iter().map(String::as_str).partition(|argument| argument.starts_with("--"));
    let is_known = |name: &&str| *name == "about" || PARTS.iter().any(|(part, _)| part == name);
    if options.iter().any(|option| *option != "--small") || !named.iter().all(is_known) {
        eprintln!("usage: cuda [--small] [about|copies|elementwise|products|convolutions|launches]...");
        return ExitCode::from(2);
    }
    match run(!options.is_empty(), &named) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// Whether all parts that were asked for could be measured.
fn run(is_small: bool, named: &[&str]) -> Outcome<bool> {
    let devices = (FACTORY.create)(&DeviceOptions::default())?;
    let Some((device, cuda)) = devices.iter().find_map(|device| Some((device, cuda_of(device)?))) else {
        println!("no CUDA device was found: nothing is measured. This machine needs a GPU of NVIDIA and its driver.");
        why_no_gpu().iter().for_each(|reason| println!("- {reason}"));
        return Ok(named.is_empty());
    };
    println!("{}\n", device.attributes().description);
    println!("| library | found |\n|---|---|");
    direct::libraries::found().iter().for_each(|(library, found)| row(library, found));
    if named == ["about"] {
        return Ok(true);
    }
    println!("\n| what | figure |\n|---|---|");
    let bench = Bench { cuda, sizes: if is_small { SMALL } else { LARGE } };
    let mut all = true;
    for (name, part) in PARTS.iter().filter(|(name, _)| named.is_empty() || named.contains(name)) {
        if let Err(error) = part(&bench) {
            row(name, &format!("failed: {error}"));
            all = false;
        }
    }
    Ok(all)
}

fn cuda_of(device: &Arc<dyn Device>) -> Option<&CudaDeviceContext> {
    device.context()?.as_any().downcast_ref()
}
