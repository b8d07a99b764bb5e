//! Conditional accumulators: sums of gradients that are current, which somebody takes when there are enough.
//!
//! An accumulator counts steps from 0. A gradient of an earlier step is dropped without an error. A run that takes
//! waits until so many gradients as it asks for came; then the sum, or their mean, is the output, and the accumulator
//! is empty and one step further. Nodes of one `container` and `shared_name` share an accumulator, those without a
//! name that of the node's name, and agree in its declaration. Gradients are half, float or double.

use oplink::attr_enum;
use oplink::prelude::*;

use super::handles;

attr_enum! {
    /// What is made of gradients.
    pub enum GradientReduction { Mean = "MEAN", Sum = "SUM" }
}

/// A reference to an accumulator of gradients that fit `shape`.
#[op("ConditionalAccumulator",
     output = "handle: Ref(string)",
     attr = "dtype: numbertype",
     attr = "shape: shape",
     attr = "container: string = ''",
     attr = "shared_name: string = ''",
     attr = "reduction_type: {'MEAN', 'SUM'} = 'MEAN'",
     unused_attr = "dtype",
     stateful,
     enums(reduction_type = GradientReduction),
     shape = handles::reference)]
pub struct ConditionalAccumulator;

/// An accumulator of gradients that fit `shape`.
#[op("ResourceConditionalAccumulator",
     output = "handle: resource",
     attr = "dtype: numbertype",
     attr = "shape: shape",
     attr = "container: string = ''",
     attr = "shared_name: string = ''",
     attr = "reduction_type: {'MEAN', 'SUM'} = 'MEAN'",
     unused_attr = "dtype",
     stateful,
     enums(reduction_type = GradientReduction),
     shape = handles::reference)]
pub struct ResourceConditionalAccumulator;

/// Adds a gradient of the step `local_step`. Gradients that are added together have one shape.
#[op("AccumulatorApplyGradient",
     input = "handle: Ref(string)",
     input = "local_step: int64",
     input = "gradient: dtype",
     attr = "dtype: numbertype",
     shape = one_scalar)]
pub struct AccumulatorApplyGradient;

/// As [`AccumulatorApplyGradient`], for [`ResourceConditionalAccumulator`].
#[op("ResourceAccumulatorApplyGradient",
     input = "handle: resource",
     input = "local_step: int64",
     input = "gradient: dtype",
     attr = "dtype: numbertype",
     stateful,
     shape = one_scalar)]
pub struct ResourceAccumulatorApplyGradient;

/// The sum or mean of `num_required` gradients or more, which is positive.
#[op("AccumulatorTakeGradient",
     input = "handle: Ref(string)",
     input = "num_required: int32",
     output = "average: dtype",
     attr = "dtype: numbertype",
     shape = one_scalar)]
pub struct AccumulatorTakeGradient;

/// As [`AccumulatorTakeGradient`], for [`ResourceConditionalAccumulator`].
#[op("ResourceAccumulatorTakeGradient",
     input = "handle: resource",
     input = "num_required: int32",
     output = "average: dtype",
     attr = "dtype: numbertype",
     stateful,
     shape = one_scalar)]
pub struct ResourceAccumulatorTakeGradient;

/// The number of gradients since the last were taken.
#[op("AccumulatorNumAccumulated",
     input = "handle: Ref(string)",
     output = "num_accumulated: int32",
     shape = shape_fns::scalar)]
pub struct AccumulatorNumAccumulated;

/// As [`AccumulatorNumAccumulated`], for [`ResourceConditionalAccumulator`].
#[op("ResourceAccumulatorNumAccumulated",
     input = "handle: resource",
     output = "num_accumulated: int32",
     stateful,
     shape = shape_fns::scalar)]
pub struct ResourceAccumulatorNumAccumulated;

/// Sets the step of an accumulator.
#[op("AccumulatorSetGlobalStep", input = "handle: Ref(string)", input = "new_global_step: int64", shape = one_scalar)]
pub struct AccumulatorSetGlobalStep;

/// As [`AccumulatorSetGlobalStep`], for [`ResourceConditionalAccumulator`].
#[op("ResourceAccumulatorSetGlobalStep",
     input = "handle: resource",
     input = "new_global_step: int64",
     stateful,
     shape = one_scalar)]
pub struct ResourceAccumulatorSetGlobalStep;

/// A reference to an accumulator of slices of gradients that fit `shape`.
#[op("SparseConditionalAccumulator",
     output = "handle: Ref(string)",
     attr = "dtype: numbertype",
     attr = "shape: shape",
     attr = "container: string = ''",
     attr = "shared_name: string = ''",
     attr = "reduction_type: {'MEAN', 'SUM'} = 'MEAN'",
     unused_attr = "dtype",
     stateful,
     enums(reduction_type = GradientReduction),
     shape = handles::reference)]
pub struct SparseConditionalAccumulator;

/// Adds the slices of a gradient of the step `local_step`: `gradient_values` has a row for each of `gradient_indices`,
/// positions along the first axis in rising order. With `has_known_shape`, `gradient_shape` must fit the accumulator's
/// shape.
#[op("SparseAccumulatorApplyGradient",
     input = "handle: Ref(string)",
     input = "local_step: int64",
     input = "gradient_indices: int64",
     input = "gradient_values: dtype",
     input = "gradient_shape: int64",
     attr = "dtype: numbertype",
     attr = "has_known_shape: bool",
     shape = one_scalar)]
pub struct SparseAccumulatorApplyGradient;

/// The slices of `num_required` gradients or more: the sum of each, or its mean over the gradients that had it; `shape`
/// is that of the whole gradient, -1 where nobody told the number of slices.
#[op("SparseAccumulatorTakeGradient",
     input = "handle: Ref(string)",
     input = "num_required: int32",
     output = "indices: int64",
     output = "values: dtype",
     output = "shape: int64",
     attr = "dtype: numbertype",
     shape = one_scalar)]
pub struct SparseAccumulatorTakeGradient;

/// A scalar in input 1; nothing is known of gradients.
fn one_scalar(context: &mut ShapeContext<'_>) -> Result<()> {
    context.with_rank(1, 0)?;
    Ok(())
}
