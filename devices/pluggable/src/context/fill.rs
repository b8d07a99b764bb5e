//! Fills of device memory.

use oplink_api::{Code, DeviceContext, Result, Tensor};

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
        let (bytes, lanes) = (tensor.num_bytes(), &self.0.shared.lanes);
        if bytes == 0 {
            return Ok(());
        }
        match pattern {
            Fill::Zero => lanes.executor.enqueue_zeros(&lanes.compute, part),
            Fill::Byte(byte) => lanes.executor.enqueue_bytes(&lanes.compute, part, byte),
            Fill::Word(word) if bytes.is_multiple_of(size_of::<u32>()) => {
                lanes.executor.enqueue_words(&lanes.compute, part, word)
            }
            Fill::Word(_) => {
                let message = format!("{bytes} bytes of {} cannot be filled with words of four bytes", self.device());
                Err(lanes.executor.error(Code::InvalidArgument, message))
            }
        }
    }
}
