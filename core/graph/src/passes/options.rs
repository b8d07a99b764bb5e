//! Which passes a session runs.

use std::sync::Arc;

use oplink_api::{Error, Result};
use oplink_core::Device;
use oplink_spec::nearest;

use super::PASSES;

/// The type of the device that nodes run on where no session says otherwise.
const HOST: &str = "CPU";

/// Nodes that inlining may add to what a plan is made for.
const MAX_INLINED_NODES: usize = 50_000;
/// Calls inside one another that are inlined.
const MAX_INLINING_DEPTH: usize = 64;

/// The switches of the passes, and the limits of what they add.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PassOptions {
    off: Vec<&'static str>,
    max_inlined_nodes: usize,
    max_inlining_depth: usize,
    /// The types of the devices that nodes may run on, the first choice first.
    pub(super) device_types: Vec<String>,
}

impl Default for PassOptions {
    /// All passes; up to 50,000 nodes are inlined, and calls up to 64 deep.
    fn default() -> Self {
        Self {
            off: Vec::new(),
            max_inlined_nodes: MAX_INLINED_NODES,
            max_inlining_depth: MAX_INLINING_DEPTH,
            device_types: vec![HOST.to_owned()],
        }
    }
}

impl PassOptions {
    /// No pass: the graph runs as it is.
    pub fn none() -> Self {
        Self { off: PASSES.iter().map(|pass| pass.name).collect(), ..Self::default() }
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

    /// The same with at most so many nodes that `function_inlining` adds to one plan. Calls beyond that are made when
    /// the graph runs, as those are that are nested deeper than `depth`.
    #[must_use]
    pub fn with_inlining_limits(mut self, nodes: usize, depth: usize) -> Self {
        (self.max_inlined_nodes, self.max_inlining_depth) = (nodes, depth);
        self
    }

    /// The nodes that inlining may add to one plan.
    pub fn max_inlined_nodes(&self) -> usize {
        self.max_inlined_nodes
    }

    /// The calls inside one another that are inlined.
    pub fn max_inlining_depth(&self) -> usize {
        self.max_inlining_depth
    }

    /// The same for nodes that run on these devices, the first choice first.
    pub(crate) fn for_devices(mut self, devices: &[Arc<dyn Device>]) -> Self {
        self.device_types.clear();
        for device in devices.iter().map(|device| device.device_type()) {
            if !self.device_types.iter().any(|known| known == device) {
                self.device_types.push(device.to_owned());
            }
        }
        self
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
