//! Conversions between tensors, `ndarray` arrays and Rust values.

use ndarray::{Array, ArrayD, Dimension};

use super::{NestedElement, Tensor, from_nested};
use crate::{Element, Error, Result, Shape, TString};

impl Tensor {
    /// Takes over an array. Arrays in row-major order move without copying.
    pub fn from_array<T: Element, D: Dimension>(array: Array<T, D>) -> Self {
        let shape = Shape::new(array.shape());
        let array = if array.is_standard_layout() { array } else { array.as_standard_layout().into_owned() };
        let (values, offset) = array.into_raw_vec_and_offset();
        let count = shape.num_elements();
        let adopted = match offset {
            Some(0) | None if values.len() == count => Self::adopt_vec(shape, values),
            _ => Self::from_vec(shape, values[offset.unwrap_or(0)..][..count].to_vec()),
        };
        adopted.unwrap_or_else(|e| unreachable!("an array's elements fill its shape: {e}"))
    }

    /// The elements as an owned array (copied).
    ///
    /// # Errors
    /// The tensor has another dtype, or it lies in a device's memory.
    pub fn to_array<T: Element>(&self) -> Result<ArrayD<T>> {
        Ok(self.view::<T, ndarray::IxDyn>()?.to_owned())
    }
}

impl<T: Element, D: Dimension> From<Array<T, D>> for Tensor {
    fn from(array: Array<T, D>) -> Self {
        Self::from_array(array)
    }
}

impl<T: Element> From<T> for Tensor {
    fn from(value: T) -> Self {
        Self::scalar(value)
    }
}

impl From<&str> for Tensor {
    fn from(text: &str) -> Self {
        Self::scalar(TString::from(text))
    }
}

impl<T: Element> From<&[T]> for Tensor {
    fn from(values: &[T]) -> Self {
        Self::from_slice(values)
    }
}

impl<T: Element> From<Vec<T>> for Tensor {
    fn from(values: Vec<T>) -> Self {
        Self::from_slice(&values)
    }
}

impl<T: NestedElement, const N: usize> From<[T; N]> for Tensor {
    fn from(values: [T; N]) -> Self {
        from_nested(values)
    }
}

impl<T: Element> TryFrom<&Tensor> for Vec<T> {
    type Error = Error;

    fn try_from(tensor: &Tensor) -> Result<Self> {
        Ok(tensor.as_slice::<T>()?.to_vec())
    }
}
