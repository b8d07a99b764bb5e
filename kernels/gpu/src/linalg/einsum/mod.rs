//! `Einsum`: one or two operands, cut into a batch of matrix products as on the CPU. Operands are put in order, and
//! summed over labels that they alone have, by programs (`gather`).

mod gather;

use oplink::device::DeviceContext;
use oplink::prelude::*;
use oplink_ops::linalg::Einsum;
use oplink_ops::linalg::einsum::operand::{LabelAxes, LabelAxis, Operand, bind, joint_stride};
use oplink_ops::linalg::einsum::plan::{Plan, best_order, positions};
use oplink_ops::linalg::einsum::{Equation, Label};

use super::product::{BatchDim, Product};
use gather::{gather, side_by_side, to_diagonals};

/// Elements that 32-bit positions reach.
const MOST_ELEMENTS: usize = 4_000_000_000;

/// `Einsum` for the floats.
#[kernel(Einsum, device = GPU, T = [floats])]
pub fn einsum_gpu(equation: &str, inputs: &[Tensor], mut output: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    let equation = Equation::parse(equation, inputs.len())?;
    let (operands, axes) = bind(&equation, inputs)?;
    let largest = inputs.iter().map(Tensor::num_elements).max().unwrap_or(0);
    let shape: Shape = axes.iter().map(|axis| axis.1).collect();
    ensure!(
        largest.max(shape.num_elements()) <= MOST_ELEMENTS,
        "Einsum on a GPU takes tensors of at most {MOST_ELEMENTS} elements"
    );
    // bounded: the rank
    let mut distinct: Vec<(Label, usize)> = Vec::with_capacity(axes.len());
    for &axis in &axes {
        if !distinct.contains(&axis) {
            distinct.push(axis);
        }
    }
    let device = env.device()?;
    let result = match &operands[..] {
        [left, right] => multiply(device, left, right, &distinct)?,
        [only, ..] => in_order(device, only, &distinct)?,
        [] => bail!("there must be at least one input"),
    };
    if distinct.len() == axes.len() {
        output.set(result.with_shape(shape)?);
        return Ok(());
    }
    let values = side_by_side(&distinct.iter().map(|&(label, extent)| axis(label, extent)).collect::<LabelAxes>());
    let of = |label: Label| values.iter().copied().find(|axis| axis.label == label);
    let places: LabelAxes = axes.iter().filter_map(|&(label, _)| of(label)).collect();
    to_diagonals(device, &result, output.allocate(shape)?, &places)
}

fn axis(label: Label, extent: usize) -> LabelAxis {
    LabelAxis { label, extent, stride: 0 }
}

/// One operand in the order of `output`, summed over the labels that `output` lacks.
fn in_order(device: &dyn DeviceContext, operand: &Operand, output: &[(Label, usize)]) -> Result<Tensor> {
    let kept: LabelAxes = output.iter().filter_map(|&(label, _)| operand.axis(label)).collect();
    let summed: LabelAxes =
        operand.axes.iter().copied().filter(|axis| output.iter().all(|kept| kept.0 != axis.label)).collect();
    if summed.is_empty() && kept == side_by_side(&kept) && operand.tensor.num_elements() == count(&kept) {
        return Ok(operand.tensor.clone());
    }
    Ok(gather(device, operand, &kept, &summed)?.tensor)
}

fn count(axes: &[LabelAxis]) -> usize {
    axes.iter().map(|axis| axis.extent).product()
}

/// The operand, summed over the labels that `kept` refuses.
fn summed(device: &dyn DeviceContext, operand: &Operand, kept: impl Fn(Label) -> bool) -> Result<Operand> {
    let (stay, go): (LabelAxes, LabelAxes) = operand.axes.iter().copied().partition(|axis| kept(axis.label));
    if go.is_empty() { Ok(operand.clone()) } else { gather(device, operand, &stay, &go) }
}

/// The product of both, its axes in the order of `output`; labels that `output` lacks are summed over.
fn multiply(device: &dyn DeviceContext, left: &Operand, right: &Operand, output: &[(Label, usize)]) -> Result<Tensor> {
    let in_output = |label: Label| output.iter().any(|axis| axis.0 == label);
    let left = summed(device, left, |label| in_output(label) || right.has(label))?;
    let right = summed(device, right, |label| in_output(label) || left.has(label))?;
    let order = best_order(&left, &right, output);
    let plan = Plan::new(&left, &right, &order);
    let labels = |axes: &[(Label, usize)]| axes.iter().map(|axis| axis.0).collect::<Vec<Label>>();
    let (row_labels, column_labels) = (labels(&plan.rows), labels(&plan.columns));
    let (rows, columns) = if plan.swapped { (&right, &left) } else { (&left, &right) };
    let rows = matrix(device, rows, &row_labels, &plan.summed)?;
    let columns = matrix(device, columns, &plan.summed, &column_labels)?;
    let axes: LabelAxes = order.iter().map(|&(label, extent)| axis(label, extent)).collect();
    let result = Operand {
        tensor: device.allocate(rows.tensor.dtype(), order.iter().map(|axis| axis.1).collect::<Shape>())?,
        axes: side_by_side(&axes),
    };
    product(&plan, [&rows, &columns, &result], [&row_labels, &column_labels]).run(
        device,
        &rows.tensor,
        &columns.tensor,
        &result.tensor,
    )?;
    let wanted: Vec<(Label, usize)> = output.iter().copied().filter(|axis| axis.1 != 1).collect();
    in_order(device, &result, &wanted)
}

/// The operand, put in order where it is no matrix of these labels as it stands.
fn matrix(device: &dyn DeviceContext, operand: &Operand, first: &[Label], second: &[Label]) -> Result<Operand> {
    if joint_stride(operand, first).is_some() && joint_stride(operand, second).is_some() {
        return Ok(operand.clone());
    }
    let loops = operand.axes.iter().map(|axis| axis.label).filter(|l| !first.contains(l) && !second.contains(l));
    let order = loops.chain(first.iter().copied()).chain(second.iter().copied());
    let axes: LabelAxes = order.filter_map(|label| operand.axis(label)).collect();
    gather(device, operand, &axes, &[])
}

/// The plan as products of matrices: of rows, of columns, and of the result.
fn product(plan: &Plan, operands: [&Operand; 3], [rows, columns]: [&[Label]; 2]) -> Product {
    let stride = |side: usize, labels: &[Label]| joint_stride(operands[side], labels).unwrap_or(0);
    let terms = plan.summed.iter().filter_map(|&label| operands[0].axis(label)).map(|axis| axis.extent).product();
    let dims = plan.outer.iter().chain(&plan.inner).map(|&(label, extent)| BatchDim {
        extent,
        strides: operands.map(|operand| operand.axis(label).map_or(0, |axis| axis.stride)),
    });
    Product {
        rows: positions(&plan.rows),
        columns: positions(&plan.columns),
        terms,
        a: [stride(0, rows), stride(0, &plan.summed)],
        b: [stride(1, &plan.summed), stride(1, columns)],
        y_row: positions(&plan.inner) * positions(&plan.columns),
        batch: dims.collect(),
    }
}
