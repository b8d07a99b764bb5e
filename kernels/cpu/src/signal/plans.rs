//! Transforms of one length, planned once.

use std::sync::{Arc, Mutex, PoisonError};

use oplink::prelude::*;
use realfft::{ComplexToReal, RealFftPlanner, RealToComplex};
use rustfft::{Fft, FftDirection, FftNum, FftPlanner};

/// The plans that a node's runs have made so far.
#[derive(Default)]
pub(super) struct Plans {
    single: PlansOf<f32>,
    double: PlansOf<f64>,
}

/// The plans of one precision.
pub(super) struct PlansOf<T: FftNum> {
    complex: Mutex<FftPlanner<T>>,
    real: Mutex<RealFftPlanner<T>>,
}

impl<T: FftNum> Default for PlansOf<T> {
    fn default() -> Self {
        Self { complex: Mutex::new(FftPlanner::new()), real: Mutex::new(RealFftPlanner::new()) }
    }
}

impl<T: FftNum> PlansOf<T> {
    /// Of complex numbers.
    pub(super) fn complex(&self, length: usize, direction: FftDirection) -> Arc<dyn Fft<T>> {
        self.complex.lock().unwrap_or_else(PoisonError::into_inner).plan_fft(length, direction)
    }

    /// From real numbers.
    pub(super) fn real_to_complex(&self, length: usize) -> Arc<dyn RealToComplex<T>> {
        self.real.lock().unwrap_or_else(PoisonError::into_inner).plan_fft_forward(length)
    }

    /// To real numbers.
    pub(super) fn complex_to_real(&self, length: usize) -> Arc<dyn ComplexToReal<T>> {
        self.real.lock().unwrap_or_else(PoisonError::into_inner).plan_fft_inverse(length)
    }
}

/// A precision that transforms are computed in.
pub(super) trait Precision: Float + FftNum {
    /// Complex numbers of the precision.
    const COMPLEX: DType;
    /// Its plans.
    fn plans(plans: &Plans) -> &PlansOf<Self>;
    /// `1 / count`.
    fn reciprocal(count: usize) -> Self;
    /// The elements of a complex tensor.
    fn numbers(tensor: &Tensor) -> Result<&[Complex<Self>]>;
    /// The elements of a complex tensor, writable.
    fn numbers_mut(tensor: &mut Tensor) -> Result<&mut [Complex<Self>]>;
}

macro_rules! precisions {
    ($($ty:ty, $dtype:ident, $plans:ident;)*) => {$(
        impl Precision for $ty {
            const COMPLEX: DType = DType::$dtype;

            fn plans(plans: &Plans) -> &PlansOf<Self> {
                &plans.$plans
            }

            fn reciprocal(count: usize) -> Self {
                1.0 / count as $ty
            }

            fn numbers(tensor: &Tensor) -> Result<&[Complex<Self>]> {
                tensor.as_slice()
            }

            fn numbers_mut(tensor: &mut Tensor) -> Result<&mut [Complex<Self>]> {
                tensor.as_mut_slice()
            }
        }
    )*};
}

precisions! {
    f32, Complex64, single;
    f64, Complex128, double;
}
