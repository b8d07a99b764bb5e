//! Values as sums of a few known ones, each times constants for each channel: so that a formula is known in whatever
//! way it is written.

use oplink_api::Output;

use super::Rewrite;
use crate::graph::{Node, NodeMap};
use crate::known_ops::KnownOp;

/// What a term is a multiple of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Basis {
    /// The value that is normalised.
    Value,
    /// Its mean.
    Mean,
    /// One.
    One,
}

/// `basis * factors`, and times the root's reciprocal where `is_divided`.
#[derive(Clone, Debug)]
pub(super) struct Term {
    pub(super) basis: Basis,
    pub(super) is_divided: bool,
    pub(super) factors: Vec<f64>,
}

/// A sum of terms of different kinds.
pub(super) type Form = Vec<Term>;

/// The forms of nodes' first outputs.
pub(super) struct Forms {
    of: NodeMap<Form>,
    channels: usize,
    rank: usize,
}

impl Forms {
    /// None yet, of values with so many channels in the last of so many axes.
    pub(super) fn new(channels: usize, rank: usize) -> Self {
        Self { of: NodeMap::default(), channels, rank }
    }

    /// Makes an output a term of its own.
    pub(super) fn define(&mut self, output: Output, basis: Basis, is_divided: bool) {
        self.of.insert(output.node, vec![Term { basis, is_divided, factors: vec![1.0; self.channels] }]);
    }

    /// The form of a node, if it is known.
    pub(super) fn get(&self, node: u32) -> Option<&Form> {
        self.of.get(node)
    }

    /// Finds the form of a node whose inputs have forms or are constants; whether it has one.
    pub(super) fn follow(&mut self, rewrite: &Rewrite, position: u32) -> bool {
        let form = self.form(rewrite, rewrite.node(position));
        form.map(|form| self.of.insert(position, form)).is_some()
    }

    fn form(&self, rewrite: &Rewrite, node: &Node) -> Option<Form> {
        let inputs: Option<Vec<Form>> = node.inputs().iter().map(|&input| self.input(rewrite, input)).collect();
        match (node.known(), &inputs?[..]) {
            (KnownOp::Neg, [x]) => Some(scaled(x, |_| -1.0)),
            (KnownOp::Mul, [x, y]) => product(x, y).or_else(|| product(y, x)),
            (KnownOp::Sub, [x, y]) => Some(sum(x, &scaled(y, |_| -1.0))),
            (KnownOp::Add | KnownOp::AddV2 | KnownOp::BiasAdd, [x, y]) => Some(sum(x, y)),
            (known, [x]) if known.is_identity() => Some(x.clone()),
            _ => None,
        }
    }

    fn input(&self, rewrite: &Rewrite, output: Output) -> Option<Form> {
        if output.index == 0
            && let Some(form) = self.of.get(output.node)
        {
            return Some(form.clone());
        }
        let value = rewrite.constant(output)?;
        let (shape, values): (&[usize], _) = (value.shape(), value.as_slice::<f32>().ok()?);
        let count = value.num_elements();
        let fits = shape.len() <= self.rank && (count == 1 || (count == self.channels && shape.last() == Some(&count)));
        let factor = |channel: usize| f64::from(values[if count == 1 { 0 } else { channel }]);
        let factors = fits.then(|| (0..self.channels).map(factor).collect())?;
        Some(vec![Term { basis: Basis::One, is_divided: false, factors }])
    }
}

/// `x * y`, where `y` is a constant or a multiple of the root's reciprocal.
fn product(x: &Form, y: &Form) -> Option<Form> {
    let [Term { basis: Basis::One, is_divided, factors }] = &y[..] else { return None };
    if *is_divided && x.iter().any(|term| term.is_divided) {
        return None;
    }
    let mut form = scaled(x, |channel| factors[channel]);
    form.iter_mut().for_each(|term| term.is_divided |= is_divided);
    Some(form)
}

fn scaled(x: &Form, factor: impl Fn(usize) -> f64) -> Form {
    let mut form = x.clone();
    for term in &mut form {
        term.factors.iter_mut().enumerate().for_each(|(channel, value)| *value *= factor(channel));
    }
    form
}

fn sum(x: &Form, y: &Form) -> Form {
    let mut form = x.clone();
    for term in y {
        match form.iter_mut().find(|own| own.basis == term.basis && own.is_divided == term.is_divided) {
            Some(own) => own.factors.iter_mut().zip(&term.factors).for_each(|(own, other)| *own += other),
            None => form.push(term.clone()),
        }
    }
    form
}
