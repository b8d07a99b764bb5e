//! `FFT`, `FFT2D`, `FFT3D` and their inverses `IFFT`, `IFFT2D`, `IFFT3D`: Fourier transforms of complex numbers over
//! the last one, two or three axes.

use super::transform::ComplexTransform;
use oplink::prelude::*;
use oplink_ops::signal::{FFT, FFT2D, FFT3D, FFTInputs, FFTOutputs, IFFT, IFFT2D, IFFT3D};

/// Kernels of ops that have the arguments of `FFT`: name, op, direction and number of axes.
macro_rules! transforms {
    ($($name:ident, $op:ident, $direction:ident, $axes:literal;)*) => {$(
        #[doc = concat!("`", stringify!($op), "`, which keeps its plans.")]
        pub struct $name(ComplexTransform);

        #[kernel($op, device = CPU, Tcomplex = any)]
        impl Kernel for $name {
            type Op = FFT;

            fn new(_: Construction<'_, FFT>) -> Result<Self> {
                Ok(Self(ComplexTransform::$direction($axes)))
            }

            fn compute(&self, inputs: FFTInputs<'_>, outputs: &mut FFTOutputs<'_>, env: Env<'_>) -> Result<()> {
                self.0.compute(inputs.input, &mut outputs.output, env)
            }
        }
    )*};
}

transforms! {
    FftCpu, FFT, forward, 1;
    Fft2dCpu, FFT2D, forward, 2;
    Fft3dCpu, FFT3D, forward, 3;
    IfftCpu, IFFT, inverse, 1;
    Ifft2dCpu, IFFT2D, inverse, 2;
    Ifft3dCpu, IFFT3D, inverse, 3;
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;

    use oplink_cpu_support::testing::{Threads, check, check_error, run_in};

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
