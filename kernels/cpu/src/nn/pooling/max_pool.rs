//! `MaxPool`: the largest value in each window of an image.
//!
//! `input` is [batch, rows, columns, channels]. The window moves along rows and columns, or along channels alone (then
//! it takes all of a channel group: `ksize` equals `strides` and divides the channels). Padding counts as no value. NaN
//! is passed over; a window without a larger value gives the smallest finite one.

use std::marker::PhantomData;

use num_traits::Bounded;
use oplink::prelude::*;

use super::max_window::MaxWindow;
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

#[kernel(MaxPool, device = CPU, T = [floats, i8, i16, i32, i64, u8, u16])]
impl<T: Lanes<Lane: PartialOrd> + Bounded> Kernel for MaxPoolCpu<T> {
    fn new(construction: &KernelConstruction<'_>) -> Result<Self> {
        let (ksize, strides) = (construction.attr("ksize")?, construction.attr("strides")?);
        Ok(Self { window: MaxWindow::of(construction.node(), ksize, strides)?, element: PhantomData })
    }

    fn compute(&self, context: &mut KernelContext<'_>) -> Result<()> {
        self.window.compute::<T>(context)
    }
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
