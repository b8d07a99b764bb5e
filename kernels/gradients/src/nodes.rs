//! Adding nodes by the types of their ops, so that one call can be the argument of another.

use std::cell::RefCell;

use oplink::call::{Arg, Call};
use oplink::prelude::*;
use oplink_ops::{BroadcastGradientArgs, Cast, Conj, Mul, Reshape, Sum, ZerosLike};
use oplink_ops::{Shape as ShapeOp, Sub};

use crate::Gradients;

/// Attrs that a call gives.
pub(crate) type Attrs = Vec<(&'static str, AttrValue)>;

/// The scope that the nodes of a gradient go to.
pub(crate) struct Nodes<'s> {
    scope: RefCell<&'s mut dyn Scope>,
    /// The dtype of the first input of what is differentiated: that of scalars.
    dtype: DType,
}

impl<'s> Nodes<'s> {
    pub(crate) fn new(scope: &'s mut dyn Scope, op: &OpForGradient) -> Self {
        Self { scope: RefCell::new(scope), dtype: op.input_dtype(0) }
    }

    /// As [`Nodes::new`], with scalars of another dtype.
    pub(crate) fn of_dtype(scope: &'s mut dyn Scope, dtype: DType) -> Self {
        Self { scope: RefCell::new(scope), dtype }
    }

    /// Adds a node; all its outputs.
    pub(crate) fn call<O: Op>(&self, inputs: Vec<Arg<Output>>, attrs: Attrs) -> Result<Vec<Output>> {
        let call = Call { op: O::NAME, name: None, device: None, inputs: inputs.into_iter().collect(), attrs };
        Ok(self.scope.borrow_mut().add(call)?.values.into_vec())
    }

    /// Adds a node whose inputs are single tensors; its first output.
    pub(crate) fn add<O: Op>(&self, inputs: impl IntoIterator<Item = Output>) -> Result<Output> {
        self.with::<O>(inputs, Vec::new())
    }

    /// As [`Nodes::add`], with attrs.
    pub(crate) fn with<O: Op>(&self, inputs: impl IntoIterator<Item = Output>, attrs: Attrs) -> Result<Output> {
        first(&self.call::<O>(inputs.into_iter().map(Arg::One).collect(), attrs)?)
    }

    /// As [`Nodes::call`] on single tensors, with the attrs of these names as the differentiated node has them.
    pub(crate) fn like<O: Op>(
        &self,
        op: &OpForGradient,
        inputs: impl IntoIterator<Item = Output>,
        attrs: &[&'static str],
    ) -> Result<Vec<Output>> {
        self.call::<O>(inputs.into_iter().map(Arg::One).collect(), same(op, attrs))
    }

    /// Adds a node that takes one list; its first output.
    pub(crate) fn join<O: Op>(&self, inputs: &[Output], attrs: Attrs) -> Result<Output> {
        first(&self.call::<O>(vec![Arg::List(inputs.to_vec())], attrs)?)
    }

    pub(crate) fn constant(&self, value: impl Into<Tensor>) -> Result<Output> {
        self.scope.borrow_mut().constant(value.into())
    }

    /// A scalar int32.
    pub(crate) fn int(&self, value: i32) -> Result<Output> {
        self.constant(Tensor::scalar(value))
    }

    /// A vector of int32.
    pub(crate) fn ints(&self, values: &[i32]) -> Result<Output> {
        self.constant(Tensor::from_slice(values))
    }

    /// A scalar of the dtype of what is differentiated.
    pub(crate) fn scalar(&self, value: f64) -> Result<Output> {
        match self.dtype {
            DType::Float => self.constant(Tensor::scalar(value as f32)),
            dtype => self.cast(self.constant(Tensor::scalar(value))?, DType::Double, dtype),
        }
    }

    /// The value in another dtype.
    pub(crate) fn cast(&self, value: Output, from: DType, to: DType) -> Result<Output> {
        if from == to {
            return Ok(value);
        }
        self.with::<Cast>([value], vec![("DstT", to.into())])
    }

    /// The complex conjugate, where the dtype is complex.
    pub(crate) fn conj(&self, value: Output) -> Result<Output> {
        if self.dtype.is_complex() { self.add::<Conj>([value]) } else { Ok(value) }
    }

    pub(crate) fn shape(&self, value: Output) -> Result<Output> {
        self.add::<ShapeOp>([value])
    }

    pub(crate) fn zeros(&self, value: Output) -> Result<Output> {
        self.add::<ZerosLike>([value])
    }

    pub(crate) fn reshape(&self, value: Output, shape: Output) -> Result<Output> {
        self.add::<Reshape>([value, shape])
    }

    /// The value in the shape of another.
    pub(crate) fn reshape_like(&self, value: Output, other: Output) -> Result<Output> {
        self.reshape(value, self.shape(other)?)
    }

    pub(crate) fn sum(&self, value: Output, axes: Output) -> Result<Output> {
        self.add::<Sum>([value, axes])
    }

    pub(crate) fn sum_kept(&self, value: Output, axes: Output) -> Result<Output> {
        self.with::<Sum>([value, axes], vec![("keep_dims", true.into())])
    }

    pub(crate) fn mul(&self, a: Output, b: Output) -> Result<Output> {
        self.add::<Mul>([a, b])
    }

    pub(crate) fn sub(&self, a: Output, b: Output) -> Result<Output> {
        self.add::<Sub>([a, b])
    }

    /// The axes over which two shapes are repeated when they are broadcast against each other.
    pub(crate) fn broadcast_axes(&self, x: Output, y: Output) -> Result<[Output; 2]> {
        let axes = self.call::<BroadcastGradientArgs>(vec![Arg::One(x), Arg::One(y)], Vec::new())?;
        <[Output; 2]>::try_from(axes).map_err(|_| oplink::Error::internal("axes of a broadcast are missing"))
    }

    /// Sums gradients over what broadcasting `x` and `y` against each other repeated.
    pub(crate) fn unbroadcast(&self, [x, y]: [Output; 2], [gx, gy]: [Output; 2]) -> Result<[Output; 2]> {
        let (shape_x, shape_y) = (self.shape(x)?, self.shape(y)?);
        let [axes_x, axes_y] = self.broadcast_axes(shape_x, shape_y)?;
        let by_x = self.reshape(self.sum(gx, axes_x)?, shape_x)?;
        Ok([by_x, self.reshape(self.sum(gy, axes_y)?, shape_y)?])
    }

    /// Sums a gradient over what broadcasting `x` to the gradient's shape repeated.
    pub(crate) fn unbroadcast_one(&self, x: Output, gradient: Output) -> Result<Option<Output>> {
        let shape = self.shape(x)?;
        let [axes, _] = self.broadcast_axes(shape, self.shape(gradient)?)?;
        self.reshape(self.sum(gradient, axes)?, shape).map(Some)
    }
}

/// The differentiated node's attrs of these names.
pub(crate) fn same(op: &OpForGradient, attrs: &[&'static str]) -> Attrs {
    attrs.iter().filter_map(|&name| Some((name, op.info().attrs.get(name)?.clone()))).collect()
}

fn first(outputs: &[Output]) -> Result<Output> {
    outputs.first().copied().ok_or_else(|| oplink::Error::internal("a node of a gradient has no output"))
}

/// The gradient of an op with one input: `f` gets the input, the output, and the output's gradient.
pub(crate) fn unary<'s>(
    scope: &'s mut dyn Scope,
    op: &OpForGradient,
    dy: &[Output],
    f: impl FnOnce(&Nodes<'s>, Output, Output, Output) -> Result<Output>,
) -> Gradients {
    let dx = f(&Nodes::new(scope, op), op.input(0), op.output(0), dy[0])?;
    Ok(vec![Some(dx)])
}

/// The gradient of an op whose two inputs are broadcast: `f` gets them, the output, and the output's gradient.
pub(crate) fn binary<'s>(
    scope: &'s mut dyn Scope,
    op: &OpForGradient,
    dy: &[Output],
    f: impl FnOnce(&Nodes<'s>, [Output; 2], Output, Output) -> Result<[Output; 2]>,
) -> Gradients {
    let (nodes, inputs) = (Nodes::new(scope, op), [op.input(0), op.input(1)]);
    let gradients = f(&nodes, inputs, op.output(0), dy[0])?;
    Ok(nodes.unbroadcast(inputs, gradients)?.map(Some).to_vec())
}
