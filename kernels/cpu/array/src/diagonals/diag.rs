//! `Diag` and `DiagPart`: a tensor on the diagonal of one of twice its rank, and back.
//!
//! The diagonal's element `(i, …, k)` is element `(i, …, k, i, …, k)` of the other tensor, which has the extents of the
//! diagonal twice and zeros elsewhere. It is an error when they do not come twice.

use oplink::prelude::*;
use oplink_cpu_support::movement::{self, Axis, copy_axes_into, put_axes};
use oplink_ops::array::{Diag, DiagPart};

/// `Diag` of every dtype but bfloat16.
#[kernel(Diag, device = CPU, T = [f16, f32, f64, i32, i64, complex])]
pub fn diag_cpu(diagonal: &Tensor, mut output: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    ensure!(diagonal.rank() > 0, "diagonal must be at least a vector, it is a scalar");
    let out = output.allocate([&diagonal.shape()[..], diagonal.shape()].concat())?;
    movement::fill(&env, out, None)?;
    put_axes(out, 0, &[main_diagonal(diagonal.num_elements())], diagonal)
}

/// `DiagPart` of every dtype but bfloat16.
#[kernel(DiagPart, device = CPU, T = [f16, f32, f64, i32, i64, complex])]
pub fn diag_part_cpu(input: &Tensor, mut diagonal: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    let (first, second) = input.shape().split_at(input.rank() / 2);
    ensure!(first == second, "the extents of input must come twice, its shape is {}", input.shape());
    copy_axes_into(&env, diagonal.allocate(first)?, input, 0, &[main_diagonal(first.iter().product())])
}

/// The main diagonal of a square matrix.
fn main_diagonal(side: usize) -> Axis<'static> {
    Axis::Strided { count: side, stride: side as isize + 1 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::{check, check_error};

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
