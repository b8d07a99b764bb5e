//! Tensors, numbers and arrays in and out.

use ndarray::ArrayD;
use oplink_api::call::IntoTensor;
use oplink_api::{Element, Result, Tensor};

use super::Value;

impl Value {
    /// The tensor, in the host's memory.
    ///
    /// # Errors
    /// As [`Value::device_tensor`]; the copy from a device fails.
    pub fn tensor(&self) -> Result<Tensor> {
        self.device_tensor()?.to_host()
    }

    /// The single element.
    ///
    /// # Errors
    /// As [`Value::tensor`]; the tensor has another dtype or number of elements.
    pub fn item<T: Element>(&self) -> Result<T> {
        self.tensor()?.to_scalar()
    }

    /// The elements in row-major order.
    ///
    /// # Errors
    /// As [`Value::tensor`]; the tensor has another dtype.
    pub fn to_vec<T: Element>(&self) -> Result<Vec<T>> {
        Ok(self.tensor()?.as_slice::<T>()?.to_vec())
    }

    /// The elements as an array of `ndarray`.
    ///
    /// # Errors
    /// As [`Value::to_vec`].
    pub fn to_array<T: Element>(&self) -> Result<ArrayD<T>> {
        self.tensor()?.to_array()
    }
}

impl<T: IntoTensor> From<T> for Value {
    fn from(tensor: T) -> Self {
        Self::new(tensor.into_tensor())
    }
}

impl From<&Value> for Value {
    fn from(value: &Value) -> Self {
        value.clone()
    }
}
