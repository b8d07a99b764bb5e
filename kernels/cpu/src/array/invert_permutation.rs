//! `InvertPermutation`: `y[x[i]] = i`.
//!
//! `x` is a vector with each of `0..n` once; anything else is an error.

use oplink::int_values;
use oplink::prelude::*;

/// The inverse of the permutation `x`.
#[op("InvertPermutation",
     no_gradient,
     input = "x: T",
     output = "y: T",
     attr = "T: {int32, int64} = DT_INT32",
     shape = shape_fns::invert_permutation)]
pub struct InvertPermutation;

/// `InvertPermutation` of int32 and int64.
#[kernel(InvertPermutation, device = CPU, T = [i32, i64])]
pub fn invert_permutation_cpu<T: Integer>(x: &Tensor) -> Result<Tensor> {
    ensure!(x.rank() == 1, "x must be a vector, it has shape {}", x.shape());
    let values = int_values(x)?;
    let mut inverse: Vec<Option<T>> = vec![None; values.len()];
    for (position, &value) in values.iter().enumerate() {
        let Some(slot) = usize::try_from(value).ok().and_then(|value| inverse.get_mut(value)) else {
            bail!("x[{position}] = {value} is not in [0, {})", values.len())
        };
        ensure!(slot.is_none(), "{value} is more than once in x");
        *slot = num_traits::NumCast::from(position);
    }
    Ok(inverse.into_iter().flatten().collect::<Vec<T>>().into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::testing::run_one;

    #[test]
    fn inverts() {
        let out = run_one("InvertPermutation", vec![Tensor::from([3, 0, 2, 1])]).unwrap();
        assert_eq!(out.as_slice::<i32>().unwrap(), [1, 3, 2, 0]);
        for bad in [[0i64, 0], [0, 2], [-1, 0]] {
            assert!(run_one("InvertPermutation", vec![bad.into()]).is_err());
        }
    }
}
