//! Values joined and split.

use oplink_api::Result;
use oplink_api::call::Arg;
use oplink_ops::{ConcatV2, Pack, Split, Unpack};

use super::{IntoValue, Value};
use crate::run::call_args;

fn list(values: impl IntoIterator<Item = impl IntoValue>) -> Result<Arg<Value>> {
    Ok(Arg::List(values.into_iter().map(|value| value.into_value(None)).collect::<Result<_>>()?))
}

impl Value {
    /// The values one behind the other along an axis.
    ///
    /// # Errors
    /// As the op `ConcatV2`.
    pub fn concat(values: impl IntoIterator<Item = impl IntoValue>, axis: i32) -> Result<Self> {
        call_args::<ConcatV2>([list(values)?, Arg::One(Self::new(axis))], Vec::new())?.one(0)
    }

    /// The values, which have one shape, along an axis that is inserted there.
    ///
    /// # Errors
    /// As the op `Pack`.
    pub fn stack(values: impl IntoIterator<Item = impl IntoValue>, axis: i64) -> Result<Self> {
        call_args::<Pack>([list(values)?], vec![("axis", axis.into())])?.one(0)
    }

    /// As many equal parts along an axis.
    ///
    /// # Errors
    /// As the op `Split`.
    pub fn split(&self, parts: usize, axis: i32) -> Result<Vec<Self>> {
        let inputs = [Arg::One(Self::new(axis)), Arg::One(self.clone())];
        call_args::<Split>(inputs, vec![("num_split", (parts as i64).into())])?.list(0)
    }

    /// The slices along an axis.
    ///
    /// # Errors
    /// As the op `Unpack`; the extent of the axis is not known.
    pub fn unstack(&self, axis: i64) -> Result<Vec<Self>> {
        let shape = self.shape()?;
        let at = if axis < 0 { axis + shape.rank() as i64 } else { axis };
        let count = usize::try_from(at).ok().and_then(|at| shape.dims().get(at)).copied().unwrap_or(0);
        let attrs = vec![("num", (count as i64).into()), ("axis", axis.into())];
        call_args::<Unpack>([Arg::One(self.clone())], attrs)?.list(0)
    }
}
