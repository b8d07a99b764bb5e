//! Values of a shape.

use oplink_api::{DType, Element, Result, Tensor};
use oplink_ops::{Fill, Range};

use super::extents::integers;
use super::{Extents, Value};
use crate::run::call;

impl Value {
    /// Zeros.
    ///
    /// # Errors
    /// An extent is negative, or memory runs out.
    pub fn zeros(dtype: DType, shape: impl Extents) -> Result<Self> {
        call::<Fill>([integers(&shape.extents()?)?, Self::new(Tensor::zeros(dtype, [])?)])
    }

    /// Every element `value`.
    ///
    /// # Errors
    /// An extent is negative, or memory runs out.
    pub fn full<T: Element>(shape: impl Extents, value: T) -> Result<Self> {
        call::<Fill>([integers(&shape.extents()?)?, Self::new(value)])
    }

    /// The numbers `start`, `start + step`, … below `end`.
    ///
    /// # Errors
    /// As the op `Range`.
    pub fn range<T: Element>(start: T, end: T, step: T) -> Result<Self> {
        call::<Range>([Self::new(start), Self::new(end), Self::new(step)])
    }
}
