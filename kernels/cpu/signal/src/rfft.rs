//! `RFFT`, `RFFT2D`, `RFFT3D` and their inverses `IRFFT`, `IRFFT2D`, `IRFFT3D`: Fourier transforms between real and
//! complex numbers over the last one, two or three axes.
//!
//! The vector `fft_length` has the lengths of the axes of the real numbers. Forward, the first numbers of the input
//! count; there must be as many. Along the last axis the output has the `length / 2 + 1` numbers from which the others
//! follow by symmetry. Inverse, the input has as many numbers along the axes, of which the first count, and
//! `length / 2 + 1` along the last one; the imaginary parts of the first and, for an even length, the last of these do
//! not count. A length of 0 is an error where the input has elements; an input without elements gives zeros.

use super::real::RealTransform;
use oplink::prelude::*;
use oplink_ops::signal::{
    IRFFT, IRFFT2D, IRFFT3D, IRFFTInputs, IRFFTOutputs, RFFT, RFFT2D, RFFT3D, RFFTInputs, RFFTOutputs,
};

/// Kernels of ops that have the arguments of one op, in one direction: name, op and number of axes.
macro_rules! transforms {
    ($base:ident, $inputs:ident, $outputs:ident, $direction:ident: $($name:ident, $op:ident, $axes:literal;)*) => {$(
        #[doc = concat!("`", stringify!($op), "`, which keeps its plans.")]
        pub struct $name(RealTransform);

        #[kernel($op, device = CPU, Treal = any, Tcomplex = any, host_memory = [fft_length])]
        impl Kernel for $name {
            type Op = $base;

            fn new(_: Construction<'_, $base>) -> Result<Self> {
                Ok(Self(RealTransform::new($axes)))
            }

            fn compute(&self, inputs: $inputs<'_>, outputs: &mut $outputs<'_>, env: Env<'_>) -> Result<()> {
                self.0.$direction(&inputs.input, &inputs.fft_length, &mut outputs.output, env)
            }
        }
    )*};
}

transforms! {
    RFFT, RFFTInputs, RFFTOutputs, forward:
    RfftCpu, RFFT, 1;
    Rfft2dCpu, RFFT2D, 2;
    Rfft3dCpu, RFFT3D, 3;
}

transforms! {
    IRFFT, IRFFTInputs, IRFFTOutputs, inverse:
    IrfftCpu, IRFFT, 1;
    Irfft2dCpu, IRFFT2D, 2;
    Irfft3dCpu, IRFFT3D, 3;
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;

    use oplink_cpu_support::testing::{check, check_error};

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
