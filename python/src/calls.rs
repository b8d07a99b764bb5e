//! Calls of ops on values: the GIL is released while they run.

use oplink::call::{Arg, Call, Outputs};
use oplink::nn::{Value, call_op};
use oplink::{AttrValue, Op};
use pyo3::prelude::*;
use smallvec::SmallVec;

use crate::errors::OrRaise;
use crate::tensor::PyTensor;

/// Attrs that a call gives.
pub(crate) type Attrs = Vec<(&'static str, AttrValue)>;

/// Calls an op by name.
#[inline]
pub(crate) fn run(
    py: Python<'_>,
    op: &'static str,
    inputs: SmallVec<[Arg<Value>; 4]>,
    attrs: Attrs,
) -> PyResult<Outputs<Value>> {
    let call = Call { op, name: None, device: None, inputs, attrs };
    py.detach(|| call_op(call)).or_raise(py)
}

/// Calls an op on single values; its first output.
pub(crate) fn one<O: Op>(py: Python<'_>, inputs: impl IntoIterator<Item = Value>, attrs: Attrs) -> PyResult<PyTensor> {
    let outputs = run(py, O::NAME, inputs.into_iter().map(Arg::One).collect(), attrs)?;
    outputs.one(0).or_raise(py).map(PyTensor::from)
}
