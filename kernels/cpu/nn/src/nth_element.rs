//! `NthElement`: the element that would be at position `n` of each row in rising order.
//!
//! `input` has rank 1 at least, rows run along its last axis; `n` is a scalar, 0 <= n < the last extent. With `reverse`
//! rows are in falling order. NaN counts as larger than every number.

use oplink::parallel::watched_order;
use oplink::prelude::*;
use oplink::shape_inference::int_values;
use oplink_cpu_support::parallel::for_each_row;
use oplink_ops::nn::NthElement;

/// Elements of the input that one thread should at least have.
const TASK_COST: usize = 1 << 13;

/// `NthElement` for every real number.
#[kernel(NthElement, device = CPU, T = [reals])]
pub fn nth_element_cpu<T: Ordered>(
    input: &Tensor,
    n: &Tensor,
    reverse: bool,
    mut values: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    ensure!(n.rank() == 0, "n must be a scalar, its shape is {}", n.shape());
    let n = int_values(n)?[0];
    let Some((&extent, leading)) = input.shape().split_last() else {
        bail!("input must be of rank 1 at least, it is a scalar")
    };
    ensure!(
        (0..extent as i64).contains(&n),
        "n is {n}, it must be >= 0 and less than the last extent of input, {extent}"
    );
    let n = if reverse { extent - 1 - n as usize } else { n as usize };
    let output = values.allocate(leading)?;
    let values = input.as_slice::<T>()?;
    if output.num_elements() > 0 {
        for_each_row(&env, output.as_mut_slice::<T>()?, 1, TASK_COST.div_ceil(extent), &|row, out| {
            let keys = env.watch(&values[row * extent..][..extent]).map(|value| value.to_key()).collect();
            out[0] = T::from_key(nth(keys, n, &env));
        });
    }
    Ok(())
}

/// The key at position `n` in rising order.
fn nth(mut keys: Vec<u64>, n: usize, env: &Env<'_>) -> u64 {
    *keys.select_nth_unstable_by(n, watched_order(env)).1
}

/// A number with a key: of numbers the larger has the larger key, and NaN has the largest.
pub trait Ordered: Element + Copy {
    /// The key.
    fn to_key(self) -> u64;
    /// The number of a key.
    fn from_key(key: u64) -> Self;
}

/// The bit that keys of signed numbers have inverted.
const SIGN: u64 = 1 << 63;

macro_rules! integers {
    ($($ty:ty: $sign:expr),*) => {$(
        impl Ordered for $ty {
            fn to_key(self) -> u64 {
                (self as u64) ^ $sign
            }

            fn from_key(key: u64) -> Self {
                (key ^ $sign) as Self
            }
        }
    )*};
}

integers!(i8: SIGN, i16: SIGN, i32: SIGN, i64: SIGN, u8: 0, u16: 0, u32: 0, u64: 0);

impl Ordered for f64 {
    fn to_key(self) -> u64 {
        match self.to_bits() {
            _ if self.is_nan() => u64::MAX,
            bits if bits & SIGN == 0 => bits | SIGN,
            bits => !bits,
        }
    }

    fn from_key(key: u64) -> Self {
        match key {
            u64::MAX => Self::NAN,
            key if key & SIGN == 0 => Self::from_bits(!key),
            key => Self::from_bits(key ^ SIGN),
        }
    }
}

macro_rules! floats {
    ($($ty:ty: $widen:expr, $narrow:expr;)*) => {$(
        impl Ordered for $ty {
            fn to_key(self) -> u64 {
                ($widen)(self).to_key()
            }

            fn from_key(key: u64) -> Self {
                ($narrow)(f64::from_key(key))
            }
        }
    )*};
}

floats! {
    f32: f64::from, |value: f64| value as f32;
    f16: f16::to_f64, f16::from_f64;
    bf16: bf16::to_f64, bf16::from_f64;
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::{check, check_error, check_with};

    #[test]
    fn elements_in_order() {
        let rows = Tensor::from_vec([2, 3], vec![3i32, 1, 2, 9, 7, 8]).unwrap();
        check("NthElement", [rows.clone(), 0.into()], [1, 7]);
        check_with("NthElement", &[("reverse", true.into())], [rows.clone(), 0.into()], [3, 9]);
        check_error("NthElement", [rows.clone(), 3.into()], "n is 3");
        check_error("NthElement", [rows, (-1).into()], "n is -1");
        check("NthElement", [[f32::NAN, 1.0, 0.0].into(), 1.into()], 1.0f32);
        for (row, n, expected) in [
            (Tensor::from_slice(&[-1i8, 127, -128, 0]), 1, Tensor::scalar(-1i8)),
            (Tensor::from_slice(&[u64::MAX, 1, 0]), 2, Tensor::scalar(u64::MAX)),
            (Tensor::from_slice(&[-2.5f64, f64::NEG_INFINITY, 1e-300, -0.5]), 1, Tensor::scalar(-2.5f64)),
            (Tensor::from_slice(&[2.0, -3.0, -0.5].map(bf16::from_f32)), 1, Tensor::scalar(bf16::from_f32(-0.5))),
        ] {
            check("NthElement", [row, n.into()], expected);
        }
    }
}
