//! `FFT`, `FFT2D`, `FFT3D`: Fourier transforms of complex numbers over the last one, two or three axes.

use oplink::prelude::*;

use super::transform::ComplexTransform;

/// The Fourier transform over the last axis.
#[op("FFT",
     input = "input: Tcomplex",
     output = "output: Tcomplex",
     attr = "Tcomplex: {complex64, complex128} = DT_COMPLEX64",
     shape = shape_fns::unchanged_with_rank_at_least::<1>)]
pub struct FFT;

/// The Fourier transform over the last two axes.
#[op("FFT2D",
     input = "input: Tcomplex",
     output = "output: Tcomplex",
     attr = "Tcomplex: {complex64, complex128} = DT_COMPLEX64",
     shape = shape_fns::unchanged_with_rank_at_least::<2>)]
pub struct FFT2D;

/// The Fourier transform over the last three axes.
#[op("FFT3D",
     input = "input: Tcomplex",
     output = "output: Tcomplex",
     attr = "Tcomplex: {complex64, complex128} = DT_COMPLEX64",
     shape = shape_fns::unchanged_with_rank_at_least::<3>)]
pub struct FFT3D;

/// `FFT`, which keeps its plans.
pub struct FftCpu(ComplexTransform);

#[kernel(FFT, device = CPU, Tcomplex = any)]
impl Kernel for FftCpu {
    fn new(_: &KernelConstruction<'_>) -> Result<Self> {
        Ok(Self(ComplexTransform::forward(1)))
    }

    fn compute(&self, context: &mut KernelContext<'_>) -> Result<()> {
        self.0.compute(context)
    }
}

/// `FFT2D`, which keeps its plans.
pub struct Fft2dCpu(ComplexTransform);

#[kernel(FFT2D, device = CPU, Tcomplex = any)]
impl Kernel for Fft2dCpu {
    fn new(_: &KernelConstruction<'_>) -> Result<Self> {
        Ok(Self(ComplexTransform::forward(2)))
    }

    fn compute(&self, context: &mut KernelContext<'_>) -> Result<()> {
        self.0.compute(context)
    }
}

/// `FFT3D`, which keeps its plans.
pub struct Fft3dCpu(ComplexTransform);

#[kernel(FFT3D, device = CPU, Tcomplex = any)]
impl Kernel for Fft3dCpu {
    fn new(_: &KernelConstruction<'_>) -> Result<Self> {
        Ok(Self(ComplexTransform::forward(3)))
    }

    fn compute(&self, context: &mut KernelContext<'_>) -> Result<()> {
        self.0.compute(context)
    }
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;

    use crate::support::testing::{Threads, check, check_error, run_in};

    fn number(re: f32, im: f32) -> Complex<f32> {
        Complex { re, im }
    }

    #[test]
    fn transforms_of_small_signals() {
        let x = [number(1.0, 0.0), number(0.0, 1.0)];
        let y = [number(1.0, 1.0), number(1.0, -1.0)];
        check("FFT", [x.into()], y);
        check("IFFT", [y.into()], x);
        let matrix = Tensor::from_vec([2, 2], (1..5).map(|v| number(v as f32, 0.0)).collect()).unwrap();
        let expected = [10.0, -2.0, -4.0, 0.0].map(|v| number(v, 0.0)).to_vec();
        check("FFT2D", [matrix], Tensor::from_vec([2, 2], expected).unwrap());
        check_error("FFT2D", [x.into()], "input must be of rank 2 at least");
    }

    #[test]
    fn threads_change_nothing_and_the_inverse_comes_back() {
        let shape = [3, 6, 70, 45];
        let count = shape.iter().product::<usize>();
        let x = Tensor::from_vec(shape, (0..count).map(|i| Complex::new((i % 17) as f64, (i % 5) as f64)).collect())
            .unwrap();
        let run =
            |op: &str, threads, x: &Tensor| run_in(&Threads(threads), op, &[], vec![x.clone()]).unwrap().remove(0);
        let y = run("FFT3D", 1, &x);
        assert_eq!(y.as_bytes().unwrap(), run("FFT3D", 3, &x).as_bytes().unwrap());
        let back = run("IFFT3D", 3, &y);
        let pairs = back.as_slice::<Complex<f64>>().unwrap().iter().zip(x.as_slice::<Complex<f64>>().unwrap());
        assert!(pairs.into_iter().all(|(a, b)| (a - b).norm() < 1e-12));
    }
}
