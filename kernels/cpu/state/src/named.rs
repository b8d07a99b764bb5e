//! Handles of the resources that a node names.

use std::sync::{Arc, OnceLock};

use oplink::NodeInfo;
use oplink::prelude::*;
use oplink::resource::ResourceInfo;

/// The name of a resource whose node gives it none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unnamed {
    /// The node's name, by which other nodes can refer to it.
    NodeName,
    /// A name that only this node has.
    Private,
}

/// The resource of a session that a node names. Its handle is made at the first run, so that later ones cost a clone.
#[derive(Debug)]
pub struct NodeResource {
    info: ResourceInfo,
    handle: OnceLock<Tensor>,
}

impl NodeResource {
    /// That of this name.
    pub fn new(info: ResourceInfo) -> Self {
        Self { info, handle: OnceLock::new() }
    }

    /// Its name.
    pub fn info(&self) -> &ResourceInfo {
        &self.info
    }

    /// The handle, as a scalar tensor.
    #[inline]
    pub fn handle(&self, env: Env<'_>) -> Result<&Tensor> {
        match self.handle.get() {
            Some(tensor) => Ok(tensor),
            None => {
                let made = Tensor::scalar(env.step()?.resources().handle(self.info.clone()));
                Ok(self.handle.get_or_init(|| made))
            }
        }
    }

    /// Sets an output to the handle, and returns the resource, which `make` makes of its name where there is none yet.
    pub fn output<T: Resource>(
        &self,
        output: &mut OutputSlot<'_>,
        env: Env<'_>,
        make: impl Fn(&str) -> Result<T>,
    ) -> Result<Arc<T>> {
        let tensor = self.handle(env)?;
        let resource = tensor.handle()?.get_or_create(|| make(&self.info.name))?;
        output.set(tensor.clone());
        Ok(resource)
    }
}

/// The name that the attrs `container` and `shared_name` give a resource of the node.
///
/// # Errors
/// The names have characters that names cannot have.
pub fn info(node: &NodeInfo, container: &str, shared_name: &str, kind: &str, unnamed: Unnamed) -> Result<ResourceInfo> {
    let (mut first, letters) = (true, |c: char| c.is_ascii_alphanumeric() || c == '.');
    let fits = container.chars().all(|c| letters(c) || (!std::mem::take(&mut first) && "-_/".contains(c)));
    ensure!(fits, "container `{container}` contains characters other than letters, digits and ./-_ after the first");
    ensure!(!shared_name.starts_with('_'), "shared_name `{shared_name}` cannot start with `_`");
    let name = match (shared_name, unnamed) {
        ("", Unnamed::NodeName) => node.name.clone(),
        ("", Unnamed::Private) => format!("_{}", node.name),
        (name, _) => name.to_owned(),
    };
    let (device, container, type_name) = (node.device.clone(), container.to_owned(), kind.to_owned());
    Ok(ResourceInfo { device, container, name, type_name, dtypes_and_shapes: Vec::new() })
}
