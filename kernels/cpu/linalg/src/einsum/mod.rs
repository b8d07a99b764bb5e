//! `Einsum`: sums of products over labelled axes, `output[…] = sum of inputs[0][…] * inputs[1][…]`.
//!
//! The attr `equation` has a subscript for each of the one or two inputs, `->`, and the subscript of the output. A letter
//! names an axis: axes of one name have one extent and go together; a name twice in an input takes the diagonal, twice in
//! the output writes it (zeros beside it), and a name that the output lacks is summed over. `...` stands for the axes
//! without a name; they broadcast and must stand in the output too. The 16-bit floats are summed in f32, integers wrap.

#[doc(hidden)]
pub mod operand;
#[doc(hidden)]
pub mod plan;
mod product;

use oplink::{KernelEnv, prelude::*};
use smallvec::SmallVec;

use self::operand::Operand;
use oplink_cpu_contraction::gemm::Gemm;
use oplink_cpu_support::elementwise::Lanes;
use oplink_cpu_support::movement::{self, Axis, put_axes, row_major_strides};
use oplink_ops::linalg::Einsum;
use oplink_ops::linalg::einsum::{Equation, Label, Labels};

/// `Einsum` for the dtypes that matrices are multiplied in.
#[kernel(Einsum, device = CPU, T = [floats, i32, i64, complex])]
pub fn einsum_cpu<T: Lanes<Lane: Gemm>>(equation: &str, inputs: &[Tensor], env: Env<'_>) -> Result<Tensor> {
    let equation = Equation::parse(equation, inputs.len())?;
    let (operands, output) = bind(&equation, inputs)?;
    let mut distinct: Vec<(Label, usize)> = Vec::with_capacity(output.len());
    for &axis in &output {
        if !distinct.contains(&axis) {
            distinct.push(axis);
        }
    }
    let result = match &operands[..] {
        [left, right] => product::multiply::<T>(&env, left, right, &distinct)?,
        [only, ..] => only_one::<T>(&env, only, &distinct)?,
        [] => bail!("there must be at least one input"),
    };
    let shape: Shape = output.iter().map(|axis| axis.1).collect();
    if distinct.len() == output.len() {
        result.with_shape(shape)
    } else {
        spread(&env, &result, &distinct, &output, shape)
    }
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
fn only_one<T: Lanes<Lane: Gemm>>(env: &dyn KernelEnv, operand: &Operand, output: &[(Label, usize)]) -> Result<Tensor> {
    let labels: Labels = output.iter().map(|axis| axis.0).collect();
    let summed = operand.clone().summed::<T>(env, |label| labels.contains(&label))?;
    let in_order = operand::joint_stride(&summed, &labels) == Some(1);
    let count: usize = output.iter().map(|axis| axis.1).product();
    if in_order && summed.tensor.num_elements() == count {
        return Ok(summed.tensor);
    }
    Ok(summed.packed(env, &labels)?.tensor)
}

/// Zeros with `values`, whose axes have the labels `distinct`, where the positions of equal labels of `output` are equal.
fn spread(
    env: &dyn KernelEnv,
    values: &Tensor,
    distinct: &[(Label, usize)],
    output: &[(Label, usize)],
    shape: Shape,
) -> Result<Tensor> {
    let mut out = Tensor::allocate(values.dtype(), shape, env.allocator())?;
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
