//! `oplink freeze`: a frozen call gives the values that stock TensorFlow gave, or is refused for a reason.

use std::collections::BTreeSet;

use expect_test::expect_file;
use oplink::graph::{Graph, Session, SessionOptions};
use oplink::runtime::Registry;
use oplink::{Code, Result, SavedModel, Tensor};

use crate::command::{oplink, printed, temporary};
use crate::expected::{Call, calls, model, models};

/// How far a value may be from the recorded one, beside the largest of its tensor.
const TOLERANCE: f32 = 1e-4;

/// The values of a frozen call, read from the bytes of its graph.
fn run(graph: &Graph, call: &Call) -> Result<Vec<Tensor>> {
    let graph = Graph::from_bytes(graph.to_bytes()?, Registry::global()?)?;
    let fetches: Vec<&str> = call.outputs.iter().map(|(name, _)| name.as_str()).collect();
    Session::new(graph, SessionOptions::default())?.run(&call.given(), &fetches, &[])
}

fn agrees(got: &Tensor, want: &Tensor) -> bool {
    if got.dtype() != want.dtype() || got.shape() != want.shape() {
        return false;
    }
    let (Ok(got), Ok(want)) = (got.as_slice::<f32>(), want.as_slice::<f32>()) else { return true };
    let largest = want.iter().fold(1e-30f32, |largest, value| largest.max(value.abs()));
    got.iter().zip(want).all(|(got, want)| got == want || (got - want).abs() <= TOLERANCE * largest)
}

/// Each signature with its first call. A call that tells what earlier calls have changed is no frozen value: a model
/// that is loaded anew gives another one, too.
#[test]
fn frozen_calls_give_the_recorded_values_or_are_refused() -> Result<()> {
    let mut told = String::new();
    for name in models() {
        let mut seen = BTreeSet::new();
        for call in calls(&name)?.into_iter().filter(|call| seen.insert(call.signature.clone())) {
            let loaded = SavedModel::load(model(&name))?;
            let signature = loaded.signature(&call.signature)?;
            match signature.freeze() {
                Ok(graph) => {
                    let outputs = run(&graph, &call)?;
                    let as_called = signature.run(&call.given())?;
                    for ((output, want), got) in call.outputs.iter().zip(&outputs) {
                        let is_state = !agrees(&as_called[output], want);
                        assert!(is_state || agrees(got, want), "{name}, {}, {output}: {got}", call.signature);
                    }
                    told += &format!("{name} {}: {} nodes\n", call.signature, graph.nodes().len());
                }
                Err(error) => {
                    let refused = [Code::Unimplemented, Code::FailedPrecondition].contains(&error.code());
                    assert!(refused, "{name}, {}: {error}", call.signature);
                    let message = error.to_string();
                    let why = message.lines().next().unwrap_or_default();
                    told += &format!("{name} {}: {why}\n", call.signature);
                }
            }
        }
    }
    expect_file!["../golden/frozen.txt"].assert_eq(&told);
    Ok(())
}

#[test]
fn the_command_writes_a_graph_that_runs() {
    let file = temporary("frozen.pb");
    let file = file.to_str().expect("UTF-8");
    let folder = model("keras_cnn");
    let text = printed(&["freeze", folder.to_str().expect("UTF-8"), "-o", file]);
    assert!(text.starts_with(file) && text.contains("; takes ") && text.contains(", gives "), "{text}");
    assert!(printed(&["graph", file]).contains("Const"), "{text}");
    let run = oplink(&["freeze", file, "-o", file]);
    assert!(!run.success && run.stderr.contains("is a graph"), "{}", run.stderr);
    let run = oplink(&["freeze", folder.to_str().expect("UTF-8"), "--signature", "none", "-o", file]);
    assert!(!run.success && run.stderr.contains("no signature `none`"), "{}", run.stderr);
}
