//! `Tile`: a tensor repeated `multiples[i]` times along each axis `i`.
//!
//! `multiples` is a vector with an element >= 0 for each axis. Every dtype.

use super::super::arguments;
use oplink::prelude::*;
use oplink_cpu_support::movement::{Axis, AxisList, CopyBackend, Host, row_major_strides};
use oplink_ops::array::Tile;

/// `Tile` of every dtype.
#[kernel(Tile, device = CPU, T = any, Tmultiples = any, host_memory = [multiples])]
pub fn tile_cpu(input: Input<'_>, multiples: &Tensor, output: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    tile_by::<Host>(input, multiples, output, env)
}

/// `Tile` in the memory of `B`.
///
/// # Errors
/// The inputs do not fit, or memory runs out.
pub fn tile_by<B: CopyBackend>(
    input: Input<'_>,
    multiples: &Tensor,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let multiples = arguments::shape(multiples, "multiples")?;
    ensure!(
        multiples.rank() == input.rank(),
        "multiples {multiples} must have an element for each axis of shape {}",
        input.shape()
    );
    if multiples.iter().all(|&times| times == 1) {
        output.set(input.take());
        return Ok(());
    }
    let mut shape = Shape::scalar();
    for (&dim, &times) in input.shape().iter().zip(multiples.iter()) {
        let Some(dim) = dim.checked_mul(times) else { bail!("{} times {multiples} is too large", input.shape()) };
        shape.push(dim);
    }
    let strides = row_major_strides(input.shape());
    let mut axes = AxisList::new();
    for (axis, (&count, &stride)) in input.shape().iter().zip(&strides).enumerate() {
        axes.push(Axis::Strided { count: multiples[axis], stride: 0 });
        axes.push(Axis::Strided { count, stride });
    }
    B::copy_axes(env, output.allocate(shape)?, &input, 0, &axes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::run_one;

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
