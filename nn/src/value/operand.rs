//! What stands beside a value in calls.

use oplink_api::call::IntoTensor;
use oplink_api::{DType, Result};

use super::{Value, literal};

/// What methods and operators of values take: a value, a tensor, a number or an array of numbers.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not taken as a value",
    note = "a value is given as `&Value`, `Value`, `&Tensor`, a number or an array of numbers; that of a `Vec` is \
            `Value::new(values)`"
)]
pub trait IntoValue {
    /// The value. A number, or an array of numbers, is of `dtype` where that is told.
    ///
    /// # Errors
    /// The value carries an error; a number is none of the dtype.
    fn into_value(self, dtype: Option<DType>) -> Result<Value>;
}

impl IntoValue for Value {
    fn into_value(self, _: Option<DType>) -> Result<Value> {
        self.ok()
    }
}

impl IntoValue for &Value {
    fn into_value(self, _: Option<DType>) -> Result<Value> {
        self.clone().ok()
    }
}

impl IntoValue for &&Value {
    fn into_value(self, _: Option<DType>) -> Result<Value> {
        (*self).clone().ok()
    }
}

#[diagnostic::do_not_recommend]
impl<T: IntoTensor> IntoValue for T {
    fn into_value(self, dtype: Option<DType>) -> Result<Value> {
        let tensor = self.into_tensor();
        match dtype {
            Some(dtype) if T::IS_LITERAL => Ok(Value::new(literal::in_dtype(tensor, dtype)?)),
            _ => Ok(Value::new(tensor)),
        }
    }
}
