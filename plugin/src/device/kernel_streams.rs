//! The streams into which a device's kernels put their work: copies from the host wait for it.
//!
//! A host gives memory out again when the work that uses it is in a stream, not when it is done. So a copy from the
//! host into such memory, in a stream of its own, has to wait for that work. Hosts see to that, but TensorFlow 2.21
//! does not for tensors of other processes (`PluggableDevice::MakeTensorFromProto`).

use std::ptr;
use std::sync::{Arc, PoisonError, RwLock, Weak};

use oplink_api::Result;

use super::handles::{Owned, StreamOf};
use super::traits::{Device, Platform};

/// Those of one device. It keeps none of them alive.
pub(super) struct KernelStreams<P: Platform>(RwLock<Vec<Weak<Owned<P, StreamOf<P>>>>>);

impl<P: Platform> KernelStreams<P> {
    pub(super) const fn new() -> Self {
        Self(RwLock::new(Vec::new()))
    }

    /// A kernel is about to put work into a stream.
    pub(super) fn add(&self, stream: &Arc<Owned<P, StreamOf<P>>>) {
        let is_stream = |known: &Weak<_>| ptr::eq(known.as_ptr(), Arc::as_ptr(stream));
        if self.0.read().unwrap_or_else(PoisonError::into_inner).iter().any(is_stream) {
            return;
        }
        let mut streams = self.0.write().unwrap_or_else(PoisonError::into_inner);
        streams.retain(|known| known.strong_count() > 0 && !is_stream(known));
        streams.push(Arc::downgrade(stream));
    }

    /// Makes a stream wait for what kernels put into the others so far.
    ///
    /// # Errors
    /// The device refuses the work.
    pub(super) fn hold_back(&self, device: &P::Device, stream: &StreamOf<P>) -> Result<()> {
        let streams: Vec<_> = {
            let streams = self.0.read().unwrap_or_else(PoisonError::into_inner);
            streams.iter().filter_map(Weak::upgrade).collect()
        };
        let mut others = streams.iter().filter(|other| !ptr::eq(&raw const other.value, stream));
        others.try_for_each(|other| device.wait_for_stream(stream, &other.value))
    }
}
