//! The environments of the devices that a plan runs on.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use oplink_api::{KernelEnv, Step};

use super::env::StepEnv;

/// An environment for each device: the host's, which every session has, and those of others by device.
#[derive(Clone)]
pub(crate) struct Envs {
    host: Arc<dyn KernelEnv>,
    others: Vec<(String, Arc<dyn KernelEnv>)>,
}

impl Envs {
    /// The host's alone.
    pub(crate) fn host_only(host: Arc<dyn KernelEnv>) -> Self {
        Self { host, others: Vec::new() }
    }

    /// The host's, and those of other devices by full name.
    pub(crate) fn new(host: Arc<dyn KernelEnv>, others: Vec<(String, Arc<dyn KernelEnv>)>) -> Self {
        Self { host, others }
    }

    /// The host's.
    pub(crate) fn host(&self) -> &Arc<dyn KernelEnv> {
        &self.host
    }

    /// Where [`StepEnvs::of`] finds the environment of a device; 0 is the host's.
    pub(crate) fn position(&self, device: &str) -> u16 {
        let other = self.others.iter().position(|(name, _)| name == device);
        other.map_or(0, |at| at as u16 + 1)
    }

    /// The environments within a step. `spreads` is set when a kernel has work for more than one thread.
    #[inline]
    pub(crate) fn in_step<'a>(&'a self, step: &'a Step, spreads: &'a AtomicBool) -> StepEnvs<'a> {
        let of = |env: &'a Arc<dyn KernelEnv>| StepEnv::new(&**env, step, spreads);
        StepEnvs { host: of(&self.host), others: self.others.iter().map(|(_, env)| of(env)).collect() }
    }
}

/// The environments of a plan's devices within a step.
pub(crate) struct StepEnvs<'a> {
    host: StepEnv<'a>,
    others: Vec<StepEnv<'a>>,
}

impl<'a> StepEnvs<'a> {
    /// The environment at a position.
    #[inline]
    pub(crate) fn of(&self, position: u16) -> &StepEnv<'a> {
        if position == 0 { &self.host } else { &self.others[usize::from(position) - 1] }
    }
}
