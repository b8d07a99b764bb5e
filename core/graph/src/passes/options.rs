//! Which passes a session runs.

use std::sync::Arc;

use oplink_api::{Error, Result};
use oplink_core::Device;
use oplink_spec::nearest;

use super::PASSES;

/// The switches of the passes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PassOptions {
    off: Vec<&'static str>,
}

impl Default for PassOptions {
    /// All passes.
    fn default() -> Self {
        Self { off: Vec::new() }
    }
}

impl PassOptions {
    /// No pass: the graph runs as it is.
    pub fn none() -> Self {
        Self { off: PASSES.iter().map(|pass| pass.name).collect() }
    }

    /// The same without the pass `name`.
    ///
    /// # Errors
    /// There is no such pass; the message lists them.
    pub fn without(mut self, name: &str) -> Result<Self> {
        let pass = find(name)?;
        if !self.off.contains(&pass) {
            self.off.push(pass);
        }
        Ok(self)
    }

    /// The same with the pass `name`.
    ///
    /// # Errors
    /// As [`PassOptions::without`].
    pub fn with(mut self, name: &str) -> Result<Self> {
        let pass = find(name)?;
        self.off.retain(|off| *off != pass);
        Ok(self)
    }

    /// The same without the passes that would draw nodes away from devices with memory of their own: those that fuse where the
    /// CPU has a kernel for it.
    pub(crate) fn for_devices(self, devices: &[Arc<dyn Device>]) -> Result<Self> {
        match devices.iter().any(|device| device.context().is_some()) {
            true => self.without("contraction_fusion")?.without("elementwise_fusion"),
            false => Ok(self),
        }
    }

    /// Whether the pass `name` runs.
    pub fn is_on(&self, name: &str) -> bool {
        !self.off.contains(&name)
    }
}

fn find(name: &str) -> Result<&'static str> {
    let names = || PASSES.iter().map(|pass| pass.name);
    names().find(|known| *known == name).ok_or_else(|| {
        let guess = nearest(name, names()).map_or_else(String::new, |guess| format!("; did you mean `{guess}`?"));
        let all: Vec<&str> = names().collect();
        Error::invalid_argument(format!("there is no pass `{name}`{guess} (there are: {})", all.join(", ")))
    })
}
