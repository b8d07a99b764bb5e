//! What a context is asked to do otherwise, and what it tells of itself.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::{c_char, c_int, c_uchar};

use oplink_abi::{TF_Buffer, TFE_Context};
use oplink_host::c_api;
use oplink_host::guard::{borrow_mut, text};

use super::Context;
use crate::support::fill;

c_api! {
    /// Sets whether calls run on the host where the device that they ask for has no kernel.
    ///
    /// # Safety
    /// The handles are null or alive.
    fn TFE_ContextSetSoftDevicePlacement(
        ctx as context: *mut TFE_Context => { Context::borrow(ctx, NAME) },
        enable: c_uchar;
        status
    ) {
        context.eager().set_soft_placement(enable != 0);
        Ok(())
    }

    /// Sets whether the device of each call is told on the error stream.
    ///
    /// # Safety
    /// The handles are null or alive.
    fn TFE_ContextSetLogDevicePlacement(
        ctx as context: *mut TFE_Context => { Context::borrow(ctx, NAME) },
        enable: c_uchar;
        status
    ) {
        context.set_log_placement(enable != 0);
        Ok(())
    }

    /// Accepted: a call gives the same, as an op or as a function of one.
    ///
    /// # Safety
    /// The handles are null or alive.
    fn TFE_ContextSetRunEagerOpAsFunction(
        ctx as _context: *mut TFE_Context => { Context::borrow(ctx, NAME) },
        _enable: c_uchar;
        status
    ) {
        Ok(())
    }

    /// Accepted: there is no such compiler, and functions that ask for it run without.
    ///
    /// # Safety
    /// The handles are null or alive.
    fn TFE_ContextSetJitCompileRewrite(
        ctx as _context: *mut TFE_Context => { Context::borrow(ctx, NAME) },
        _enable: c_uchar;
        status
    ) {
        Ok(())
    }

    /// Leaves the buffer empty: which ops functions ran is told by `TFE_ContextExportRunMetadata`.
    ///
    /// # Safety
    /// The handles are null or alive.
    fn TFE_GetExecutedOpNames(
        ctx as _context: *mut TFE_Context => { Context::borrow(ctx, NAME) },
        buf: *mut TF_Buffer;
        status
    ) {
        // SAFETY: `buf` is null or alive (Safety section).
        unsafe { fill(buf, &[], NAME, "buf") }
    }

    /// Makes the context have so many CPU devices, which share memory and threads. `prefix` is the part of their names
    /// before `/device:`, or empty.
    ///
    /// # Safety
    /// The handles are null or alive; `prefix` is null or a terminated string.
    fn TFE_SetLogicalCpuDevices(
        ctx as context: *mut TFE_Context => { Context::borrow(ctx, NAME) },
        num_cpus: c_int,
        prefix: *const c_char => text;
        status
    ) {
        context.set_logical_cpus(num_cpus, prefix, NAME)
    }

    /// Fills a buffer with the part of this process's device names before `/device:`.
    ///
    /// # Safety
    /// The handles are null or alive.
    fn TFE_HostAddressSpace(
        ctx as context: *mut TFE_Context => { Context::borrow(ctx, NAME) },
        buf as buffer: *mut TF_Buffer => borrow_mut,
    ) {
        if buffer.data.is_null() {
            oplink_host::buffer::fill(buffer, context.address_space().as_bytes());
        }
        Ok(())
    }

    /// What tells contexts of a cluster apart: 0, as of every context that is in none.
    ///
    /// # Safety
    /// The handle is null or alive.
    fn TFE_GetContextId(ctx as _context: *mut TFE_Context => { Context::borrow(ctx, NAME) }) -> (u64 = 0) {
        Ok(0)
    }
}
