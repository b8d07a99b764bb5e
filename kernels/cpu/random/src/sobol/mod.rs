//! `SobolSample`: points of a sequence that fills a cube evenly.
//!
//! The point `n`, counted from 1, is the sum without carries of the direction numbers that the Gray code of `n` names,
//! so that each point differs from the one before by one of them (Antonov and Saleev, 1979).

mod directions;

use directions::{BITS, direction_numbers};
use oplink::memory::try_collect;
use oplink::prelude::*;
use oplink_cpu_support::parallel::for_each_chunk;
use oplink_ops::random::{MAX_SOBOL_DIMENSIONS, SobolSample};

/// Numbers that a thread is given at least.
const GRAIN: usize = 1 << 13;

/// `SobolSample` of both dtypes.
#[kernel(SobolSample, device = CPU, dtype = [f32, f64])]
pub fn sobol_sample_cpu<Dtype: Real>(
    dim: &Tensor,
    num_results: &Tensor,
    skip: &Tensor,
    mut samples: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let scalar = |input: &Tensor, name: &str| -> Result<i32> {
        ensure!(input.rank() == 0, "{name} must be a scalar, its shape is {}", input.shape());
        input.to_scalar()
    };
    let (dim, count) = (scalar(dim, "dim")?, scalar(num_results, "num_results")?);
    let skip = scalar(skip, "skip")?;
    ensure!((1..=MAX_SOBOL_DIMENSIONS).contains(&dim), "dim must be from 1 to {MAX_SOBOL_DIMENSIONS}, it is {dim}");
    ensure!(count >= 1, "num_results must be at least 1, it is {count}");
    ensure!(skip >= 0, "skip must be at least 0, it is {skip}");
    ensure!(count < i32::MAX - skip, "num_results + skip must be below {}, they are {count} and {skip}", i32::MAX);
    let (dim, count, skip) = (dim as usize, count as usize, skip as u32);
    let out = samples.allocate([count, dim])?.as_mut_slice::<Dtype>()?;
    let directions = try_collect(env.watch(0..dim).map(direction_numbers))?;
    let unit = Dtype::from_float(0.5f64.powi(BITS as i32 - 1));
    for_each_chunk(env.env(), out, GRAIN, dim, &|start, part| {
        let first = skip + (start / dim) as u32 + 1;
        for (at, numbers) in directions.iter().enumerate() {
            let mut point = numbers_of(gray_code(first), numbers);
            for (number, out) in (first..).zip(part[at..].iter_mut().step_by(dim)) {
                // Points have 31 bits, so that they are rounded as integers with a sign are.
                *out = Dtype::from_int(i64::from(point >> 1)) * unit;
                point ^= numbers[(number + 1).trailing_zeros() as usize % BITS];
            }
        }
    });
    Ok(())
}

const fn gray_code(number: u32) -> u32 {
    number ^ number >> 1
}

/// The sum without carries of the numbers that bits name.
fn numbers_of(bits: u32, numbers: &[u32; BITS]) -> u32 {
    let named = numbers.iter().enumerate().filter(|(at, _)| bits >> at & 1 == 1);
    named.fold(0, |sum, (_, number)| sum ^ number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::run;

    fn samples(dtype: DType, inputs: [i32; 3]) -> Result<Tensor> {
        Ok(run("SobolSample", &[("dtype", dtype.into())], inputs.map(Tensor::scalar).to_vec())?.remove(0))
    }

    #[test]
    fn points_are_those_of_tensorflow() {
        let out = samples(DType::Double, [3, 2, (1 << 29) - 2]).unwrap();
        let expected =
            [1.862_645_15e-9, 5.333_333_33e-1, 9.062_562_23e-1, 2.793_967_72e-9, 2.666_666_67e-1, 7.031_396e-1];
        for (value, expected) in out.as_slice::<f64>().unwrap().iter().zip(expected) {
            assert!((value - expected).abs() <= 1e-8 * expected, "{out:?}");
        }
        let out = samples(DType::Float, [3, 2, (1 << 28) + 12345]).unwrap();
        let expected = [0.890_930_18, 0.407_294_78, 0.566_599_7, 0.390_930_18, 0.907_294_75, 0.066_599_727f32];
        assert_eq!(out.as_slice::<f32>().unwrap(), expected);
    }

    #[test]
    fn skipped_points_are_those_of_the_whole_sequence() {
        let whole = samples(DType::Double, [5, 4000, 0]).unwrap();
        let rest = samples(DType::Double, [5, 3000, 1000]).unwrap();
        assert_eq!(whole.as_slice::<f64>().unwrap()[5000..], *rest.as_slice::<f64>().unwrap());
        assert!(samples(DType::Double, [2, 3, i32::MAX - 4]).is_ok());
        for inputs in [[0, 1, 0], [21_201, 1, 0], [1, 0, 0], [1, 1, -1], [1, 1, i32::MAX - 1]] {
            assert_eq!(samples(DType::Float, inputs).unwrap_err().code(), Code::InvalidArgument, "{inputs:?}");
        }
    }
}
