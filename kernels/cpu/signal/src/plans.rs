//! Transforms of one length, planned once.

use std::sync::{Arc, Mutex, PoisonError};

use oplink::prelude::*;
use realfft::{ComplexToReal, RealFftPlanner, RealToComplex};
use rustfft::{Fft, FftDirection, FftNum, FftPlanner};

/// The plans that a node's runs have made so far.
#[derive(Default)]
pub(super) struct Plans {
    single: Planners<f32>,
    double: Planners<f64>,
}

/// The planners of one precision. They are made by the first run that needs them.
struct Planners<T: FftNum> {
    complex: Mutex<Option<FftPlanner<T>>>,
    real: Mutex<Option<RealFftPlanner<T>>>,
}

impl<T: FftNum> Default for Planners<T> {
    fn default() -> Self {
        Self { complex: Mutex::new(None), real: Mutex::new(None) }
    }
}

/// A precision that transforms are computed in.
pub(super) trait Precision: Float + FftNum {
    /// Complex numbers of the precision.
    const COMPLEX: DType;
    /// A transform of complex numbers.
    fn complex(plans: &Plans, length: usize, direction: FftDirection) -> Arc<dyn Fft<Self>>;
    /// A transform from real numbers.
    fn real_to_complex(plans: &Plans, length: usize) -> Arc<dyn RealToComplex<Self>>;
    /// A transform to real numbers.
    fn complex_to_real(plans: &Plans, length: usize) -> Arc<dyn ComplexToReal<Self>>;
    /// `1 / count`.
    fn reciprocal(count: usize) -> Self;
    /// The elements of a complex tensor.
    fn numbers(tensor: &Tensor) -> Result<&[Complex<Self>]>;
    /// The elements of a complex tensor, writable.
    fn numbers_mut(tensor: &mut Tensor) -> Result<&mut [Complex<Self>]>;
}

// Each planner is called from one function that is not generic, so that its code is compiled once.
macro_rules! precisions {
    ($($ty:ty, $dtype:ident, $planners:ident;)*) => {$(
        impl Precision for $ty {
            const COMPLEX: DType = DType::$dtype;

            fn complex(plans: &Plans, length: usize, direction: FftDirection) -> Arc<dyn Fft<Self>> {
                let mut planner = plans.$planners.complex.lock().unwrap_or_else(PoisonError::into_inner);
                planner.get_or_insert_with(FftPlanner::new).plan_fft(length, direction)
            }

            fn real_to_complex(plans: &Plans, length: usize) -> Arc<dyn RealToComplex<Self>> {
                let mut planner = plans.$planners.real.lock().unwrap_or_else(PoisonError::into_inner);
                planner.get_or_insert_with(RealFftPlanner::new).plan_fft_forward(length)
            }

            fn complex_to_real(plans: &Plans, length: usize) -> Arc<dyn ComplexToReal<Self>> {
                let mut planner = plans.$planners.real.lock().unwrap_or_else(PoisonError::into_inner);
                planner.get_or_insert_with(RealFftPlanner::new).plan_fft_inverse(length)
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
