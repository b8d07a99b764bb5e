//! Binding of inputs and attrs.

use std::fmt::Display;
use std::ops::Range;

use super::binding::bound;
use crate::attr::{AttrParam, FromAttr};
use crate::params::{InputListParam, InputParam, SameElement};
use crate::{AttrValue, Error, Input, InputList, KernelContext, NodeInfo, Result, Tensor};

#[cold]
fn missing(what: &str, name: impl Display) -> Error {
    Error::internal(format!("{what} `{name}` is missing"))
}

/// Binds the single input at flat position `index`, declared as `name` with elements `E`.
///
/// # Errors
/// The run lacks the input, or the parameter does not take it.
#[inline]
pub fn input<'a, P, E, N: Display>(inputs: &'a [Tensor], index: usize, name: N) -> Result<P>
where
    P: InputParam<'a, Element: SameElement<E, N>>,
{
    let tensor = inputs.get(index).ok_or_else(|| missing("input", &name))?;
    P::bind(tensor).map_err(|error| bound(error, "input", &name))
}

/// Binds the inputs at `range`, declared as `name` with elements `E`.
///
/// # Errors
/// The run lacks the inputs, or the parameter does not take them.
#[inline]
pub fn input_list<'a, P, E, N: Display>(inputs: &'a [Tensor], range: Range<usize>, name: N) -> Result<P>
where
    P: InputListParam<'a, Element: SameElement<E, N>>,
{
    let tensors = inputs.get(range).ok_or_else(|| missing("input", &name))?;
    P::bind_list(tensors).map_err(|error| bound(error, "input", &name))
}

/// Positions of the inputs that a declared argument covers.
#[inline]
pub fn input_range(context: &KernelContext<'_>, arg: usize) -> Range<usize> {
    context.node().input_ranges[arg].clone()
}

/// Positions of the outputs that a declared argument covers.
#[inline]
pub fn output_range(context: &KernelContext<'_>, arg: usize) -> Range<usize> {
    context.node().output_ranges[arg].clone()
}

/// A reference of its own to one input, for kernels that also take the context mutably.
///
/// # Errors
/// The run lacks the input.
#[inline]
pub fn hold(inputs: &[Tensor], index: usize, name: &str) -> Result<[Tensor; 1]> {
    inputs.get(index).map(|tensor| [tensor.clone()]).ok_or_else(|| missing("input", name))
}

/// References of their own to the inputs of a list.
///
/// # Errors
/// The run lacks the inputs.
pub fn hold_list(inputs: &[Tensor], range: Range<usize>, name: &str) -> Result<Vec<Tensor>> {
    inputs.get(range).map(<[Tensor]>::to_vec).ok_or_else(|| missing("input", name))
}

/// Binds the single input in a slot, declared as `name` with elements `E`.
///
/// # Errors
/// The parameter does not take the input.
#[inline]
pub fn input_of<'a, P, E, N: Display>(input: Input<'a>, name: N) -> Result<P>
where
    P: InputParam<'a, Element: SameElement<E, N>>,
{
    P::bind(input.into_ref()).map_err(|error| bound(error, "input", &name))
}

/// Binds the inputs in a list's slots, declared as `name` with elements `E`.
///
/// # Errors
/// The parameter does not take the inputs.
#[inline]
pub fn input_list_of<'a, P, E, N: Display>(inputs: InputList<'a>, name: N) -> Result<P>
where
    P: InputListParam<'a, Element: SameElement<E, N>>,
{
    P::bind_list(inputs.into_ref()).map_err(|error| bound(error, "input", &name))
}

/// The attr at position `index` of a node, declared as `name`.
fn attr_at<'a>(node: &'a NodeInfo, index: usize, name: &'static str) -> Result<&'a AttrValue> {
    node.attrs.at(index, name).ok_or_else(|| missing("attr", name))
}

/// Reads the attr at position `index` of a node, declared as `name`.
///
/// # Errors
/// The node lacks the attr, or it is of another kind.
#[inline]
pub fn attr_of<'a, P: FromAttr<'a>>(node: &'a NodeInfo, index: usize, name: &'static str) -> Result<P> {
    let value = attr_at(node, index, name)?;
    P::from_attr(value).ok_or_else(|| crate::attr::wrong_kind(name, value, P::KIND))
}

/// Reads the attr at position `index` of a node, declared as `name` with a few values.
///
/// # Errors
/// The node lacks the attr, or it has a value that the op does not allow.
#[inline]
pub fn enum_attr_of<P>(
    node: &NodeInfo,
    index: usize,
    name: &'static str,
    read: fn(&AttrValue) -> Option<P>,
) -> Result<P> {
    let value = attr_at(node, index, name)?;
    read(value).ok_or_else(|| crate::attr::not_allowed(name, value))
}

/// Reads the attr at position `index`, declared as `name` of kind `K`.
///
/// # Errors
/// The node lacks the attr, or it is of another kind.
#[inline]
pub fn attr<'a, P: AttrParam<'a, K>, K: ?Sized, N: Into<&'static str>>(
    context: &KernelContext<'a>,
    index: usize,
    name: N,
) -> Result<P> {
    let name = name.into();
    let value = attr_at(context.node(), index, name)?;
    P::from_attr(value).ok_or_else(|| crate::attr::wrong_kind(name, value, P::KIND))
}
