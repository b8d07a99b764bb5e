//! `Diag` and `DiagPart`: a tensor on the diagonal of one of twice its rank, and back.
//!
//! The diagonal's element `(i, …, k)` is element `(i, …, k, i, …, k)` of the other tensor, which has the extents of the
//! diagonal twice and zeros elsewhere. It is an error when they do not come twice.

use oplink::prelude::*;

use crate::support::movement::{self, Axis, copy_axes, put_axes};

/// Zeros with `diagonal` on the diagonal.
#[op(
    "Diag",
    input = "diagonal: T",
    output = "output: T",
    attr = "T: {bfloat16, half, float, double, int32, int64, complex64, complex128}"
)]
pub fn diag(c: &mut ShapeContext<'_>) -> Result<()> {
    let input = c.with_rank_at_least(0, 1)?;
    let shape = c.concatenate(&input, &input);
    c.set_output(0, shape);
    Ok(())
}

/// The diagonal of a tensor whose extents come twice.
#[op(
    "DiagPart",
    input = "input: T",
    output = "diagonal: T",
    attr = "T: {bfloat16, half, float, double, int32, int64, complex64, complex128}"
)]
pub fn diag_part(c: &mut ShapeContext<'_>) -> Result<()> {
    let input = c.input(0).clone();
    let Some(rank) = input.rank() else { return Ok(()) };
    ensure!(rank > 0 && rank.is_multiple_of(2), "input must have an even rank of 2 at least, its shape is {input}");
    let half = rank as i64 / 2;
    let first = c.subshape(&input, 0, Some(half))?;
    let shape = c.merge(&first, &c.subshape(&input, half, None)?)?;
    c.set_output(0, shape);
    Ok(())
}

/// `Diag` of every dtype but bfloat16.
#[kernel(Diag, device = CPU, T = [f16, f32, f64, i32, i64, complex])]
pub fn diag_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    let diagonal = context.input(0);
    ensure!(diagonal.rank() > 0, "diagonal must be at least a vector, it is a scalar");
    let shape: Shape = [&diagonal.shape()[..], diagonal.shape()].concat().into();
    let mut out = context.allocate_output(0, shape)?;
    movement::fill(&mut out, None)?;
    put_axes(&mut out, 0, &[main_diagonal(diagonal.num_elements())], diagonal)?;
    context.set_output(0, out);
    Ok(())
}

/// `DiagPart` of every dtype but bfloat16.
#[kernel(DiagPart, device = CPU, T = [f16, f32, f64, i32, i64, complex])]
pub fn diag_part_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    let input = context.input(0);
    let (first, second) = input.shape().split_at(input.rank() / 2);
    ensure!(first == second, "the extents of input must come twice, its shape is {}", input.shape());
    let out = copy_axes(context, 0, first, input, 0, &[main_diagonal(first.iter().product())])?;
    context.set_output(0, out);
    Ok(())
}

/// The main diagonal of a square matrix.
fn main_diagonal(side: usize) -> Axis<'static> {
    Axis::Strided { count: side, stride: side as isize + 1 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::testing::{check, check_error};

    #[test]
    fn there_and_back() {
        let diagonal = Tensor::from_vec([1, 2], vec![3, 4]).unwrap();
        let square = Tensor::from_vec([1, 2, 1, 2], vec![3, 0, 0, 4]).unwrap();
        check("Diag", [diagonal.clone()], square.clone());
        check("DiagPart", [square], diagonal);
        check_error("Diag", [1.into()], "at least a vector");
        check_error("DiagPart", [Tensor::from_vec([1, 2], vec![1, 2]).unwrap()], "must come twice");
        check_error("DiagPart", [[1, 2].into()], "must come twice");
    }
}
