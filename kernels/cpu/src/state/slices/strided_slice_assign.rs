//! `StridedSliceAssign` and `ResourceStridedSliceAssign`: other values in a strided region of a variable.
//!
//! The region is that of `StridedSlice` with the same `begin`, `end`, `strides` and masks; `value` broadcasts to its shape,
//! and may have any where the region has no elements. Every dtype.

use oplink::Variable;
use oplink::prelude::*;

use super::rows::pass_reference;
use super::shapes;
use crate::array::strided::region::Region;
use crate::array::strided::tensor_strided_slice_update::stretched;
use crate::support::movement::put_axes;

/// Writes to a region of the variable behind a reference.
#[op("StridedSliceAssign",
     input = "ref: Ref(T)",
     input = "begin: Index",
     input = "end: Index",
     input = "strides: Index",
     input = "value: T",
     output = "output_ref: Ref(T)",
     attr = "T: type",
     attr = "Index: {int32, int64}",
     attr = "begin_mask: int = 0",
     attr = "end_mask: int = 0",
     attr = "ellipsis_mask: int = 0",
     attr = "new_axis_mask: int = 0",
     attr = "shrink_axis_mask: int = 0",
     shape = shapes::assign_region)]
pub struct StridedSliceAssign;

/// Writes to a region of a resource variable.
#[op("ResourceStridedSliceAssign",
     input = "ref: resource",
     input = "begin: Index",
     input = "end: Index",
     input = "strides: Index",
     input = "value: T",
     attr = "T: type",
     attr = "Index: {int32, int64}",
     attr = "begin_mask: int = 0",
     attr = "end_mask: int = 0",
     attr = "ellipsis_mask: int = 0",
     attr = "new_axis_mask: int = 0",
     attr = "shrink_axis_mask: int = 0",
     stateful,
     shape = shapes::assign_region)]
pub struct ResourceStridedSliceAssign;

/// `StridedSliceAssign` and `ResourceStridedSliceAssign` of every dtype.
#[kernel(StridedSliceAssign, device = CPU, T = any, Index = any, host_memory = [begin, end, strides])]
#[kernel(ResourceStridedSliceAssign, device = CPU, T = any, Index = any, host_memory = [begin, end, strides])]
pub fn strided_slice_assign_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    let variable = context.resource::<Variable>(0)?;
    let (dtype, given) = (variable.dtype(), context.input(4).dtype());
    ensure!(dtype == given, "the variable holds {dtype}, the value {given}");
    loop {
        // The value is stretched on all threads, so without the lock.
        let shape = variable.read()?.shape().clone();
        let region = Region::of(context, &shape)?;
        if region.shape.num_elements() == 0 {
            break;
        }
        let value = stretched(context, context.input(4), &region.shape)?;
        let mut guard = variable.lock();
        if *guard.value()?.shape() != shape {
            continue;
        }
        let (base, axes) = region.axes(&shape);
        put_axes(guard.value_mut(context.env())?, base, &axes, &value)?;
        break;
    }
    pass_reference(context);
    Ok(())
}
