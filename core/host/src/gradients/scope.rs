//! What a plugin's gradient calls: functions that add nodes to the scope that it was lent.
#![allow(unsafe_code, reason = "room: the C ABI")]

use oplink_abi::{
    OPLINK_AddedNode, OPLINK_NodeArgument, OPLINK_NodeCall, OPLINK_Output, OPLINK_Range, OPLINK_Scope, TF_StringView,
};
use oplink_api::call::{Arg, Call};
use oplink_api::{Error, Output, Result, Scope, ensure};
use oplink_core::{Registry, attr_from_spec, kind_of, tensor_from_spec};
use oplink_proto::{NodeDef, TensorProto, attr_value_to_spec, from_bytes, tensor_to_spec};

use super::call::to_c;
use crate::c_api;
use crate::guard::{borrow, borrow_mut, slice};
use crate::load::interned;

/// A scope, lent to a plugin for one call.
pub(super) struct LentScope<'s> {
    scope: &'s mut dyn Scope,
    /// What the node that was added last points to.
    outputs: Vec<OPLINK_Output>,
    ranges: Vec<OPLINK_Range>,
    /// The last error that the scope gave.
    failure: Option<Error>,
}

impl<'s> LentScope<'s> {
    pub(super) fn new(scope: &'s mut dyn Scope) -> Self {
        Self { scope, outputs: Vec::new(), ranges: Vec::new(), failure: None }
    }

    /// What came of the call: the scope's own error where the plugin passed it on.
    pub(super) fn outcome(self, said: Result<()>) -> Result<()> {
        said.map_err(|error| match self.failure {
            Some(failure) if error.message() == failure.to_string() => failure,
            _ => error,
        })
    }

    fn keep<T>(&mut self, result: Result<T>) -> Result<T> {
        self.failure = result.as_ref().err().cloned();
        result
    }

    fn add(&mut self, call: Call<Output>) -> Result<OPLINK_AddedNode> {
        let added = self.scope.add(call);
        let added = self.keep(added)?;
        self.outputs = added.values.iter().map(|&output| to_c(output)).collect();
        self.ranges = added.ranges.iter().map(|range| OPLINK_Range { start: range.start, end: range.end }).collect();
        Ok(OPLINK_AddedNode {
            struct_size: size_of::<OPLINK_AddedNode>(),
            node: added.node,
            reserved: 0,
            outputs: self.outputs.as_ptr(),
            num_outputs: self.outputs.len(),
            ranges: self.ranges.as_ptr(),
            num_ranges: self.ranges.len(),
        })
    }
}

/// # Safety
/// The scope is null, or was lent to the plugin by a call that goes on; the plugin uses it on one thread.
unsafe fn lent<'a>(scope: *mut OPLINK_Scope, function: &str, argument: &str) -> Result<&'a mut LentScope<'a>> {
    // SAFETY: scopes are lent as pointers to a `LentScope` that lives during the call (Safety section).
    unsafe { borrow_mut(scope.cast::<LentScope<'a>>(), function, argument) }
}

/// # Safety
/// The bytes are alive and as many as the view tells.
unsafe fn bytes_of<'a>(view: TF_StringView, function: &str, argument: &str) -> Result<&'a [u8]> {
    // SAFETY: the contract of this function.
    unsafe { slice(view.data.cast::<u8>(), view.len, function, argument) }
}

/// The node as the scope takes it.
///
/// # Safety
/// What the call points to is alive, and as long as it tells.
unsafe fn read_call(call: &OPLINK_NodeCall, function: &str) -> Result<Call<Output>> {
    ensure!(call.struct_size >= size_of::<OPLINK_NodeCall>(), "{function}: `call` is too short");
    // SAFETY: the bytes and arguments are alive and as many as the call tells (Safety section).
    let (bytes, arguments) = unsafe {
        let bytes = bytes_of(call.node_def, function, "node_def")?;
        (bytes, slice(call.arguments, call.num_arguments, function, "arguments")?)
    };
    let malformed = |error: &dyn std::fmt::Display| Error::invalid_argument(format!("{function}: `node_def`: {error}"));
    let node: NodeDef = from_bytes(bytes.to_vec()).map_err(|error| malformed(&error))?;
    let known = Registry::global()?.get_op(&node.op);
    let mut attrs = Vec::with_capacity(node.attr.len());
    for (name, value) in &node.attr {
        let Some(value) = attr_value_to_spec(value).map_err(|error| malformed(&error))? else { continue };
        let kind = known.and_then(|op| op.spec.attr(name)).map_or_else(|| kind_of(&value), |attr| attr.kind);
        attrs.push((interned(name), attr_from_spec(&value, kind)?));
    }
    let text = |text: String| (!text.is_empty()).then_some(text);
    Ok(Call {
        op: interned(&node.op),
        name: text(node.name),
        device: text(node.device),
        // SAFETY: each argument is as long as it tells (Safety section).
        inputs: arguments.iter().map(|one| unsafe { read_argument(one, function) }).collect::<Result<_>>()?,
        attrs,
    })
}

/// # Safety
/// The argument is as long as it tells.
unsafe fn read_argument(argument: &OPLINK_NodeArgument, function: &str) -> Result<Arg<Output>> {
    // SAFETY: the argument's inputs are alive and as many as it tells (Safety section).
    let inputs = unsafe { slice(argument.inputs, argument.num_inputs, function, "inputs") }?;
    let mut inputs = inputs.iter().map(|input| Output { node: input.node, index: input.index });
    if argument.is_list != 0 {
        return Ok(Arg::List(inputs.collect()));
    }
    inputs.next().map(Arg::One).ok_or_else(|| Error::invalid_argument(format!("{function}: an argument has no input")))
}

c_api! {
    /// Adds a node to the graph that is differentiated and tells its outputs; see `OPLINK_GradientCall`.
    ///
    /// # Safety
    /// The scope was lent by a call that goes on and is used on one thread; `call` is null or alive, and all that it
    /// points to is as long as it tells; `added` is null or writable; the status is null or alive.
    fn OPLINK_ScopeAddNode(
        scope as lent: *mut OPLINK_Scope => lent,
        call as wanted: *const OPLINK_NodeCall => borrow,
        added as told: *mut OPLINK_AddedNode => borrow_mut;
        status
    ) {
        // SAFETY: all that the call points to is as long as it tells (Safety section).
        *told = lent.add(unsafe { read_call(wanted, NAME) }?)?;
        Ok(())
    }

    /// Adds a constant, given as a serialized `TensorProto`, to the graph that is differentiated.
    ///
    /// # Safety
    /// As [`OPLINK_ScopeAddNode`]; `tensor` is as long as it tells; `output` is null or writable.
    fn OPLINK_ScopeAddConstant(
        scope as lent: *mut OPLINK_Scope => lent,
        tensor as bytes: TF_StringView => bytes_of,
        output as told: *mut OPLINK_Output => borrow_mut;
        status
    ) {
        let malformed = |error: &dyn std::fmt::Display| Error::invalid_argument(format!("{NAME}: `tensor`: {error}"));
        let proto: TensorProto = from_bytes(bytes.to_vec()).map_err(|error| malformed(&error))?;
        let value = tensor_from_spec(&tensor_to_spec(&proto).map_err(|error| malformed(&error))?)?;
        let added = lent.scope.constant(value);
        *told = to_c(lent.keep(added)?);
        Ok(())
    }
}
