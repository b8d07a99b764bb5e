//! Mutexes: `MutexV2` makes one, `MutexLock` waits for it and locks it, `ConsumeMutexLock` takes the lock.
//!
//! A lock is a variant, and opens when nobody holds it any more. Nodes of one `container` and `shared_name` share a
//! mutex, those without a name that of the node's name.

use oplink::AsyncKernelContext;
use oplink::arguments::TypedOp;
use oplink::prelude::*;
use oplink::resource::{Variant, VariantObject};
use oplink_ops::state::{ConsumeMutexLock, MutexLock, MutexV2};

use crate::monitor::Monitor;
use crate::named::{NodeResource, Unnamed, info};

/// A mutex: whether it is locked.
pub struct Mutex(Monitor<bool>);

impl Resource for Mutex {
    fn type_name(&self) -> &'static str {
        "mutex"
    }
}

/// A lock of a mutex, which opens when it is dropped.
struct Lock(Monitor<bool>);

impl VariantObject for Lock {
    fn type_name(&self) -> &'static str {
        "MutexLock"
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        self.0.with(|locked| *locked = false);
    }
}

/// `MutexV2` with the node's handle.
#[derive(Debug)]
pub struct MutexCpu(NodeResource);

#[kernel(MutexV2, device = CPU)]
impl Kernel for MutexCpu {
    type Op = MutexV2;

    fn new(construction: Construction<'_, MutexV2>) -> Result<Self> {
        let (node, attrs) = (construction.node(), construction.attrs);
        info(node, attrs.container, attrs.shared_name, "mutex", Unnamed::NodeName)
            .map(|info| Self(NodeResource::new(info)))
    }

    fn compute(
        &self,
        _: <MutexV2 as TypedOp>::Inputs<'_>,
        outputs: &mut <MutexV2 as TypedOp>::Outputs<'_>,
        env: Env<'_>,
    ) -> Result<()> {
        self.0.output(&mut outputs.resource, env, |_| Ok(Mutex(Monitor::new(false)))).map(drop)
    }
}

/// `MutexLock`: waits for a mutex and locks it.
#[kernel(MutexLock, device = CPU, async)]
pub fn mutex_lock_cpu(run: AsyncKernelContext) {
    Monitor::start(run, |run| {
        let monitor = run.resource::<Mutex>(0)?.0.clone();
        let lock = monitor.clone();
        let attempt = move |locked: &mut bool| {
            (!std::mem::replace(locked, true)).then(|| Ok(vec![Tensor::scalar(Variant::new(Lock(lock.clone())))]))
        };
        Ok((monitor, Box::new(attempt)))
    });
}

/// `ConsumeMutexLock`: takes a lock, a scalar, and lets it go.
#[kernel(ConsumeMutexLock, device = CPU)]
pub fn consume_mutex_lock_cpu(mutex_lock: Input<'_>) -> Result<()> {
    let lock = mutex_lock.take();
    ensure!(lock.rank() == 0, "mutex_lock must be a scalar, it has shape {}", lock.shape());
    let variant = &lock.as_slice::<Variant>()?[0];
    ensure!(variant.get::<Lock>().is_some(), "mutex_lock must be the lock of a mutex, it is `{}`", variant.type_name());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::stepping::InStep;

    #[test]
    fn a_mutex_is_locked_until_nobody_has_the_lock() {
        let step = InStep::new(1);
        let mutex = step.one("MutexV2", &[("shared_name", "m".into())], vec![]).unwrap();
        let lock = |step: &InStep| step.start("MutexLock", &[], vec![mutex.clone()]).unwrap();
        let held = lock(&step).recv().unwrap().unwrap().remove(0).unwrap();
        let other = step.next();
        let (cancelled, waits) = (lock(&other), lock(&step));
        other.step().cancellation().cancel(Error::new(Code::DeadlineExceeded, ErrorKind::Cancelled, "too late"));
        assert_eq!(cancelled.recv().unwrap().unwrap_err().code(), Code::DeadlineExceeded);
        assert!(waits.try_recv().is_err());
        step.run("ConsumeMutexLock", &[], vec![held]).unwrap();
        let next = waits.recv().unwrap().unwrap().remove(0).unwrap();
        let bad = step.run("ConsumeMutexLock", &[], vec![Tensor::scalar(Variant::default())]);
        assert_eq!(bad.unwrap_err().code(), Code::InvalidArgument);
        drop(next);
        assert!(lock(&step).recv().unwrap().is_ok());
    }
}
