//! `Einsum`: sums of products over labelled axes, `output[…] = sum of inputs[0][…] * inputs[1][…]`.
//!
//! The attr `equation` has a subscript for each of the one or two inputs, `->`, and the subscript of the output. A letter
//! names an axis: axes of one name have one extent and go together; a name twice in an input takes the diagonal, twice in
//! the output writes it (zeros beside it), and a name that the output lacks is summed over. `...` stands for the axes
//! without a name; they broadcast and must stand in the output too. The 16-bit floats are summed in f32, integers wrap.

#[doc(hidden)]
pub mod equation;
#[doc(hidden)]
pub mod operand;
#[doc(hidden)]
pub mod plan;
mod product;

use oplink::prelude::*;
use smallvec::SmallVec;

use self::equation::{Equation, Label, Labels};
use self::operand::Operand;
use crate::numeric::gemm::Gemm;
use crate::support::elementwise::Lanes;
use crate::support::movement::{self, Axis, put_axes, row_major_strides};

/// Sums of products over labelled axes: `equation` is `ab,bc->ac` for a product of matrices.
#[op(
    "Einsum",
    input = "inputs: N * T",
    output = "output: T",
    attr = "equation: string",
    attr = "N: int >= 1",
    attr = "T: type"
)]
pub fn einsum(c: &mut ShapeContext<'_>) -> Result<()> {
    let equation = Equation::parse(c.attr("equation")?, c.num_inputs())?;
    let mut extents: Vec<(char, Option<usize>)> = Vec::new();
    let mut broadcast = PartialShape::scalar();
    for (index, input) in equation.inputs.iter().enumerate() {
        let shape = c.input(index);
        let hidden = shape.rank().map(|rank| input.hidden(rank)).transpose()?;
        let first = input.ellipsis.unwrap_or(input.named.len());
        for (place, &name) in input.named.iter().enumerate() {
            let extent = hidden.and_then(|hidden| shape.dim(if place < first { place } else { place + hidden }));
            match extents.iter_mut().find(|known| known.0 == name) {
                Some(known) => known.1 = c.merge_dim(known.1, extent)?,
                None => extents.push((name, extent)),
            }
        }
        let own = match hidden {
            Some(hidden) => c.subshape(shape, first as i64, Some((first + hidden) as i64))?,
            None if input.ellipsis.is_some() => PartialShape::unknown(),
            None => PartialShape::scalar(),
        };
        broadcast = shape_fns::broadcast_partial(&broadcast, &own)?;
    }
    ensure!(
        equation.output.ellipsis.is_some() || broadcast.rank().is_none_or(|rank| rank == 0),
        "the output has no ellipsis for the {} axes under that of the inputs",
        broadcast.rank().unwrap_or_default()
    );
    let extent = |name: &char| extents.iter().find(|known| known.0 == *name).and_then(|known| known.1);
    let named: PartialShape = equation.output.named.iter().map(extent).collect();
    let shape = match equation.output.ellipsis {
        None => named,
        Some(at) => {
            let (before, after) = (c.subshape(&named, 0, Some(at as i64))?, c.subshape(&named, at as i64, None)?);
            c.concatenate(&c.concatenate(&before, &broadcast), &after)
        }
    };
    c.set_output(0, shape);
    Ok(())
}

/// `Einsum` for the dtypes that matrices are multiplied in.
#[kernel(Einsum, device = CPU, T = [floats, i32, i64, complex])]
pub fn einsum_cpu<T: Lanes<Lane: Gemm>>(context: &mut KernelContext<'_>) -> Result<()> {
    let equation = Equation::parse(context.attr("equation")?, context.num_inputs())?;
    let (operands, output) = bind(&equation, context.inputs())?;
    let mut distinct: Vec<(Label, usize)> = Vec::with_capacity(output.len());
    for &axis in &output {
        if !distinct.contains(&axis) {
            distinct.push(axis);
        }
    }
    let result = match &operands[..] {
        [left, right] => product::multiply::<T>(context.env(), left, right, &distinct)?,
        [only, ..] => only_one::<T>(context, only, &distinct)?,
        [] => bail!("there must be at least one input"),
    };
    let shape: Shape = output.iter().map(|axis| axis.1).collect();
    let out = if distinct.len() == output.len() {
        result.with_shape(shape)?
    } else {
        spread(context, &result, &distinct, &output, shape)?
    };
    context.set_output(0, out);
    Ok(())
}

/// The operands by labels, and the output's labels with their extents.
///
/// # Errors
/// Ranks or extents do not fit the equation.
#[doc(hidden)]
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

/// One operand, summed over the labels that the output lacks, in the output's order.
fn only_one<T: Lanes<Lane: Gemm>>(
    context: &KernelContext<'_>,
    operand: &Operand,
    output: &[(Label, usize)],
) -> Result<Tensor> {
    let labels: Labels = output.iter().map(|axis| axis.0).collect();
    let summed = operand.clone().summed::<T>(context.env(), |label| labels.contains(&label))?;
    let in_order = operand::joint_stride(&summed, &labels) == Some(1);
    let count: usize = output.iter().map(|axis| axis.1).product();
    if in_order && summed.tensor.num_elements() == count {
        return Ok(summed.tensor);
    }
    Ok(summed.packed(context.env(), &labels)?.tensor)
}

/// Zeros with `values`, whose axes have the labels `distinct`, where the positions of equal labels of `output` are equal.
fn spread(
    context: &KernelContext<'_>,
    values: &Tensor,
    distinct: &[(Label, usize)],
    output: &[(Label, usize)],
    shape: Shape,
) -> Result<Tensor> {
    let mut out = context.allocate_output(0, shape)?;
    movement::fill(&mut out, None)?;
    let strides = row_major_strides(out.shape());
    let stride = |label: Label| output.iter().zip(&strides).filter(|(axis, _)| axis.0 == label).map(|(_, s)| s).sum();
    let axes: SmallVec<[Axis<'_>; 6]> =
        distinct.iter().map(|&(label, count)| Axis::Strided { count, stride: stride(label) }).collect();
    put_axes(&mut out, 0, &axes, values)?;
    Ok(out)
}

#[cfg(test)]
mod tests;
