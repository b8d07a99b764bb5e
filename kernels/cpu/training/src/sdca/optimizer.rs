//! `SdcaOptimizer`, `SdcaOptimizerV2`: a step of stochastic dual coordinate ascent over a batch of examples.

use super::examples::{DenseGroup, Model, Regularization, SparseGroup, SparseInputs};
use super::losses::{self, Coordinate};
use oplink::memory::{try_collect, try_filled};
use oplink::prelude::*;
use oplink_ops::philox::{Philox, Singles};
use oplink_ops::training::{SdcaLoss, SdcaOptimizer, SdcaOptimizerV2};

/// Numbers that an example's state has.
const STATE: usize = 4;
/// The part of its probability that an example keeps once it is drawn.
const DECAY: f64 = 0.1;

/// What the attrs tell.
#[derive(Clone, Copy, Debug)]
struct Options {
    loss: SdcaLoss,
    adaptive: bool,
    regularization: Regularization,
}

/// The inputs and outputs of both ops, by the names that they have in common.
macro_rules! kernels {
    ($($(#[$doc:meta])* $function:ident: $op:ident, $adaptive:ident;)*) => {$(
        $(#[$doc])*
        #[kernel($op, device = CPU)]
        #[allow(clippy::too_many_arguments, reason = "the op's inputs, attrs and outputs by name")]
        pub fn $function(
            sparse_example_indices: &[Tensor],
            sparse_feature_indices: &[Tensor],
            sparse_feature_values: &[Tensor],
            dense_features: &[Tensor],
            example_weights: &Tensor,
            example_labels: &Tensor,
            sparse_indices: &[Tensor],
            sparse_weights: &[Tensor],
            dense_weights: &[Tensor],
            example_state_data: &Tensor,
            loss_type: SdcaLoss,
            $adaptive: bool,
            l1: f32,
            l2: f32,
            num_loss_partitions: i64,
            mut out_example_state_data: OutputSlot<'_>,
            mut out_delta_sparse_weights: OutputList<'_>,
            mut out_delta_dense_weights: OutputList<'_>,
            env: Env<'_>,
        ) -> Result<()> {
            let regularization = Regularization { l1, l2, partitions: num_loss_partitions as f32 };
            let options = Options { loss: loss_type, adaptive: $adaptive, regularization };
            let groups = sparse_indices.iter().zip(sparse_weights).enumerate();
            let sparse = groups.map(|(at, (indices, weights))| SparseInputs {
                examples: &sparse_example_indices[at],
                features: &sparse_feature_indices[at],
                values: sparse_feature_values.get(at),
                indices,
                weights,
            });
            let batch = Batch { weights: example_weights, labels: example_labels, state: example_state_data };
            let dense = dense_features.iter().zip(dense_weights);
            let (state, model) = step(&batch, sparse, dense, options, env)?;
            out_example_state_data.set(Tensor::from_vec([state.len() / STATE, STATE], state)?);
            let changes = model.sparse_changes.into_iter().zip(sparse_weights).enumerate();
            for (at, (changes, weights)) in changes {
                out_delta_sparse_weights.set(at, Tensor::from_vec(weights.shape().clone(), changes)?);
            }
            for (at, (changes, weights)) in model.dense_changes.into_iter().zip(dense_weights).enumerate() {
                out_delta_dense_weights.set(at, Tensor::from_vec(weights.shape().clone(), changes)?);
            }
            Ok(())
        }
    )*};
}

kernels! {
    /// `SdcaOptimizer`.
    sdca_optimizer_cpu: SdcaOptimizer, adaptative;
    /// `SdcaOptimizerV2`.
    sdca_optimizer_v2_cpu: SdcaOptimizerV2, adaptive;
}

/// The inputs with an element or a row for each example.
struct Batch<'a> {
    weights: &'a Tensor,
    labels: &'a Tensor,
    state: &'a Tensor,
}

/// A step for each example, in a random order: the states of the examples, and the model with changes.
fn step<'a>(
    batch: &Batch<'_>,
    sparse: impl Iterator<Item = SparseInputs<'a>>,
    dense: impl Iterator<Item = (&'a Tensor, &'a Tensor)>,
    options: Options,
    env: Env<'_>,
) -> Result<(Vec<f32>, Model<'a>)> {
    let Options { loss, adaptive, regularization } = options;
    let (weights, given) = (batch.weights.as_slice::<f32>()?, batch.labels.as_slice::<f32>()?);
    let (count, shape) = (weights.len(), batch.state.shape());
    ensure!(given.len() == count, "{count} examples have {} labels", given.len());
    ensure!(shape.dims() == [count, STATE], "example_state_data must be [{count},{STATE}], its shape is {shape}");
    let sparse = sparse.map(|inputs| SparseGroup::new(&inputs, count, env)).collect::<Result<Vec<_>>>()?;
    let dense = dense.map(|(features, weights)| DenseGroup::new(features, weights, count));
    let dense = dense.collect::<Result<Vec<_>>>()?;
    ensure!(!sparse.is_empty() || !dense.is_empty(), "there must be a group of features");
    let mut state = try_collect(batch.state.as_slice::<f32>()?.iter().copied())?;
    let mut labels = try_filled(0.0f64, count)?;
    for (out, &label) in env.watch(labels.iter_mut().zip(given)) {
        *out = f64::from(losses::label(loss, label)?);
    }
    let mut model = Model::new(sparse, dense, regularization)?;
    let norms = model.squared_norms(count, env)?;
    let l2 = f64::from(regularization.l2);
    let order = if adaptive {
        let chance = |example: usize| {
            let prediction = model.predict(example).now;
            let far = f64::from(state[example * STATE]) + losses::derivative(loss, prediction, labels[example]);
            f64::from(weights[example]) * (norms[example] + l2 * losses::smoothness(loss)).sqrt() * far.abs()
        };
        adaptive_order(&try_collect(env.watch(0..count).map(chance))?, env)?
    } else {
        random_order(count, env)?
    };
    for example in env.watch(order) {
        let state = &mut state[example * STATE..][..STATE];
        let (label, weight, dual) = (labels[example], f64::from(weights[example]), f64::from(state[0]));
        let prediction = model.predict(example);
        let norm = f64::from(regularization.partitions) * (norms[example] / l2);
        let best = losses::best_dual(loss, Coordinate { label, weight, dual, prediction: prediction.now, norm });
        model.change(example, (best - dual) * weight / l2);
        state[0] = best as f32;
        state[1] = losses::primal(loss, prediction.before, label, weight) as f32;
        state[2] = losses::dual(loss, dual, label, weight) as f32;
        state[3] = weights[example];
    }
    Ok((state, model))
}

/// Numbers that nobody can foretell.
fn entropy() -> Singles {
    Singles::new(Philox::from_seeds(0, 0))
}

/// So many examples in any order.
fn random_order(count: usize, env: Env<'_>) -> Result<Vec<usize>> {
    let mut order = try_collect(0..count)?;
    let mut numbers = entropy();
    for at in env.watch(1..count) {
        order.swap(at, numbers.long_below(at as u64 + 1) as usize);
    }
    Ok(order)
}

/// As many examples as there are, drawn by their chances, which go down each time an example is drawn. After as many
/// draws in vain, those that were not drawn come, the most likely ones first.
fn adaptive_order(chances: &[f64], env: Env<'_>) -> Result<Vec<usize>> {
    let count = chances.len();
    let mut sum = 0.0;
    let sums = try_collect(env.watch(chances).map(|&chance| {
        sum += if chance > 0.0 { chance } else { 0.0 };
        sum
    }))?;
    let (mut order, mut drawn) = (oplink::memory::try_vec(count)?, try_filled(0i32, count)?);
    let (mut numbers, mut vain) = (entropy(), 0);
    while order.len() < count && vain < count {
        env.poll();
        let example = sums.partition_point(|&end| end <= f64::from(numbers.single()) * sum).min(count - 1);
        if f64::from(numbers.single()) > DECAY.powi(drawn[example]) {
            vain += 1;
        } else {
            drawn[example] += 1;
            order.push(example);
        }
    }
    let mut rest = try_collect((0..count).filter(|&example| drawn[example] == 0))?;
    rest.sort_by(|&a, &b| chances[b].total_cmp(&chances[a]));
    order.extend(rest.into_iter().cycle().take(count - order.len()));
    Ok(order)
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::run;

    /// The outputs of a step over two examples with a dense feature each and one in common.
    fn outputs(loss: &'static str, adaptive: bool, labels: [f32; 2]) -> Result<Vec<Tensor>> {
        let attrs = [
            ("loss_type", loss.into()),
            ("adaptive", adaptive.into()),
            ("num_sparse_features", 0i64.into()),
            ("num_sparse_features_with_values", 0i64.into()),
            ("num_dense_features", 1i64.into()),
            ("l1", 0f32.into()),
            ("l2", 1f32.into()),
            ("num_loss_partitions", 1i64.into()),
            ("num_inner_iterations", 1i64.into()),
        ];
        let features = Tensor::from_vec([2, 3], vec![1.0f32, 0.0, 0.5, 0.0, -2.0, 0.5])?;
        let inputs = vec![
            features,
            vec![1.0f32, 2.0].into(),
            labels.to_vec().into(),
            vec![0.0f32; 3].into(),
            Tensor::zeros(DType::Float, [2, 4])?,
        ];
        run("SdcaOptimizerV2", &attrs, inputs)
    }

    #[test]
    fn weights_are_the_sum_of_features_by_their_dual_variables() {
        for loss in ["logistic_loss", "squared_loss", "hinge_loss", "smooth_hinge_loss", "poisson_loss"] {
            let out = outputs(loss, false, [1.0, 0.0]).unwrap();
            let (state, weights) = (out[0].as_slice::<f32>().unwrap(), out[1].as_slice::<f32>().unwrap());
            let (first, second) = (state[0], 2.0 * state[4]);
            let expected = [first, -2.0 * second, 0.5 * (first + second)];
            assert!(weights.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-5), "{loss} {out:?}");
            assert_eq!([state[3], state[7]], [1.0, 2.0]);
        }
    }

    #[test]
    fn orders_have_as_many_examples_as_there_are() {
        let adaptive = outputs("squared_loss", true, [1.0, 3.0]).unwrap();
        assert_eq!(adaptive[0].shape().dims(), [2, 4]);
        assert!(outputs("hinge_loss", false, [1.0, 2.0]).is_err());
        assert!(outputs("poisson_loss", false, [1.0, -2.0]).is_err());
    }
}
