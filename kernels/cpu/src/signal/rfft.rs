//! `RFFT`, `RFFT2D`, `RFFT3D`: Fourier transforms of real numbers over the last one, two or three axes.
//!
//! The vector `fft_length` has the lengths of the axes, of which the first numbers count; there must be as many. Along the
//! last one the output has the `length / 2 + 1` numbers from which the others follow by symmetry. A length of 0 is an error where
//! the input has elements; an input without elements gives zeros.

use oplink::prelude::*;

use super::real::RealTransform;

/// The Fourier transform of real numbers over the last axis.
#[op("RFFT",
     input = "input: Treal",
     input = "fft_length: int32",
     output = "output: Tcomplex",
     attr = "Treal: {float, double} = DT_FLOAT",
     attr = "Tcomplex: {complex64, complex128} = DT_COMPLEX64",
     shape = shape_fns::rfft::<1>)]
pub struct RFFT;

/// The Fourier transform of real numbers over the last two axes.
#[op("RFFT2D",
     input = "input: Treal",
     input = "fft_length: int32",
     output = "output: Tcomplex",
     attr = "Treal: {float, double} = DT_FLOAT",
     attr = "Tcomplex: {complex64, complex128} = DT_COMPLEX64",
     shape = shape_fns::rfft::<2>)]
pub struct RFFT2D;

/// The Fourier transform of real numbers over the last three axes.
#[op("RFFT3D",
     input = "input: Treal",
     input = "fft_length: int32",
     output = "output: Tcomplex",
     attr = "Treal: {float, double} = DT_FLOAT",
     attr = "Tcomplex: {complex64, complex128} = DT_COMPLEX64",
     shape = shape_fns::rfft::<3>)]
pub struct RFFT3D;

/// `RFFT`, which keeps its plans.
pub struct RfftCpu(RealTransform);

#[kernel(RFFT, device = CPU, Treal = any, Tcomplex = any, host_memory = [fft_length])]
impl Kernel for RfftCpu {
    fn new(_: &KernelConstruction<'_>) -> Result<Self> {
        Ok(Self(RealTransform::new(1)))
    }

    fn compute(&self, context: &mut KernelContext<'_>) -> Result<()> {
        self.0.forward(context)
    }
}

/// `RFFT2D`, which keeps its plans.
pub struct Rfft2dCpu(RealTransform);

#[kernel(RFFT2D, device = CPU, Treal = any, Tcomplex = any, host_memory = [fft_length])]
impl Kernel for Rfft2dCpu {
    fn new(_: &KernelConstruction<'_>) -> Result<Self> {
        Ok(Self(RealTransform::new(2)))
    }

    fn compute(&self, context: &mut KernelContext<'_>) -> Result<()> {
        self.0.forward(context)
    }
}

/// `RFFT3D`, which keeps its plans.
pub struct Rfft3dCpu(RealTransform);

#[kernel(RFFT3D, device = CPU, Treal = any, Tcomplex = any, host_memory = [fft_length])]
impl Kernel for Rfft3dCpu {
    fn new(_: &KernelConstruction<'_>) -> Result<Self> {
        Ok(Self(RealTransform::new(3)))
    }

    fn compute(&self, context: &mut KernelContext<'_>) -> Result<()> {
        self.0.forward(context)
    }
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;

    use crate::support::testing::{check, check_error};

    fn number(re: f32, im: f32) -> Complex<f32> {
        Complex { re, im }
    }

    #[test]
    fn half_of_the_numbers() {
        let x = || Tensor::from([1.0f32, 2.0, 3.0, 5.0, 9.0]);
        check("RFFT", [x(), [4].into()], [number(11.0, 0.0), number(-2.0, 3.0), number(-3.0, 0.0)]);
        check("RFFT", [x(), [1].into()], [number(1.0, 0.0)]);
        check(
            "IRFFT",
            [[number(11.0, 7.0), number(-2.0, 3.0), number(-3.0, 5.0)].into(), [4].into()],
            [1.0f32, 2.0, 3.0, 5.0],
        );
    }

    #[test]
    fn lengths_that_do_not_fit_are_errors() {
        let x = || Tensor::from([1.0f32, 2.0]);
        check_error("RFFT", [x(), [3].into()], "must have an extent of 3 at least");
        check_error("RFFT", [x(), [-1].into()], "fft_length[0] must be >= 0");
        check_error("RFFT", [x(), [0].into()], "fft_length[0] is 0");
        check_error("RFFT", [x(), 2.into()], "fft_length must have shape [1]");
        check_error("RFFT2D", [x(), [1, 1].into()], "input must be of rank 2 at least");
    }
}
