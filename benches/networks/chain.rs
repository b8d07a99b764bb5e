//! Graphs of many small nodes.

use std::error::Error;
use std::fs::File;

use ndarray::{Array0, arr0};
use ndarray_npy::NpzWriter;
use oplink::prelude::*;
use oplink_proto::to_bytes;

use oplink::ops::math::add_v2;

/// Writes a graph of `nodes` scalar sums, each of the one before it, and its values in `GRAPH.npz`.
pub(crate) fn write(nodes: usize, path: &str) -> Result<(), Box<dyn Error>> {
    let mut graph = Graph::new(Registry::global()?);
    let x = graph.scope().placeholder("x", DType::Float, PartialShape::new(&[]))?;
    let sum = (0..nodes).try_fold(x, |sum, _| add_v2(&mut graph.scope(), sum, x))?;
    let node = graph.output_name(sum);
    std::fs::write(path, to_bytes(&graph.to_def()?))?;
    let mut values = NpzWriter::new(File::create(std::path::Path::new(path).with_extension("npz"))?);
    let (input, output): (Array0<f32>, Array0<f32>) = (arr0(1.0), arr0((0..nodes).fold(1.0, |sum, _| sum + 1.0)));
    values.add_array("in:x:0", &input)?;
    values.add_array(format!("out:{node}:0"), &output)?;
    values.finish()?;
    Ok(())
}
