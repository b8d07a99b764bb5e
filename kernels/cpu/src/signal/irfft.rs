//! `IRFFT`, `IRFFT2D`, `IRFFT3D`: inverse Fourier transforms that are real, over the last one, two or three axes.
//!
//! The vector `fft_length` has the lengths of the output's axes. The input has as many numbers along them, of which the first count,
//! and `length / 2 + 1` along the last one; the imaginary parts of the first and, for an even length, the last of these do not
//! count. A length of 0 is an error where the input has elements; an input without elements gives zeros.

use oplink::prelude::*;

use super::real::RealTransform;

/// The real inverse Fourier transform over the last axis.
#[op("IRFFT",
     input = "input: Tcomplex",
     input = "fft_length: int32",
     output = "output: Treal",
     attr = "Treal: {float, double} = DT_FLOAT",
     attr = "Tcomplex: {complex64, complex128} = DT_COMPLEX64",
     shape = shape_fns::irfft::<1>)]
pub struct IRFFT;

/// The real inverse Fourier transform over the last two axes.
#[op("IRFFT2D",
     input = "input: Tcomplex",
     input = "fft_length: int32",
     output = "output: Treal",
     attr = "Treal: {float, double} = DT_FLOAT",
     attr = "Tcomplex: {complex64, complex128} = DT_COMPLEX64",
     shape = shape_fns::irfft::<2>)]
pub struct IRFFT2D;

/// The real inverse Fourier transform over the last three axes.
#[op("IRFFT3D",
     input = "input: Tcomplex",
     input = "fft_length: int32",
     output = "output: Treal",
     attr = "Treal: {float, double} = DT_FLOAT",
     attr = "Tcomplex: {complex64, complex128} = DT_COMPLEX64",
     shape = shape_fns::irfft::<3>)]
pub struct IRFFT3D;

/// `IRFFT`, which keeps its plans.
pub struct IrfftCpu(RealTransform);

#[kernel(IRFFT, device = CPU, Treal = any, Tcomplex = any, host_memory = [fft_length])]
impl Kernel for IrfftCpu {
    fn new(_: &KernelConstruction<'_>) -> Result<Self> {
        Ok(Self(RealTransform::new(1)))
    }

    fn compute(&self, context: &mut KernelContext<'_>) -> Result<()> {
        self.0.inverse(context)
    }
}

/// `IRFFT2D`, which keeps its plans.
pub struct Irfft2dCpu(RealTransform);

#[kernel(IRFFT2D, device = CPU, Treal = any, Tcomplex = any, host_memory = [fft_length])]
impl Kernel for Irfft2dCpu {
    fn new(_: &KernelConstruction<'_>) -> Result<Self> {
        Ok(Self(RealTransform::new(2)))
    }

    fn compute(&self, context: &mut KernelContext<'_>) -> Result<()> {
        self.0.inverse(context)
    }
}

/// `IRFFT3D`, which keeps its plans.
pub struct Irfft3dCpu(RealTransform);

#[kernel(IRFFT3D, device = CPU, Treal = any, Tcomplex = any, host_memory = [fft_length])]
impl Kernel for Irfft3dCpu {
    fn new(_: &KernelConstruction<'_>) -> Result<Self> {
        Ok(Self(RealTransform::new(3)))
    }

    fn compute(&self, context: &mut KernelContext<'_>) -> Result<()> {
        self.0.inverse(context)
    }
}
