//! Kernels for the device: each checks its inputs on the host and puts a piece of work into the device's stream.
//!
//! Written out for authors to read; the CPU's kernels serve the ops beside them, see [`adapted`]. The ops are the
//! host's, declared here as TensorFlow 2.21 declares them. Matrices and vectors are of `f32` and `f64`.

pub(crate) mod adapted;
pub(crate) mod bias_add;
pub(crate) mod binary;
pub(crate) mod cast;
pub(crate) mod constant;
pub(crate) mod mat_mul;
pub(crate) mod moves;
pub(crate) mod softmax;
pub(crate) mod unary;

use std::ops::{Add, Div, Mul, Neg, Sub};

use oplink::device::KernelStream;
use oplink::prelude::*;

use crate::device::SimPlatform;
use crate::memory::{Memory, Plain};

/// Puts work into the stream of a kernel's device.
fn launch(context: &KernelContext<'_>, work: impl FnOnce(&Memory) -> Result<()> + Send + 'static) -> Result<()> {
    let stream = KernelStream::<SimPlatform>::of(context)?;
    stream.device().launch(stream.stream(), work)
}

/// What the device computes with.
pub trait Real:
    Element
    + Plain
    + PartialOrd
    + Default
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    fn exp(self) -> Self;
    fn tanh(self) -> Self;
}

macro_rules! real {
    ($($ty:ty),*) => {$(
        impl Real for $ty {
            fn exp(self) -> Self { self.exp() }
            fn tanh(self) -> Self { self.tanh() }
        }
    )*};
}
real!(f32, f64);
