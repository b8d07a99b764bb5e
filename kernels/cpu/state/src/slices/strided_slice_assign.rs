//! `StridedSliceAssign` and `ResourceStridedSliceAssign`: other values in a strided region of a variable.
//!
//! The region is that of `StridedSlice` with the same `begin`, `end`, `strides` and masks; `value` broadcasts to its
//! shape, and may have any where the region has no elements. Every dtype.

use crate::target::Target;
use oplink::prelude::*;
use oplink::shape_fns::StridedSliceMasks;
use oplink_cpu_array::strided::tensor_strided_slice_update::stretched;
use oplink_cpu_support::movement::put_axes;
use oplink_ops::array::copies::Region;
use oplink_ops::state::{ResourceStridedSliceAssign, StridedSliceAssign};

/// `StridedSliceAssign` and `ResourceStridedSliceAssign` of every dtype.
#[kernel(StridedSliceAssign, device = CPU, T = any, Index = any, host_memory = [begin, end, strides])]
#[kernel(ResourceStridedSliceAssign, device = CPU, T = any, Index = any, host_memory = [begin, end, strides])]
pub fn strided_slice_assign_cpu(
    r#ref: Input<'_>,
    begin: &Tensor,
    end: &Tensor,
    strides: &Tensor,
    value: &Tensor,
    begin_mask: i64,
    end_mask: i64,
    ellipsis_mask: i64,
    new_axis_mask: i64,
    shrink_axis_mask: i64,
    output_ref: Option<OutputSlot<'_>>,
    env: Env<'_>,
) -> Result<()> {
    let masks = StridedSliceMasks {
        begin: begin_mask,
        end: end_mask,
        ellipsis: ellipsis_mask,
        new_axis: new_axis_mask,
        shrink_axis: shrink_axis_mask,
    };
    let target = Target::new(r#ref, output_ref);
    let variable = target.variable()?;
    let (dtype, given) = (variable.dtype(), value.dtype());
    ensure!(dtype == given, "the variable holds {dtype}, the value {given}");
    loop {
        // The value is broadcast on all threads, so without the lock.
        let shape = variable.read()?.shape().clone();
        let region = Region::of(&shape, [begin, end, strides], masks)?;
        if region.shape.num_elements() == 0 {
            break;
        }
        let value = stretched(env, value, &region.shape)?;
        let mut guard = variable.lock();
        if *guard.value()?.shape() != shape {
            continue;
        }
        let (base, axes) = region.axes(&shape);
        put_axes(guard.value_mut(&env)?, base, &axes, &value)?;
        break;
    }
    target.forward();
    Ok(())
}
