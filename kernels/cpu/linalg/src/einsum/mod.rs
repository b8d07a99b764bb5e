//! `Einsum`: sums of products over labelled axes, `output[…] = sum of inputs[0][…] * inputs[1][…]`.
//!
//! The attr `equation` has a subscript for each of the one or two inputs, `->`, and the subscript of the output. A
//! letter names an axis: axes of one name have one extent and go together; a name twice in an input takes the diagonal,
//! twice in the output writes it (zeros beside it), and a name that the output lacks is summed over. `...` stands for
//! the axes without a name; they broadcast and must stand in the output too. The 16-bit floats are summed in f32,
//! integers wrap.

mod operand;
mod product;

use oplink::{KernelEnv, prelude::*};
use smallvec::SmallVec;

use self::operand::{packed, summed};
use oplink_cpu_contraction::gemm::Gemm;
use oplink_cpu_support::elementwise::Computed;
use oplink_cpu_support::movement::{self, Axis, put_axes, row_major_strides};
use oplink_ops::linalg::Einsum;
use oplink_ops::linalg::einsum::operand::{Operand, bind, joint_stride};
use oplink_ops::linalg::einsum::{Equation, Label, Labels};

/// `Einsum` for the dtypes that matrices are multiplied in.
#[kernel(Einsum, device = CPU, T = [floats, i32, i64, complex])]
pub fn einsum_cpu<T: Computed<ComputeType: Gemm>>(equation: &str, inputs: &[Tensor], env: Env<'_>) -> Result<Tensor> {
    let equation = Equation::parse(equation, inputs.len())?;
    let (operands, output) = bind(&equation, inputs)?;
    // bounded: the rank
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

/// One operand, summed over the labels that the output lacks, in the output's order.
fn only_one<T: Computed<ComputeType: Gemm>>(
    env: &dyn KernelEnv,
    operand: &Operand,
    output: &[(Label, usize)],
) -> Result<Tensor> {
    let labels: Labels = output.iter().map(|axis| axis.0).collect();
    let sums = summed::<T>(operand.clone(), env, |label| labels.contains(&label))?;
    let in_order = joint_stride(&sums, &labels) == Some(1);
    let count: usize = output.iter().map(|axis| axis.1).product();
    if in_order && sums.tensor.num_elements() == count {
        return Ok(sums.tensor);
    }
    Ok(packed(&sums, env, &labels)?.tensor)
}

/// Zeros with `values`, whose axes have the labels `distinct`, where the positions of equal labels of `output` are
/// equal.
fn spread(
    env: &dyn KernelEnv,
    values: &Tensor,
    distinct: &[(Label, usize)],
    output: &[(Label, usize)],
    shape: Shape,
) -> Result<Tensor> {
    let mut out = Tensor::allocate(values.dtype(), shape, env.allocator())?;
    movement::fill(env, &mut out, None)?;
    let strides = row_major_strides(out.shape());
    let stride = |label: Label| output.iter().zip(&strides).filter(|(axis, _)| axis.0 == label).map(|(_, s)| s).sum();
    let axes: SmallVec<[Axis<'_>; 6]> =
        distinct.iter().map(|&(label, count)| Axis::Strided { count, stride: stride(label) }).collect();
    put_axes(&mut out, 0, &axes, values)?;
    Ok(out)
}

#[cfg(test)]
mod tests;
