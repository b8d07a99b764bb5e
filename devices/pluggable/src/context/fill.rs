//! Fills of device memory.

use oplink_api::device::DeviceContext;
use oplink_api::{Code, Result, Tensor};

use super::StreamExecutorContext;

/// What memory is filled with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fill {
    /// Zeros.
    Zero,
    /// A byte, again and again.
    Byte(u8),
    /// Four bytes in the host's order, again and again.
    Word(u32),
}

impl StreamExecutorContext {
    /// Enqueues a fill of a tensor of the device; tensors that share its memory change with it.
    ///
    /// # Errors
    /// The tensor is not in this device's memory, its length is no multiple of the pattern's, or the fill cannot be
    /// enqueued.
    pub fn fill(&self, tensor: &Tensor, pattern: Fill) -> Result<()> {
        let part = self.part(tensor)?;
        let (bytes, streams) = (tensor.num_bytes(), &self.0.shared.streams);
        if bytes == 0 {
            return Ok(());
        }
        match pattern {
            Fill::Zero => streams.executor.enqueue_zeros(&streams.compute, part),
            Fill::Byte(byte) => streams.executor.enqueue_bytes(&streams.compute, part, byte),
            Fill::Word(word) if bytes.is_multiple_of(size_of::<u32>()) => {
                streams.executor.enqueue_words(&streams.compute, part, word)
            }
            Fill::Word(_) => {
                let message = format!("{bytes} bytes of {} cannot be filled with words of four bytes", self.device());
                Err(streams.executor.error(Code::InvalidArgument, message))
            }
        }
    }
}
