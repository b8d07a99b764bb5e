//! The gradient of each op against `../oracle/gradients.txt`, which TensorFlow computed: through the whole of
//! `Graph::add_gradients`, on fed inputs.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use oplink::prelude::*;
use oplink_core::Registry;
use oplink_graph::NewNode;

use crate::case::{Tolerance, attr, compare, number, tensor, texts};
use crate::run::{graph, values};

const CASES: &str = include_str!("../oracle/gradients.txt");

/// Ops without cases of their own: TensorFlow registers no gradient for them in Python, or none that is dense, or a
/// wrong one (`BlockLSTMV2`, whose gates it takes in another order), or its values come in no particular order (`Eig`,
/// which `factors.rs` tests).
const WITHOUT_CASES: &[&str] = &[
    "AccumulateNV2",
    "BatchNormWithGlobalNormalization",
    "BlockLSTMV2",
    "CompositeTensorVariantFromComponents",
    "CompositeTensorVariantToComponents",
    "DebugGradientIdentity",
    "Eig",
    "FusedBatchNormGrad",
    "MaxPoolGrad",
    "MirrorPadGrad",
    "PreventGradient",
    "Print",
    "QuantizeAndDequantize",
    "ReadVariableOp",
    "ResourceGather",
    "ResourceGatherNd",
    "Snapshot",
    "TopK",
];

#[test]
fn gradients_are_what_tensorflow_computes() {
    let mut failures = String::new();
    for (line, case) in CASES.lines().enumerate() {
        if let Err(why) = check(case) {
            let head: String = case.chars().take(160).collect();
            writeln!(failures, "line {}: {head}\n    {why}", line + 1).unwrap();
        }
    }
    assert!(failures.is_empty(), "{failures}");
}

fn check(case: &str) -> Result<(), String> {
    let parts: Vec<&str> = case.split('|').collect();
    let [op, attrs, inputs, xs, dys, expected, tolerance] = parts[..] else { panic!("{case}") };
    let inputs: Vec<Tensor> = texts(inputs).map(tensor).collect();
    let wanted: Vec<Option<Tensor>> = texts(expected).map(|text| (text != "-").then(|| tensor(text))).collect();
    let xs: Vec<usize> = texts(xs).map(number).collect();
    let dys: Vec<Option<Tensor>> = texts(dys).map(|text| (text != "-").then(|| tensor(text))).collect();
    let attrs: Vec<(&str, AttrValue)> = texts(attrs).map(attr).collect();
    let found = gradients(op, &attrs, &inputs, &xs, &dys).map_err(|error| format!("{error:?}"))?;
    for (at, (found, wanted)) in found.iter().zip(&wanted).enumerate() {
        match (found, wanted) {
            (Some(found), Some(wanted)) => {
                compare(found, wanted, Tolerance { epsilons: number(tolerance), each: false })
                    .map_err(|why| format!("x {at}: {why}"))?;
            }
            (None, None) => {}
            _ => return Err(format!("x {at}: got {found:?}, expected {wanted:?}")),
        }
    }
    Ok(())
}

/// The gradients by the inputs `xs`, of the outputs that have a `dy`.
fn gradients(
    op: &str,
    attrs: &[(&str, AttrValue)],
    inputs: &[Tensor],
    xs: &[usize],
    dys: &[Option<Tensor>],
) -> Result<Vec<Option<Tensor>>> {
    let mut graph = graph();
    let names: Vec<String> = (0..inputs.len()).map(|at| format!("input{at}")).collect();
    let mut placeholders = Vec::new();
    for (name, input) in names.iter().zip(inputs) {
        let shape: PartialShape = input.shape().iter().map(|&dim| Some(dim)).collect();
        placeholders.push(graph.scope().placeholder(name, input.dtype(), shape)?);
    }
    let new = NewNode { op, name: "node", device: "", inputs: &[], control_inputs: &[], attrs };
    let node = graph.add_flat(new, &placeholders)?;
    let (mut ys, mut seeds) = (Vec::new(), Vec::new());
    for (index, dy) in dys.iter().enumerate() {
        if let Some(dy) = dy {
            ys.push(Output { node, index: index as u32 });
            seeds.push(graph.scope().constant(dy.clone())?);
        }
    }
    let xs: Vec<Output> = xs.iter().map(|&at| placeholders[at]).collect();
    let found = graph.add_gradients(None, &ys, &xs, Some(&seeds))?;
    let feeds: Vec<(&str, Tensor)> = names.iter().map(String::as_str).zip(inputs.iter().cloned()).collect();
    let outputs: Vec<Output> = found.iter().copied().flatten().collect();
    let mut computed = values(graph, &feeds, &outputs)?.into_iter();
    Ok(found.into_iter().map(|gradient| gradient.and_then(|_| computed.next())).collect())
}

#[test]
fn every_gradient_has_a_case() {
    let cases: BTreeSet<&str> = CASES.lines().filter_map(|case| case.split('|').next()).collect();
    let registry = Registry::global().unwrap();
    // Lists and ragged tensors in variants have cases in `flow`, where they come from and go to tensors; tensor arrays
    // in `graphs`.
    let in_flow = |op: &str| op.contains("TensorList") || (op.contains("Ragged") && op.contains("Variant"));
    let has_case = |op: &&str| cases.contains(op) || in_flow(op) || op.starts_with("TensorArray");
    let without: Vec<&str> = registry.gradients().map(|gradient| gradient.op).filter(|op| !has_case(op)).collect();
    assert_eq!(without, WITHOUT_CASES);
}
