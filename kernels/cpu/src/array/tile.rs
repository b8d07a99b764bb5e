//! `Tile`: a tensor repeated `multiples[i]` times along each axis `i`.
//!
//! `multiples` is a vector with an element >= 0 for each axis. Every dtype.

use oplink::prelude::*;

use super::arguments;
use crate::support::movement::{Axis, AxisList, Host, Mover, row_major_strides};

/// Repeats `input`.
#[op("Tile",
     input = "input: T",
     input = "multiples: Tmultiples",
     output = "output: T",
     attr = "T: type",
     attr = "Tmultiples: {int32, int64} = DT_INT32",
     shape = shape_fns::tile)]
pub struct Tile;

/// `Tile` of every dtype.
#[kernel(Tile, device = CPU, T = any, Tmultiples = any, host_memory = [multiples])]
pub fn tile_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    tile_by::<Host>(context)
}

/// `Tile` in the memory of `M`.
///
/// # Errors
/// The inputs do not fit, or memory runs out.
pub fn tile_by<M: Mover>(context: &mut KernelContext<'_>) -> Result<()> {
    let input = context.input(0);
    let multiples = arguments::shape(context, 1, "multiples")?;
    ensure!(
        multiples.rank() == input.rank(),
        "multiples {multiples} must have an element for each axis of shape {}",
        input.shape()
    );
    if multiples.iter().all(|&times| times == 1) {
        let out = context.take_input(0);
        context.set_output(0, out);
        return Ok(());
    }
    let mut shape = Shape::scalar();
    for (&dim, &times) in input.shape().iter().zip(multiples.iter()) {
        let Some(dim) = dim.checked_mul(times) else { bail!("{} times {multiples} is too large", input.shape()) };
        shape.push(dim);
    }
    let strides = row_major_strides(input.shape());
    let axis = |axis: usize| {
        let (count, stride) = (input.shape()[axis], strides[axis]);
        [Axis::Strided { count: multiples[axis], stride: 0 }, Axis::Strided { count, stride }]
    };
    let axes: AxisList<'_> = (0..shape.rank()).flat_map(axis).collect();
    let out = M::copy_axes(context, 0, shape, input, 0, &axes)?;
    context.set_output(0, out);
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::support::testing::run_one;
    use oplink::Tensor;

    #[test]
    fn repeats() {
        let x = Tensor::from_vec([2, 2], vec![1, 2, 3, 4]).unwrap();
        let out = run_one("Tile", vec![x.clone(), Tensor::from([1i64, 2])]).unwrap();
        assert_eq!((out.shape().dims(), out.as_slice::<i32>().unwrap()), (&[2, 4][..], &[1, 2, 1, 2, 3, 4, 3, 4][..]));
        let out = run_one("Tile", vec![x.clone(), Tensor::from([2, 1])]).unwrap();
        assert_eq!(out.as_slice::<i32>().unwrap(), [1, 2, 3, 4, 1, 2, 3, 4]);
        assert_eq!(run_one("Tile", vec![x.clone(), Tensor::from([0, 1])]).unwrap().shape().dims(), [0, 2]);
        assert!(run_one("Tile", vec![x.clone(), Tensor::from([-1, 1])]).is_err());
        assert!(run_one("Tile", vec![x, Tensor::from([1])]).is_err());
    }
}
