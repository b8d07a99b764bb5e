//! How a call into a plugin reports its failure.

use oplink_abi::TF_Status;
use oplink_api::Result;

/// The host's `TF_Status`, which plugins write to through the host's C functions.
#[derive(Clone, Copy, Debug)]
pub struct StatusFunctions {
    /// Makes a status that is OK.
    pub new: fn() -> *mut TF_Status,
    /// Frees a status of `new` and tells what it said.
    pub take: fn(*mut TF_Status) -> Result<()>,
}

impl StatusFunctions {
    /// Calls `body` with a status.
    ///
    /// # Errors
    /// What the status says afterwards.
    pub(crate) fn call<T>(self, body: impl FnOnce(*mut TF_Status) -> T) -> Result<T> {
        let status = (self.new)();
        let value = body(status);
        (self.take)(status).map(|()| value)
    }
}
