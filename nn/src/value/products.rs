//! Products of matrices.

use oplink_api::Result;
use oplink_api::call::Arg;
use oplink_ops::{BatchMatMulV2, Einsum, MatMul};

use super::{IntoValue, Value};
use crate::run::{call, call_args};

impl Value {
    /// The product of matrices, or of the matrices in the last two axes.
    ///
    /// # Errors
    /// As the ops `MatMul`, where both are matrices, and `BatchMatMulV2`.
    pub fn matmul(&self, other: impl IntoValue) -> Result<Self> {
        let other = other.into_value(Some(self.dtype()?))?;
        let ranks = [self.partial_shape()?.rank(), other.partial_shape()?.rank()];
        match ranks {
            [Some(2), Some(2)] => call::<MatMul>([self.clone(), other]),
            _ => call::<BatchMatMulV2>([self.clone(), other]),
        }
    }

    /// The sum of products that an equation such as `bij,bjk->bik` names.
    ///
    /// # Errors
    /// As the op `Einsum`.
    pub fn einsum(equation: &str, values: impl IntoIterator<Item = impl IntoValue>) -> Result<Self> {
        let values = values.into_iter().map(|value| value.into_value(None)).collect::<Result<_>>()?;
        call_args::<Einsum>([Arg::List(values)], vec![("equation", equation.into())])?.one(0)
    }
}
