//! Runs the model that is part of the program.

use std::time::Instant;

use oplink::prelude::*;

/// The graph, as TensorFlow or oplink froze it.
static MODEL: &[u8] = include_bytes!("../model.pb");
/// What is fed, with dtypes and shapes.
const INPUTS: &[(&str, DType, &[usize])] = &[{inputs}];
/// What is fetched.
const OUTPUTS: &[&str] = &[{outputs}];

fn main() -> Result<()> {
    let start = Instant::now();
    let graph = Graph::from_bytes(MODEL, Registry::global()?)?;
    let session = Session::new(graph, SessionOptions::default())?;
    // Your data goes here.
    let inputs = INPUTS.iter().map(|&(name, dtype, shape)| Ok((name, Tensor::zeros(dtype, shape)?)));
    let outputs = session.run(&inputs.collect::<Result<Vec<_>>>()?, OUTPUTS, &[])?;
    for (fetched, output) in OUTPUTS.iter().zip(&outputs) {
        println!("{fetched}: {output}");
    }
    println!("loaded and run in {:.1} ms", start.elapsed().as_secs_f64() * 1e3);
    Ok(())
}
