//! Nodes: from an op, the dtypes of its inputs and the attrs given, to everything a kernel may know.
//!
//! `infer` gives attrs their values, `check` holds them against the declaration, `inputs` holds tensors against the
//! node.

mod check;
mod group;
mod infer;
mod inputs;

use std::ops::Range;

use oplink_api::signature::signature;
use oplink_api::{AttrMap, AttrValue, DType, NodeInfo, Result};

use crate::OpEntry;
use infer::Inference;

pub use group::group_inputs;
pub use inputs::check_inputs;
pub(crate) use inputs::input_name;

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
    op: &OpEntry,
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
    op: &OpEntry,
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
    op: &OpEntry,
    name: impl Into<String>,
    device: impl Into<String>,
    inputs: &[DType],
    attrs: &[(&str, AttrValue)],
) -> Result<NodeInfo> {
    let ranges = group_inputs(&op.spec, inputs.len(), attrs)?;
    let grouped = group::grouped(&op.spec, inputs, &ranges);
    node_for_call(op, name, device, &grouped, attrs.iter().cloned())
}

/// The node of a stored graph: its attrs say everything, defaults aside; the dtypes of its inputs follow from them and
/// are checked against the real ones by [`check_inputs`] when these are known.
///
/// # Errors
/// As [`node_for_call`].
pub fn node_from_attrs<'n>(
    op: &OpEntry,
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
    op: &OpEntry,
    name: impl Into<String>,
    device: impl Into<String>,
    attrs: impl IntoIterator<Item = (&'n str, AttrValue)>,
) -> Result<NodeInfo> {
    let (name, device) = (name.into(), device.into());
    let mut inference = Inference::new(op, rules)?;
    inference.give(attrs)?;
    make_node(op, name, device, inference.finish()?)
}

fn make_node(op: &OpEntry, name: String, device: String, attrs: AttrMap) -> Result<NodeInfo> {
    let (input_dtypes, input_ranges): (Vec<DType>, Vec<Range<usize>>) = signature(&op.spec, &op.spec.inputs, &attrs)?;
    let (output_dtypes, output_ranges) = signature(&op.spec, &op.spec.outputs, &attrs)?;
    Ok(NodeInfo {
        name,
        op: op.spec.clone(),
        device,
        attrs,
        input_dtypes,
        output_dtypes,
        input_ranges,
        output_ranges,
        shape_fn: op.shape_fn,
    })
}
