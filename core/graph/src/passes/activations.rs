//! Activations that are written as several elementwise ops: `x * sigmoid(x)`, `x / 2 * (1 + erf(x / sqrt(2)))`.
//!
//! Each node's value is followed as a formula of one value `x`, so that an activation is known in whatever way it is
//! written.

use oplink_api::Output;

use super::Rewrite;
use super::rewrite::Readers;
use crate::graph::Node;
use crate::known_ops::KnownOp;

/// Nodes of an activation, at most.
const MAX_NODES: usize = 12;
/// How far a constant may be from the formula's: constants are written with more or fewer digits.
const TOLERANCE: f64 = 1e-6;

/// `a + b x + c x^2 + d x^3`.
type Polynomial = [f64; 4];

/// `plus + outer * function(inner)`.
#[derive(Clone, Copy)]
struct Formula {
    plus: Polynomial,
    gate: Option<Gate>,
}

#[derive(Clone, Copy)]
struct Gate {
    function: KnownOp,
    inner: Polynomial,
    outer: Polynomial,
}

/// Activations by the names that fused ops have for them.
const ACTIVATIONS: &[(&str, Formula)] = &[
    ("Swish", gated(KnownOp::Sigmoid, [0.0, 1.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], 0.0)),
    ("HardSwish", gated(KnownOp::Relu6, [3.0, 1.0, 0.0, 0.0], [0.0, 1.0 / 6.0, 0.0, 0.0], 0.0)),
    ("GeluExact", gated(KnownOp::Erf, [0.0, std::f64::consts::FRAC_1_SQRT_2, 0.0, 0.0], [0.0, 0.5, 0.0, 0.0], 0.5)),
    ("GeluApproximate", gated(KnownOp::Tanh, [0.0, ROOT, 0.0, 0.044_715 * ROOT], [0.0, 0.5, 0.0, 0.0], 0.5)),
];
/// `sqrt(2 / pi)`.
const ROOT: f64 = 0.797_884_560_802_865_4;

/// `plus * x + outer * function(inner)`.
const fn gated(function: KnownOp, inner: Polynomial, outer: Polynomial, plus: f64) -> Formula {
    Formula { plus: [0.0, plus, 0.0, 0.0], gate: Some(Gate { function, inner, outer }) }
}

/// The nodes that make an activation of what `x` gives, and its name; nobody else reads `x` or what is between.
pub(super) fn composed(rewrite: &Rewrite, readers: &Readers, x: u32) -> Option<(Vec<u32>, &'static str)> {
    let mut known = vec![(x, Formula::of([0.0, 1.0, 0.0, 0.0]))];
    while known.len() <= MAX_NODES {
        let mut candidates = known.iter().flat_map(|(node, _)| &readers.of[*node as usize]);
        let (node, formula) = candidates.find_map(|&node| {
            let is_new = known.iter().all(|(other, _)| *other != node);
            let formula = (is_new && is_plain(rewrite, node, x)).then(|| follow(rewrite, &known, node, x))?;
            Some((node, formula?))
        })?;
        known.push((node, formula));
        if let Some((name, _)) = ACTIVATIONS.iter().find(|(_, activation)| activation.is(&formula)) {
            let nodes: Vec<u32> = known.iter().skip(1).map(|(node, _)| *node).collect();
            let mut hidden = known.iter().map(|(node, _)| *node).filter(|other| *other != node);
            return hidden.all(|node| readers.is_read_only_by(rewrite, node, &nodes)).then_some((nodes, name));
        }
    }
    None
}

/// Whether a node does nothing but compute a value as large as that of `x`, on its device.
fn is_plain(rewrite: &Rewrite, node: u32, x: u32) -> bool {
    let (info, first) = (rewrite.node(node), rewrite.node(x));
    let shape = |node| rewrite.graph.shape(Output { node, index: 0 });
    let is_free = !rewrite.is_fed(node) && info.control_inputs().is_empty() && info.device() == first.device();
    is_free && shape(node).rank().is_some() && shape(node) == shape(x)
}

/// The formula of a node whose inputs have formulas or are one number.
fn follow(rewrite: &Rewrite, known: &[(u32, Formula)], node: u32, x: u32) -> Option<Formula> {
    let rank = rewrite.graph.shape(Output { node: x, index: 0 }).rank()?;
    let node: &Node = rewrite.node(node);
    let input = |&input: &Output| {
        let own = known.iter().find(|(node, _)| *node == input.node && input.index == 0);
        own.map(|(_, formula)| *formula).or_else(|| {
            let value = rewrite.constant(input).filter(|value| value.num_elements() == 1 && value.rank() <= rank)?;
            Some(Formula::of([f64::from(*value.as_slice::<f32>().ok()?.first()?), 0.0, 0.0, 0.0]))
        })
    };
    let inputs: Option<Vec<Formula>> = node.inputs().iter().map(input).collect();
    match (node.known(), &inputs?[..]) {
        (KnownOp::Add | KnownOp::AddV2, [a, b]) => a.plus(b),
        (KnownOp::Sub, [a, b]) => a.plus(&b.times(&Formula::number(-1.0))?),
        (KnownOp::Neg, [a]) => a.times(&Formula::number(-1.0)),
        (KnownOp::Mul, [a, b]) => a.times(b),
        (KnownOp::RealDiv, [a, b]) => a.times(&Formula::number(1.0 / b.as_number()?)),
        (KnownOp::Square, [a]) => a.times(a),
        (KnownOp::Pow, [a, b]) if b.as_number() == Some(2.0) => a.times(a),
        (KnownOp::Pow, [a, b]) if b.as_number() == Some(3.0) => a.times(a)?.times(a),
        (function @ (KnownOp::Sigmoid | KnownOp::Relu6), [a]) => a.gated(function, 1.0),
        (function @ (KnownOp::Erf | KnownOp::Tanh), [a]) => a.odd(function),
        // erfc(x) = 1 - erf(x)
        (KnownOp::Erfc, [a]) => Formula::number(1.0).plus(&a.odd(KnownOp::Erf)?.times(&Formula::number(-1.0))?),
        _ => None,
    }
}

impl Formula {
    fn of(plus: Polynomial) -> Self {
        Self { plus, gate: None }
    }

    fn number(number: f64) -> Self {
        Self::of([number, 0.0, 0.0, 0.0])
    }

    fn as_number(&self) -> Option<f64> {
        let [number, rest @ ..] = self.plus;
        (self.gate.is_none() && rest == [0.0; 3]).then_some(number)
    }

    /// `factor * function(self)`; `None` where `self` has a function.
    fn gated(&self, function: KnownOp, factor: f64) -> Option<Self> {
        let gate = Gate { function, inner: self.plus, outer: [factor, 0.0, 0.0, 0.0] };
        self.gate.is_none().then_some(Self { plus: [0.0; 4], gate: Some(gate) })
    }

    /// `function(self)`, where `f(-x) = -f(x)`: the factor of `x` is made positive.
    fn odd(&self, function: KnownOp) -> Option<Self> {
        if self.plus[1] < 0.0 {
            self.times(&Self::number(-1.0))?.gated(function, -1.0)
        } else {
            self.gated(function, 1.0)
        }
    }

    /// The sum; `None` where both have functions.
    fn plus(&self, other: &Self) -> Option<Self> {
        let gate = match (self.gate, other.gate) {
            (Some(_), Some(_)) => return None,
            (gate, None) | (None, gate) => gate,
        };
        Some(Self { plus: std::array::from_fn(|power| self.plus[power] + other.plus[power]), gate })
    }

    /// The product; `None` where both have functions, or of too high a degree.
    fn times(&self, other: &Self) -> Option<Self> {
        let gate = match (self.gate, other.gate) {
            (Some(_), Some(_)) => return None,
            (Some(gate), None) => Some(Gate { outer: product(&gate.outer, &other.plus)?, ..gate }),
            (None, Some(gate)) => Some(Gate { outer: product(&gate.outer, &self.plus)?, ..gate }),
            (None, None) => None,
        };
        Some(Self { plus: product(&self.plus, &other.plus)?, gate })
    }

    /// Whether both are one formula.
    fn is(&self, other: &Self) -> bool {
        let (Some(gate), Some(its)) = (self.gate, other.gate) else { return false };
        let is_same = |a: Polynomial, b: Polynomial| a.iter().zip(b).all(|(a, b)| (a - b).abs() <= TOLERANCE);
        let same_gate = is_same(gate.inner, its.inner) && is_same(gate.outer, its.outer);
        gate.function == its.function && same_gate && is_same(self.plus, other.plus)
    }
}

fn product(a: &Polynomial, b: &Polynomial) -> Option<Polynomial> {
    let mut product = [0.0; 4];
    for (power, a) in a.iter().enumerate().filter(|(_, a)| **a != 0.0) {
        for (other, b) in b.iter().enumerate().filter(|(_, b)| **b != 0.0) {
            *product.get_mut(power + other)? += a * b;
        }
    }
    Some(product)
}
