//! Copies and fills.
//!
//! The caller keeps memory of both sides as it is until the work has passed: on return for the functions that wait, at
//! a later event of the stream for those that enqueue.
#![allow(unsafe_code, reason = "room: calls into a plugin")]

use std::ffi::c_void;

use oplink_abi::SP_DeviceMemoryBase;
use oplink_api::Result;

use super::{Executor, Pinned, Stream, call};

/// A part of device memory.
#[derive(Clone, Copy)]
pub(crate) struct Part(pub(crate) SP_DeviceMemoryBase);

// SAFETY: a handle for the plugin's functions, which take it on any thread.
unsafe impl Send for Part {}
// SAFETY: a shared handle is only passed to the plugin, which takes calls from any thread.
unsafe impl Sync for Part {}

impl Executor {
    /// Enqueues a copy of the whole part to pinned memory that is at least as long.
    pub(crate) fn enqueue_to_host(&self, stream: &Stream, from: Part, to: &Pinned) -> Result<()> {
        call!(self, memcpy_dtoh(stream.as_ptr(), to.as_ptr(), &raw const from.0, from.0.size))
    }

    /// Enqueues a copy from pinned memory that is at least as long as the part.
    pub(crate) fn enqueue_to_device(&self, stream: &Stream, from: &Pinned, to: Part) -> Result<()> {
        let mut memory = to.0;
        call!(self, memcpy_htod(stream.as_ptr(), &raw mut memory, from.as_ptr().cast_const(), to.0.size))
    }

    /// Enqueues a copy between parts of one length.
    pub(crate) fn enqueue_in_device(&self, stream: &Stream, from: Part, to: Part) -> Result<()> {
        let mut memory = to.0;
        call!(self, memcpy_dtod(stream.as_ptr(), &raw mut memory, &raw const from.0, from.0.size))
    }

    /// Copies to memory of the part's length, whatever the streams do.
    pub(crate) fn copy_to_host_now(&self, from: Part, to: &mut [u8]) -> Result<()> {
        call!(self, sync_memcpy_dtoh(to.as_mut_ptr().cast::<c_void>(), &raw const from.0, to.len() as u64))
    }

    /// Copies from memory of the part's length, whatever the streams do.
    pub(crate) fn copy_to_device_now(&self, from: &[u8], to: Part) -> Result<()> {
        let mut memory = to.0;
        call!(self, sync_memcpy_htod(&raw mut memory, from.as_ptr().cast::<c_void>(), from.len() as u64))
    }

    /// Copies between parts of one length, whatever the streams do.
    pub(crate) fn copy_in_device_now(&self, from: Part, to: Part) -> Result<()> {
        let mut memory = to.0;
        call!(self, sync_memcpy_dtod(&raw mut memory, &raw const from.0, from.0.size))
    }

    /// Enqueues a fill with zeros.
    pub(crate) fn enqueue_zeros(&self, stream: &Stream, part: Part) -> Result<()> {
        let mut memory = part.0;
        call!(self, mem_zero(stream.as_ptr(), &raw mut memory, part.0.size))
    }

    /// Enqueues a fill with a byte.
    pub(crate) fn enqueue_bytes(&self, stream: &Stream, part: Part, pattern: u8) -> Result<()> {
        let mut memory = part.0;
        call!(self, memset(stream.as_ptr(), &raw mut memory, pattern, part.0.size))
    }

    /// Enqueues a fill with a word; the part is a multiple of four bytes long.
    pub(crate) fn enqueue_words(&self, stream: &Stream, part: Part, pattern: u32) -> Result<()> {
        let mut memory = part.0;
        call!(self, memset32(stream.as_ptr(), &raw mut memory, pattern, part.0.size))
    }
}
