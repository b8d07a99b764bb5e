//! Calls the op at once, and in a graph between ops that oplink brings.

use {crate_name}::ScaleShift;
use oplink::ops::Relu;
use oplink::prelude::*;

fn main() -> Result<()> {
    let y = ScaleShift::builder().shift(1.0).call([1.0f32, -2.0], 3.0f32)?;
    println!("eager: {y}");

    let mut graph = Graph::new(Registry::global()?);
    let x = graph.scope().placeholder("x", DType::Float, PartialShape::new(&[None]))?;
    let scaled = ScaleShift::builder().shift(1.0).build(&mut graph.scope(), x, 3.0f32)?;
    Relu::builder().name("y").build(&mut graph.scope(), scaled)?;
    let session = Session::new(graph, SessionOptions::default())?;
    let outputs = session.run(&[("x", Tensor::from([1.0f32, -2.0]))], &["y"], &[])?;
    println!("graph: {}", outputs[0]);
    Ok(())
}
