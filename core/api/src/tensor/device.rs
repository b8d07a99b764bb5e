//! Tensors in the memory of a device.

use super::buffer::Buffer;
use super::stored::Stored;
use super::{Tensor, element_size};
use crate::call::default_host;
use crate::device::{DeviceBlock, DeviceMemory};
use crate::{Code, DType, Error, ErrorKind, Result, Shape, ensure};

impl Tensor {
    /// A tensor of a plain dtype whose elements are the first bytes of `block`. The host cannot read it; cloning,
    /// slicing and reshaping share the block.
    ///
    /// # Errors
    /// The dtype's elements are objects of the host (string, resource, variant), or the block is too short.
    pub fn on_device(dtype: DType, shape: impl Into<Shape>, block: Box<dyn DeviceBlock>) -> Result<Self> {
        let shape = shape.into();
        ensure!(dtype.size().is_some(), "a tensor of {dtype} cannot lie in the memory of {}", block.device());
        let count = shape.checked_num_elements();
        let bytes = count.and_then(|count| count.checked_mul(element_size(dtype).ok()?));
        let Some((count, bytes)) = count.zip(bytes).filter(|(_, bytes)| *bytes <= block.bytes()) else {
            let (device, given) = (block.device(), block.bytes());
            return Err(Error::invalid_argument(format!(
                "a block of {given} bytes of {device} does not hold a {dtype} tensor of shape {shape}"
            )));
        };
        Ok(Self { buffer: Buffer::on_device(block, bytes), shape, offset: 0, count, dtype })
    }

    /// Where the elements lie in a device's memory; `None` for host memory.
    pub fn device_memory(&self) -> Option<DeviceMemory<'_>> {
        let block = self.buffer.device_block()?;
        Some(DeviceMemory { block, offset: block.offset() + self.offset, bytes: self.num_bytes() })
    }

    /// Whether the elements lie in a device's memory, where the host cannot read them.
    #[inline]
    pub fn is_on_device(&self) -> bool {
        self.buffer.device_block().is_some()
    }

    /// Full name of the device in whose memory the elements lie; `None` for host memory.
    pub fn device(&self) -> Option<&str> {
        self.buffer.device_block().map(DeviceBlock::device)
    }

    /// The tensor in host memory: itself where it is there, else a copy, which is waited for.
    ///
    /// # Errors
    /// The copy's, or that of work of the device before it; no runtime is linked, or the device is none that it knows.
    pub fn to_host(&self) -> Result<Self> {
        match self.is_on_device() {
            true => default_host()?.to_host(self),
            false => Ok(self.clone()),
        }
    }

    /// The tensor in the memory of a device of the process, such as `GPU:0`: itself where it is there, else a copy,
    /// which is enqueued. For a device that works in host memory, as [`Tensor::to_host`].
    ///
    /// # Errors
    /// There is no such device (the message lists those there are), its memory runs out, the dtype is never in a
    /// device's memory (string, resource, variant), or as [`Tensor::to_host`].
    pub fn to_device(&self, device: &str) -> Result<Self> {
        default_host()?.to_device(self, device)
    }

    /// The memory of a device's tensor as 32-bit words, the last of which may reach behind the elements: what programs
    /// move that treat elements of any width alike. Shares the memory; blocks of devices are whole words long.
    ///
    /// # Errors
    /// The tensor is on the host, or does not start at a word.
    pub fn device_words(&self) -> Result<Self> {
        let Some(memory) = self.device_memory() else {
            return Err(Error::internal("only a device's memory is looked at as words"));
        };
        ensure!(
            memory.offset.is_multiple_of(4),
            "the tensor starts at byte {} of {memory:?}, within a word",
            memory.offset
        );
        let count = memory.bytes.div_ceil(4);
        Ok(Self { shape: Shape::new(&[count]), count, dtype: DType::UInt32, ..self.clone() })
    }

    #[cold]
    pub(super) fn not_on_host(&self) -> Error {
        if let Some(error) = self.buffer.as_stored().and_then(Stored::failure) {
            return error;
        }
        let device = self.buffer.device_block().map_or("another device", |block| block.device());
        let message =
            format!("the tensor lies in the memory of {device}; the host cannot read it: copy it to the host first");
        Error::new(Code::FailedPrecondition, ErrorKind::DeviceMemory, message)
    }
}
