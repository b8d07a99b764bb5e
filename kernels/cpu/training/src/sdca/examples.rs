//! Examples and the weights of their features.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use oplink::memory::{exhausted, try_collect, try_filled};
use oplink::prelude::*;

/// The weights of a group of sparse features, and the group's elements of examples.
pub(super) struct SparseGroup<'a> {
    weights: &'a [f32],
    /// The position of the weight of each element.
    places: Vec<usize>,
    /// The values of the elements; all 1 where there are none.
    values: Option<&'a [f32]>,
    /// The elements of each example.
    examples: Vec<Range<usize>>,
}

/// The inputs that a group of sparse features is made of.
pub(super) struct SparseInputs<'a> {
    pub(super) examples: &'a Tensor,
    pub(super) features: &'a Tensor,
    pub(super) values: Option<&'a Tensor>,
    pub(super) indices: &'a Tensor,
    pub(super) weights: &'a Tensor,
}

impl<'a> SparseGroup<'a> {
    /// The group of these inputs, of so many examples. Elements are those of one example after the other; behind one
    /// that is not, there are no more.
    pub(super) fn new(inputs: &SparseInputs<'a>, count: usize, env: Env<'_>) -> Result<Self> {
        let (numbers, features) = (inputs.examples.as_slice::<i64>()?, inputs.features.as_slice::<i64>()?);
        let (indices, weights) = (inputs.indices.as_slice::<i64>()?, inputs.weights.as_slice::<f32>()?);
        let values = inputs.values.map(|values| values.as_slice::<f32>()).transpose()?;
        let given = [numbers.len(), features.len(), values.map_or(features.len(), <[f32]>::len)];
        ensure!(
            given.iter().all(|&length| length == given[0]),
            "the examples, features and values of a group must be as many, they are {given:?}"
        );
        ensure!(
            indices.len() == weights.len(),
            "sparse_indices and sparse_weights must be as many, they are {} and {}",
            indices.len(),
            weights.len()
        );
        let mut places = HashMap::new();
        places.try_reserve(indices.len()).map_err(|_| exhausted(indices.len().saturating_mul(24)))?;
        places.extend(env.watch(indices).enumerate().map(|(place, &index)| (index, place)));
        let mut examples = try_filled(0..0, count)?;
        let (mut end, mut seen) = (0, HashSet::new());
        for (number, example) in env.watch((0i64..).zip(&mut examples)) {
            let start = end;
            seen.clear();
            while numbers.get(end) == Some(&number) {
                ensure!(seen.insert(features[end]), "example {number} has the feature {} twice", features[end]);
                end += 1;
            }
            *example = start..end;
        }
        let place = |&feature: &i64| {
            let place = places.get(&feature).copied();
            place.ok_or_else(|| Error::invalid_argument(format!("sparse_indices has no feature {feature}")))
        };
        let places = env.watch(&features[..end]).map(place).collect::<Result<Vec<_>>>()?;
        Ok(Self { weights, places, values, examples })
    }

    /// The elements of an example: the positions of their weights, and their values.
    fn elements(&self, example: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        let value = |at: usize| self.values.map_or(1.0, |values| f64::from(values[at]));
        self.examples[example].clone().map(move |at| (self.places[at], value(at)))
    }
}

/// The weights of a group of dense features, and the features of examples.
pub(super) struct DenseGroup<'a> {
    weights: &'a [f32],
    features: &'a [f32],
}

impl<'a> DenseGroup<'a> {
    /// The group of these inputs, of so many examples.
    pub(super) fn new(features: &'a Tensor, weights: &'a Tensor, count: usize) -> Result<Self> {
        let shape = features.shape();
        let &[rows, width] = shape.dims() else { bail!("dense_features must be matrices, one has the shape {shape}") };
        let weights = weights.as_slice::<f32>()?;
        ensure!(
            rows == count && width == weights.len() && width > 0,
            "dense_features of the shape {shape} do not fit {count} examples and {} weights",
            weights.len()
        );
        Ok(Self { weights, features: features.as_slice()? })
    }

    fn row(&self, example: usize) -> &'a [f32] {
        &self.features[example * self.weights.len()..][..self.weights.len()]
    }
}

/// The norms of weights, and into how many parts the examples are divided.
#[derive(Clone, Copy, Debug)]
pub(super) struct Regularization {
    pub(super) l1: f32,
    pub(super) l2: f32,
    pub(super) partitions: f32,
}

impl Regularization {
    fn shrinkage(self) -> f32 {
        self.l1 / self.l2
    }

    fn shrunk(self, weight: f64) -> f64 {
        let rest = weight.abs() - f64::from(self.shrinkage());
        if rest > 0.0 { rest.copysign(weight) } else { 0.0 }
    }

    /// What a dense weight counts. What is no number stays so.
    fn shrunk_single(self, weight: f32) -> f32 {
        let rest = weight.abs() - self.shrinkage();
        let sign = if weight == 0.0 { 0.0 } else { weight.signum() };
        sign * if rest < 0.0 { 0.0 } else { rest }
    }
}

/// What a model predicts of an example.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Prediction {
    /// With the weights as they came.
    pub(super) before: f64,
    /// With their changes so far, as large as all partitions together make them.
    pub(super) now: f64,
}

/// All groups of features, and by how much their weights change.
pub(super) struct Model<'a> {
    pub(super) sparse: Vec<SparseGroup<'a>>,
    pub(super) dense: Vec<DenseGroup<'a>>,
    pub(super) sparse_changes: Vec<Vec<f32>>,
    pub(super) dense_changes: Vec<Vec<f32>>,
    pub(super) regularization: Regularization,
}

impl<'a> Model<'a> {
    pub(super) fn new(
        sparse: Vec<SparseGroup<'a>>,
        dense: Vec<DenseGroup<'a>>,
        regularization: Regularization,
    ) -> Result<Self> {
        let zeros = |weights: &[f32]| try_filled(0.0, weights.len());
        let sparse_changes = sparse.iter().map(|group| zeros(group.weights)).collect::<Result<_>>()?;
        let dense_changes = dense.iter().map(|group| zeros(group.weights)).collect::<Result<_>>()?;
        Ok(Self { sparse, dense, sparse_changes, dense_changes, regularization })
    }

    /// The squared norms of the features of so many examples.
    pub(super) fn squared_norms(&self, count: usize, env: Env<'_>) -> Result<Vec<f64>> {
        try_collect(env.watch(0..count).map(|example| {
            let sparse = self.sparse.iter().flat_map(|group| group.elements(example)).map(|(_, value)| value * value);
            let dense =
                self.dense.iter().map(|group| group.row(example).iter().map(|value| value * value).sum::<f32>());
            // From 0, because the sum of nothing is a negative zero, by which a quotient has another sign.
            sparse.chain(dense.map(f64::from)).fold(0.0, |sum, square| sum + square)
        }))
    }

    pub(super) fn predict(&self, example: usize) -> Prediction {
        let Self { regularization, .. } = self;
        let mut sum = Prediction::default();
        for (group, changes) in self.sparse.iter().zip(&self.sparse_changes) {
            for (place, value) in group.elements(example) {
                let weight = group.weights[place];
                let changed = weight + changes[place] * regularization.partitions;
                sum.before += value * regularization.shrunk(f64::from(weight));
                sum.now += value * regularization.shrunk(f64::from(changed));
            }
        }
        for (group, changes) in self.dense.iter().zip(&self.dense_changes) {
            let (mut before, mut now) = (0.0f32, 0.0f32);
            for ((&value, &weight), &change) in group.row(example).iter().zip(group.weights).zip(changes) {
                before += value * regularization.shrunk_single(weight);
                now += value * regularization.shrunk_single(weight + change * regularization.partitions);
            }
            sum.before += f64::from(before);
            sum.now += f64::from(now);
        }
        sum
    }

    /// Changes the weights of an example's features by `step` times their values.
    pub(super) fn change(&mut self, example: usize, step: f64) {
        for (group, changes) in self.sparse.iter().zip(&mut self.sparse_changes) {
            for (place, value) in group.elements(example) {
                changes[place] = (f64::from(changes[place]) + value * step) as f32;
            }
        }
        for (group, changes) in self.dense.iter().zip(&mut self.dense_changes) {
            for (change, &value) in changes.iter_mut().zip(group.row(example)) {
                *change += value * step as f32;
            }
        }
    }
}
