//! Handles of the resources that a node names.

use std::sync::{Arc, OnceLock};

use oplink::prelude::*;
use oplink::{FromAttr, ResourceInfo};

/// What a node without a name of its own for its resource goes by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unnamed {
    /// The node's name, which other nodes can ask for.
    NodeName,
    /// A name that only this node has.
    Private,
}

/// The handle of a kernel's resource, made at the first run so that later ones cost a clone.
#[derive(Debug, Default)]
pub(super) struct OwnHandle(OnceLock<Tensor>);

impl OwnHandle {
    /// The handle that `make` makes the first time, as a scalar tensor.
    #[inline]
    pub(super) fn get(&self, make: impl FnOnce() -> Result<ResourceHandle>) -> Result<Tensor> {
        match self.0.get() {
            Some(tensor) => Ok(tensor.clone()),
            None => {
                let made = Tensor::scalar(make()?);
                Ok(self.0.get_or_init(|| made).clone())
            }
        }
    }
}

/// Sets output 0 to the kernel's handle of the session's resource that the attrs `container` and `shared_name` name, and gives
/// that resource, which `make` makes for its name where there is none yet.
pub(super) fn output_resource<T: Resource>(
    context: &mut KernelContext<'_>,
    handle: &OwnHandle,
    kind: &str,
    unnamed: Unnamed,
    make: impl Fn(&KernelContext<'_>, &str) -> Result<T>,
) -> Result<Arc<T>> {
    let tensor = handle.get(|| Ok(context.step()?.resources().handle(info(context, kind, unnamed)?)))?;
    let handle = &tensor.as_slice::<ResourceHandle>()?[0];
    let resource = handle.get_or_create(|| make(context, handle.info().map_or("", |info| &info.name)))?;
    context.set_output(0, tensor);
    Ok(resource)
}

/// The name that the attrs `container` and `shared_name` give a resource of the node.
///
/// # Errors
/// The names have characters that names cannot have.
pub(super) fn info(context: &KernelContext<'_>, kind: &str, unnamed: Unnamed) -> Result<ResourceInfo> {
    let (container, name): (&str, &str) = (text(context, "container")?, text(context, "shared_name")?);
    let (mut first, letters) = (true, |c: char| c.is_ascii_alphanumeric() || c == '.');
    let fits = container.chars().all(|c| letters(c) || (!std::mem::take(&mut first) && "-_/".contains(c)));
    ensure!(fits, "container `{container}` contains characters other than letters, digits and ./-_ after the first");
    ensure!(!name.starts_with('_'), "shared_name `{name}` cannot start with `_`");
    let node = &context.node().name;
    let name = match (name, unnamed) {
        ("", Unnamed::NodeName) => node.clone(),
        ("", Unnamed::Private) => format!("_{node}"),
        (name, _) => name.to_owned(),
    };
    let device = context.node().device.clone();
    let (container, type_name) = (container.to_owned(), kind.to_owned());
    Ok(ResourceInfo { device, container, name, type_name, dtypes_and_shapes: Vec::new() })
}

fn text<'a>(context: &KernelContext<'a>, attr: &str) -> Result<&'a str> {
    match context.node().attrs.get(attr) {
        Some(value) => {
            <&str>::from_attr(value).ok_or_else(|| Error::invalid_argument(format!("attr `{attr}` is no text")))
        }
        None => Ok(""),
    }
}
