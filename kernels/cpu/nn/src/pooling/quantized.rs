//! `QuantizedMaxPool` and `QuantizedAvgPool`: pooling of bytes, whose range stays.

use oplink::element::{QInt8, QUInt8};
use oplink::memory::{try_collect, try_filled};
use oplink::prelude::*;
use oplink_ops::attrs::Padding;
use oplink_ops::nn::window::WindowAttrs;
use oplink_ops::nn::{QuantizedAvgPool, QuantizedMaxPool};

use super::pool::{PoolWindow, integer_means, largest_values};
use crate::quantization::{Quantized, range};

/// The window of the attrs over images.
struct Bytes<'a> {
    input: &'a Tensor,
    ksize: &'a [i64],
    strides: &'a [i64],
    padding: Padding,
}

impl Bytes<'_> {
    /// Sets an output to the integers that `pool` makes of those of the input.
    fn pool<T: Quantized>(
        &self,
        output: &mut OutputSlot<'_>,
        env: Env<'_>,
        pool: impl FnOnce(&super::pool::PoolGeometry, &[i32], &mut [i32]),
    ) -> Result<()> {
        let (input, op) = (self.input, &env.node().op.name);
        ensure!(input.rank() == 4, "input must be of rank 4, its shape is {}", input.shape());
        let (ksize, strides, padding) = (self.ksize, self.strides, self.padding.into());
        let attrs = WindowAttrs { ksize, strides, padding, ..WindowAttrs::NONE };
        let geometry = PoolWindow::channels_last(op, &attrs)?.geometry(input.shape())?;
        let image = try_collect(input.as_slice::<T>()?.iter().map(|value| value.integer()))?;
        let output = output.allocate(geometry.output_shape())?.as_mut_slice::<T>()?;
        let mut pooled = try_filled(0i32, output.len())?;
        pool(&geometry, &image, &mut pooled);
        output.iter_mut().zip(pooled).for_each(|(out, value)| *out = T::from_integer(value));
        Ok(())
    }
}

/// `QuantizedMaxPool` of bytes.
#[kernel(QuantizedMaxPool, device = CPU, T = [QInt8, QUInt8])]
#[allow(clippy::too_many_arguments, reason = "the op's arguments and attrs")]
pub fn quantized_max_pool_cpu<T: Quantized>(
    input: &Tensor,
    min_input: &Tensor,
    max_input: &Tensor,
    ksize: &[i64],
    strides: &[i64],
    padding: Padding,
    mut output: OutputSlot<'_>,
    mut min_output: OutputSlot<'_>,
    mut max_output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let (low, high) = range(min_input, max_input)?;
    Bytes { input, ksize, strides, padding }.pool::<T>(&mut output, env, |geometry, image, out| {
        largest_values(geometry, &env, (image, out), T::LOWEST as i32);
    })?;
    min_output.set_scalar(low);
    max_output.set_scalar(high);
    Ok(())
}

/// `QuantizedAvgPool` of bytes.
#[kernel(QuantizedAvgPool, device = CPU, T = [QInt8, QUInt8])]
#[allow(clippy::too_many_arguments, reason = "the op's arguments and attrs")]
pub fn quantized_avg_pool_cpu<T: Quantized>(
    input: &Tensor,
    min_input: &Tensor,
    max_input: &Tensor,
    ksize: &[i64],
    strides: &[i64],
    padding: Padding,
    mut output: OutputSlot<'_>,
    mut min_output: OutputSlot<'_>,
    mut max_output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let (low, high) = range(min_input, max_input)?;
    Bytes { input, ksize, strides, padding }.pool::<T>(&mut output, env, |geometry, image, out| {
        integer_means(geometry, &env, image, out);
    })?;
    min_output.set_scalar(low);
    max_output.set_scalar(high);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::run;

    #[test]
    fn bytes_are_pooled_as_integers() {
        let image = Tensor::from_vec([1, 1, 3, 1], [1i8, -4, 2].map(QInt8).to_vec()).unwrap();
        let window: [(&str, AttrValue); 3] = [
            ("ksize", AttrValue::from(vec![1i64, 1, 3, 1])),
            ("strides", AttrValue::from(vec![1i64, 1, 1, 1])),
            ("padding", "SAME".into()),
        ];
        let inputs = vec![image, (-1f32).into(), 1f32.into()];
        let out = run("QuantizedMaxPool", &window, inputs.clone()).unwrap();
        assert_eq!(out[0].as_slice::<QInt8>().unwrap(), [QInt8(1), QInt8(2), QInt8(2)]);
        let out = run("QuantizedAvgPool", &window, inputs).unwrap();
        assert_eq!(out[0].as_slice::<QInt8>().unwrap(), [QInt8(-1), QInt8(0), QInt8(-1)]);
    }
}
