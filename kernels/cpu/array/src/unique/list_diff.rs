//! `ListDiff`: the elements of one vector that another one lacks.
//!
//! `out` has the elements of `x` that are not in `y`, in their order and as often as they come, `idx` their positions
//! in `x`. A NaN equals nothing; zeros of either sign are equal, but those of 16-bit floats.

use super::super::arguments;
use super::distinct::{Distinct, Zeros};
use oplink::prelude::*;
use oplink_cpu_support::movement::{Axis, Piece, copy_axes_into, join_rows};
use oplink_ops::array::ListDiff;

/// `ListDiff` of real numbers and strings.
#[kernel(ListDiff, device = CPU, T = [reals, TString], out_idx = [i32, i64])]
pub fn list_diff_cpu(
    x: &Tensor,
    y: &Tensor,
    mut out: OutputSlot<'_>,
    mut idx: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    ensure!(
        x.rank() == 1 && y.rank() == 1,
        "x and y must be vectors, they have shapes {} and {}",
        x.shape(),
        y.shape()
    );
    let mut both = env.allocate(x.dtype(), [y.num_elements() + x.num_elements()])?;
    let pieces = [y, x].map(|tensor| Piece { tensor, length: tensor.num_elements() });
    join_rows(&env, &mut both, &pieces)?;
    let numbers = Distinct::rows(&both, both.num_elements(), Zeros::Signed)?.numbers;
    let (of_y, of_x) = numbers.split_at(y.num_elements());
    let known = of_y.iter().max().map_or(0, |&last| last + 1);
    let kept: Vec<usize> = (0..of_x.len()).filter(|&at| of_x[at] >= known).collect();
    let table: Vec<isize> = kept.iter().map(|&at| at as isize).collect();
    copy_axes_into(&env, out.allocate([kept.len()])?, x, 0, &[Axis::Table(&table)])?;
    arguments::set_indices(&mut idx, [kept.len()], &kept)
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::{check_error, run};

    #[test]
    fn what_the_other_lacks() {
        let nan = f32::NAN;
        let out = run("ListDiff", &[], vec![[1.0, nan, -0.0, 2.0, 1.0].into(), [0.0, nan, 2.0].into()]).unwrap();
        assert_eq!(out[1].as_slice::<i32>().unwrap(), [0, 1, 4]);
        let texts = |texts: [&str; 2]| Tensor::from(texts.map(TString::from));
        let out = run("ListDiff", &[], vec![texts(["a", "b"]), texts(["b", "c"])]).unwrap();
        assert_eq!(out[0].as_slice::<TString>().unwrap(), [TString::from("a")]);
        check_error("ListDiff", [1.into(), [1].into()], "must be vectors");
    }
}
