//! A tensor's memory where the plugin allocates for each tensor.

use std::any::Any;
use std::ffi::c_void;
use std::sync::Arc;

use oplink_api::DeviceBlock;

use super::raw::RawDeviceMemory;
use crate::executor::Part;

/// An allocation of the plugin's.
pub(super) struct Block {
    pub(super) memory: Arc<RawDeviceMemory>,
    pub(super) part: Part,
    pub(super) bytes: usize,
    pub(super) count: Arc<super::Counts>,
}

impl DeviceBlock for Block {
    fn device(&self) -> &str {
        self.memory.lanes().executor.name()
    }

    fn handle(&self) -> *mut c_void {
        self.part.0.opaque
    }

    fn offset(&self) -> usize {
        0
    }

    fn bytes(&self) -> usize {
        self.bytes
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        self.count.given_back(self.bytes);
        self.memory.give(self.part.0.opaque);
    }
}
