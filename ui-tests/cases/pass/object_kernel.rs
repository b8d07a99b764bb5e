//! Kernels with state, generic and not, and dynamic ops.

use oplink::prelude::*;
use oplink_ui_ops::{UiAttrs, UiRelu};

struct Relu<T> {
    zero: T,
}

#[kernel(UiRelu, device = CPU, T = [f32, f64, i32])]
impl<T: Real> RawKernel for Relu<T> {
    fn new(_: &KernelConstruction<'_>) -> Result<Self> {
        Ok(Self { zero: T::zero() })
    }

    fn compute(&self, c: &mut KernelContext<'_>) -> Result<()> {
        let values: Vec<T> =
            c.input(0).as_slice::<T>()?.iter().map(|&x| if x > self.zero { x } else { self.zero }).collect();
        let y = Tensor::from_vec(c.input(0).shape().clone(), values)?;
        c.set_output(0, y);
        Ok(())
    }
}

struct Attrs {
    stride: i64,
}

#[kernel(UiAttrs, device = CPU)]
impl RawKernel for Attrs {
    fn new(c: &KernelConstruction<'_>) -> Result<Self> {
        Ok(Self { stride: c.attr::<&[i64]>("strides")?.first().copied().unwrap_or(1) })
    }

    fn compute(&self, c: &mut KernelContext<'_>) -> Result<()> {
        c.set_scalar(1, self.stride);
        let x = c.input(0).clone();
        c.set_output(0, x);
        Ok(())
    }
}

#[kernel(dynamic = "KnownAtRunTime", device = CPU, T = [f32])]
fn dynamic(c: &mut KernelContext) -> Result<()> {
    let _ = c;
    Ok(())
}

fn main() {}
