//! `arithmetic_identities`: nodes whose output is one of their inputs, bit for bit, are read past.
//!
//! `x + 0` is `x` but for a negative zero, so floating-point sums are left alone unless what is added is a negative
//! zero.

use oplink_api::shape_inference::int_values;
use oplink_api::{DType, Output, Result, Tensor};

use super::rewrite::Replacements;
use super::{Pass, Rewrite};
use crate::graph::Node;
use crate::known_ops::KnownOp;

pub(super) const PASS: Pass = Pass {
    name: "arithmetic_identities",
    description: "reads past products by 1, sums with 0, double negations, casts, reshapes and transpositions that change nothing",
    run,
};

/// The input that is the node's output.
type Rule = fn(&Rewrite, &Node) -> Option<Output>;

const RULES: &[(KnownOp, Rule)] = &[
    (KnownOp::Mul, by_one),
    (KnownOp::AddV2, with_zero),
    (KnownOp::Add, with_zero),
    (KnownOp::Sub, minus_zero),
    (KnownOp::Div, over_one),
    (KnownOp::RealDiv, over_one),
    (KnownOp::DivNoNan, over_one),
    (KnownOp::Pow, over_one),
    (KnownOp::Neg, twice),
    (KnownOp::Invert, twice),
    (KnownOp::LogicalNot, twice),
    (KnownOp::Conj, twice),
    (KnownOp::Cast, same_dtype),
    (KnownOp::Reshape, same_shape),
    (KnownOp::BroadcastTo, same_shape),
    (KnownOp::Squeeze, same_shape),
    (KnownOp::ExpandDims, same_shape),
    (KnownOp::Tile, same_shape_all_known),
    (KnownOp::Pad, same_shape_all_known),
    (KnownOp::PadV2, same_shape_all_known),
    (KnownOp::AddN, only_one),
    (KnownOp::Transpose, transposed_back),
];

fn run(rewrite: &mut Rewrite) -> Result<()> {
    let mut replacements = Replacements::default();
    for position in rewrite.needed()? {
        rewrite.check_time()?;
        let node = rewrite.node(position);
        if rewrite.is_fed(position) || !node.control_inputs().is_empty() {
            continue;
        }
        let Some((_, rule)) = RULES.iter().find(|(op, _)| *op == node.known()) else { continue };
        if let Some(input) = rule(rewrite, node) {
            replacements.set(Output { node: position, index: 0 }, input);
        }
    }
    rewrite.replace(&replacements);
    Ok(())
}

fn by_one(rewrite: &Rewrite, node: &Node) -> Option<Output> {
    let [a, b] = node.inputs() else { return None };
    either(rewrite, node, *a, *b, &[Filled::One])
}

fn with_zero(rewrite: &Rewrite, node: &Node) -> Option<Output> {
    let [a, b] = node.inputs() else { return None };
    either(rewrite, node, *a, *b, &[Filled::NegativeZero, Filled::IntegerZero])
}

fn minus_zero(rewrite: &Rewrite, node: &Node) -> Option<Output> {
    let [a, b] = node.inputs() else { return None };
    unchanged_by(rewrite, node, *a, *b, &[Filled::PositiveZero, Filled::IntegerZero])
}

fn over_one(rewrite: &Rewrite, node: &Node) -> Option<Output> {
    let [a, b] = node.inputs() else { return None };
    unchanged_by(rewrite, node, *a, *b, &[Filled::One])
}

fn either(rewrite: &Rewrite, node: &Node, a: Output, b: Output, filled: &[Filled]) -> Option<Output> {
    unchanged_by(rewrite, node, a, b, filled).or_else(|| unchanged_by(rewrite, node, b, a, filled))
}

/// `x`, where the other operand is a constant filled so, and does not broadcast `x`.
fn unchanged_by(rewrite: &Rewrite, node: &Node, x: Output, other: Output, filled: &[Filled]) -> Option<Output> {
    let value = rewrite.constant(other)?;
    let keeps_shape = value.rank() == 0 || is_same_shape(rewrite, node, x);
    (keeps_shape && value.num_elements() > 0 && filled.contains(&filling(value)?)).then_some(x)
}

/// Whether the node's output is known to have the shape of `x`.
fn is_same_shape(rewrite: &Rewrite, node: &Node, x: Output) -> bool {
    let (have, want) = (rewrite.graph.shape(x), node.output_shapes().first());
    want.is_some_and(|want| have.is_fully_known() && have == *want)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Filled {
    One,
    PositiveZero,
    NegativeZero,
    IntegerZero,
}

/// What all elements of a constant are.
fn filling(value: &Tensor) -> Option<Filled> {
    let float = |first: f64, same: bool| match first {
        _ if !same => None,
        1.0 => Some(Filled::One),
        0.0 if first.is_sign_negative() => Some(Filled::NegativeZero),
        0.0 => Some(Filled::PositiveZero),
        _ => None,
    };
    match value.dtype() {
        DType::Float => {
            let values = value.as_slice::<f32>().ok()?;
            float(f64::from(values[0]), values.iter().all(|v| v.to_bits() == values[0].to_bits()))
        }
        DType::Double => {
            let values = value.as_slice::<f64>().ok()?;
            float(values[0], values.iter().all(|v| v.to_bits() == values[0].to_bits()))
        }
        DType::Int32 | DType::Int64 | DType::Int16 | DType::Int8 | DType::UInt8 => {
            let values = int_values(value).ok()?;
            match values[0] {
                _ if values.iter().any(|v| *v != values[0]) => None,
                1 => Some(Filled::One),
                0 => Some(Filled::IntegerZero),
                _ => None,
            }
        }
        _ => None,
    }
}

/// The input of the same op that is the node's input.
fn twice(rewrite: &Rewrite, node: &Node) -> Option<Output> {
    let [input] = node.inputs() else { return None };
    let inner = rewrite.node(input.node);
    let same =
        inner.info().op_id() == node.info().op_id() && !rewrite.is_fed(input.node) && inner.control_inputs().is_empty();
    if same { inner.inputs().first().copied() } else { None }
}

fn same_dtype(rewrite: &Rewrite, node: &Node) -> Option<Output> {
    let input = *node.inputs().first()?;
    (rewrite.graph.dtype(input) == node.info().output_dtypes.first().copied()).then_some(input)
}

fn same_shape(rewrite: &Rewrite, node: &Node) -> Option<Output> {
    let input = *node.inputs().first()?;
    is_same_shape(rewrite, node, input).then_some(input)
}

/// As [`same_shape`], for ops whose other inputs could still make another value of it: none does where no extent grows.
fn same_shape_all_known(rewrite: &Rewrite, node: &Node) -> Option<Output> {
    let shape = rewrite.graph.shape(*node.inputs().first()?);
    let is_empty = shape.num_elements().is_none_or(|count| count == 0);
    let grows = node.known() != KnownOp::Tile && {
        let paddings = rewrite.constant(*node.inputs().get(1)?)?;
        int_values(paddings).ok()?.iter().any(|padding| *padding != 0)
    };
    if is_empty || grows { None } else { same_shape(rewrite, node) }
}

fn only_one(_: &Rewrite, node: &Node) -> Option<Output> {
    match node.inputs() {
        [input] => Some(*input),
        _ => None,
    }
}

/// What a transposition had transposed the other way, or by no permutation at all.
fn transposed_back(rewrite: &Rewrite, node: &Node) -> Option<Output> {
    let permutation = permutation(rewrite, node)?;
    let input = *node.inputs().first()?;
    if permutation.iter().enumerate().all(|(at, axis)| at as i64 == *axis) {
        return Some(input);
    }
    let inner = rewrite.node(input.node);
    if inner.known() != KnownOp::Transpose || rewrite.is_fed(input.node) || !inner.control_inputs().is_empty() {
        return None;
    }
    let before = self::permutation(rewrite, inner)?;
    let back =
        |(at, axis): (usize, &i64)| usize::try_from(*axis).ok().and_then(|axis| before.get(axis)) == Some(&(at as i64));
    let is_back = before.len() == permutation.len() && permutation.iter().enumerate().all(back);
    if is_back { inner.inputs().first().copied() } else { None }
}

fn permutation(rewrite: &Rewrite, node: &Node) -> Option<Vec<i64>> {
    let values = int_values(rewrite.constant(*node.inputs().get(1)?)?).ok()?;
    let rank = values.len() as i64;
    Some(values.iter().map(|axis| if *axis < 0 { axis + rank } else { *axis }).collect())
}
