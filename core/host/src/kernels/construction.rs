//! What a plugin's kernel is constructed from.
//!
//! Contract of this folder: a `TF_OpKernelConstruction` that is not null is the one lent to the call that is going on.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ptr;

use oplink_abi::{TF_Buffer, TF_OpKernelConstruction, TF_Status, TF_StringView};
use oplink_api::{AttrValue, Error, NodeInfo, Result};

use super::node_def;
use crate::guard::{borrow, borrow_mut, with_status, without_status};
use crate::{buffer, status};

/// A construction lent to a plugin.
pub(super) struct Construction {
    /// The node, which outlives the construction.
    node: *const NodeInfo,
    failure: Option<Error>,
}

impl Construction {
    /// Lends what is known of a node, which outlives the result.
    pub(super) fn new(node: &NodeInfo) -> Self {
        Self { node: ptr::from_ref(node), failure: None }
    }

    pub(super) fn node(&self) -> &NodeInfo {
        // SAFETY: the node outlives the construction; see `new`.
        unsafe { &*self.node }
    }

    /// An attr's value.
    ///
    /// # Errors
    /// `InvalidArgument` where the node has none of this name.
    pub(super) fn attr(&self, name: &str) -> Result<&AttrValue> {
        let node = self.node();
        node.attrs.get(name).ok_or_else(|| {
            Error::invalid_argument(format!("node `{}` of op {} has no attr `{name}`", node.name, node.op.name))
        })
    }

    /// The failure that the constructor told of.
    pub(super) fn finish(self) -> Result<()> {
        self.failure.map_or(Ok(()), Err)
    }
}

/// The construction behind a handle.
///
/// # Safety
/// The folder's contract.
pub(super) unsafe fn of_call<'a>(context: *mut TF_OpKernelConstruction, function: &str) -> Result<&'a Construction> {
    // SAFETY: the folder's contract; constructions are lent as `Construction`.
    unsafe { borrow(context.cast::<Construction>(), function, "ctx") }
}

/// Text that lives as long as what it is of.
pub(super) fn view(text: &str) -> TF_StringView {
    TF_StringView { data: text.as_ptr().cast(), len: text.len() }
}

/// Makes the construction fail with what the status says; the first failure counts. An OK status changes nothing.
///
/// # Safety
/// The construction is null or that of the call that goes on; the status is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_OpKernelConstruction_Failure(
    context: *mut TF_OpKernelConstruction,
    status: *mut TF_Status,
) {
    without_status((), || {
        // SAFETY: `context` is null or alive (Safety section).
        let construction =
            unsafe { borrow_mut(context.cast::<Construction>(), "TF_OpKernelConstruction_Failure", "ctx") };
        if let (Ok(construction), Err(error)) = (construction, status::to_result(status)) {
            construction.failure.get_or_insert(error);
        }
    });
}

/// The node's name; valid during the construction.
///
/// # Safety
/// The construction is null or that of the call that goes on.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_OpKernelConstruction_GetName(context: *mut TF_OpKernelConstruction) -> TF_StringView {
    // SAFETY: `context` is null or alive (Safety section).
    let construction = unsafe { of_call(context, "TF_OpKernelConstruction_GetName") };
    construction.map_or(view(""), |construction| view(&construction.node().name))
}

/// The node as a serialized `NodeDef`, without its inputs, which kernels are not told; the caller deletes the buffer.
///
/// # Safety
/// The construction is null or that of the call that goes on; the status is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_OpKernelConstruction_GetNodeDef(
    context: *mut TF_OpKernelConstruction,
    status: *mut TF_Status,
) -> *mut TF_Buffer {
    const NAME: &str = "TF_OpKernelConstruction_GetNodeDef";
    with_status(status, NAME, ptr::null_mut(), || {
        // SAFETY: `context` is null or alive (Safety section).
        let construction = unsafe { of_call(context, NAME) }?;
        Ok(buffer::from_bytes(&node_def::serialized(construction.node())?))
    })
}
