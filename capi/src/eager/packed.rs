//! Handles of several tensors, of which a call takes the one on its device.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::{CStr, c_int};
use std::ptr;
use std::sync::Arc;

use oplink_abi::{TFE_Context, TFE_TensorHandle};
use oplink_api::{DType, Result, bail};
use oplink_core::Device;
use oplink_host::c_api;
use oplink_host::guard::slice;

use super::value::{Handle, Value};
use super::{Context, custom};

/// What names the device of packed handles.
pub(super) const DEVICE_TYPE: &CStr = c"COMPOSITE";

/// Several handles, at least one.
pub(super) struct Packed {
    first: Arc<Handle>,
    rest: Vec<Arc<Handle>>,
}

impl Packed {
    pub(super) fn dtype(&self) -> DType {
        self.first.dtype()
    }

    /// The handle whose shape all have.
    pub(super) fn first(&self) -> &Handle {
        &self.first
    }

    /// The handle of the tensor on a device; the first where there is none.
    pub(super) fn on(&self, device: &Arc<dyn Device>) -> Arc<Handle> {
        let is_there = |handle: &&Arc<Handle>| handle.device().is_ok_and(|of| of.name() == device.name());
        let found = [&self.first].into_iter().chain(&self.rest).find(is_there);
        found.unwrap_or(&self.first).clone()
    }
}

c_api! {
    /// A handle of several tensors, one for each device that a call may be on. Where one is on a client's device, that
    /// device packs them.
    ///
    /// # Safety
    /// The handles are null or alive; `num_handles` is null or a number of elements of `handles`.
    fn TFE_CreatePackedTensorHandle(
        ctx as _context: *mut TFE_Context => { Context::borrow(ctx, NAME) },
        handles: *mut *mut TFE_TensorHandle,
        num_handles as count: *mut c_int => { oplink_host::guard::borrow(num_handles, NAME, "num_handles") };
        status
    ) -> (*mut TFE_TensorHandle = ptr::null_mut()) {
        // SAFETY: `handles` is null or has as many elements as `num_handles` says, each null or alive (Safety section).
        let shared = unsafe { slice(handles.cast_const(), *count, NAME, "handles") }?.iter();
        // SAFETY: each handle is null or alive (Safety section).
        let shared: Vec<_> = shared.map(|&one| unsafe { Handle::share(one, NAME, "handles") }).collect::<Result<_>>()?;
        if let Some(device) = shared.iter().find_map(|handle| custom::device_of(handle)) {
            return custom::pack(device, ctx, &shared);
        }
        let mut shared = shared.into_iter();
        let Some(first) = shared.next() else { bail!("{NAME}: there is no handle to pack") };
        Ok(Handle::elsewhere(Value::Packed(Packed { first, rest: shared.collect() })).into_raw())
    }
}
