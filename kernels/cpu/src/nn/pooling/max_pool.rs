//! `MaxPool`: the largest value in each window of an image.
//!
//! `input` is [batch, rows, columns, channels]. The window moves along rows and columns, or along channels alone (then
//! it takes all of a channel group: `ksize` equals `strides` and divides the channels). Padding counts as no value. NaN
//! is passed over; a window without a larger value gives the smallest finite one.

use std::marker::PhantomData;

use num_traits::Bounded;
use oplink::{KernelConstruction, prelude::*};

use super::pool::{PoolWindow, image_attr};
use crate::numeric::lanes::{fill_lanes, lanes_of};
use crate::support::elementwise::Lanes;

/// The largest value in each window of `input`.
#[op("MaxPool",
     input = "input: T",
     output = "output: T",
     attr = "T: {half, bfloat16, float, double, int32, int64, uint8, int16, int8, uint16, qint8} = DT_FLOAT",
     attr = "ksize: list(int) >= 4",
     attr = "strides: list(int) >= 4",
     attr = "padding: {'SAME', 'VALID', 'EXPLICIT'}",
     attr = "explicit_paddings: list(int) = []",
     attr = "data_format: {'NHWC', 'NCHW', 'NCHW_VECT_C'} = 'NHWC'",
     shape = shape_fns::max_pool)]
pub struct MaxPool;

/// `MaxPool` over `NHWC` images.
pub struct MaxPoolCpu<T> {
    window: MaxWindow,
    element: PhantomData<fn() -> T>,
}

enum MaxWindow {
    Image(PoolWindow),
    /// This many neighbouring channels.
    Channels(usize),
}

impl MaxWindow {
    fn new(construction: KernelConstruction<'_>) -> Result<Self> {
        let (sizes, strides) = (image_attr(construction, "ksize")?, image_attr(construction, "strides")?);
        if (sizes[3], strides[3]) == (1, 1) || construction.attr::<&str>("data_format")? != "NHWC" {
            return Ok(Self::Image(PoolWindow::new(construction)?));
        }
        if sizes[..3] != [1; 3] || sizes != strides {
            return Err(Error::unimplemented(format!(
                "MaxPool takes its window either along rows and columns or along channels, where ksize equals strides; \
                 ksize is {sizes:?}, strides is {strides:?}"
            )));
        }
        Ok(Self::Channels(sizes[3]))
    }
}

#[kernel(MaxPool, device = CPU, T = [floats, i8, i16, i32, i64, u8, u16])]
impl<T: Lanes<Lane: PartialOrd> + Bounded> Kernel for MaxPoolCpu<T> {
    fn new(construction: &KernelConstruction<'_>) -> Result<Self> {
        Ok(Self { window: MaxWindow::new(*construction)?, element: PhantomData })
    }

    fn compute(&self, context: &mut KernelContext<'_>) -> Result<()> {
        let output = match &self.window {
            MaxWindow::Image(window) => pool_image::<T>(context, window)?,
            MaxWindow::Channels(size) => pool_channels::<T>(context, *size)?,
        };
        context.set_output(0, output);
        Ok(())
    }
}

fn larger<L: PartialOrd>(a: L, b: L) -> L {
    if b > a { b } else { a }
}

fn pool_image<T: Lanes<Lane: PartialOrd> + Bounded>(
    context: &KernelContext<'_>,
    window: &PoolWindow,
) -> Result<Tensor> {
    let input = context.input(0);
    let geometry = window.geometry(input.shape())?;
    let mut output = context.allocate_output(0, geometry.output_shape())?;
    let image = lanes_of(input.as_slice::<T>()?);
    fill_lanes(output.as_mut_slice::<T>()?, |out| {
        geometry.fold(context.env(), (&image, out), T::min_value().to_lane(), larger, |value, _| value);
    });
    Ok(output)
}

fn pool_channels<T: Lanes<Lane: PartialOrd> + Bounded>(context: &KernelContext<'_>, size: usize) -> Result<Tensor> {
    let input = context.input(0);
    let &[batch, rows, columns, channels] = input.shape().dims() else {
        bail!("input must be of rank 4, its shape is {}", input.shape())
    };
    if !channels.is_multiple_of(size) {
        return Err(Error::unimplemented(format!(
            "a window of {size} channels must evenly divide the {channels} channels"
        )));
    }
    let mut output = context.allocate_output(0, [batch, rows, columns, channels / size])?;
    for (out, values) in output.as_mut_slice::<T>()?.iter_mut().zip(input.as_slice::<T>()?.chunks_exact(size)) {
        *out = T::from_lane(values.iter().fold(T::min_value().to_lane(), |a, b| larger(a, b.to_lane())));
    }
    Ok(output)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::testing::run;

    fn pool(values: Vec<f32>, shape: [usize; 4], size: [i64; 4], padding: &str) -> Result<Vec<f32>> {
        let attrs = [("ksize", size.to_vec().into()), ("strides", size.to_vec().into()), ("padding", padding.into())];
        let out = run("MaxPool", &attrs, vec![Tensor::from_vec(shape, values)?])?;
        Ok(out[0].as_slice()?.to_vec())
    }

    fn count(n: u8) -> Vec<f32> {
        (0..n).map(f32::from).collect()
    }

    #[test]
    fn windows() {
        assert_eq!(pool(count(9), [1, 3, 3, 1], [1, 2, 2, 1], "SAME").unwrap(), [4.0, 5.0, 7.0, 8.0]);
        assert_eq!(pool(count(9), [1, 3, 3, 1], [1, 2, 2, 1], "VALID").unwrap(), [4.0]);
        assert_eq!(pool(count(8), [1, 1, 2, 4], [1, 1, 1, 2], "VALID").unwrap(), [1.0, 3.0, 5.0, 7.0]);
        assert_eq!(pool(vec![1.0, f32::NAN, 2.0, 3.0], [1, 2, 2, 1], [1, 2, 2, 1], "VALID").unwrap(), [3.0]);
        assert_eq!(pool(vec![f32::NEG_INFINITY; 4], [1, 2, 2, 1], [1, 2, 2, 1], "VALID").unwrap(), [f32::MIN]);
        assert!(pool(count(8), [1, 1, 2, 4], [1, 1, 1, 3], "VALID").is_err());
        assert!(pool(count(8), [1, 1, 2, 4], [1, 1, 2, 2], "VALID").is_err());
        assert!(pool(count(8), [2, 1, 1, 4], [2, 1, 1, 1], "VALID").is_err());
    }
}
