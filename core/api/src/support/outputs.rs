//! Allocation, binding and setting of outputs.

use std::fmt::Display;
use std::ops::Range;

use super::binding::{bound, inputs_on_device};
use crate::params::{InOutParam, OutputListParam, OutputListValue, OutputParam, OutputValue, SameElement};
use crate::{Error, KernelContext, PartialShape, Result, Shape, Tensor};

/// A tensor that was allocated for an output: made here, or in its place, from which it is not moved before it is set.
pub enum OutputTensor<'r> {
    Made(Tensor),
    Ready(&'r mut Option<Tensor>),
}

impl OutputTensor<'_> {
    /// The tensor.
    #[inline]
    fn tensor_mut(&mut self) -> &mut Tensor {
        match self {
            Self::Made(tensor) => tensor,
            Self::Ready(place) => place.get_or_insert_with(Tensor::empty),
        }
    }
}

/// Binds an allocated output with elements `E`.
///
/// # Errors
/// The parameter does not take the output.
#[inline]
pub fn output<'a, P, E, N: Display>(output: &'a mut OutputTensor<'_>, name: N) -> Result<P>
where
    P: OutputParam<'a, Element: SameElement<E, N>>,
{
    P::bind_output(output.tensor_mut()).map_err(|error| bound(error, "output", &name))
}

/// Binds the allocated outputs of a list.
///
/// # Errors
/// None; the signature is that of [`output`].
#[inline]
pub fn output_list<'a, P: OutputListParam<'a>>(tensors: &'a mut [Tensor]) -> Result<P> {
    Ok(P::bind_output_list(tensors))
}

/// Allocates the outputs of a list from the shape function.
///
/// # Errors
/// The shape function fails or leaves a shape unknown, or memory runs out.
pub fn allocate_list(context: &KernelContext<'_>, range: Range<usize>, name: &str) -> Result<Vec<Tensor>> {
    let shapes = context.infer_output_shapes()?;
    range.map(|index| allocate_one(context, &shapes, index, name)).collect()
}

/// Allocates several outputs, given by flat position and name, from one call of the shape function, or takes those that
/// were made ahead.
///
/// # Errors
/// The shape function fails or leaves a shape unknown, or memory runs out.
#[inline]
pub fn allocate_outputs<'r, const N: usize>(
    context: &mut KernelContext<'r>,
    outputs: [(usize, &str); N],
) -> Result<[OutputTensor<'r>; N]> {
    match context.take_ready(outputs.map(|(index, _)| index)) {
        Some(places) => Ok(places.map(OutputTensor::Ready)),
        None => Ok(inferred_outputs(context, outputs)?.map(OutputTensor::Made)),
    }
}

fn inferred_outputs<const N: usize>(context: &KernelContext<'_>, outputs: [(usize, &str); N]) -> Result<[Tensor; N]> {
    let shapes = context.infer_outputs(N == context.num_outputs())?;
    let mut tensors = [const { None }; N];
    for (slot, (index, name)) in tensors.iter_mut().zip(outputs) {
        *slot = Some(allocate_one(context, &shapes, index, name)?);
    }
    Ok(tensors.map(|tensor| tensor.unwrap_or_else(Tensor::empty)))
}

fn allocate_one(context: &KernelContext<'_>, shapes: &[PartialShape], index: usize, name: &str) -> Result<Tensor> {
    let shape: Option<Shape> = shapes.get(index).and_then(PartialShape::to_shape);
    let shape = shape.ok_or_else(|| {
        Error::invalid_argument(format!(
            "the shape function of {} leaves the shape of output `{name}` unknown ({}), so it cannot be allocated; \
             return the output from the kernel instead{}",
            context.node().op.name,
            shapes.get(index).map_or_else(|| "?".to_owned(), ToString::to_string),
            inputs_on_device(context.inputs()),
        ))
    })?;
    context.allocate_output(index, shape)
}

/// The tensors behind a forwarded pair.
pub enum Forwarded {
    InPlace(Tensor),
    Copy(Tensor, Tensor),
}

/// Takes the input's memory for the output where nobody else needs it, or allocates an output of the same shape.
///
/// # Errors
/// Memory runs out.
#[inline]
pub fn forward(context: &mut KernelContext<'_>, input: usize, output: usize) -> Result<Forwarded> {
    if let Some(ready) = context.take_ready_like(input, output) {
        return Ok(Forwarded::Copy(context.take_input(input), ready));
    }
    let shape = context.input(input).shape().clone();
    match context.forward_or_allocate(&[input], output, &shape)? {
        (Some(_), tensor) => Ok(Forwarded::InPlace(tensor)),
        (None, tensor) => {
            if context.num_outputs() == 1 {
                context.env().shapes_inferred(&[shape.into()]);
            }
            Ok(Forwarded::Copy(context.take_input(input), tensor))
        }
    }
}

/// Binds the parameter of a forwarded pair with elements `E`.
///
/// # Errors
/// The parameter does not take the tensors.
#[inline]
pub fn in_out<'a, P, E, N: Display>(forwarded: &'a mut Forwarded, name: N) -> Result<P>
where
    P: InOutParam<'a, Element: SameElement<E, N>>,
{
    match forwarded {
        Forwarded::InPlace(tensor) => P::bind_in_place(tensor),
        Forwarded::Copy(input, output) => P::bind_copy(input, output),
    }
    .map_err(|error| bound(error, "output", &name))
}

impl Forwarded {
    /// The output.
    #[inline]
    pub fn into_output(self) -> OutputTensor<'static> {
        match self {
            Self::InPlace(tensor) | Self::Copy(_, tensor) => OutputTensor::Made(tensor),
        }
    }
}

/// The result of a kernel with the error as the runtime's.
///
/// # Errors
/// The kernel's.
#[inline]
pub fn checked<T, E>(result: std::result::Result<T, E>) -> Result<T>
where
    Error: From<E>,
{
    Ok(result?)
}

/// Sets an output that the kernel wrote.
#[inline]
pub fn set_output(context: &mut KernelContext<'_>, index: usize, output: OutputTensor<'_>) {
    match output {
        OutputTensor::Made(tensor) => context.set_output(index, tensor),
        OutputTensor::Ready(place) => context.set_output_from(index, place),
    }
}

/// Sets an output, with elements `E`, that the kernel returned.
#[inline]
pub fn set_returned<P, E, N>(context: &mut KernelContext<'_>, index: usize, _: N, value: P)
where
    P: OutputValue<Element: SameElement<E, N>>,
{
    let output = value.into_output_of(context.node(), context.inputs());
    context.set_output(index, output);
}

/// Sets the outputs of a declared list.
///
/// # Errors
/// The kernel returned another number of tensors.
pub fn set_output_list(
    context: &mut KernelContext<'_>,
    range: Range<usize>,
    name: &str,
    values: Vec<Tensor>,
) -> Result<()> {
    if values.len() != range.len() {
        return Err(Error::invalid_argument(format!(
            "output `{name}` has {} tensors, the kernel returned {}",
            range.len(),
            values.len()
        )));
    }
    range.zip(values).for_each(|(index, tensor)| context.set_output(index, tensor));
    Ok(())
}

/// Sets the outputs of a declared list that the kernel returned.
///
/// # Errors
/// The kernel returned another number of tensors.
pub fn set_returned_list<P: OutputListValue>(
    context: &mut KernelContext<'_>,
    range: Range<usize>,
    name: &str,
    value: P,
) -> Result<()> {
    set_output_list(context, range, name, value.into_outputs())
}
