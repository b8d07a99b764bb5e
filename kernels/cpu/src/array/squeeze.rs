//! `Squeeze`: the same elements without axes of extent 1.
//!
//! Without those in the attr `squeeze_dims` (negative ones count from the end), or without all where it is empty. The
//! output shares the input's memory, whatever its dtype. A listed axis that does not exist or whose extent is not 1 is an
//! error.

use oplink::prelude::*;

use super::arguments;

/// Removes axes of extent 1.
#[op("Squeeze",
     input = "input: T",
     output = "output: T",
     attr = "T: type",
     attr = "squeeze_dims: list(int) >= 0 = []",
     shape = shape_fns::squeeze)]
pub struct Squeeze;

/// `Squeeze` of every dtype.
#[kernel(Squeeze, device = CPU, T = any)]
pub fn squeeze_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    let shape = squeezed(context.input(0).shape(), context.attr("squeeze_dims")?)?;
    let out = context.take_input(0).with_shape(shape)?;
    context.set_output(0, out);
    Ok(())
}

fn squeezed(shape: &Shape, axes: &[i64]) -> Result<Shape> {
    let mut listed = vec![false; shape.rank()];
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
    use crate::support::testing::run;

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
