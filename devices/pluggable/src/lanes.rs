//! The streams of a device: one for compute work, one for copies in each direction.

use std::sync::Arc;

use oplink_api::Result;

use crate::executor::{Executor, Stream};

/// The streams, and the device that they are of. Dropping them waits for all their work first.
pub(crate) struct Lanes {
    pub(crate) compute: Stream,
    pub(crate) to_device: Stream,
    pub(crate) to_host: Stream,
    pub(crate) executor: Arc<Executor>,
}

impl Lanes {
    pub(crate) fn new(executor: Arc<Executor>) -> Result<Arc<Self>> {
        let compute = Stream::new(&executor, "compute")?;
        let to_device = Stream::new(&executor, "host-to-device")?;
        let to_host = Stream::new(&executor, "device-to-host")?;
        Ok(Arc::new(Self { compute, to_device, to_host, executor }))
    }

    pub(crate) fn each(&self) -> [&Stream; 3] {
        [&self.to_device, &self.compute, &self.to_host]
    }
}

impl Drop for Lanes {
    fn drop(&mut self) {
        // The device ends; nobody is left who could be told of a failure.
        let _ = self.executor.synchronize_all_activity();
    }
}
