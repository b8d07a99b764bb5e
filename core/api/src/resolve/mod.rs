//! Nodes: from an op, the dtypes of its inputs and the attrs given, to everything a kernel may know.
//!
//! `infer` gives attrs their values, `check` holds them against the declaration, `inputs` holds tensors against the
//! node.

mod check;
mod default_value;
mod group;
mod infer;
mod inputs;
mod tensor_value;

use std::ops::Range;
use std::sync::Arc;

use crate::foreign::ShapeInference;
use crate::signature::signature;
use crate::{AttrMap, AttrValue, DType, Error, ErrorKind, NodeInfo, OpSpec, Result};
use infer::Inference;

pub use default_value::{attr_from_spec, kind_of};
pub use group::{group_inputs, grouped};
pub use inputs::{check_inputs, input_name};
pub use tensor_value::tensor_from_spec;

/// An op that nodes are resolved against.
pub trait DeclaredOp {
    /// The declaration.
    fn spec(&self) -> &Arc<OpSpec>;

    /// The op's attrs with their defaults, in the declaration's order; see [`attr_defaults`].
    ///
    /// # Errors
    /// A declared constant tensor or shape is malformed.
    fn attr_defaults(&self) -> Result<&[AttrDefault]>;

    /// The shape function.
    fn shape_fn(&self) -> Option<ShapeInference>;
}

/// An attr's name, shared by all nodes, and its default as nodes hold it.
#[derive(Clone, Debug)]
pub struct AttrDefault {
    /// The name.
    pub name: Arc<str>,
    /// The default, where there is one.
    pub default: Option<AttrValue>,
}

/// The attrs of a declaration with their defaults.
///
/// # Errors
/// A declared constant tensor or shape is malformed.
pub fn attr_defaults(spec: &OpSpec) -> Result<Vec<AttrDefault>> {
    let make = |attr: &oplink_spec::AttrSpec| {
        let default = attr.default.as_ref().map(|value| attr_from_spec(value, attr.kind)).transpose();
        let failed = |e: Error| e.with_kind(ErrorKind::Spec).context(format!("default of attr `{}`", attr.name));
        Ok(AttrDefault { name: attr.name.as_str().into(), default: default.map_err(failed)? })
    };
    spec.attrs.iter().map(make).collect()
}

/// Which attrs a node may have beside values of those that its op declares. Ones whose names start with `_` are kept in
/// any case.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AttrRules {
    /// None, so that a misspelt one is found.
    #[default]
    Declared,
    /// Any others, and for a declared one the name of a function's attr that stands for its value: what TensorFlow's
    /// graphs may hold.
    Any,
}

/// The dtypes that a call gives one declared input argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArgDTypes<'a> {
    /// Of a single tensor.
    One(DType),
    /// Of the tensors of `N * T` or of a `list(type)`.
    List(&'a [DType]),
}

/// The node of a call: type, number and list attrs follow from the inputs, others from `attrs` or their defaults.
///
/// `attrs` whose name starts with `_` are kept as they are.
///
/// # Errors
/// A wrong number or dtype of inputs, an attr that is unknown, of the wrong kind, outside its constraint, in
/// contradiction to the inputs, or without a value. The message names the op, the attr or input, and what is allowed.
pub fn node_for_call<'n>(
    op: &dyn DeclaredOp,
    name: impl Into<String>,
    device: impl Into<String>,
    inputs: &[ArgDTypes<'_>],
    attrs: impl IntoIterator<Item = (&'n str, AttrValue)>,
) -> Result<NodeInfo> {
    node_for_call_under(AttrRules::Declared, op, name, device, inputs, attrs)
}

/// As [`node_for_call`], under these rules for attrs.
///
/// # Errors
/// As [`node_for_call`], those aside that the rules allow.
pub fn node_for_call_under<'n>(
    rules: AttrRules,
    op: &dyn DeclaredOp,
    name: impl Into<String>,
    device: impl Into<String>,
    inputs: &[ArgDTypes<'_>],
    attrs: impl IntoIterator<Item = (&'n str, AttrValue)>,
) -> Result<NodeInfo> {
    let (name, device) = (name.into(), device.into());
    let mut inference = Inference::new(op, rules)?;
    inference.give(attrs)?;
    inference.inputs(inputs)?;
    make_node(op, name, device, inference.finish()?)
}

/// The node of a call whose inputs are one flat list; see [`group_inputs`] for how it is split up.
///
/// # Errors
/// As [`node_for_call`] and [`group_inputs`].
pub fn node_for_flat_call(
    op: &dyn DeclaredOp,
    name: impl Into<String>,
    device: impl Into<String>,
    inputs: &[DType],
    attrs: &[(&str, AttrValue)],
) -> Result<NodeInfo> {
    let ranges = group_inputs(op.spec(), inputs.len(), attrs)?;
    let grouped = group::grouped(op.spec(), inputs, &ranges);
    node_for_call(op, name, device, &grouped, attrs.iter().cloned())
}

/// The node of a stored graph: its attrs say everything, defaults aside; the dtypes of its inputs follow from them and
/// are checked against the real ones by [`check_inputs`] when these are known.
///
/// # Errors
/// As [`node_for_call`].
pub fn node_from_attrs<'n>(
    op: &dyn DeclaredOp,
    name: impl Into<String>,
    device: impl Into<String>,
    attrs: impl IntoIterator<Item = (&'n str, AttrValue)>,
) -> Result<NodeInfo> {
    node_from_attrs_under(AttrRules::Declared, op, name, device, attrs)
}

/// As [`node_from_attrs`], under these rules for attrs.
///
/// # Errors
/// As [`node_from_attrs`], those aside that the rules allow.
pub fn node_from_attrs_under<'n>(
    rules: AttrRules,
    op: &dyn DeclaredOp,
    name: impl Into<String>,
    device: impl Into<String>,
    attrs: impl IntoIterator<Item = (&'n str, AttrValue)>,
) -> Result<NodeInfo> {
    let (name, device) = (name.into(), device.into());
    let mut inference = Inference::new(op, rules)?;
    inference.give(attrs)?;
    make_node(op, name, device, inference.finish()?)
}

fn make_node(op: &dyn DeclaredOp, name: String, device: String, attrs: AttrMap) -> Result<NodeInfo> {
    let (input_dtypes, input_ranges): (Vec<DType>, Vec<Range<usize>>) =
        signature(op.spec(), &op.spec().inputs, &attrs)?;
    let (output_dtypes, output_ranges) = signature(op.spec(), &op.spec().outputs, &attrs)?;
    Ok(NodeInfo {
        name,
        op: op.spec().clone(),
        device,
        attrs,
        input_dtypes,
        output_dtypes,
        input_ranges,
        output_ranges,
        shape_fn: op.shape_fn(),
    })
}
