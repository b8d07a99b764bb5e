//! The gradients that a plugin carries.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::c_void;
use std::path::Path;

use oplink_abi::{
    OPLINK_GradientInfo, OPLINK_PluginGradients, PLUGIN_GRADIENTS_SYMBOL, PLUGIN_GRADIENTS_VERSION, PluginGradientsFn,
};
use oplink_api::Result;
use oplink_api::descriptors::{GradientDescriptor, GradientFunction};

use super::info::{check_imports, text};
use super::library::Library;
use super::refusal;
use super::source::{interned, location};
use crate::gradients::PluginGradient;

/// The gradients of a plugin that exports some. The descriptors are leaked: libraries stay mapped, and the registry
/// keeps them as long as the process runs.
///
/// # Errors
/// They are of another version, or ask for functions that this process does not export.
pub(super) fn read(library: &Library, path: &Path) -> Result<Vec<&'static GradientDescriptor>> {
    let Some(told) = told(library)? else { return Ok(Vec::new()) };
    // SAFETY: the plugin tells how many there are.
    unsafe { check_imports(told.imports, told.num_imports) }?;
    let needed = size_of::<OPLINK_GradientInfo>();
    let count = if told.gradients.is_null() || told.gradient_size < needed { 0 } else { told.num_gradients };
    let descriptor = |at: usize| {
        // SAFETY: the plugin tells how many gradients there are and how far apart; each is at least as long as the
        // struct known here, and lives as long as the library, which stays mapped.
        let info = unsafe { *told.gradients.byte_add(at * told.gradient_size) };
        let function: &'static PluginGradient = Box::leak(Box::new(PluginGradient::new(info.data, info.function?)));
        let function = GradientFunction::Foreign(function);
        let (op, location) = (interned(&text(info.op)), location(&path.to_string_lossy()));
        Some(&*Box::leak(Box::new(GradientDescriptor { op, function, location })))
    };
    Ok((0..count).filter_map(descriptor).collect())
}

fn told(library: &Library) -> Result<Option<&'static OPLINK_PluginGradients>> {
    let Some(function) = library.symbol(PLUGIN_GRADIENTS_SYMBOL) else { return Ok(None) };
    // SAFETY: by this name plugins export a function of this type.
    let function = unsafe { std::mem::transmute::<*mut c_void, PluginGradientsFn>(function.as_ptr()) };
    // SAFETY: the function may be called at any time; what it returns lives as long as the library.
    let told = unsafe { function() };
    if told.is_null() {
        return Ok(None);
    }
    // SAFETY: not null. Every version of the struct starts with its size, and the version follows.
    let (size, version) = unsafe { ((*told).struct_size, (*told).version) };
    let needed = size_of::<OPLINK_PluginGradients>();
    if version != PLUGIN_GRADIENTS_VERSION || size < needed {
        let what = format!(
            "is of version {version} and has {size} bytes, this host reads version {PLUGIN_GRADIENTS_VERSION} of \
             {needed} bytes"
        );
        return Err(refusal::wrong_description("oplink_plugin_gradients", &what));
    }
    // SAFETY: at least as long as the struct known here, alive as long as the library.
    Ok(Some(unsafe { &*told }))
}
