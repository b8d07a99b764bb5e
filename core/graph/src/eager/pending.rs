//! Tensors of calls that are queued.

use std::sync::{Arc, OnceLock};

use oplink_api::{DType, Result, Tensor};
use oplink_core::Device;

/// A tensor that a queued call will give, or the error that it ends with instead.
pub struct PendingTensor {
    dtype: DType,
    device: Option<Arc<dyn Device>>,
    outcome: OnceLock<Result<Tensor>>,
}

impl PendingTensor {
    /// The tensor of an output of this dtype, of a call on `device`; `None` for the context's own.
    pub fn new(dtype: DType, device: Option<Arc<dyn Device>>) -> Arc<Self> {
        Arc::new(Self { dtype, device, outcome: OnceLock::new() })
    }

    /// The dtype.
    pub fn dtype(&self) -> DType {
        self.dtype
    }

    /// The device of the call; `None` for the context's own.
    pub fn device(&self) -> Option<&Arc<dyn Device>> {
        self.device.as_ref()
    }

    /// The outcome, once there is one.
    pub fn outcome(&self) -> Option<&Result<Tensor>> {
        self.outcome.get()
    }

    /// Waits for the tensor.
    ///
    /// # Errors
    /// The error of the call, or of one before it on the same executor.
    pub fn wait(&self) -> Result<Tensor> {
        self.outcome.wait().clone()
    }

    /// Ends the waiting; the first outcome stays.
    pub(super) fn complete(&self, outcome: Result<Tensor>) {
        // Only an executor completes, and it does so once.
        let _ = self.outcome.set(outcome);
    }
}
