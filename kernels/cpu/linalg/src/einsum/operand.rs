//! Operands by labels: a tensor read through strides, so that transposes and diagonals cost nothing until elements must
//! stand side by side.

use oplink::KernelEnv;
use oplink::prelude::*;
use smallvec::SmallVec;

use oplink_cpu_contraction::sums::sum_of;
use oplink_cpu_support::elementwise::{Arithmetic, Lanes};
use oplink_cpu_support::movement::{Axis, copy_axes_into, row_major_strides};
use oplink_cpu_support::parallel::for_each_chunk;
use oplink_ops::linalg::einsum::{Label, Labels};

/// Elements that one thread should at least sum.
const GRAIN: usize = 1 << 15;

/// One label of an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LabelAxis {
    /// The label.
    pub label: Label,
    /// Positions along it.
    pub extent: usize,
    /// Elements from one position to the next.
    pub stride: usize,
}

/// The labels of an operand, each once.
pub type LabelAxes = SmallVec<[LabelAxis; 6]>;

/// A tensor and where its elements stand by labels. Labels of extent 1 are left out, as every operand has them.
#[derive(Clone, Debug)]
pub struct Operand {
    /// The tensor.
    pub tensor: Tensor,
    /// Its labels, in no order.
    pub axes: LabelAxes,
}

impl Operand {
    /// A tensor with a label for each axis. Where a label comes twice, its diagonal is meant.
    pub fn new(tensor: &Tensor, labels: &Labels) -> Self {
        let strides = row_major_strides(tensor.shape());
        let mut axes = LabelAxes::new();
        for ((&label, &extent), &stride) in labels.iter().zip(tensor.shape().iter()).zip(&strides) {
            let stride = stride as usize;
            match axes.iter_mut().find(|axis| axis.label == label) {
                Some(axis) => axis.stride += stride,
                None if extent != 1 => axes.push(LabelAxis { label, extent, stride }),
                None => {}
            }
        }
        Self { tensor: tensor.clone(), axes }
    }

    /// The axis of a label, if the operand has it.
    pub fn axis(&self, label: Label) -> Option<LabelAxis> {
        self.axes.iter().copied().find(|axis| axis.label == label)
    }

    /// Whether the operand has the label.
    pub fn has(&self, label: Label) -> bool {
        self.axis(label).is_some()
    }

    /// The elements in the order of `labels`, which are the operand's own, side by side.
    pub(super) fn packed(&self, env: &dyn KernelEnv, labels: &[Label]) -> Result<Self> {
        let picked: LabelAxes = labels.iter().filter_map(|&label| self.axis(label)).collect();
        let shape: Shape = picked.iter().map(|axis| axis.extent).collect();
        let mut tensor = Tensor::allocate(self.tensor.dtype(), shape.clone(), env.allocator())?;
        let axes: SmallVec<[_; 6]> =
            picked.iter().map(|a| Axis::Strided { count: a.extent, stride: a.stride as isize }).collect();
        copy_axes_into(env, &mut tensor, &self.tensor, 0, &axes)?;
        let strides = row_major_strides(&shape);
        let axes = picked.iter().zip(strides).map(|(axis, stride)| LabelAxis { stride: stride as usize, ..*axis });
        Ok(Self { tensor, axes: axes.collect() })
    }

    /// The operand without the labels that `kept` refuses: their elements are summed.
    pub(super) fn summed<T: Lanes<Lane: Arithmetic>>(
        self,
        env: &dyn KernelEnv,
        kept: impl Fn(Label) -> bool,
    ) -> Result<Self> {
        let (mut order, dropped): (Vec<Label>, Vec<Label>) =
            self.axes.iter().map(|axis| axis.label).partition(|&label| kept(label));
        if dropped.is_empty() {
            return Ok(self);
        }
        let stay = order.len();
        order.extend(dropped);
        let packed = self.packed(env, &order)?;
        let (stay, go) = packed.axes.split_at(stay);
        let shape: Shape = stay.iter().map(|axis| axis.extent).collect();
        let count: usize = go.iter().map(|axis| axis.extent).product();
        let strides = row_major_strides(&shape);
        let mut sums = Tensor::allocate(T::DTYPE, shape, env.allocator())?;
        let values = packed.tensor.as_slice::<T>()?;
        for_each_chunk(env, sums.as_mut_slice::<T>()?, GRAIN.div_ceil(count.max(1)), 1, &|start, sums| {
            for (index, sum) in sums.iter_mut().enumerate() {
                *sum = T::from_lane(sum_of(&values[(start + index) * count..][..count], &add_all));
            }
        });
        let axes = stay.iter().zip(strides).map(|(axis, stride)| LabelAxis { stride: stride as usize, ..*axis });
        Ok(Self { axes: axes.collect(), tensor: sums })
    }
}

fn add_all<L: Arithmetic>(lanes: &[L]) -> L {
    lanes.iter().fold(L::ZERO, |sum, &lane| sum.add(lane))
}

/// The one stride of these labels taken together, in this order; `None` where there is none.
pub fn joint_stride(operand: &Operand, labels: &[Label]) -> Option<usize> {
    let mut axes = labels.iter().rev().filter_map(|&label| operand.axis(label));
    let Some(last) = axes.next() else { return Some(1) };
    let mut next = last.stride * last.extent;
    for axis in axes {
        if axis.stride != next {
            return None;
        }
        next *= axis.extent;
    }
    Some(last.stride)
}
