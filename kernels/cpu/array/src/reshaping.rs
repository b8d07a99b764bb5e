//! The same elements under another shape: `Reshape`, `ExpandDims` and `Squeeze`. Outputs share the input's memory,
//! whatever its dtype.
//!
//! `Reshape`: `shape` is a vector (or a scalar, then the only extent); one extent may be -1 and is then what the number
//! of elements leaves. It is an error when the numbers of elements differ and when more than one extent is -1.
//!
//! `ExpandDims` inserts an axis of extent 1 before axis `dim`, which has one element, in `[-rank - 1, rank]`, negative
//! values counting from the end of the result.
//!
//! `Squeeze` drops the axes of extent 1 in the attr `squeeze_dims` (negative ones count from the end), or all where it
//! is empty. A listed axis that does not exist or whose extent is not 1 is an error.

use super::arguments;
use oplink::memory::try_filled;
use oplink::prelude::*;
use oplink::shape_inference::int_values;
use oplink_ops::array::{ExpandDims, Reshape, Squeeze};

/// `Reshape` of every dtype.
#[kernel(Reshape, device = CPU, T = any, Tshape = [i32, i64], host_memory = [shape])]
pub fn reshape_cpu(tensor: Input<'_>, shape: &Tensor, mut output: OutputSlot<'_>) -> Result<()> {
    ensure!(shape.rank() <= 1, "shape must be a vector, it has shape {}", shape.shape());
    let shape = resolve(&int_values(shape)?, tensor.shape())?;
    output.set(tensor.take().with_shape(shape)?);
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

/// `ExpandDims` of every dtype.
#[kernel(ExpandDims, device = CPU, T = any, Tdim = [i32, i64], host_memory = [dim])]
pub fn expand_dims_cpu(input: Input<'_>, dim: &Tensor, mut output: OutputSlot<'_>) -> Result<()> {
    let [dim] = int_values(dim)?[..] else { bail!("dim must have one element, it has shape {}", dim.shape()) };
    let mut shape = input.shape().to_vec();
    shape.insert(arguments::axis(dim, shape.len() + 1, "dim")?, 1);
    output.set(input.take().with_shape(shape)?);
    Ok(())
}

/// `Squeeze` of every dtype.
#[kernel(Squeeze, device = CPU, T = any)]
pub fn squeeze_cpu(input: Input<'_>, squeeze_dims: &[i64], mut output: OutputSlot<'_>) -> Result<()> {
    let shape = squeezed(input.shape(), squeeze_dims)?;
    output.set(input.take().with_shape(shape)?);
    Ok(())
}

fn squeezed(shape: &Shape, axes: &[i64]) -> Result<Shape> {
    let mut listed = try_filled(false, shape.rank())?;
    for &axis in axes {
        let axis = arguments::axis(axis, shape.rank(), "squeeze_dims")?;
        ensure!(
            shape[axis] == 1,
            "cannot squeeze dimension {axis} of shape {shape}: its extent is {}, not 1",
            shape[axis]
        );
        listed[axis] = true;
    }
    let stays = |axis: usize, dim: usize| if axes.is_empty() { dim != 1 } else { !listed[axis] };
    Ok(shape.iter().copied().enumerate().filter(|&(axis, dim)| stays(axis, dim)).map(|(_, dim)| dim).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::{run, run_one};

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

    #[test]
    fn inserts_an_axis() {
        let x = Tensor::zeros(DType::String, [2, 3]).unwrap();
        for (dim, shape) in [(0, [1, 2, 3]), (1, [2, 1, 3]), (-1, [2, 3, 1]), (-3, [1, 2, 3])] {
            let out = run_one("ExpandDims", vec![x.clone(), Tensor::scalar(dim)]).unwrap();
            assert_eq!(out.shape().dims(), shape);
            assert!(out.shares_memory_with(&x));
        }
        for dim in [3i64, -4] {
            assert!(run_one("ExpandDims", vec![x.clone(), Tensor::scalar(dim)]).is_err());
        }
        assert!(run_one("ExpandDims", vec![x, Tensor::from([0, 1])]).is_err());
    }

    #[test]
    fn removes_axes_of_extent_one() {
        let x = Tensor::zeros(DType::Float, [1, 2, 1, 0, 1]).unwrap();
        let cases: [(&[i64], &[usize]); 4] =
            [(&[], &[2, 0]), (&[0], &[2, 1, 0, 1]), (&[-1, 2], &[1, 2, 0]), (&[0, 0], &[2, 1, 0, 1])];
        for (axes, shape) in cases {
            let out = run("Squeeze", &[("squeeze_dims", axes.into())], vec![x.clone()]).unwrap();
            assert_eq!(out[0].shape().dims(), shape);
        }
    }

    #[test]
    fn other_axes_are_errors() {
        for axes in [[1], [5], [-6]] {
            assert!(squeezed(&Shape::new(&[1, 2, 1, 0, 1]), &axes).is_err());
        }
    }
}
