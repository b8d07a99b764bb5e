//! The value behind a tensor list's variant.

use oplink::params::InputParam;
use oplink::prelude::*;
use oplink::resource::{Variant, VariantObject};
use oplink::shape_inference::merge_shapes;

use crate::sums;

/// A list of tensors of one dtype. Elements that were never set stand for zeros.
#[derive(Clone, Debug)]
pub struct TensorList {
    /// The elements; `None` for one that was never set.
    pub elements: Vec<Option<Tensor>>,
    /// What is known of every element's shape.
    pub element_shape: PartialShape,
    /// Dtype of the elements.
    pub element_dtype: DType,
    /// The most elements that can be pushed, where there is a limit.
    pub max_num_elements: Option<usize>,
}

impl TensorList {
    /// A list that holds `elements` and takes any number of them.
    pub(super) fn new(elements: Vec<Option<Tensor>>, element_shape: PartialShape, element_dtype: DType) -> Self {
        Self { elements, element_shape, element_dtype, max_num_elements: None }
    }

    /// The same list without its elements.
    fn clone_empty(&self) -> Self {
        Self { elements: Vec::new(), element_shape: self.element_shape.clone(), ..*self }
    }

    /// As a scalar tensor.
    pub(super) fn into_tensor(self) -> Tensor {
        Tensor::scalar(Variant::new(self))
    }

    /// An error unless the elements are of `dtype`.
    pub(super) fn check_dtype(&self, dtype: DType) -> Result<()> {
        ensure!(
            self.element_dtype == dtype,
            "the list holds tensors of {}, the op works on {dtype}",
            self.element_dtype
        );
        Ok(())
    }

    /// An error unless a tensor of this shape can be an element.
    pub(super) fn check_shape(&self, shape: &Shape) -> Result<()> {
        let wanted = &self.element_shape;
        ensure!(wanted.accepts(shape), "a tensor of shape {shape} does not fit a list with elements of shape {wanted}");
        Ok(())
    }

    /// Appends an element that was checked to fit.
    pub(super) fn push(&mut self, tensor: Tensor) -> Result<()> {
        let full = self.max_num_elements.is_some_and(|most| self.elements.len() >= most);
        ensure!(!full, "the list has as many elements as it can hold, {}", self.elements.len());
        self.elements.push(Some(tensor));
        Ok(())
    }

    /// The element shape, refined by what the op says of it.
    pub(super) fn shape_with(&self, given: &PartialShape) -> Result<PartialShape> {
        merge_shapes(given, &self.element_shape)
    }
}

/// The list in a scalar.
impl<'a> InputParam<'a> for &'a TensorList {
    type Element = Variant;

    fn bind(input: &'a Tensor) -> Result<Self> {
        ensure!(input.rank() == 0, "it must be a scalar that holds a list, it has shape {}", input.shape());
        of(&input.as_slice::<Variant>()?[0])
    }
}

/// The list in a variant.
pub(super) fn of(variant: &Variant) -> Result<&TensorList> {
    variant.get().ok_or_else(|| {
        let what = if variant.type_name().is_empty() { "an empty variant" } else { variant.type_name() };
        Error::invalid_argument(format!("it holds {what}, not a tensor list"))
    })
}

/// Changes the list in a scalar input and sets an output to it: in place where nobody else holds the list, otherwise as
/// a copy. The elements are of `dtype`, where that is given.
pub(super) fn change<R>(
    input: Input<'_>,
    dtype: Option<DType>,
    output: &mut OutputSlot<'_>,
    change: impl FnOnce(&mut TensorList) -> Result<R>,
) -> Result<R> {
    let list =
        <&TensorList>::bind(&input).map_err(|error| error.context(format!("binding input `{}`", input.name())))?;
    dtype.map_or(Ok(()), |dtype| list.check_dtype(dtype))?;
    let mut tensor = input.take();
    let in_place = tensor.as_mut_slice::<Variant>().ok().and_then(|variants| variants[0].get_mut::<TensorList>());
    if let Some(list) = in_place {
        let result = change(list)?;
        output.set(tensor);
        return Ok(result);
    }
    let mut list = of(&tensor.as_slice::<Variant>()?[0])?.clone();
    let result = change(&mut list)?;
    output.set(list.into_tensor());
    Ok(result)
}

/// What is known of the shape of every one of `elements`, refining `shape`.
pub(super) fn common_shape<'a>(
    shape: PartialShape,
    elements: impl Iterator<Item = &'a Option<Tensor>>,
) -> Result<PartialShape> {
    elements.flatten().try_fold(shape, |shape, element| {
        let known = shape.is_fully_known() && shape.accepts(element.shape());
        if known { Ok(shape) } else { merge_shapes(&shape, &element.shape().into()) }
    })
}

/// A shape that zeros are made of.
pub(super) fn fully_known(shape: &PartialShape) -> Result<Shape> {
    let unknown =
        || Error::invalid_argument(format!("an element was never set, and its shape {shape} is not fully known"));
    shape.to_shape().ok_or_else(unknown)
}

impl VariantObject for TensorList {
    fn type_name(&self) -> &'static str {
        "tensorflow::TensorList"
    }

    fn zeros_like(&self) -> Result<Variant> {
        let zero = |element: &Option<Tensor>| element.as_ref().map(sums::zeros_like).transpose();
        let elements = self.elements.iter().map(zero).collect::<Result<_>>()?;
        Ok(Variant::new(Self { elements, ..self.clone_empty() }))
    }

    fn add(&self, other: &Variant) -> Result<Variant> {
        let Some(other) = other.get::<Self>() else { return Err(sums::types_differ(self.type_name(), other)) };
        other.check_dtype(self.element_dtype)?;
        let (length, other_length) = (self.elements.len(), other.elements.len());
        ensure!(length == other_length, "lists of {length} and of {other_length} elements cannot be added");
        let element_shape = merge_shapes(&self.element_shape, &other.element_shape)?;
        let sum = |(a, b): (&Option<Tensor>, &Option<Tensor>)| match (a, b) {
            (Some(a), Some(b)) => sums::add(a, b).map(Some),
            (a, b) => Ok(a.as_ref().or(b.as_ref()).cloned()),
        };
        let elements = self.elements.iter().zip(&other.elements).map(sum).collect::<Result<_>>()?;
        Ok(Variant::new(Self { elements, element_shape, ..self.clone_empty() }))
    }
}
