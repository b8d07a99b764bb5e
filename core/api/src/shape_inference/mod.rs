//! What a shape function works on: the input shapes as far as they are known, the values of inputs that are constant,
//! the attrs; and the output shapes it sets.

mod shapes;

use std::cell::Cell;

use smallvec::SmallVec;

pub use shapes::{FewInts, broadcast_shapes, few_ints, int_values, merge_shapes, normalize_axis, shape_error};

use crate::attr::FromAttr;
use crate::shape::Dim;
use crate::{AttrMap, AttrValue, DType, Error, ErrorKind, NodeInfo, OpSpec, PartialShape, Result, Tensor, ensure};

/// A shape function: reads the context's inputs, sets every output shape or returns an error.
pub type ShapeFn = fn(&mut ShapeContext<'_>) -> Result<()>;

/// Dtype and shape of what a resource or variant handle refers to.
pub type HandleShape = (DType, PartialShape);

/// The values of inputs that are known while shapes are inferred.
pub trait ConstantInputs {
    /// The value of an input, where it is constant.
    fn tensor(&self, index: usize) -> Option<&Tensor>;

    /// A rank-1 integer input read as a shape, unknown extents where elements are unknown.
    fn as_shape(&self, index: usize) -> Option<PartialShape> {
        let _ = index;
        None
    }

    /// Shapes behind an input handle.
    fn handle_shapes(&self, index: usize) -> &[HandleShape] {
        let _ = index;
        &[]
    }
}

/// No constant inputs.
#[derive(Debug, Clone, Copy)]
pub struct NoConstants;

impl ConstantInputs for NoConstants {
    fn tensor(&self, _: usize) -> Option<&Tensor> {
        None
    }
}

impl ConstantInputs for &[Tensor] {
    fn tensor(&self, index: usize) -> Option<&Tensor> {
        self.get(index)
    }
}

impl ConstantInputs for &mut [Tensor] {
    fn tensor(&self, index: usize) -> Option<&Tensor> {
        self.get(index)
    }
}

enum Constants<'a> {
    Run(&'a [Tensor]),
    Build(&'a dyn ConstantInputs),
}

/// The context of one shape function's call.
pub struct ShapeContext<'a> {
    node: &'a NodeInfo,
    inputs: SmallVec<[PartialShape; 4]>,
    constants: Constants<'a>,
    outputs: SmallVec<[PartialShape; 2]>,
    output_handles: Vec<(usize, Vec<HandleShape>)>,
    missed_attr: Cell<bool>,
    asked_values: Cell<bool>,
}

impl<'a> ShapeContext<'a> {
    /// A context while a graph is built: shapes may be partly known.
    pub fn new(node: &'a NodeInfo, inputs: &[PartialShape], constants: &'a dyn ConstantInputs) -> Self {
        Self::with(node, inputs.iter().cloned().collect(), Constants::Build(constants))
    }

    /// A context at run time: every input in host memory is known.
    pub fn for_run(node: &'a NodeInfo, inputs: &'a [Tensor]) -> Self {
        Self::with(node, inputs.iter().map(|t| t.shape().into()).collect(), Constants::Run(inputs))
    }

    fn with(node: &'a NodeInfo, inputs: SmallVec<[PartialShape; 4]>, constants: Constants<'a>) -> Self {
        let outputs = SmallVec::from_elem(PartialShape::unknown(), node.output_dtypes.len());
        let (missed_attr, asked_values) = (Cell::new(false), Cell::new(false));
        Self { node, inputs, constants, outputs, output_handles: Vec::new(), missed_attr, asked_values }
    }

    /// The node.
    pub fn node(&self) -> &'a NodeInfo {
        self.node
    }

    /// The op's declaration.
    pub fn op(&self) -> &'a OpSpec {
        &self.node.op
    }

    /// The number of inputs.
    pub fn num_inputs(&self) -> usize {
        self.inputs.len()
    }

    /// The number of outputs.
    pub fn num_outputs(&self) -> usize {
        self.outputs.len()
    }

    /// The shape of an input; unknown where there is no such input.
    pub fn input(&self, index: usize) -> &PartialShape {
        const UNKNOWN: &PartialShape = &PartialShape::unknown();
        self.inputs.get(index).unwrap_or(UNKNOWN)
    }

    /// Shapes of the inputs of the declared argument `name`.
    ///
    /// # Errors
    /// The op declares no input of this name.
    pub fn input_list(&self, name: &str) -> Result<&[PartialShape]> {
        let arg = self.node.input_arg(name).ok_or_else(|| Error::invalid_argument(format!("no input `{name}`")))?;
        Ok(&self.inputs[self.node.input_ranges[arg].clone()])
    }

    /// First flat position of the declared input `name`.
    ///
    /// # Errors
    /// The op declares no input of this name.
    pub fn input_index(&self, name: &str) -> Result<usize> {
        let arg = self.node.input_arg(name).ok_or_else(|| Error::invalid_argument(format!("no input `{name}`")))?;
        Ok(self.node.input_ranges[arg].start)
    }

    /// The value of an input where it is constant (at run time: always).
    pub fn input_tensor(&self, index: usize) -> Option<&Tensor> {
        self.asked_values.set(true);
        match &self.constants {
            Constants::Run(tensors) => tensors.get(index).filter(|tensor| !tensor.is_on_device()),
            Constants::Build(constants) => constants.tensor(index),
        }
    }

    /// An attr as a Rust type.
    ///
    /// # Errors
    /// There is no such attr, it is of another kind, or its value is not known; see
    /// [`attr_if_known`](Self::attr_if_known).
    pub fn attr<T: FromAttr<'a>>(&self, name: &str) -> Result<T> {
        let value = self.node.attr(name);
        if value.as_ref().is_err_and(|error| error.kind() == ErrorKind::AttrUnknown) {
            self.missed_attr.set(true);
        }
        value
    }

    /// An attr as a Rust type; `None` where its value is not known. Stock TensorFlow tells the shape functions of a
    /// plugin only attrs of kind `type`; output shapes are unknown there where [`attr`](Self::attr) asked for others.
    ///
    /// # Errors
    /// There is no such attr, or it is of another kind.
    pub fn attr_if_known<T: FromAttr<'a>>(&self, name: &str) -> Result<Option<T>> {
        match self.node.attr(name) {
            Err(error) if error.kind() == ErrorKind::AttrUnknown => Ok(None),
            value => value.map(Some),
        }
    }

    /// All attrs.
    pub fn attrs(&self) -> &'a AttrMap {
        if self.node.attrs.iter().any(|(_, value)| matches!(value, AttrValue::Placeholder(_))) {
            self.missed_attr.set(true);
        }
        &self.node.attrs
    }

    /// Whether the shape function asked for an attr whose value is not known, so that what it set may be wrong.
    pub fn missed_attr(&self) -> bool {
        self.missed_attr.get()
    }

    /// Whether the shape function asked for the value of an input, so that what it set may differ for other values of
    /// the same shapes.
    pub fn asked_values(&self) -> bool {
        self.asked_values.get()
    }

    /// Dtype of an input.
    pub fn input_dtype(&self, index: usize) -> Option<DType> {
        self.node.input_dtypes.get(index).copied()
    }

    /// Dtype of an output.
    pub fn output_dtype(&self, index: usize) -> Option<DType> {
        self.node.output_dtypes.get(index).copied()
    }

    /// Sets an output's shape.
    pub fn set_output(&mut self, index: usize, shape: impl Into<PartialShape>) {
        if let Some(slot) = self.outputs.get_mut(index) {
            *slot = shape.into();
        }
    }

    /// Sets what an output handle refers to.
    pub fn set_output_handle_shapes(&mut self, index: usize, shapes: Vec<HandleShape>) {
        self.output_handles.push((index, shapes));
    }

    /// What an input handle refers to; empty where unknown.
    pub fn input_handle_shapes(&self, index: usize) -> &[HandleShape] {
        match &self.constants {
            Constants::Run(_) => &[],
            Constants::Build(constants) => constants.handle_shapes(index),
        }
    }

    /// Handle shapes that were set, by output.
    pub fn take_output_handle_shapes(&mut self) -> Vec<(usize, Vec<HandleShape>)> {
        std::mem::take(&mut self.output_handles)
    }

    /// The output shapes.
    pub fn output_shapes(&self) -> &[PartialShape] {
        &self.outputs
    }

    /// The output shapes, at the end.
    pub fn into_output_shapes(self) -> Vec<PartialShape> {
        let mut shapes = Vec::with_capacity(self.outputs.len());
        shapes.extend(self.outputs);
        shapes
    }

    /// Name of the declared argument that a flat input belongs to, for messages.
    pub fn input_name(&self, index: usize) -> String {
        let arg = self.node.input_ranges.iter().position(|range| range.contains(&index));
        match arg.and_then(|arg| Some((self.op().inputs.get(arg)?, &self.node.input_ranges[arg]))) {
            Some((arg, range)) if range.len() > 1 => format!("`{}[{}]`", arg.name, index - range.start),
            Some((arg, _)) => format!("`{}`", arg.name),
            None => format!("{index}"),
        }
    }

    /// The input's shape with a rank known to be `rank`, or an error naming the input.
    ///
    /// # Errors
    /// The rank is known and another one.
    pub fn with_rank(&self, index: usize, rank: usize) -> Result<PartialShape> {
        match self.input(index).rank() {
            None => Ok(PartialShape::unknown_of_rank(rank)),
            Some(r) if r == rank => Ok(self.input(index).clone()),
            Some(_) => Err(self.wrong_rank(index, &format!("be of rank {rank}"))),
        }
    }

    /// The input's shape, whose rank is at least `rank` or unknown; or an error naming the input.
    ///
    /// # Errors
    /// The rank is known and smaller.
    pub fn with_rank_at_least(&self, index: usize, rank: usize) -> Result<PartialShape> {
        match self.input(index).rank() {
            Some(r) if r < rank => Err(self.wrong_rank(index, &format!("be at least of rank {rank}"))),
            _ => Ok(self.input(index).clone()),
        }
    }

    /// The input's shape, whose rank is at most `rank` or unknown; or an error naming the input.
    ///
    /// # Errors
    /// The rank is known and larger.
    pub fn with_rank_at_most(&self, index: usize, rank: usize) -> Result<PartialShape> {
        match self.input(index).rank() {
            Some(r) if r > rank => Err(self.wrong_rank(index, &format!("be at most of rank {rank}"))),
            _ => Ok(self.input(index).clone()),
        }
    }

    #[cold]
    fn wrong_rank(&self, index: usize, wanted: &str) -> Error {
        let shape = self.input(index);
        let rank = shape.rank().unwrap_or(0);
        let name = self.input_name(index);
        shape_error(format!("input {name} must {wanted}, its shape {shape} is of rank {rank}"))
    }

    /// The shape that satisfies both, as much of it as is known.
    ///
    /// # Errors
    /// They contradict each other.
    pub fn merge(&self, a: &PartialShape, b: &PartialShape) -> Result<PartialShape> {
        merge_shapes(a, b)
    }

    /// The extent that satisfies both.
    ///
    /// # Errors
    /// Both are known and differ.
    pub fn merge_dim(&self, a: Dim, b: Dim) -> Result<Dim> {
        match (a, b) {
            (Some(a), Some(b)) if a != b => Err(shape_error(format!("dimensions {a} and {b} must be equal"))),
            _ => Ok(a.or(b)),
        }
    }

    /// A scalar input's integer value, where it is constant.
    ///
    /// # Errors
    /// The input is constant and has not one element, or no integers.
    pub fn constant_int(&self, index: usize) -> Result<Option<i64>> {
        let Some(tensor) = self.input_tensor(index) else { return Ok(None) };
        let values = few_ints(tensor)?;
        ensure!(values.len() == 1, "input {} must be a scalar, it is {}", self.input_name(index), tensor.shape());
        Ok(values.first().copied())
    }

    /// An integer input's values, where it is constant.
    ///
    /// # Errors
    /// The input is constant and has no integers.
    pub fn constant_ints(&self, index: usize) -> Result<Option<Vec<i64>>> {
        self.input_tensor(index).map(int_values).transpose()
    }

    /// The shape whose extents a rank-1 integer input holds, as far as it is known (-1 is unknown).
    ///
    /// # Errors
    /// The input is no vector, holds no integers, or has an extent below -1.
    pub fn make_shape_from_tensor(&self, index: usize) -> Result<PartialShape> {
        if let Some(tensor) = self.input_tensor(index) {
            if tensor.rank() == 0 && few_ints(tensor)?.first() == Some(&-1) {
                return Ok(PartialShape::unknown());
            }
            ensure!(tensor.rank() == 1, "input {} must be a vector, it is {}", self.input_name(index), tensor.shape());
            return PartialShape::from_i64(Some(&few_ints(tensor)?));
        }
        let shape = self.with_rank(index, 1)?;
        let partial = match &self.constants {
            Constants::Run(_) => None,
            Constants::Build(constants) => constants.as_shape(index),
        };
        Ok(partial.unwrap_or_else(|| shape.dim(0).map_or_else(PartialShape::unknown, PartialShape::unknown_of_rank)))
    }

    /// Extents `start..end` of a shape; negative positions count from the end.
    ///
    /// # Errors
    /// The positions, counted from the end where they are negative, are before the first extent, or the start is after
    /// the end.
    pub fn subshape(&self, shape: &PartialShape, start: i64, end: Option<i64>) -> Result<PartialShape> {
        let Some(dims) = shape.dims() else { return Ok(PartialShape::unknown()) };
        let rank = dims.len() as i64;
        let at = |p: i64| if p < 0 { p + rank } else { p.min(rank) };
        let (start, end) = (at(start), at(end.unwrap_or(rank)));
        ensure!(0 <= start && start <= end, "dimensions {start}..{end} of the shape {shape} do not exist");
        Ok(PartialShape::new(&dims[start as usize..end as usize]))
    }

    /// The extents of `a`, then those of `b`.
    pub fn concatenate(&self, a: &PartialShape, b: &PartialShape) -> PartialShape {
        match (a.dims(), b.dims()) {
            (Some(a), Some(b)) => a.iter().chain(b).copied().collect(),
            _ => PartialShape::unknown(),
        }
    }
}
