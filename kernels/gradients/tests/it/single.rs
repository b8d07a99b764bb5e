//! The gradient of each op against `../oracle/gradients.txt`, which TensorFlow computed, and the gradient of that
//! against `../oracle/second.txt`: through the whole of `Graph::add_gradients`, on fed inputs.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use oplink::prelude::*;
use oplink_core::Registry;
use oplink_cpu_support::testing::{as_doubles, epsilon};
use oplink_graph::{Graph, NewNode};

use crate::case::{Tolerance, attr, compare, number, tensor, texts};
use crate::run::{graph, values};

const CASES: &str = include_str!("../oracle/gradients.txt");
const SECOND: &str = include_str!("../oracle/second.txt");

/// Ops without cases of their own: TensorFlow registers no gradient for them in Python, or none that is dense, or a
/// wrong one (`BlockLSTMV2`, whose gates it takes in another order), or its values come in no particular order (`Eig`,
/// which `factors.rs` tests), or they are former versions or forms for references of ops that have cases, or gradients
/// make them, or they join calls of several threads (`Batch`), or they are ops of oplink's own, which the tests of `nn`
/// hold against their formulas.
const WITHOUT_CASES: &[&str] = &[
    "AccumulateNV2",
    "Batch",
    "BatchNormWithGlobalNormalization",
    "BlockLSTMV2",
    "CompositeTensorVariantFromComponents",
    "CompositeTensorVariantToComponents",
    "DebugGradientIdentity",
    "DebugGradientRefIdentity",
    "DebugIdentityV2",
    "Eig",
    "EmptyTensorList",
    "FusedBatchNormGrad",
    "MaxPoolGrad",
    "MirrorPadGrad",
    "PreventGradient",
    "Print",
    "QuantizeAndDequantize",
    "ReadVariableOp",
    "RefIdentity",
    "RefMerge",
    "RefSwitch",
    "ResourceGather",
    "ResourceGatherNd",
    "Snapshot",
    "TensorListConcat",
    "TensorListElementShape",
    "TensorListLength",
    "TensorListScatter",
    "TopK",
    "Unbatch",
    "_FusedLayerNorm",
    "_FusedLayerNormGrad",
];

/// Gradients of gradients may be off by more: sums of products of what is off.
const SECOND_TOLERANCE: f64 = 16.0;

/// Ops whose gradients of gradients TensorFlow has wrong: of `FusedBatchNormGrad` they lack how the variance depends on
/// the mean, of `UnsortedSegmentProd` they are no numbers beside zeros. They are held against differences.
const WRONG_SECOND: &[&str] = &["FusedBatchNormGradV2", "FusedBatchNormGradV3", "UnsortedSegmentProd"];

/// A line of both tables.
#[derive(Clone)]
pub(crate) struct Case<'a> {
    pub(crate) line: usize,
    pub(crate) op: &'a str,
    attrs: Vec<(&'a str, AttrValue)>,
    inputs: Vec<Tensor>,
    /// The inputs that are differentiated by.
    xs: Vec<usize>,
    /// The gradients of the outputs that are differentiated.
    dys: Vec<Option<Tensor>>,
    expected: Vec<Option<Tensor>>,
    tolerance: f64,
    second: Option<Second>,
}

/// Of the sum of all gradients, each times its weight, the gradients by the inputs and by the outputs' gradients.
#[derive(Clone)]
struct Second {
    weights: Vec<Option<Tensor>>,
    expected: Vec<Option<Tensor>>,
}

/// How far a case is from TensorFlow, in epsilons of the largest magnitude.
#[derive(Clone, Copy, Default)]
pub(crate) struct Errors {
    pub(crate) first: f64,
    /// `None` where TensorFlow has no gradient of the gradient, or a wrong one.
    pub(crate) second: Option<f64>,
}

pub(crate) fn cases() -> impl Iterator<Item = Case<'static>> {
    assert_eq!(CASES.lines().count(), SECOND.lines().count());
    CASES.lines().zip(SECOND.lines()).enumerate().map(|(line, (case, second))| {
        let parts: Vec<&str> = case.split('|').collect();
        let [op, attrs, inputs, xs, dys, expected, tolerance] = parts[..] else { panic!("{case}") };
        Case {
            line: line + 1,
            op,
            attrs: texts(attrs).map(attr).collect(),
            inputs: texts(inputs).map(tensor).collect(),
            xs: texts(xs).map(number).collect(),
            dys: optional(dys),
            expected: optional(expected),
            tolerance: number(tolerance),
            second: Second::read(second),
        }
    })
}

/// Tensors, `-` for none.
fn optional(list: &str) -> Vec<Option<Tensor>> {
    texts(list).map(|text| (text != "-").then(|| tensor(text))).collect()
}

impl Second {
    fn read(line: &str) -> Option<Self> {
        if line.starts_with('!') {
            return None;
        }
        let [weights, by_xs, by_dys] = line.split('|').collect::<Vec<_>>()[..] else { panic!("{line}") };
        let expected = [optional(by_xs), optional(by_dys)].concat();
        Some(Self { weights: optional(weights), expected })
    }
}

impl Case<'_> {
    pub(crate) fn check(&self) -> Result<Errors, String> {
        let (found, twice) = self.gradients().map_err(|error| format!("{error:?}"))?;
        let first = compare_all(&found, &self.expected, self.tolerance, false)?;
        let Some(second) = &self.second else { return Ok(Errors { first, second: None }) };
        if WRONG_SECOND.contains(&self.op) {
            return self.check_second_by_differences(&twice).map(|()| Errors { first, second: None });
        }
        let tolerance = self.tolerance * SECOND_TOLERANCE;
        let second = compare_all(&twice, &second.expected, tolerance, true).map_err(|why| format!("second: {why}"))?;
        Ok(Errors { first, second: Some(second) })
    }

    /// Whether the second gradients are how the sum of the weighted first ones changes along a line.
    fn check_second_by_differences(&self, twice: &[Option<Tensor>]) -> Result<(), String> {
        const STEP: f64 = 1e-2;
        let along = |sign: f64| {
            let mut moved = self.clone();
            let moved_xs = self.xs.iter().map(|&at| &self.inputs[at]).chain(self.dys.iter().flatten());
            let mut moved_xs: Vec<Tensor> = moved_xs.map(|x| shifted(x, sign * STEP)).collect();
            let mut dys = moved_xs.split_off(self.xs.len()).into_iter();
            for (&at, x) in self.xs.iter().zip(moved_xs) {
                moved.inputs[at] = x;
            }
            for dy in moved.dys.iter_mut().flatten() {
                *dy = dys.next().unwrap();
            }
            let (found, _) = moved.gradients().map_err(|error| format!("{error:?}"))?;
            let weights = self.second.iter().flat_map(|second| &second.weights);
            Ok::<_, String>(
                found
                    .iter()
                    .zip(weights)
                    .map(|(gradient, weight)| dot(gradient.as_ref(), weight.as_ref()))
                    .sum::<f64>(),
            )
        };
        let wanted = (along(1.0)? - along(-1.0)?) / (2.0 * STEP);
        let found: f64 = twice.iter().flatten().map(|gradient| dot(Some(gradient), Some(&direction(gradient)))).sum();
        let is_near = (found - wanted).abs() <= 1e-2 * wanted.abs().max(1.0);
        if is_near { Ok(()) } else { Err(format!("second: {found} along a line, {wanted} by differences")) }
    }

    /// The gradients, and those of their sum.
    fn gradients(&self) -> Result<(Vec<Option<Tensor>>, Vec<Option<Tensor>>)> {
        let mut graph = graph();
        let mut feeds = Vec::new();
        let mut feed = |graph: &mut Graph, kind: &str, value: &Tensor| {
            let name = format!("{kind}{}", feeds.len());
            let shape: PartialShape = value.shape().iter().map(|&dim| Some(dim)).collect();
            let placeholder = graph.scope().placeholder(&name, value.dtype(), shape)?;
            feeds.push((name, value.clone()));
            Ok::<_, oplink::Error>(placeholder)
        };
        let mut inputs = Vec::new();
        for input in &self.inputs {
            inputs.push(feed(&mut graph, "input", input)?);
        }
        let new =
            NewNode { op: self.op, name: "node", device: "", inputs: &[], control_inputs: &[], attrs: &self.attrs };
        let node = graph.add_flat(new, &inputs)?;
        let (mut ys, mut seeds) = (Vec::new(), Vec::new());
        for (index, dy) in self.dys.iter().enumerate() {
            if let Some(dy) = dy {
                ys.push(Output { node, index: index as u32 });
                seeds.push(feed(&mut graph, "dy", dy)?);
            }
        }
        let xs: Vec<Output> = self.xs.iter().map(|&at| inputs[at]).collect();
        let found = graph.add_gradients(None, &ys, &xs, Some(&seeds))?;
        let mut twice = Vec::new();
        if let Some(second) = &self.second {
            let (mut ys, mut weights) = (Vec::new(), Vec::new());
            for (gradient, weight) in found.iter().zip(&second.weights) {
                if let (Some(gradient), Some(weight)) = (gradient, weight) {
                    ys.push(*gradient);
                    weights.push(graph.scope().constant(weight.clone())?);
                }
            }
            let by = [xs, seeds].concat();
            // What no gradient depends on is not differentiated by.
            twice = by.iter().map(|&x| graph.add_gradients(None, &ys, &[x], Some(&weights)).ok()?[0]).collect();
        }
        let feeds: Vec<(&str, Tensor)> = feeds.iter().map(|(name, value)| (&**name, value.clone())).collect();
        let outputs: Vec<Output> = found.iter().chain(&twice).copied().flatten().collect();
        let mut computed = values(graph, &feeds, &outputs)?.into_iter();
        let mut taken = |of: Vec<Option<Output>>| of.into_iter().map(|of| of.and_then(|_| computed.next())).collect();
        Ok((taken(found), taken(twice)))
    }
}

/// A direction in the space of a tensor's values.
fn direction(of: &Tensor) -> Tensor {
    let values = (0..of.num_elements()).map(|at| [0.5, -1.0, 0.25, 1.0, -0.75][at % 5]).collect();
    let wide = Tensor::from_vec(of.shape().clone(), values).unwrap();
    if of.dtype() == DType::Double { wide } else { narrowed(&wide) }
}

fn narrowed(wide: &Tensor) -> Tensor {
    let values = wide.as_slice::<f64>().unwrap().iter().map(|&value| value as f32).collect();
    Tensor::from_vec(wide.shape().clone(), values).unwrap()
}

/// The values moved by so many steps in [`direction`].
fn shifted(of: &Tensor, step: f64) -> Tensor {
    let (values, by) = (as_doubles(of).unwrap(), as_doubles(&direction(of)).unwrap());
    let values = values.iter().zip(by).map(|(value, by)| value + step * by).collect();
    let wide = Tensor::from_vec(of.shape().clone(), values).unwrap();
    if of.dtype() == DType::Double { wide } else { narrowed(&wide) }
}

fn dot<'t>(a: impl Into<Option<&'t Tensor>>, b: impl Into<Option<&'t Tensor>>) -> f64 {
    let (Some(a), Some(b)) = (a.into(), b.into()) else { return 0.0 };
    as_doubles(a).unwrap().iter().zip(as_doubles(b).unwrap()).map(|(a, b)| a * b).sum()
}

/// The largest error; with `zeros`, no gradient is as good as zeros.
fn compare_all(
    found: &[Option<Tensor>],
    wanted: &[Option<Tensor>],
    tolerance: f64,
    zeros: bool,
) -> Result<f64, String> {
    let mut worst = 0f64;
    for (at, (found, wanted)) in found.iter().zip(wanted).enumerate() {
        let zeros_like = |of: &Tensor| Tensor::zeros(of.dtype(), of.shape().clone()).unwrap();
        let (found, wanted) = match (found, wanted) {
            (None, None) => continue,
            (Some(found), Some(wanted)) => (found.clone(), wanted.clone()),
            (Some(found), None) if zeros => (found.clone(), zeros_like(found)),
            (None, Some(wanted)) if zeros => (zeros_like(wanted), wanted.clone()),
            _ => return Err(format!("x {at}: got {found:?}, expected {wanted:?}")),
        };
        let distance = distance(&found, &wanted, zeros);
        if !zeros || distance.is_none_or(|distance| distance > tolerance) {
            compare(&found, &wanted, Tolerance { epsilons: tolerance, each: false })
                .map_err(|why| format!("x {at}: {why}"))?;
        }
        worst = worst.max(distance.unwrap_or_default());
    }
    Ok(worst)
}

/// The largest difference, in epsilons of the largest magnitude, or of 1 where that is smaller and `of_sums`: second
/// gradients may be what is left of a sum. `None` where something is no number.
fn distance(found: &Tensor, wanted: &Tensor, of_sums: bool) -> Option<f64> {
    let (Ok(values), Ok(wanted)) = (as_doubles(found), as_doubles(wanted)) else { return Some(0.0) };
    if values.len() != wanted.len() || !values.iter().chain(&wanted).all(|value| value.is_finite()) {
        return None;
    }
    let least = if of_sums { 1.0 } else { f64::MIN_POSITIVE };
    let largest = wanted.iter().fold(least, |most, value| most.max(value.abs()));
    let most = values.iter().zip(&wanted).map(|(a, b)| (a - b).abs()).fold(0f64, f64::max);
    Some(most / (largest * epsilon(found.dtype())))
}

#[test]
fn gradients_are_what_tensorflow_computes() {
    let mut failures = String::new();
    for case in cases() {
        if let Err(why) = case.check() {
            let why: String = why.chars().take(600).collect();
            writeln!(failures, "line {} ({}): {why}", case.line, case.op).unwrap();
        }
    }
    assert!(failures.is_empty(), "{failures}");
}

#[test]
fn every_gradient_has_a_case() {
    let cases: BTreeSet<&str> = CASES.lines().filter_map(|case| case.split('|').next()).collect();
    let registry = Registry::global().unwrap();
    // What comes from and goes to tensors in variants, and what chooses ways, has cases in `flow`; tensor arrays have
    // some in `graphs`.
    let in_flow = crate::flow::ops();
    let has_case = |op: &&str| cases.contains(op) || in_flow.contains(*op) || op.starts_with("TensorArray");
    let without: Vec<&str> = registry.gradients().map(|gradient| gradient.op).filter(|op| !has_case(op)).collect();
    assert_eq!(without, WITHOUT_CASES);
}
