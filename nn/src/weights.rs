//! The variables of modules in files: checkpoints in TensorFlow's format, and `safetensors`.
//!
//! A path that ends in `.safetensors` is a file of that format, whose tensors have the variables' names
//! (`body.0.kernel`); any other one is the prefix of a checkpoint, whose tensors have the same names with slashes.

use std::path::Path;

use oplink_api::{Result, ResultExt, Tensor, ensure};
use oplink_bundle::{BundleWriter, Checkpoint};

use crate::module::Module;
use crate::safetensors;
use crate::variable::Variable;

/// Writes the variables of a module. Files that are there already are replaced when the new ones are complete.
///
/// # Errors
/// A file cannot be written; `safetensors` has no such dtype.
pub fn save(module: &(impl Module + ?Sized), path: impl AsRef<Path>) -> Result<()> {
    let path = path.as_ref();
    if is_safetensors(path) {
        return safetensors::write(&values(module)?, path);
    }
    let mut writer = BundleWriter::new(path)?;
    add(&mut writer, "", module)?;
    writer.finish()
}

/// Gives the variables of a module the values of a file: each by its name, in its dtype and shape. What else is in the
/// file is left alone.
///
/// # Errors
/// A file cannot be read or is damaged; a variable is not in it, or in another shape. The variables are as they were
/// then.
pub fn load(module: &(impl Module + ?Sized), path: impl AsRef<Path>) -> Result<()> {
    let path = path.as_ref();
    let read = if is_safetensors(path) {
        let mut tensors = safetensors::read(path)?;
        read_all(module, |name| {
            tensors.remove(name).ok_or_else(|| oplink_api::Error::not_found(format!("there is no tensor `{name}`")))
        })
    } else {
        let checkpoint = Checkpoint::open(path)?;
        read_all(module, |name| checkpoint.read(key("", name)))
    };
    assign(read.context_with(|| format!("while variables were read from {}", path.display()))?)
}

fn is_safetensors(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "safetensors")
}

/// The values of all variables by name.
pub(crate) fn values(module: &(impl Module + ?Sized)) -> Result<Vec<(String, Tensor)>> {
    module.variables().into_iter().map(|(name, variable)| Ok((name, variable.tensor()?))).collect()
}

/// The name that a variable has in a checkpoint.
pub(crate) fn key(prefix: &str, name: &str) -> String {
    format!("{prefix}{}", name.replace('.', "/"))
}

/// Adds the variables of a module to a checkpoint.
pub(crate) fn add(writer: &mut BundleWriter, prefix: &str, module: &(impl Module + ?Sized)) -> Result<()> {
    values(module)?.iter().try_for_each(|(name, tensor)| writer.add(key(prefix, name), tensor))
}

/// The value that `read` has for each variable, checked.
pub(crate) fn read_all(
    module: &(impl Module + ?Sized),
    mut read: impl FnMut(&str) -> Result<Tensor>,
) -> Result<Vec<(Variable, Tensor)>> {
    let read_one = |(name, variable): (String, Variable)| {
        let tensor = read(&name)?;
        let (dtype, shape) = (variable.dtype(), variable.shape());
        ensure!(
            tensor.dtype() == dtype && tensor.shape() == shape,
            "the variable `{name}` is {dtype} of shape {shape}, what was stored is {} of shape {}",
            tensor.dtype(),
            tensor.shape()
        );
        Ok((variable, tensor))
    };
    module.variables().into_iter().map(read_one).collect()
}

pub(crate) fn assign(values: Vec<(Variable, Tensor)>) -> Result<()> {
    values.into_iter().try_for_each(|(variable, tensor)| variable.assign(tensor))
}
