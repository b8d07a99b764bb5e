//! Tensors of messages.
#![allow(unsafe_code, reason = "room: the C ABI")]

use oplink_abi::{TF_Buffer, TF_Status, TF_Tensor};
use oplink_graph::tensor_from_proto;
use oplink_host::buffer::bytes;
use oplink_host::guard::with_status;
use oplink_host::tensor::{from_handle, replace};
use oplink_proto::TensorProto;

use crate::support::{MAX_CONSTANT_BYTES, decode};

/// Makes `to` the tensor of a serialized `TensorProto`.
///
/// # Safety
/// The handles are null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_TensorFromProto(from: *const TF_Buffer, to: *mut TF_Tensor, status: *mut TF_Status) {
    const NAME: &str = "TF_TensorFromProto";
    with_status(status, NAME, (), || {
        // SAFETY: `from` is null or alive and `to` is null or alive (Safety section).
        let (_, message) = unsafe { (from_handle(to, NAME, "to")?, bytes(from, NAME, "from")?) };
        let proto: TensorProto = decode(message, NAME, "from")?;
        let tensor = tensor_from_proto(&proto, MAX_CONSTANT_BYTES)?;
        // SAFETY: the caller's contract; not null, as it was read.
        unsafe { replace(to, tensor) }
        Ok(())
    });
}
