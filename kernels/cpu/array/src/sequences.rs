//! Evenly spaced numbers: `Range` and `LinSpace`.
//!
//! `Range` is `start + i * delta` for `i` from 0 as long as it lies before `limit`: `ceil(|(limit - start) / delta|)`
//! elements, computed like the elements in the arithmetic of their dtype. It is an error when `delta` is 0 or leads
//! away from `limit`.
//!
//! `LinSpace` is `start + i * (stop - start) / (num - 1)`, the last element being `stop` itself; `start` alone where
//! `num` is 1. It is an error when `num` is below 1.

use oplink::parallel::for_each_chunk;
use oplink::prelude::*;
use oplink::shape_fns::range_count;
use oplink::shape_inference::int_values;
use oplink_ops::array::{LinSpace, Range};

/// Elements that one thread should at least have.
const GRAIN: usize = 1 << 15;

/// `Range` of real numbers.
#[kernel(Range, device = CPU, Tidx = [reals], host_memory = [start, limit, delta])]
pub fn range_cpu<Tidx: RangeElement>(
    start: &Tensor,
    limit: &Tensor,
    delta: &Tensor,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let count = range_count(start, limit, delta)?;
    let (start, delta) = (start.to_scalar::<Tidx>()?, delta.to_scalar::<Tidx>()?);
    for_each_chunk(&env, output.allocate([count])?.as_mut_slice::<Tidx>()?, GRAIN, 1, &|first, part| {
        for (index, value) in part.iter_mut().enumerate() {
            *value = Tidx::at(start, delta, first + index);
        }
    });
    Ok(())
}

/// A number that ranges are made of.
pub trait RangeElement: Real {
    /// `start + index * delta`; integers go by way of wrapping products.
    fn at(start: Self, delta: Self, index: usize) -> Self;
}

macro_rules! range_elements {
    (floats: $($float:ty),*; integers: $($int:ty),*) => {
        $(impl RangeElement for $float {
            fn at(start: Self, delta: Self, index: usize) -> Self {
                start + <$float as num_traits::NumCast>::from(index).unwrap_or(<$float>::NAN) * delta
            }
        })*
        $(impl RangeElement for $int {
            fn at(start: Self, delta: Self, index: usize) -> Self {
                start.wrapping_add((index as $int).wrapping_mul(delta))
            }
        })*
    };
}

range_elements!(floats: f32, f64, f16, bf16; integers: i8, i16, i32, i64, u8, u16, u32, u64);

/// `LinSpace` of floats.
#[kernel(LinSpace, device = CPU, T = [floats], Tidx = any, host_memory = [start, stop, num, output])]
pub fn lin_space_cpu<T: Float>(
    start: T,
    stop: T,
    num: &Tensor,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let count = match int_values(num)?[..] {
        [count] if count > 0 => count as usize,
        _ => bail!("num must be one number > 0, it is {num}"),
    };
    let values = output.allocate([count])?.as_mut_slice::<T>()?;
    values[0] = start;
    if count > 1 {
        let number = |value: usize| <T as num_traits::NumCast>::from(value).unwrap_or(T::nan());
        let step = (stop - start) / number(count - 1);
        for_each_chunk(&env, &mut values[1..], GRAIN, 1, &|first, part| {
            for (index, value) in part.iter_mut().enumerate() {
                *value = start + step * number(1 + first + index);
            }
        });
        values[count - 1] = stop;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::run_one;

    fn range<T: Element>(start: T, limit: T, delta: T) -> Result<Vec<T>> {
        let out = run_one("Range", vec![Tensor::scalar(start), Tensor::scalar(limit), Tensor::scalar(delta)])?;
        out.as_slice().map(<[T]>::to_vec)
    }

    #[test]
    fn counts_up_and_down() {
        assert_eq!(range(1, 8, 3).unwrap(), [1, 4, 7]);
        assert_eq!(range(5i64, 0, -2).unwrap(), [5, 3, 1]);
        assert_eq!(range(3, 3, 1).unwrap(), []);
        assert_eq!(range(-128i8, 127, 100).unwrap(), [-128, -28, 72]);
        assert_eq!(range(0f32, 1.0, 0.4).unwrap(), [0.0, 0.4, 0.8]);
    }

    #[test]
    fn halves_count_in_their_own_arithmetic() {
        let half = |v: f32| f16::from_f32(v);
        assert_eq!(range(half(0.0), half(0.3), half(0.1)).unwrap().len(), 4);
        let brain = |v: f32| bf16::from_f32(v);
        assert_eq!(range(brain(0.0), brain(0.3), brain(0.1)).unwrap().len(), 3);
    }

    #[test]
    fn steps_that_never_arrive_are_errors() {
        assert!(range(0, 3, 0).is_err());
        assert!(range(0, 3, -1).is_err());
        assert!(range(3f32, 0.0, 1.0).is_err());
        assert!(range(0f32, f32::NAN, 1.0).is_err());
    }

    #[test]
    fn spaces_evenly() {
        let space =
            |num: i32| run_one("LinSpace", vec![Tensor::scalar(0f32), Tensor::scalar(3f32), Tensor::scalar(num)]);
        assert_eq!(space(4).unwrap().as_slice::<f32>().unwrap(), [0.0, 1.0, 2.0, 3.0]);
        assert_eq!(space(1).unwrap().as_slice::<f32>().unwrap(), [0.0]);
        assert!(space(0).is_err());
    }
}
