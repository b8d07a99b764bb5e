//! `AvgPool`: the mean of each window of an image.
//!
//! `value` is [batch, rows, columns, channels]; the window moves along rows and columns. Padding does not count: the
//! mean is over the values that the window covers. The 16-bit floats are summed in f32.

use std::marker::PhantomData;

use oplink::prelude::*;

use super::average::average;
use super::pool::PoolWindow;
use crate::support::elementwise::{FloatLane, Lanes};

/// The mean of each window of `value`.
#[op("AvgPool",
     input = "value: T",
     output = "output: T",
     attr = "ksize: list(int) >= 4",
     attr = "strides: list(int) >= 4",
     attr = "padding: {'SAME', 'VALID'}",
     attr = "data_format: {'NHWC', 'NCHW'} = 'NHWC'",
     attr = "T: {half, bfloat16, float, double}",
     shape = shape_fns::avg_pool)]
pub struct AvgPool;

/// `AvgPool` over `NHWC` images.
pub struct AvgPoolCpu<T> {
    window: PoolWindow,
    element: PhantomData<fn() -> T>,
}

#[kernel(AvgPool, device = CPU, T = [floats])]
impl<T: Lanes<Lane: FloatLane>> Kernel for AvgPoolCpu<T> {
    fn new(construction: &KernelConstruction<'_>) -> Result<Self> {
        Ok(Self { window: PoolWindow::new(construction.node())?, element: PhantomData })
    }

    fn compute(&self, context: &mut KernelContext<'_>) -> Result<()> {
        ensure!(context.input(0).rank() == 4, "value must be of rank 4, its shape is {}", context.input(0).shape());
        average::<T>(context, &self.window)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::testing::run;

    #[test]
    fn padding_does_not_count() {
        for (padding, expected) in [("SAME", &[2f32, 3.5, 6.5, 8.0][..]), ("VALID", &[2.0])] {
            let sides = AttrValue::from(vec![1, 2, 2, 1]);
            let attrs = [("ksize", sides.clone()), ("strides", sides), ("padding", padding.into())];
            let image = Tensor::from_vec([1, 3, 3, 1], (0u8..9).map(f32::from).collect()).unwrap();
            let out = run("AvgPool", &attrs, vec![image]).unwrap();
            assert_eq!(out[0].as_slice::<f32>().unwrap(), expected);
        }
    }
}
