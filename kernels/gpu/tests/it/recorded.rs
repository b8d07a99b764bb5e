//! Runs whose work the GPU recorded: the same results as node by node, where it records, and where it does not.

use oplink::{DType, PartialShape, Result, Tensor};
use oplink_core::{Registry, devices};
use oplink_graph::{Callable, Graph, Session, SessionOptions};
use oplink_ops::{add_v2, mat_mul, relu, softmax, tanh};

use crate::support::gpu;

/// Some layers over rows of four, and the name of the result.
fn network() -> Result<(Graph, String)> {
    let mut graph = Graph::new(Registry::global()?);
    let mut scope = graph.scope();
    let x = scope.placeholder("x", DType::Float, PartialShape::new(&[None, Some(4)]))?;
    let weights: Vec<f32> = (0..16).map(|i| ((i * 7) % 5) as f32 / 4.0 - 0.5).collect();
    let weights = scope.constant_named("weights", Tensor::from_vec([4, 4], weights)?)?;
    let mut value = x;
    for layer in 0..6 {
        value = mat_mul(&mut scope, value, weights)?;
        value = if layer % 2 == 0 { relu(&mut scope, value)? } else { tanh(&mut scope, value)? };
        value = add_v2(&mut scope, value, x)?;
    }
    let result = softmax(&mut scope, value)?;
    let name = graph.output_name(result);
    Ok((graph, name))
}

fn call(record_device_work: bool) -> Result<Callable> {
    let cpu = devices()?.into_iter().find(|device| device.device_type() == "CPU").expect("a CPU");
    let options = SessionOptions { record_device_work, ..SessionOptions::default() };
    let (graph, result) = network()?;
    Session::on_devices(graph, vec![gpu().clone(), cpu], options)?.prepare(&["x"], &[&result], &[])
}

fn rows(count: usize, seed: usize) -> Tensor {
    let values = (0..4 * count).map(|i| ((i * 13 + seed * 5) % 17) as f32 / 8.0 - 1.0);
    Tensor::from_vec([count, 4], values.collect()).expect("the size fits")
}

#[test]
fn recorded_runs_agree_with_runs_node_by_node() -> Result<()> {
    let (plain, recorded) = (call(false)?, call(true)?);
    for run in 0..40 {
        // The number of rows changes for a while, so that there are two recordings.
        let x = rows(if (8..30).contains(&run) { 5 } else { 3 }, run);
        let (plain, recorded) = (plain.run(std::slice::from_ref(&x))?, recorded.run(&[x])?);
        assert_eq!(plain[0].as_slice::<f32>()?, recorded[0].as_slice::<f32>()?, "run {run}");
    }
    Ok(())
}

#[test]
fn recorded_runs_go_on_beside_others() -> Result<()> {
    let (plain, recorded) = (call(false)?, [call(true)?, call(true)?]);
    let expected: Vec<Tensor> =
        (0..20).map(|seed| Ok(plain.run(&[rows(6, seed)])?.remove(0))).collect::<Result<_>>()?;
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let (recorded, expected, plain) = (&recorded, &expected, &plain);
            scope.spawn(move || {
                for (seed, expected) in expected.iter().enumerate() {
                    let call = if thread == 3 { plain } else { &recorded[thread % 2] };
                    let value = call.run(&[rows(6, seed)]).expect("it runs").remove(0);
                    assert_eq!(value.as_slice::<f32>().unwrap(), expected.as_slice::<f32>().unwrap(), "{thread}");
                }
            });
        }
    });
    Ok(())
}
