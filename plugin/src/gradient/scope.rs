//! The host's scope, which gradients add nodes to.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ptr;

use oplink_abi::{
    OPLINK_AddedNode, OPLINK_NodeArgument, OPLINK_NodeCall, OPLINK_Output, OPLINK_Scope, ScopeAddConstantFn,
    ScopeAddNodeFn, TF_Bool, TF_StringView,
};
use oplink_api::call::{Arg, Call, Outputs};
use oplink_api::{Error, Output, Result, Scope, Tensor};

use super::messages;
use crate::host::Host;
use crate::status::Status;

/// A scope that the host lends for one call.
pub(super) struct HostScope {
    scope: *mut OPLINK_Scope,
    add_node: ScopeAddNodeFn,
    add_constant: ScopeAddConstantFn,
    status: Status,
}

pub(super) fn to_c(output: Output) -> OPLINK_Output {
    OPLINK_Output { node: output.node, index: output.index }
}

pub(super) fn from_c(output: OPLINK_Output) -> Output {
    Output { node: output.node, index: output.index }
}

impl HostScope {
    /// # Errors
    /// The host has no functions that add nodes.
    ///
    /// # Safety
    /// The scope was lent to a call, which outlives what is made here.
    pub(super) unsafe fn new(host: &'static Host, scope: *mut OPLINK_Scope) -> Result<Self> {
        let functions = host.OPLINK_ScopeAddNode.zip(host.OPLINK_ScopeAddConstant);
        let (add_node, add_constant) =
            functions.ok_or_else(|| Error::unimplemented("the host has no functions that add nodes to a graph"))?;
        Ok(Self { scope, add_node, add_constant, status: Status::new(host) })
    }
}

fn view(bytes: &[u8]) -> TF_StringView {
    TF_StringView { data: bytes.as_ptr().cast(), len: bytes.len() }
}

impl Scope for HostScope {
    fn add(&mut self, call: Call<Output>) -> Result<Outputs<Output>> {
        let node_def = messages::node_def(&call)?;
        let inputs: Vec<(Vec<OPLINK_Output>, bool)> = call
            .inputs
            .iter()
            .map(|input| match input {
                Arg::One(one) => (vec![to_c(*one)], false),
                Arg::List(list) => (list.iter().map(|&one| to_c(one)).collect(), true),
            })
            .collect();
        let argument = |(inputs, is_list): &(Vec<OPLINK_Output>, bool)| OPLINK_NodeArgument {
            inputs: inputs.as_ptr(),
            num_inputs: inputs.len(),
            is_list: TF_Bool::from(*is_list),
        };
        let arguments: Vec<OPLINK_NodeArgument> = inputs.iter().map(argument).collect();
        let wanted = OPLINK_NodeCall {
            struct_size: size_of::<OPLINK_NodeCall>(),
            node_def: view(&node_def),
            arguments: arguments.as_ptr(),
            num_arguments: arguments.len(),
        };
        let mut added = OPLINK_AddedNode {
            struct_size: size_of::<OPLINK_AddedNode>(),
            node: u32::MAX,
            reserved: 0,
            outputs: ptr::null(),
            num_outputs: 0,
            ranges: ptr::null(),
            num_ranges: 0,
        };
        // SAFETY: the scope is lent (contract of `new`); what the call points to lives during it.
        unsafe { (self.add_node)(self.scope, &raw const wanted, &raw mut added, self.status.raw()) };
        self.status.take()?;
        // SAFETY: the host tells how many there are; they live until the next call.
        let (outputs, ranges) =
            unsafe { (slice(added.outputs, added.num_outputs), slice(added.ranges, added.num_ranges)) };
        let values = outputs.iter().map(|&output| from_c(output)).collect();
        Ok(Outputs { values, ranges: ranges.iter().map(|range| range.start..range.end).collect(), node: added.node })
    }

    fn constant(&mut self, value: Tensor) -> Result<Output> {
        let tensor = messages::tensor_proto(&value)?;
        let mut added = OPLINK_Output::NONE;
        // SAFETY: the scope is lent (contract of `new`); the bytes live during the call.
        unsafe { (self.add_constant)(self.scope, view(&tensor), &raw mut added, self.status.raw()) };
        self.status.take().map(|()| from_c(added))
    }
}

/// An array of C.
///
/// # Safety
/// It is null, or holds as many values, which live for `'a`.
pub(super) unsafe fn slice<'a, T>(array: *const T, length: usize) -> &'a [T] {
    // SAFETY: not null, so as long as told (Safety section).
    if array.is_null() || length == 0 { &[] } else { unsafe { std::slice::from_raw_parts(array, length) } }
}
