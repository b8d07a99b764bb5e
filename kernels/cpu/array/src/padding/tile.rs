//! `Tile`: a tensor repeated `multiples[i]` times along each axis `i`; `TileGrad`: its gradient, the repetitions added.
//!
//! `multiples` is a vector with an element for each axis, >= 0, or of `TileGrad` > 0 and a divisor of the extent.
//! `Tile` has every dtype. Of `TileGrad`, the 16-bit floats are summed in f32, integers wrap.

use oplink::memory::{try_filled, try_vec};
use oplink::prelude::*;
use oplink::shape_inference::int_values;
use oplink_cpu_support::elementwise::{Arithmetic, Computed};
use oplink_cpu_support::movement::Host;
use oplink_ops::array::{Tile, TileGrad, copies};

/// `Tile` of every dtype.
#[kernel(Tile, device = CPU, T = any, Tmultiples = any, host_memory = [multiples])]
pub fn tile_cpu(input: Input<'_>, multiples: &Tensor, output: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    copies::tile::<Host>(input, multiples, output, env)
}

/// `TileGrad` of numbers.
#[kernel(TileGrad, device = CPU, T = [numbers], host_memory = [multiples])]
pub fn tile_grad_cpu<T: Computed<ComputeType: Arithmetic>>(
    input: &Tensor,
    multiples: &Tensor,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let mut shape = input.shape().clone();
    ensure!(
        multiples.shape().dims() == [shape.rank()],
        "multiples must be a vector with an element for each axis of input, {}, its shape is {}",
        shape.rank(),
        multiples.shape()
    );
    let all = int_values(multiples)?;
    let mut sums = try_filled(T::ComputeType::default(), input.num_elements())?;
    T::widen(input.as_slice()?, &mut sums);
    for (axis, &times) in all.iter().enumerate() {
        let times = usize::try_from(times).ok().filter(|&times| times > 0 && shape[axis].is_multiple_of(times));
        let Some(times) = times else {
            bail!("multiples must be > 0 and divide the extents {}, they are {all:?}", input.shape())
        };
        shape.dims_mut()[axis] /= times;
        if times > 1 && !sums.is_empty() {
            let part = shape[axis..].iter().product();
            sums = added(&sums, part, times, env)?;
        }
    }
    T::narrow(&sums, output.allocate(shape)?.as_mut_slice()?);
    Ok(())
}

/// The sums of so many parts that follow each other, for each such row of them.
fn added<L: Arithmetic>(values: &[L], part: usize, times: usize, env: Env<'_>) -> Result<Vec<L>> {
    let mut sums = try_vec(values.len() / times)?;
    for row in env.watch(values.chunks_exact(part * times)) {
        let start = sums.len();
        sums.extend_from_slice(&row[..part]);
        for part in env.watch(row[part..].chunks_exact(part)) {
            sums[start..].iter_mut().zip(part).for_each(|(sum, &value)| *sum = sum.add(value));
        }
    }
    Ok(sums)
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

    #[test]
    fn repetitions_are_added() {
        let grad = |x: Tensor, times: &[i32]| run_one("TileGrad", vec![x, Tensor::from_slice(times)]);
        let x = Tensor::from_vec([4, 4], (0..16).collect::<Vec<i32>>()).unwrap();
        let out = grad(x.clone(), &[2, 2]).unwrap();
        let expected = [2 + 8 + 10, 1 + 3 + 9 + 11, 4 + 6 + 12 + 14, 5 + 7 + 13 + 15];
        assert_eq!((out.shape().dims(), out.as_slice::<i32>().unwrap()), (&[2, 2][..], &expected[..]));
        assert_eq!(grad(x.clone(), &[1, 4]).unwrap().as_slice::<i32>().unwrap(), [6, 22, 38, 54]);
        assert_eq!(grad(x.clone(), &[1, 1]).unwrap().as_slice::<i32>().unwrap(), x.as_slice::<i32>().unwrap());
        assert_eq!(grad(3f32.into(), &[]).unwrap().to_scalar::<f32>().unwrap(), 3.0);
        let none = Tensor::from_vec([0, 4], Vec::<f32>::new()).unwrap();
        assert_eq!(grad(none, &[2, 2]).unwrap().shape().dims(), [0, 2]);
        for times in [&[0, 2][..], &[-1, 2], &[3, 1], &[2]] {
            assert!(grad(x.clone(), times).is_err());
        }
        // As reductions of what Tile makes.
        let tiled = run_one("Tile", vec![x.clone(), Tensor::from([3, 2])]).unwrap();
        let sixfold: Vec<i32> = (0..16).map(|value| value * 6).collect();
        assert_eq!(grad(tiled, &[3, 2]).unwrap().as_slice::<i32>().unwrap(), sixfold);
    }
}
