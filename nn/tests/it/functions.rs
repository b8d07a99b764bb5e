//! Functions that are traced into graphs.

use std::time::Duration;

use oplink::graph::{RunOptions, TraceLevel};
use oplink::nn::layers::Lstm;
use oplink::nn::{Layer, Mode};
use oplink::prelude::*;
use oplink::{Tape, Value, function};

#[test]
fn a_function_is_traced_once_for_each_signature() -> Result<()> {
    let f = function(|[x, y]: [Value; 2]| Ok((&x * &y + 1.0).tanh()? + x.sum(..)?));
    let (x, y) = (Value::new([0.5f32, -0.5]), Value::new(2.0f32));
    for _ in 0..3 {
        let expected = [2.0f32.tanh(), 0.0f32.tanh()];
        let got = f.call([&x, &y])?.to_vec::<f32>()?;
        assert!(got.iter().zip(expected).all(|(g, e)| (g - e).abs() < 1e-6), "{got:?}");
    }
    assert_eq!(f.num_traces(), 1);
    f.call([&y, &y])?;
    assert_eq!(f.num_traces(), 2);
    Ok(())
}

#[test]
fn a_run_of_a_function_tells_of_its_nodes_and_keeps_its_time() -> Result<()> {
    let layer = Lstm::new(3, 4)?;
    let f = function(|x: Value| layer.forward(&x, Mode::Infer));
    let x = Value::new(Tensor::full([2, 5, 3], 0.5f32));
    let options = RunOptions { trace: TraceLevel::Nodes, ..RunOptions::default() };
    let (y, metadata) = f.call_with(&options, &x)?;
    assert_eq!(y.to_vec::<f32>()?, f.call(&x)?.to_vec::<f32>()?);
    // A layer is one op for the whole sequence.
    assert_eq!(metadata.nodes.iter().filter(|node| node.op == "BlockLSTMV2").count(), 1);
    assert!(metadata.nodes.iter().all(|node| node.op != "Sigmoid"));
    let options = RunOptions { timeout: Some(Duration::ZERO), ..RunOptions::default() };
    assert_eq!(f.call_with(&options, &x).unwrap_err().code(), Code::DeadlineExceeded);
    let _tape = Tape::new();
    let error = f.call_with(&RunOptions::default(), &x).unwrap_err();
    assert!(error.to_string().contains("has no run of its own"), "{error}");
    Ok(())
}

#[test]
fn a_tape_inside_a_function_adds_gradients_to_its_graph() -> Result<()> {
    let f = function(|x: Value| {
        let outer = Tape::new();
        outer.watch(&x);
        let tape = Tape::new();
        tape.watch(&x);
        let y = x.pow(3)?;
        let first = tape.gradient(&y, [&x])?.remove(0).unwrap_or(x.zeros_like()?);
        let second = outer.gradient(&first, [&x])?.remove(0).unwrap_or(x.zeros_like()?);
        Ok([y, first, second])
    });
    let [y, first, second] = f.call(2.0f32)?;
    assert_eq!([y.item::<f32>()?, first.item()?, second.item()?], [8.0, 12.0, 12.0]);
    Ok(())
}

#[test]
fn a_tape_around_a_function_goes_through_it() -> Result<()> {
    let f = function(|x: Value| Ok(&x * &x));
    let g = function(move |x: Value| f.call(&x * 2.0));
    let x = Value::new(3.0f32);
    let tape = Tape::new();
    tape.watch(&x);
    let y = g.call(&x)?;
    assert_eq!(tape.gradient(&y, [&x])?[0].as_ref().unwrap().item::<f32>()?, 24.0);
    assert_eq!(g.call(&x)?.item::<f32>()?, 36.0);
    Ok(())
}

#[test]
fn errors_of_a_trace_name_it_and_leave_the_thread_usable() -> Result<()> {
    let f = function(|x: Value| x.matmul(&x));
    let error = f.call([[1.0f32, 2.0]]).unwrap_err();
    assert!(error.to_string().contains("while a function was traced"), "{error}");
    let reads = function(|x: Value| Ok(Value::new(x.item::<f32>()?)));
    let error = reads.call(1.0f32).unwrap_err();
    assert!(error.message().contains("has no elements yet"), "{error}");
    assert_eq!((Value::new(1.0f32) + 1.0).item::<f32>()?, 2.0);
    Ok(())
}
