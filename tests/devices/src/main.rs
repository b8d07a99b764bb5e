//! Runs the suite on devices and prints a table for each: cases, those that passed, and expected failures by reason.
//!
//! usage: devices [TYPE…]    device types, such as CPU, NULL, SIM, GPU; all that there are where none is named

use std::process::ExitCode;
use std::time::Instant;

use oplink::Result;
use oplink::runtime::devices;
use oplink_device_tests::{Expected, devices_of_type, run, sim};

fn main() -> ExitCode {
    let named: Vec<String> = std::env::args().skip(1).collect();
    let all = || sim::load().and_then(|()| devices()).map(|found| types(&found));
    let types = if named.is_empty() { all() } else { Ok(named) };
    let passed = types.and_then(|types| types.iter().map(|name| passes(name)).collect::<Result<Vec<bool>>>());
    match passed {
        Ok(passed) if passed.iter().all(|passed| *passed) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{error:?}");
            ExitCode::FAILURE
        }
    }
}

fn types(found: &[std::sync::Arc<dyn oplink::runtime::Device>]) -> Vec<String> {
    let mut types: Vec<String> = found.iter().map(|device| device.device_type().to_owned()).collect();
    types.sort();
    types.dedup();
    types
}

/// Runs the suite on a device and prints its table, and what is not as declared.
fn passes(device_type: &str) -> Result<bool> {
    let start = Instant::now();
    let report = run(&devices_of_type(device_type)?)?;
    let unexpected = Expected::of(&report.kind).check(&report);
    println!("{report}\n{:.1} s\n{unexpected}", start.elapsed().as_secs_f64());
    Ok(unexpected.is_empty())
}
