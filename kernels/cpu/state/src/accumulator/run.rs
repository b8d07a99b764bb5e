//! What is done with accumulators. Each kernel serves the op that takes a reference, `AccumulatorApplyGradient`, and
//! the one that takes a resource, `ResourceAccumulatorApplyGradient`.

use std::sync::Arc;

use oplink::AsyncKernelContext;
use oplink::params::InputParam;
use oplink::prelude::*;
use oplink_ops::state::{AccumulatorApplyGradient, AccumulatorNumAccumulated, AccumulatorSetGlobalStep};
use oplink_ops::state::{AccumulatorTakeGradient, ResourceAccumulatorApplyGradient, ResourceAccumulatorNumAccumulated};
use oplink_ops::state::{ResourceAccumulatorSetGlobalStep, ResourceAccumulatorTakeGradient};
use oplink_ops::state::{SparseAccumulatorApplyGradient, SparseAccumulatorTakeGradient};

use super::resource::Accumulator;
use super::slices::Slices;
use crate::arguments::Scalar;
use crate::monitor::Monitor;

/// `AccumulatorApplyGradient` and `ResourceAccumulatorApplyGradient`: add a gradient, unless it is of an earlier step.
#[kernel(AccumulatorApplyGradient, device = CPU, dtype = any)]
#[kernel(ResourceAccumulatorApplyGradient, device = CPU, dtype = any)]
pub fn accumulator_apply_gradient_cpu(handle: Arc<Accumulator>, local_step: Scalar, gradient: Input<'_>) -> Result<()> {
    handle.apply(local_step.0, gradient.take())
}

/// `SparseAccumulatorApplyGradient`: adds slices of a gradient, unless it is of an earlier step.
#[kernel(SparseAccumulatorApplyGradient, device = CPU, dtype = any)]
pub fn sparse_accumulator_apply_gradient_cpu(
    handle: Arc<Accumulator>,
    local_step: Scalar,
    gradient_indices: &Tensor,
    gradient_values: Input<'_>,
    gradient_shape: &Tensor,
    has_known_shape: bool,
) -> Result<()> {
    let slices = Slices::new(gradient_indices, gradient_values.take())?;
    let shape = gradient_shape.as_slice::<i64>()?;
    handle.apply_slices(local_step.0, slices, has_known_shape.then_some(shape))
}

/// `AccumulatorTakeGradient` and `ResourceAccumulatorTakeGradient`: the sum or mean of `num_required` gradients or
/// more, for which the run waits.
#[kernel(AccumulatorTakeGradient, device = CPU, async, dtype = any)]
#[kernel(ResourceAccumulatorTakeGradient, device = CPU, async, dtype = any)]
pub fn accumulator_take_gradient_cpu(run: AsyncKernelContext) {
    take(run, false);
}

/// `SparseAccumulatorTakeGradient`: the slices of `num_required` gradients or more, for which the run waits.
#[kernel(SparseAccumulatorTakeGradient, device = CPU, async, dtype = any)]
pub fn sparse_accumulator_take_gradient_cpu(run: AsyncKernelContext) {
    take(run, true);
}

fn take(run: AsyncKernelContext, of_slices: bool) {
    Monitor::start(run, |run| {
        let (inputs, attrs) = run.arguments::<AccumulatorTakeGradient>()?;
        let required = Scalar::bind(&inputs.num_required).map_err(|error| error.context("input num_required"))?.0;
        inputs.handle.resource::<Accumulator>()?.take(required as i32, of_slices, attrs.dtype)
    });
}

/// `AccumulatorNumAccumulated` and `ResourceAccumulatorNumAccumulated`: how many gradients came since the last were
/// taken.
#[kernel(AccumulatorNumAccumulated, device = CPU)]
#[kernel(ResourceAccumulatorNumAccumulated, device = CPU)]
pub fn accumulator_num_accumulated_cpu(handle: Arc<Accumulator>) -> i32 {
    handle.count()
}

/// `AccumulatorSetGlobalStep` and `ResourceAccumulatorSetGlobalStep`: set the step of an accumulator.
#[kernel(AccumulatorSetGlobalStep, device = CPU)]
#[kernel(ResourceAccumulatorSetGlobalStep, device = CPU)]
pub fn accumulator_set_global_step_cpu(handle: Arc<Accumulator>, new_global_step: Scalar) {
    handle.set_step(new_global_step.0);
}
