//! Stochastic dual coordinate ascent, which fits linear models: `SdcaOptimizer`, `SdcaOptimizerV2`, a step over a batch
//! of examples; and `SdcaShrinkL1`, the step that makes small weights 0.

use oplink::prelude::*;

/// Brings each weight of the variables behind the references nearer to 0 by `l1 / l2`, and to 0 where it is nearer
/// than that: `sign(w) * max(|w| - l1 / l2, 0)`.
#[op("SdcaShrinkL1",
     no_gradient,
     input = "weights: num_features * Ref(float)",
     attr = "num_features: int >= 0",
     attr = "l1: float",
     attr = "l2: float",
     shape = shape_fns::no_outputs)]
pub struct SdcaShrinkL1;

attr_enum! {
    /// What a linear model is fitted by.
    pub enum SdcaLoss {
        Logistic = "logistic_loss",
        Squared = "squared_loss",
        Hinge = "hinge_loss",
        SmoothHinge = "smooth_hinge_loss",
        Poisson = "poisson_loss",
    }
}

/// The dual variables of examples after one step each, and by how much the weights of their features change
/// (Shalev-Shwartz and Zhang, "Stochastic dual coordinate ascent methods for regularized loss minimization", 2013).
///
/// An example has a weight (`example_weights`), a label (`example_labels`), a row of each matrix of `dense_features`,
/// and sparse features. The group `g` of these has an element for each feature of an example: the example's number in
/// `sparse_example_indices[g]`, in order, the feature in `sparse_feature_indices[g]`, and its value in
/// `sparse_feature_values[g]`; groups beyond `num_sparse_features_with_values` have values of 1. `sparse_indices[g]`
/// are the features that there are, `sparse_weights[g]` their weights; `dense_weights` those of dense features.
/// `example_state_data` has for each example its dual variable, its primal and its dual loss before, and its weight.
///
/// Labels are 0 or 1, but any for `squared_loss` and at least 0 for `poisson_loss`. `l1` and `l2` weight the norms of
/// the weights. `num_loss_partitions` is into how many parts the examples are divided, of which each has a step like
/// this at the same time. `num_inner_iterations` has no effect. Examples come in a random order, with `adaptive` more
/// often where their dual variables are farther from their optimum, so that results differ from run to run wherever
/// examples have features in common.
#[op("SdcaOptimizerV2",
     no_gradient,
     input = "sparse_example_indices: num_sparse_features * int64",
     input = "sparse_feature_indices: num_sparse_features * int64",
     input = "sparse_feature_values: num_sparse_features_with_values * float",
     input = "dense_features: num_dense_features * float",
     input = "example_weights: float",
     input = "example_labels: float",
     input = "sparse_indices: num_sparse_features * int64",
     input = "sparse_weights: num_sparse_features * float",
     input = "dense_weights: num_dense_features * float",
     input = "example_state_data: float",
     output = "out_example_state_data: float",
     output = "out_delta_sparse_weights: num_sparse_features * float",
     output = "out_delta_dense_weights: num_dense_features * float",
     attr = "loss_type: {'logistic_loss', 'squared_loss', 'hinge_loss', 'smooth_hinge_loss', 'poisson_loss'}",
     attr = "adaptive: bool = false",
     attr = "num_sparse_features: int >= 0",
     attr = "num_sparse_features_with_values: int >= 0",
     attr = "num_dense_features: int >= 0",
     attr = "l1: float",
     attr = "l2: float",
     attr = "num_loss_partitions: int >= 1",
     attr = "num_inner_iterations: int >= 1",
     unused_attr = "num_inner_iterations",
     enums(loss_type = SdcaLoss),
     is(random),
     shape = sdca_step)]
pub struct SdcaOptimizerV2;

/// As [`SdcaOptimizerV2`], with the attr `adaptive` under another name.
#[op("SdcaOptimizer",
     no_gradient,
     input = "sparse_example_indices: num_sparse_features * int64",
     input = "sparse_feature_indices: num_sparse_features * int64",
     input = "sparse_feature_values: num_sparse_features_with_values * float",
     input = "dense_features: num_dense_features * float",
     input = "example_weights: float",
     input = "example_labels: float",
     input = "sparse_indices: num_sparse_features * int64",
     input = "sparse_weights: num_sparse_features * float",
     input = "dense_weights: num_dense_features * float",
     input = "example_state_data: float",
     output = "out_example_state_data: float",
     output = "out_delta_sparse_weights: num_sparse_features * float",
     output = "out_delta_dense_weights: num_dense_features * float",
     attr = "loss_type: {'logistic_loss', 'squared_loss', 'hinge_loss', 'smooth_hinge_loss', 'poisson_loss'}",
     attr = "adaptative: bool = false",
     attr = "num_sparse_features: int >= 0",
     attr = "num_sparse_features_with_values: int >= 0",
     attr = "num_dense_features: int >= 0",
     attr = "l1: float",
     attr = "l2: float",
     attr = "num_loss_partitions: int >= 1",
     attr = "num_inner_iterations: int >= 1",
     unused_attr = "num_inner_iterations",
     enums(loss_type = SdcaLoss),
     is(random),
     shape = sdca_step)]
pub struct SdcaOptimizer;

fn sdca_step(c: &mut ShapeContext<'_>) -> Result<()> {
    c.set_output(0, PartialShape::new(&[None, Some(4)]));
    let mut output = 1;
    for name in ["sparse_weights", "dense_weights"] {
        for shape in c.input_list(name)?.to_vec() {
            c.set_output(output, shape);
            output += 1;
        }
    }
    Ok(())
}
