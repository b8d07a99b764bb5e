//! `Range`: `start + i * delta` for `i` from 0 as long as it lies before `limit`.
//!
//! There are `ceil(|(limit - start) / delta|)` elements, computed like the elements in the arithmetic of their dtype. It is
//! an error when `delta` is 0 or leads away from `limit`.

use oplink::prelude::*;
use oplink::shape_fns::range_count;

/// Numbers from `start` to `limit`, `delta` apart.
#[op("Range",
     no_gradient,
     input = "start: Tidx",
     input = "limit: Tidx",
     input = "delta: Tidx",
     output = "output: Tidx",
     attr = "Tidx: {bfloat16, half, float, double, int8, int16, int32, int64, uint16, uint32, uint64} = DT_INT32",
     shape = shape_fns::range)]
pub struct Range;

/// `Range` of real numbers.
#[kernel(Range, device = CPU, Tidx = [reals], host_memory = [start, limit, delta])]
pub fn range_cpu<Tidx: RangeElement>(
    context: &KernelContext<'_>,
    start: &Tensor,
    limit: &Tensor,
    delta: &Tensor,
) -> Result<Tensor> {
    let count = range_count(start, limit, delta)?;
    let (start, delta) = (start.to_scalar::<Tidx>()?, delta.to_scalar::<Tidx>()?);
    let mut out = context.allocate_output(0, [count])?;
    for (position, value) in out.as_mut_slice::<Tidx>()?.iter_mut().enumerate() {
        *value = Tidx::at(start, delta, position);
    }
    Ok(out)
}

/// A number that ranges are made of.
pub trait RangeElement: Real {
    /// `start + position * delta`; integers go by way of wrapping products.
    fn at(start: Self, delta: Self, position: usize) -> Self;
}

macro_rules! range_elements {
    (floats: $($float:ty),*; integers: $($int:ty),*) => {
        $(impl RangeElement for $float {
            fn at(start: Self, delta: Self, position: usize) -> Self {
                start + <$float as num_traits::NumCast>::from(position).unwrap_or(<$float>::NAN) * delta
            }
        })*
        $(impl RangeElement for $int {
            fn at(start: Self, delta: Self, position: usize) -> Self {
                start.wrapping_add((position as $int).wrapping_mul(delta))
            }
        })*
    };
}

range_elements!(floats: f32, f64, f16, bf16; integers: i8, i16, i32, i64, u8, u16, u32, u64);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::testing::run_one;

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
}
