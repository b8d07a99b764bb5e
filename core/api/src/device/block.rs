//! Memory that the host cannot read.

use std::any::Any;
use std::ffi::c_void;
use std::fmt;

/// A block of a device's memory; dropping it gives the memory back. Opaque to the host: what a handle means is the
/// platform's business, and the host never reads through it.
pub trait DeviceBlock: Any + Send + Sync {
    /// Full name of the device.
    fn device(&self) -> &str;

    /// The platform's handle of the allocation that the block lies in: an address, a `CUdeviceptr`, a buffer's number.
    fn handle(&self) -> *mut c_void;

    /// Bytes from the handle's start to the block.
    fn offset(&self) -> usize;

    /// The block's length in bytes.
    fn bytes(&self) -> usize;

    /// The block as its own type, for the device that made it.
    fn as_any(&self) -> &dyn Any;
}

/// Where a tensor's elements lie in a device's memory.
#[derive(Clone, Copy)]
pub struct DeviceMemory<'a> {
    /// The block.
    pub block: &'a dyn DeviceBlock,
    /// Bytes from the start of the block's handle to the first element.
    pub offset: usize,
    /// Bytes of the elements.
    pub bytes: usize,
}

impl fmt::Debug for DeviceMemory<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { block, offset, bytes } = self;
        write!(f, "{bytes} bytes at {:?} + {offset} of {}", block.handle(), block.device())
    }
}
