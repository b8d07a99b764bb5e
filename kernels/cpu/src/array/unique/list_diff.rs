//! `ListDiff`: the elements of one vector that another one lacks.
//!
//! `out` has the elements of `x` that are not in `y`, in their order and as often as they come, `idx` their positions in
//! `x`. A NaN equals nothing; zeros of either sign are equal, but those of 16-bit floats.

use oplink::prelude::*;

use super::super::arguments;
use super::distinct::{Distinct, Zeros};
use crate::support::movement::{Axis, Piece, copy_axes, join_rows};

/// The elements of `x` that are not in `y`, and their positions.
#[op(
    "ListDiff",
    no_gradient,
    input = "x: T",
    input = "y: T",
    output = "out: T",
    output = "idx: out_idx",
    attr = "T: type",
    attr = "out_idx: {int32, int64} = DT_INT32"
)]
pub fn list_diff(c: &mut ShapeContext<'_>) -> Result<()> {
    c.with_rank(0, 1)?;
    c.with_rank(1, 1)?;
    c.set_output(0, PartialShape::new(&[None]));
    c.set_output(1, PartialShape::new(&[None]));
    Ok(())
}

/// `ListDiff` of real numbers and strings.
#[kernel(ListDiff, device = CPU, T = [reals, TString], out_idx = [i32, i64])]
pub fn list_diff_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    let (x, y) = (context.input(0), context.input(1));
    ensure!(
        x.rank() == 1 && y.rank() == 1,
        "x and y must be vectors, they have shapes {} and {}",
        x.shape(),
        y.shape()
    );
    let mut both = context.allocate(x.dtype(), [y.num_elements() + x.num_elements()])?;
    let piece = |tensor| Piece { tensor, length: tensor.num_elements() };
    join_rows(context.env(), &mut both, &[piece(y), piece(x)])?;
    let numbers = Distinct::rows(&both, both.num_elements(), Zeros::Signed)?.numbers;
    let (of_y, of_x) = numbers.split_at(y.num_elements());
    let known = of_y.iter().max().map_or(0, |&last| last + 1);
    let kept: Vec<usize> = (0..of_x.len()).filter(|&at| of_x[at] >= known).collect();
    let table: Vec<isize> = kept.iter().map(|&at| at as isize).collect();
    let out = copy_axes(context, 0, [kept.len()], x, 0, &[Axis::Table(&table)])?;
    let places = arguments::indices(context, 1, [kept.len()], &kept)?;
    context.set_output(0, out);
    context.set_output(1, places);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::testing::{check_error, run};

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
