//! `Reshape`: the same elements under another shape.
//!
//! `shape` is a vector (or a scalar, then the only extent); one extent may be -1 and is then what the number of elements
//! leaves. The output shares the memory of `tensor`, whatever its dtype. It is an error when the numbers of elements
//! differ and when more than one extent is -1.

use oplink::int_values;
use oplink::prelude::*;

/// Gives `tensor` the shape in `shape`.
#[op("Reshape",
     input = "tensor: T",
     input = "shape: Tshape",
     output = "output: T",
     attr = "T: type",
     attr = "Tshape: {int32, int64} = DT_INT32",
     shape = shape_fns::reshape)]
pub struct Reshape;

/// `Reshape` of every dtype.
#[kernel(Reshape, device = CPU, T = any, Tshape = [i32, i64], host_memory = [shape])]
pub fn reshape_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    let sizes = context.input(1);
    ensure!(sizes.rank() <= 1, "shape must be a vector, it has shape {}", sizes.shape());
    let shape = resolve(&int_values(sizes)?, context.input(0).shape())?;
    let out = context.take_input(0).with_shape(shape)?;
    context.set_output(0, out);
    Ok(())
}

/// The shape that `sizes` mean for a tensor of shape `dims`.
fn resolve(sizes: &[i64], dims: &Shape) -> Result<Shape> {
    let mut unknown = sizes.iter().enumerate().filter(|&(_, &size)| size == -1).map(|(axis, _)| axis);
    let missing = unknown.next();
    if let (Some(first), Some(second)) = (missing, unknown.next()) {
        bail!("only one extent of shape {sizes:?} may be -1, {first} and {second} are");
    }
    let known = sizes.iter().map(|&size| if size == -1 { 1 } else { size }).collect::<Vec<_>>();
    let mut shape = Shape::from_i64(&known)?;
    ensure!(shape.checked_num_elements().is_some(), "shape {sizes:?} has too many elements");
    if let Some(axis) = missing {
        let Some(dim) = infer(&shape, dims) else { bail!("shape {sizes:?} has too many elements") };
        shape.dims_mut()[axis] = dim;
    }
    let count = dims.num_elements();
    ensure!(
        shape.checked_num_elements() == Some(count),
        "a tensor of shape {dims} ({count} elements) cannot be reshaped to {sizes:?}"
    );
    Ok(shape)
}

/// The missing extent of `shape`, where it is 1: what the elements of `dims` leave. Extents of 0 on both sides cancel
/// each other out. `None` where a product exceeds the address space.
fn infer(shape: &Shape, dims: &Shape) -> Option<usize> {
    let product = |shape: &Shape, zeros: bool| {
        let mut counted = shape.iter().filter(|&&dim| zeros || dim > 0);
        counted.try_fold(1usize, |product, &dim| product.checked_mul(dim))
    };
    Some(product(dims, !shape.contains(&0))? / product(shape, false)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::testing::run_one;

    #[test]
    fn shares_memory_under_the_new_shape() {
        let x = Tensor::from_vec([2, 3], vec![1f32, 2.0, 3.0, 4.0, 5.0, 6.0]).unwrap();
        let cases: [(&[i32], &[usize]); 4] =
            [(&[3, 2], &[3, 2]), (&[-1], &[6]), (&[1, -1, 3], &[1, 2, 3]), (&[6, 1], &[6, 1])];
        for (sizes, shape) in cases {
            let out = run_one("Reshape", vec![x.clone(), sizes.into()]).unwrap();
            assert_eq!(out.shape().dims(), shape);
            assert!(out.shares_memory_with(&x));
        }
        let out = run_one("Reshape", vec![Tensor::scalar(7i64), Tensor::from_slice::<i64>(&[])]).unwrap();
        assert_eq!(out.rank(), 0);
    }

    #[test]
    fn wrong_shapes_are_errors() {
        let cases: [&[i64]; 6] = [&[-1, -1], &[4], &[4, -1], &[0, -1], &[-2, 3], &[i64::MAX, i64::MAX]];
        for sizes in cases {
            assert!(resolve(sizes, &[2, 3].into()).is_err(), "{sizes:?}");
        }
    }

    #[test]
    fn a_missing_extent_beside_zeros() {
        assert_eq!(resolve(&[3, -1], &[0, 2].into()).unwrap().dims(), [3, 0]);
        assert_eq!(resolve(&[0, -1], &[0, 3].into()).unwrap().dims(), [0, 3]);
    }
}
