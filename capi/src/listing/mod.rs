//! What there is: ops, kernels, the version, loaded libraries.
#![allow(unsafe_code, reason = "room: the C ABI")]

pub mod api_defs;
pub mod declined;
pub mod kernels;
pub mod libraries;
pub mod log;
pub mod servers;
pub mod tensors;

use std::ffi::{c_char, c_int};
use std::ptr;

use oplink_abi::TF_Buffer;
use oplink_api::Result;
use oplink_core::OpEntry;
use oplink_host::buffer::from_bytes;
use oplink_host::c_api;
use oplink_host::guard::{text, without_status};
use oplink_proto::{OpDef, OpList, spec_to_op_def};

use crate::support::registry;

/// The version of TensorFlow whose API this is.
#[unsafe(no_mangle)]
pub extern "C" fn TF_Version() -> *const c_char {
    c"2.21.0".as_ptr()
}

/// The declaration of an op as a message.
pub(crate) fn op_def_of(op: &OpEntry) -> Result<OpDef> {
    let (summary, description) = op.doc.trim().split_once('\n').unwrap_or((op.doc.trim(), ""));
    Ok(OpDef {
        summary: summary.trim().to_owned(),
        description: description.trim().to_owned(),
        ..spec_to_op_def(&op.spec)
    })
}

fn op_list() -> Result<OpList> {
    let registry = registry()?;
    Ok(OpList { op: registry.ops().map(op_def_of).collect::<Result<_>>()? })
}

/// All ops as a serialized `OpList`, in a buffer that the client deletes.
#[unsafe(no_mangle)]
pub extern "C" fn TF_GetAllOpList() -> *mut TF_Buffer {
    without_status(ptr::null_mut(), || {
        op_list().map_or(ptr::null_mut(), |list| from_bytes(&oplink_proto::to_bytes(&list)))
    })
}

c_api! {
    /// 1 where the op has state, 0 where it has none or there is no such op.
    ///
    /// # Safety
    /// `op_type` is null or a terminated string; the status is null or alive.
    fn TF_OpIsStateful(op_type as name: *const c_char => text; status) -> (c_int = 0) {
        Ok(c_int::from(registry()?.op(name)?.spec.flags.stateful))
    }
}
