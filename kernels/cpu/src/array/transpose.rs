//! `Transpose` and `ConjugateTranspose`: axis `i` of `y` is axis `perm[i]` of `x`.
//!
//! `perm` is a vector with each axis once; negative ones count from the end. Every dtype; `ConjugateTranspose` also takes
//! the conjugate of complex elements. Where only axes of extent 1 change place, `y` shares the memory of `x`.

use oplink::prelude::*;

use super::arguments;
use crate::support::movement::{Axis, AxisList, Host, Mover, collapse, row_major_strides};

/// Exchanges the axes of `x`.
#[op("Transpose",
     input = "x: T",
     input = "perm: Tperm",
     output = "y: T",
     attr = "T: type",
     attr = "Tperm: {int32, int64} = DT_INT32",
     shape = shape_fns::transpose)]
pub struct Transpose;

/// Exchanges the axes of `x` and takes the conjugate of complex elements.
#[op("ConjugateTranspose",
     input = "x: T",
     input = "perm: Tperm",
     output = "y: T",
     attr = "T: type",
     attr = "Tperm: {int32, int64} = DT_INT32",
     shape = shape_fns::transpose)]
pub struct ConjugateTranspose;

/// `Transpose` of every dtype.
#[kernel(Transpose, device = CPU, T = any, Tperm = any, host_memory = [perm])]
pub fn transpose_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    transpose_by::<Host>(context)
}

/// `Transpose` in the memory of `M`.
///
/// # Errors
/// The inputs do not fit, or memory runs out.
pub fn transpose_by<M: Mover>(context: &mut KernelContext<'_>) -> Result<()> {
    let out = transposed::<M>(context)?;
    context.set_output(0, out);
    Ok(())
}

/// `ConjugateTranspose` of every dtype.
#[kernel(ConjugateTranspose, device = CPU, T = any, Tperm = any, host_memory = [perm])]
pub fn conjugate_transpose_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    let mut out = transposed::<Host>(context)?;
    match out.dtype() {
        DType::Complex64 => {
            out = out.make_unique()?;
            out.as_mut_slice::<Complex<f32>>()?.iter_mut().for_each(|v| *v = v.conj());
        }
        DType::Complex128 => {
            out = out.make_unique()?;
            out.as_mut_slice::<Complex<f64>>()?.iter_mut().for_each(|v| *v = v.conj());
        }
        _ => {}
    }
    context.set_output(0, out);
    Ok(())
}

fn transposed<M: Mover>(context: &KernelContext<'_>) -> Result<Tensor> {
    let x = context.input(0);
    let perm = permutation(&arguments::vector(context, 1, "perm")?, x.rank())?;
    let strides = row_major_strides(x.shape());
    let shape: Shape = perm.iter().map(|&axis| x.shape()[axis]).collect();
    let axes = perm.iter().map(|&axis| Axis::Strided { count: x.shape()[axis], stride: strides[axis] });
    let axes = axes.collect::<AxisList<'_>>();
    match collapse(&axes, &mut 0)[..] {
        [] | [Axis::Strided { stride: 1, .. }] => x.clone().with_shape(shape),
        _ => M::copy_axes(context, 0, shape, x, 0, &axes),
    }
}

/// The axes of a permutation of `0..rank`.
fn permutation(perm: &[i64], rank: usize) -> Result<Vec<usize>> {
    ensure!(perm.len() == rank, "perm must have an element for each of {rank} axes, it is {perm:?}");
    let mut seen = vec![false; rank];
    let axis = |&value: &i64| {
        let axis = arguments::axis(value, rank, "perm")?;
        ensure!(!std::mem::replace(&mut seen[axis], true), "perm {perm:?} has axis {axis} more than once");
        Ok(axis)
    };
    perm.iter().map(axis).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::testing::run_one;

    #[test]
    fn exchanges_axes() {
        let x = Tensor::from_vec([2, 1, 3], (1..=6).collect::<Vec<i32>>()).unwrap();
        let out = run_one("Transpose", vec![x.clone(), Tensor::from([2, 1, 0])]).unwrap();
        assert_eq!((out.shape().dims(), out.as_slice::<i32>().unwrap()), (&[3, 1, 2][..], &[1, 4, 2, 5, 3, 6][..]));
        let out = run_one("Transpose", vec![x.clone(), Tensor::from([1i64, 0, -1])]).unwrap();
        assert!(out.shares_memory_with(&x));
    }

    #[test]
    fn large_matrices_are_exchanged_tile_by_tile() {
        let (rows, columns) = (37, 53);
        let x = Tensor::from_vec([rows, columns], (0..(rows * columns) as i64).collect()).unwrap();
        let out = run_one("Transpose", vec![x, Tensor::from([1, 0])]).unwrap();
        let expected: Vec<_> = (0..columns).flat_map(|c| (0..rows).map(move |r| (r * columns + c) as i64)).collect();
        assert_eq!(out.as_slice::<i64>().unwrap(), expected);
    }

    #[test]
    fn conjugates() {
        let value = Complex::new(1f32, 2.0);
        let x = Tensor::from_vec([1, 1], vec![value]).unwrap();
        let out = run_one("ConjugateTranspose", vec![x.clone(), Tensor::from([1, 0])]).unwrap();
        assert_eq!(out.as_slice::<Complex<f32>>().unwrap(), [value.conj()]);
        assert_eq!(x.as_slice::<Complex<f32>>().unwrap(), [value]);
    }

    #[test]
    fn what_is_no_permutation_is_an_error() {
        for perm in [vec![0], vec![0, 0], vec![0, 2], vec![-3, 0]] {
            assert!(permutation(&perm, 2).is_err(), "{perm:?}");
        }
    }
}
