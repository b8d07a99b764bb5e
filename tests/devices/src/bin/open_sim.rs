//! Loads the simulated accelerator, with the faults that the environment plans, and takes steps on it: prints in one
//! line what failed, or `no error`. What the process has besides goes on: the exit code is not 0 where a step after is
//! wrong.

use oplink::graph::eager::EagerContext;
use oplink::runtime::{Registry, devices};
use oplink::{Error, Result, Tensor};
use oplink_device_tests::sim;

fn main() {
    let mut told = Vec::new();
    for step in 0..3 {
        if let Err(error) = sim::load().and_then(|()| step_on(sim::SIM)) {
            told.push(line_of(&error));
        }
        if let Err(error) = step_on("CPU") {
            eprintln!("step {step} on the CPU: {error:?}");
            std::process::exit(1);
        }
    }
    // A plugin that was refused stays so; a device that was opened works again.
    let is_refused = sim::load().is_err();
    if !is_refused && told.len() > 1 {
        eprintln!("the next step fails too: {told:?}");
        std::process::exit(1);
    }
    println!("{}", told.first().map_or("no error", String::as_str));
}

/// A sum on the first device of a type.
fn step_on(device_type: &str) -> Result<()> {
    let device = devices()?.into_iter().find(|device| device.device_type() == device_type);
    let device = device.ok_or_else(|| Error::not_found(format!("no device of type {device_type}")))?;
    let context = EagerContext::new(Registry::global()?.clone(), device.clone());
    let x = Tensor::from_slice(&[1.5_f32, 2.0]);
    let sum = context.to_host(&context.call_on(&device, "AddV2", &[&x, &x], &[])?.one(0)?)?;
    assert_eq!(sum.as_slice::<f32>()?, [3.0, 4.0]);
    Ok(())
}

fn line_of(error: &Error) -> String {
    let text = format!("{:?}: {error}", error.code());
    text.replace("/job:localhost/replica:0/task:0/device:", "").replace("\n  ", " / ")
}
