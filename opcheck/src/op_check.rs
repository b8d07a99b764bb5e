//! What is checked, and how thoroughly.

use std::sync::Arc;

use oplink_api::Result;
use oplink_core::{Device, Registry};

use crate::checks::{Check, Subject};
use crate::report::Report;
use crate::runner::Runner;
use crate::samples::samples;
use crate::{OpCall, Outcome};

/// Checks one op of the process's registry: what is linked, and plugins that were loaded.
#[derive(Clone)]
pub struct OpCheck {
    pub(crate) op: String,
    pub(crate) given: Vec<OpCall>,
    pub(crate) drawn: usize,
    pub(crate) seed: u64,
    checks: Vec<Check>,
    devices: Vec<Arc<dyn Device>>,
}

impl OpCheck {
    /// All checks, on ten calls that are drawn.
    pub fn new(op: &str) -> Self {
        let checks = Check::ALL.to_vec();
        Self { op: op.to_owned(), given: Vec::new(), drawn: 10, seed: 0, checks, devices: Vec::new() }
    }

    /// Adds a call that the kernel takes, for ops whose inputs belong together in a way that is not drawn.
    #[must_use]
    pub fn sample(mut self, call: OpCall) -> Self {
        self.given.push(call);
        self
    }

    /// Draws so many calls beside those that are given.
    #[must_use]
    pub fn num_samples(mut self, calls: usize) -> Self {
        self.drawn = calls;
        self
    }

    /// Draws other calls.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// These checks only.
    #[must_use]
    pub fn checks(mut self, checks: &[Check]) -> Self {
        self.checks = checks.to_vec();
        self
    }

    /// Compares this device with the host, where it has kernels for the op.
    #[must_use]
    pub fn on(mut self, device: Arc<dyn Device>) -> Self {
        self.devices.push(device);
        self
    }

    /// Draws the samples and checks them.
    ///
    /// # Errors
    /// The op is not declared, no host is linked, or a sample that was given is refused.
    pub fn run(&self) -> Result<Report> {
        let registry = Registry::global()?;
        let entry = registry.op(&self.op)?;
        let runner = Runner::new(registry.clone())?;
        for call in &self.given {
            runner.run(call, crate::runner::Threads::All)?;
        }
        let samples = samples(&runner, entry, &self.given, self.drawn, self.seed);
        let subject = Subject { runner: &runner, entry, samples: &samples, devices: &self.devices };
        let mut checks = std::collections::BTreeMap::new();
        for &check in &self.checks {
            let outcome = match &samples.reason {
                Some(_) => Outcome::Skipped("no samples".to_owned()),
                None => check.run(&subject),
            };
            checks.insert(check, outcome);
        }
        let called = usize::from(!samples.calls.is_empty()) + samples.retyped.len();
        Ok(Report {
            op: self.op.clone(),
            samples: samples.calls.len(),
            combinations: (called, samples.combinations),
            reason: samples.reason.clone(),
            checks,
        })
    }
}
