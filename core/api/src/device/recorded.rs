//! Work that a device recorded.

use crate::Result;

/// Work of a device's queue that was recorded once and is enqueued as a whole.
///
/// It reads and writes the memory of the tensors that it was recorded with, which it keeps.
pub trait RecordedWork: Send + Sync {
    /// Enqueues the work, on the queue that it was recorded on.
    ///
    /// # Errors
    /// The device refuses it.
    fn launch(&self) -> Result<()>;
}
