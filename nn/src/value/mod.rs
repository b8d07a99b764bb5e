//! Values: tensors with operators, outputs of a function that is traced, or the error of an operator.
//!
//! Operators of Rust cannot return a `Result` that the next operator takes: neither trait nor type would be this
//! crate's in `Result<Value> + f64`. So an operator that fails gives a value that carries the error; every operator and
//! method that takes it gives the error on, and the first `?` reports it. Methods return a `Result` at once.

mod convert;
mod creation;
mod elementwise;
mod extents;
mod joining;
mod literal;
mod operand;
mod operators;
mod products;
mod reductions;
mod shaping;
mod slicing;

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use oplink_api::{DType, Error, Output, PartialShape, Result, Shape, Tensor};

pub use extents::{Axes, Extents};
pub use operand::IntoValue;
#[doc(hidden)]
pub use slicing::{region, stepped};

/// Tells values apart, for tapes. Clones share it.
pub(crate) type Id = u64;

/// A tensor with operators and methods that are ops: `&a * &b + 1.0`, `x.matmul(&w)?`.
///
/// Within a [`function`](crate::function) that is traced it stands for an output of the graph that is made. Clones
/// share memory. A number, or an array of numbers, beside a value takes its dtype.
///
/// Operators carry errors: where one fails, what it gives holds its error, which the next method, [`Value::ok`] or
/// [`Value::tensor`] reports.
#[derive(Clone)]
pub struct Value(State);

#[derive(Clone)]
enum State {
    Tensor(Tensor, Id),
    Traced(Arc<Traced>),
    Failed(Error),
}

/// An output of the graph of a trace.
pub(crate) struct Traced {
    /// The trace's number.
    pub(crate) trace: u64,
    pub(crate) output: Output,
    dtype: DType,
    shape: PartialShape,
    id: Id,
}

fn new_id() -> Id {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

impl Value {
    /// The value of a tensor, or of what becomes one: a number, an array, nested arrays, a `Vec`, an array of
    /// `ndarray`.
    pub fn new(tensor: impl Into<Tensor>) -> Self {
        Self(State::Tensor(tensor.into(), new_id()))
    }

    /// A value that carries an error.
    pub fn failed(error: Error) -> Self {
        Self(State::Failed(error))
    }

    pub(crate) fn traced(trace: u64, output: Output, dtype: DType, shape: PartialShape) -> Self {
        Self(State::Traced(Arc::new(Traced { trace, output, dtype, shape, id: new_id() })))
    }

    /// What an operator gives of a result.
    pub(crate) fn of(result: Result<Self>) -> Self {
        result.unwrap_or_else(Self::failed)
    }

    /// The value, unless an operator failed.
    ///
    /// # Errors
    /// The error that the value carries.
    pub fn ok(self) -> Result<Self> {
        match self.0 {
            State::Failed(error) => Err(error),
            state => Ok(Self(state)),
        }
    }

    /// The dtype.
    ///
    /// # Errors
    /// The error that the value carries.
    pub fn dtype(&self) -> Result<DType> {
        match &self.0 {
            State::Tensor(tensor, _) => Ok(tensor.dtype()),
            State::Traced(traced) => Ok(traced.dtype),
            State::Failed(error) => Err(error.clone()),
        }
    }

    /// The shape, as far as it is known: that of a tensor is, that of a traced value may not be.
    ///
    /// # Errors
    /// The error that the value carries.
    pub fn partial_shape(&self) -> Result<PartialShape> {
        match &self.0 {
            State::Tensor(tensor, _) => Ok(tensor.shape().into()),
            State::Traced(traced) => Ok(traced.shape.clone()),
            State::Failed(error) => Err(error.clone()),
        }
    }

    /// The shape.
    ///
    /// # Errors
    /// The error that the value carries; or the value is traced, and its shape is known in part only.
    pub fn shape(&self) -> Result<Shape> {
        let shape = self.partial_shape()?;
        shape.to_shape().ok_or_else(|| {
            Error::invalid_argument(format!(
                "the shape {shape} of a traced value is known in part only: use `partial_shape`"
            ))
        })
    }

    /// The number of dimensions.
    ///
    /// # Errors
    /// The error that the value carries; or the value is traced, and its rank is not known.
    pub fn rank(&self) -> Result<usize> {
        let rank = self.partial_shape()?.rank();
        rank.ok_or_else(|| Error::invalid_argument("the rank of a traced value is not known"))
    }

    /// The tensor, where the device left it.
    ///
    /// # Errors
    /// The error that the value carries; or the value is traced, and there is no tensor before the function runs.
    pub fn device_tensor(&self) -> Result<Tensor> {
        match &self.0 {
            State::Tensor(tensor, _) => Ok(tensor.clone()),
            State::Traced(traced) => Err(Error::invalid_argument(format!(
                "a {} {} of a function that is traced has no elements yet: they are there when the function runs",
                traced.dtype, traced.shape
            ))),
            State::Failed(error) => Err(error.clone()),
        }
    }

    pub(crate) fn as_traced(&self) -> Option<&Traced> {
        match &self.0 {
            State::Traced(traced) => Some(traced),
            _ => None,
        }
    }

    /// `None` of a value that carries an error.
    pub(crate) fn id(&self) -> Option<Id> {
        match &self.0 {
            State::Tensor(_, id) => Some(*id),
            State::Traced(traced) => Some(traced.id),
            State::Failed(_) => None,
        }
    }

    /// Whether gradients by it make sense.
    pub(crate) fn is_differentiable(&self) -> bool {
        self.dtype().is_ok_and(|dtype| {
            dtype.is_floating() || dtype.is_complex() || matches!(dtype, DType::Resource | DType::Variant)
        })
    }

    pub(crate) fn into_tensor(self) -> Result<Tensor> {
        match self.0 {
            State::Tensor(tensor, _) => Ok(tensor),
            _ => self.device_tensor(),
        }
    }
}

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            State::Tensor(tensor, _) => fmt::Debug::fmt(tensor, f),
            State::Traced(traced) => write!(f, "{} {} of a traced function", traced.dtype, traced.shape),
            State::Failed(error) => write!(f, "the error: {error}"),
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}
