//! Operands in host memory whose elements are put in order, or summed.

use oplink::KernelEnv;
use oplink::prelude::*;
use smallvec::SmallVec;

use oplink_cpu_contraction::sums::sum_of;
use oplink_cpu_support::elementwise::{Arithmetic, Computed};
use oplink_cpu_support::movement::{Axis, copy_axes_into, row_major_strides};
use oplink_cpu_support::parallel::for_each_chunk;
use oplink_ops::linalg::einsum::Label;
use oplink_ops::linalg::einsum::operand::{LabelAxes, LabelAxis, Operand};

/// Elements that one thread should at least sum.
const GRAIN: usize = 1 << 15;

/// The elements in the order of `labels`, which are the operand's own, side by side.
pub(super) fn packed(operand: &Operand, env: &dyn KernelEnv, labels: &[Label]) -> Result<Operand> {
    let picked: LabelAxes = labels.iter().filter_map(|&label| operand.axis(label)).collect();
    let shape: Shape = picked.iter().map(|axis| axis.extent).collect();
    let mut tensor = Tensor::allocate(operand.tensor.dtype(), shape.clone(), env.allocator())?;
    let axes: SmallVec<[_; 6]> =
        picked.iter().map(|a| Axis::Strided { count: a.extent, stride: a.stride as isize }).collect();
    copy_axes_into(env, &mut tensor, &operand.tensor, 0, &axes)?;
    let strides = row_major_strides(&shape);
    let axes = picked.iter().zip(strides).map(|(axis, stride)| LabelAxis { stride: stride as usize, ..*axis });
    Ok(Operand { tensor, axes: axes.collect() })
}

/// The operand without the labels that `kept` refuses: their elements are summed.
pub(super) fn summed<T: Computed<ComputeType: Arithmetic>>(
    operand: Operand,
    env: &dyn KernelEnv,
    kept: impl Fn(Label) -> bool,
) -> Result<Operand> {
    let (mut order, dropped): (Vec<Label>, Vec<Label>) =
        operand.axes.iter().map(|axis| axis.label).partition(|&label| kept(label));
    if dropped.is_empty() {
        return Ok(operand);
    }
    let stay = order.len();
    order.extend(dropped);
    let ordered = packed(&operand, env, &order)?;
    let (stay, go) = ordered.axes.split_at(stay);
    let shape: Shape = stay.iter().map(|axis| axis.extent).collect();
    let count: usize = go.iter().map(|axis| axis.extent).product();
    let strides = row_major_strides(&shape);
    let mut sums = Tensor::allocate(T::DTYPE, shape, env.allocator())?;
    let values = ordered.tensor.as_slice::<T>()?;
    for_each_chunk(env, sums.as_mut_slice::<T>()?, GRAIN.div_ceil(count.max(1)), 1, &|start, sums| {
        for (index, sum) in sums.iter_mut().enumerate() {
            *sum = T::from_computed(sum_of(&values[(start + index) * count..][..count], &add_all));
        }
    });
    let axes = stay.iter().zip(strides).map(|(axis, stride)| LabelAxis { stride: stride as usize, ..*axis });
    Ok(Operand { axes: axes.collect(), tensor: sums })
}

fn add_all<L: Arithmetic>(computed: &[L]) -> L {
    computed.iter().fold(L::ZERO, |sum, &value| sum.add(value))
}
