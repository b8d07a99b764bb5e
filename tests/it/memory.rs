//! A run holds at most the weights and 1.5 times the two largest live activations, whatever else the process allocates.

use std::process::Command;

use oplink::graph::{Graph, Session, SessionOptions};
use oplink::runtime::Registry;
use oplink::{AttrValue, Output, PartialShape, Result, Tensor};

use crate::arrays::{Archive, large_model};
use crate::counting;

/// Set for the process that measures: there nothing else runs.
const ALONE: &str = "OPLINK_TEST_MEASURES_ALONE";

/// Bytes of the constants.
fn weights(graph: &Graph) -> usize {
    let values = graph.nodes().iter().filter_map(|node| node.info().attrs.get("value"));
    values.map(|value| if let AttrValue::Tensor(tensor) = value { tensor.num_bytes() } else { 0 }).sum()
}

/// Bytes of a value of f32 in a run of one picture.
fn activation(shape: &PartialShape) -> usize {
    let dims = shape.dims().expect("activations have a known rank");
    size_of::<f32>() * dims.iter().map(|dim| dim.unwrap_or(1)).product::<usize>()
}

/// The most that the two largest values take which are needed at the same time and depend on an input.
fn two_largest_live(graph: &Graph) -> usize {
    let nodes = graph.nodes();
    let mut depends: Vec<bool> = nodes.iter().map(|node| node.op_name() == "Placeholder").collect();
    let mut last_reader: Vec<usize> = (0..nodes.len()).collect();
    for (at, node) in nodes.iter().enumerate() {
        for input in node.inputs() {
            assert!((input.node as usize) < at, "the graph's nodes are in order");
            depends[at] |= depends[input.node as usize];
            last_reader[input.node as usize] = at;
        }
    }
    let live_at = |at: usize| {
        let live = (0..=at).filter(|&node| depends[node] && last_reader[node] >= at && nodes[node].num_outputs() > 0);
        let mut sizes: Vec<usize> =
            live.map(|node| activation(&graph.shape(Output { node: node as u32, index: 0 }))).collect();
        sizes.sort_unstable_by(|a, b| b.cmp(a));
        sizes.iter().take(2).sum::<usize>()
    };
    (0..nodes.len()).map(live_at).max().unwrap_or(0)
}

#[test(Models)]
fn mobilenetv2_peaks_at_weights_and_live_activations() {
    let test = "memory::measured_alone";
    let mut command = Command::new(std::env::current_exe().expect("the path of the tests"));
    let output = command.args([test, "--exact", "--nocapture"]).env(ALONE, "1").output().expect("the tests run again");
    let text = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    eprintln!("{text}");
    assert!(output.status.success() && text.contains("peak"), "{text}");
}

/// The measurement itself; counts whatever the process allocates, scratch memory of kernels and the graph included.
#[test(part = ALONE, Models)]
fn measured_alone() -> Result<()> {
    let graph = Graph::load(large_model("mobilenetv2.pb"), Registry::global()?)?;
    let (weights, activations) = (weights(&graph), two_largest_live(&graph));
    let session = Session::new(graph, SessionOptions::default())?;
    let image: Tensor = Archive::open(&large_model("mobilenetv2.npz")).read::<f32>("in:a:0");
    let before = counting::held();
    counting::reset_peak();
    for _ in 0..2 {
        session.run(&[("a", image.clone())], &["Identity"], &[])?;
    }
    let (peak, bound) = (counting::peak(), weights + activations * 3 / 2);
    eprintln!("weights {weights}, two largest live activations {activations}, bound {bound}");
    eprintln!("held before the run {before}, peak {peak}, held after {}", counting::held());
    eprintln!("of it the device's: {:?}", session.device().memory_statistics());
    assert!(peak <= bound, "the run peaked at {peak} bytes, more than weights and 1.5 times its activations: {bound}");
    Ok(())
}
