//! What traced functions take and return: a value, an array, a `Vec` or a tuple of values.

use oplink_api::{Error, Result};

use crate::value::{IntoValue, Value};

/// The arguments of a function, as its body takes them.
pub trait Arguments: Sized {
    /// The arguments, of as many values as [`FromArguments`] gave.
    ///
    /// # Errors
    /// There are more or fewer values.
    fn from_values(values: Vec<Value>) -> Result<Self>;
}

/// What a call gives for arguments of type `A`.
pub trait FromArguments<A> {
    /// The values in order.
    ///
    /// # Errors
    /// One carries an error.
    fn into_values(self) -> Result<Vec<Value>>;
}

/// The results of a function.
pub trait Results: Sized {
    /// The values in order.
    fn into_values(self) -> Vec<Value>;

    /// The results, of as many values as [`Results::into_values`] gave.
    ///
    /// # Errors
    /// There are more or fewer values.
    fn from_values(values: Vec<Value>) -> Result<Self>;
}

fn array<const N: usize>(values: Vec<Value>) -> Result<[Value; N]> {
    values.try_into().map_err(|values: Vec<Value>| {
        Error::internal(format!("{} values are given for {N} of a traced function", values.len()))
    })
}

impl Arguments for Value {
    fn from_values(values: Vec<Value>) -> Result<Self> {
        array::<1>(values).map(|[value]| value)
    }
}

impl<T: IntoValue> FromArguments<Value> for T {
    fn into_values(self) -> Result<Vec<Value>> {
        Ok(vec![self.into_value(None)?])
    }
}

impl<const N: usize> Arguments for [Value; N] {
    fn from_values(values: Vec<Value>) -> Result<Self> {
        array(values)
    }
}

impl<T: IntoValue, const N: usize> FromArguments<[Value; N]> for [T; N] {
    fn into_values(self) -> Result<Vec<Value>> {
        self.into_iter().map(|value| value.into_value(None)).collect()
    }
}

impl Arguments for Vec<Value> {
    fn from_values(values: Vec<Value>) -> Result<Self> {
        Ok(values)
    }
}

impl<I: IntoIterator<Item: IntoValue>> FromArguments<Vec<Value>> for I {
    fn into_values(self) -> Result<Vec<Value>> {
        self.into_iter().map(|value| value.into_value(None)).collect()
    }
}

impl Results for () {
    fn into_values(self) -> Vec<Value> {
        Vec::new()
    }

    fn from_values(values: Vec<Value>) -> Result<Self> {
        array::<0>(values).map(|_| ())
    }
}

impl Results for Value {
    fn into_values(self) -> Vec<Value> {
        vec![self]
    }

    fn from_values(values: Vec<Value>) -> Result<Self> {
        array::<1>(values).map(|[value]| value)
    }
}

impl<const N: usize> Results for [Value; N] {
    fn into_values(self) -> Vec<Value> {
        self.into()
    }

    fn from_values(values: Vec<Value>) -> Result<Self> {
        array(values)
    }
}

impl Results for Vec<Value> {
    fn into_values(self) -> Vec<Value> {
        self
    }

    fn from_values(values: Vec<Value>) -> Result<Self> {
        Ok(values)
    }
}
