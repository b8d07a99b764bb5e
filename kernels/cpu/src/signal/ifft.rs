//! `IFFT`, `IFFT2D`, `IFFT3D`: inverse Fourier transforms of complex numbers over the last one, two or three axes.

use oplink::prelude::*;

use super::transform::ComplexTransform;

/// The inverse Fourier transform over the last axis.
#[op("IFFT",
     input = "input: Tcomplex",
     output = "output: Tcomplex",
     attr = "Tcomplex: {complex64, complex128} = DT_COMPLEX64",
     shape = shape_fns::unchanged_with_rank_at_least::<1>)]
pub struct IFFT;

/// The inverse Fourier transform over the last two axes.
#[op("IFFT2D",
     input = "input: Tcomplex",
     output = "output: Tcomplex",
     attr = "Tcomplex: {complex64, complex128} = DT_COMPLEX64",
     shape = shape_fns::unchanged_with_rank_at_least::<2>)]
pub struct IFFT2D;

/// The inverse Fourier transform over the last three axes.
#[op("IFFT3D",
     input = "input: Tcomplex",
     output = "output: Tcomplex",
     attr = "Tcomplex: {complex64, complex128} = DT_COMPLEX64",
     shape = shape_fns::unchanged_with_rank_at_least::<3>)]
pub struct IFFT3D;

/// `IFFT`, which keeps its plans.
pub struct IfftCpu(ComplexTransform);

#[kernel(IFFT, device = CPU, Tcomplex = any)]
impl Kernel for IfftCpu {
    fn new(_: &KernelConstruction<'_>) -> Result<Self> {
        Ok(Self(ComplexTransform::inverse(1)))
    }

    fn compute(&self, context: &mut KernelContext<'_>) -> Result<()> {
        self.0.compute(context)
    }
}

/// `IFFT2D`, which keeps its plans.
pub struct Ifft2dCpu(ComplexTransform);

#[kernel(IFFT2D, device = CPU, Tcomplex = any)]
impl Kernel for Ifft2dCpu {
    fn new(_: &KernelConstruction<'_>) -> Result<Self> {
        Ok(Self(ComplexTransform::inverse(2)))
    }

    fn compute(&self, context: &mut KernelContext<'_>) -> Result<()> {
        self.0.compute(context)
    }
}

/// `IFFT3D`, which keeps its plans.
pub struct Ifft3dCpu(ComplexTransform);

#[kernel(IFFT3D, device = CPU, Tcomplex = any)]
impl Kernel for Ifft3dCpu {
    fn new(_: &KernelConstruction<'_>) -> Result<Self> {
        Ok(Self(ComplexTransform::inverse(3)))
    }

    fn compute(&self, context: &mut KernelContext<'_>) -> Result<()> {
        self.0.compute(context)
    }
}
