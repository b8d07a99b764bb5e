//! Operands by labels: a tensor read through strides, so that transposes and diagonals cost nothing until elements must
//! stand side by side.

use oplink::prelude::*;
use smallvec::SmallVec;

use super::{Equation, Label, Labels};
use crate::movement::row_major_strides;

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

/// The operands by labels, and the output's labels with their extents.
///
/// # Errors
/// Ranks or extents do not fit the equation.
pub fn bind(equation: &Equation, inputs: &[Tensor]) -> Result<(SmallVec<[Operand; 2]>, Vec<(Label, usize)>)> {
    let mut extents: Vec<(Label, usize)> = Vec::new();
    let mut operands = SmallVec::new();
    let mut most_hidden = 0;
    for (input, subscript) in inputs.iter().zip(&equation.inputs) {
        let hidden = subscript.hidden(input.rank())?;
        most_hidden = most_hidden.max(hidden);
        let labels = subscript.labels(hidden);
        for (axis, (&label, &extent)) in labels.iter().zip(input.shape().iter()).enumerate() {
            match extents.iter_mut().find(|known| known.0 == label) {
                None => extents.push((label, extent)),
                Some(known) if known.1 == extent || (label < 0 && extent == 1) => {}
                Some(known) if label < 0 && known.1 == 1 => known.1 = extent,
                Some(known) => bail!(
                    "axis {axis} of an input of shape {} must have the extent {}, as the other axes of its name",
                    input.shape(),
                    known.1
                ),
            }
        }
        operands.push(Operand::new(input, &labels));
    }
    let in_output = if equation.output.ellipsis.is_some() { most_hidden } else { 0 };
    ensure!(in_output == most_hidden, "the output has no ellipsis for the {most_hidden} axes under that of the inputs");
    let labels: Labels = equation.output.labels(in_output);
    let extent = |label: &Label| extents.iter().find(|known| known.0 == *label).map_or(1, |known| known.1);
    Ok((operands, labels.iter().map(|label| (*label, extent(label))).collect()))
}
