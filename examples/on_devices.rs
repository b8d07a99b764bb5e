//! Eager calls on a device: `cargo run --features gpu --example on_devices GPU:0`. Without an argument, on the host.

use oplink::graph::eager::{EagerContext, on_device};
use oplink::ops::{AddV2, MatMul, Relu};
use oplink::prelude::*;

#[allow(dead_code, reason = "tests take the function below")]
fn main() -> Result<()> {
    let device = std::env::args().nth(1).unwrap_or_else(|| "CPU:0".to_owned());
    let y = layer(&device)?;
    println!("on {device}: {y}");
    Ok(())
}

/// `relu(x · w + 1) + 1`, computed on a device of this name.
pub(crate) fn layer(device: &str) -> Result<Tensor> {
    let x = Tensor::from_vec([2, 2], vec![1.0f32, 2.0, 3.0, 4.0])?;
    let w = Tensor::from_vec([2, 1], vec![1.0f32, -1.0])?.to_device(device)?;
    let product = MatMul::builder().device(device).call(&x, &w)?; // one call
    let y = on_device(device, || Relu::call(&AddV2::call(&product, 1.0f32)?))?; // all calls of a part of the program
    let context = EagerContext::global()?;
    let add = context.handle_on(&context.device_named(device)?, "AddV2", &[])?; // a call site
    add.call(&[&y, &Tensor::scalar(1.0f32)])?.to_host()
}
