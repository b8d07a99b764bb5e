//! What is known of a plugin: what it registered, and what it tells of itself beyond TensorFlow's C ABI.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::c_void;
use std::mem::offset_of;
use std::path::{Path, PathBuf};

use oplink_abi::{
    OPLINK_OpInfo, OPLINK_PluginInfo, PLUGIN_INFO_SYMBOL, PLUGIN_INFO_VERSION, PluginInfoFn, TF_StringView,
};
use oplink_api::descriptors::{GradientDescriptor, KernelDescriptor};
use oplink_api::{OpSpec, Result};
use oplink_core::{Declarations, RejectedDeclaration, RejectedItem};

use super::devices::PluginPlatform;
use super::library::{Library, host_has};
use super::refusal;

/// A plugin.
#[derive(Clone, Debug, Default)]
pub struct PluginInfo {
    /// Its file.
    pub path: PathBuf,
    /// Its package and the package's version, where it tells.
    pub package: Option<(String, String)>,
    /// Version of the kit that it was built with, where it tells.
    pub sdk_version: Option<String>,
    /// Functions that it exports for hosts.
    pub entry_points: Vec<&'static str>,
    /// The platform of its devices, where it has some.
    pub platform: Option<PlatformInfo>,
    /// The ops that it declares and that are valid.
    pub ops: Vec<OpSpec>,
    /// The kernels that it declares and that are valid.
    pub kernels: Vec<&'static KernelDescriptor>,
    /// The gradients that it carries and that are valid.
    pub gradients: Vec<&'static GradientDescriptor>,
    /// What it declares and what is not valid, with the reasons.
    pub rejected: Vec<RejectedDeclaration>,
    /// Documentation of its ops, by their names.
    pub docs: Vec<(String, String)>,
}

/// The platform that a plugin registers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlatformInfo {
    /// Its own name.
    pub name: String,
    /// The type of its devices, by which graphs ask for them.
    pub device_type: String,
    /// How many devices it has.
    pub device_count: usize,
}

impl PlatformInfo {
    pub(super) fn of(platform: &dyn PluginPlatform) -> Self {
        let (name, device_type) = (platform.name().to_owned(), platform.device_type().to_owned());
        Self { name, device_type, device_count: platform.device_count() }
    }
}

impl PluginInfo {
    /// The same with what is valid of the declarations, and what is not.
    pub(super) fn with(&self, valid: &Declarations, rejected: Vec<RejectedDeclaration>) -> Self {
        let (kernels, gradients) = (valid.kernels().to_vec(), valid.gradients().to_vec());
        Self { ops: valid.ops().cloned().collect(), kernels, gradients, rejected, ..self.clone() }
    }

    /// Whether the plugin is made with `plugin!`, and so by default loaded with all that it declares or not at all.
    pub fn is_all_or_none(&self) -> bool {
        self.sdk_version.is_some()
    }

    /// How much of what the plugin declares is not valid, and the first reason; `None` where everything is valid.
    pub fn warning(&self) -> Option<String> {
        let first = self.rejected.first()?;
        let count = |is: fn(&RejectedItem) -> bool| self.rejected.iter().filter(|one| is(&one.item)).count();
        let kinds = [
            ("kernels", count(|item| matches!(item, RejectedItem::Kernel(_))), self.kernels.len()),
            ("ops", count(|item| *item == RejectedItem::Op), self.ops.len()),
            ("gradients", count(|item| *item == RejectedItem::Gradient), self.gradients.len()),
        ];
        let kinds = kinds.iter().filter(|(_, rejected, _)| *rejected > 0);
        let told: Vec<String> =
            kinds.map(|(what, rejected, valid)| format!("{rejected} of {} {what}", rejected + valid)).collect();
        let path = self.path.display();
        Some(format!(
            "{} of the plugin {path} are rejected; the first is the {first}: {}\n`oplink plugin inspect {path}` lists all",
            told.join(" and "),
            first.reason
        ))
    }
}

/// What the plugin's own description says.
///
/// # Errors
/// It is of another version, too short, or asks for functions that this process does not export.
pub(super) fn read(library: &Library, path: &Path) -> Result<PluginInfo> {
    let mut info = PluginInfo { path: path.to_owned(), entry_points: library.entry_points(), ..PluginInfo::default() };
    let Some(told) = description(library)? else { return Ok(info) };
    // SAFETY: the plugin tells how many there are.
    unsafe { check_imports(told.imports, told.num_imports) }?;
    info.package = Some((text(told.crate_name), text(told.crate_version)));
    info.sdk_version = Some(text(told.sdk_version));
    info.docs = docs(told);
    Ok(info)
}

/// The reason that the plugin gives for not having registered what it has.
pub(super) fn check_failure(library: &Library) -> Result<()> {
    let Some(failure) = description(library)?.and_then(|told| told.failure) else { return Ok(()) };
    // SAFETY: the plugin's function; the text lives as long as the library, which stays mapped.
    let reason = text(unsafe { failure() });
    if reason.is_empty() { Ok(()) } else { Err(refusal::failed_itself(&reason)) }
}

/// The plugin's description, where it exports one.
fn description(library: &Library) -> Result<Option<&'static OPLINK_PluginInfo>> {
    let Some(function) = library.symbol(PLUGIN_INFO_SYMBOL) else { return Ok(None) };
    // SAFETY: by this name plugins export a function of this type.
    let function = unsafe { std::mem::transmute::<*mut c_void, PluginInfoFn>(function.as_ptr()) };
    // SAFETY: the function may be called at any time; what it returns lives as long as the library.
    let told = unsafe { function() };
    if told.is_null() {
        return Ok(None);
    }
    // SAFETY: not null. Every version of the struct starts with its size, and the version follows.
    let (size, version) = unsafe { ((*told).struct_size, (*told).version) };
    if version != PLUGIN_INFO_VERSION {
        let what = format!("is of version {version}, this host reads version {PLUGIN_INFO_VERSION}");
        return Err(refusal::wrong_description("oplink_plugin_info", &what));
    }
    let needed = offset_of!(OPLINK_PluginInfo, failure) + size_of::<oplink_abi::TextFn>();
    if size < needed {
        let what = format!("has {size} bytes, this host reads {needed}");
        return Err(refusal::wrong_description("oplink_plugin_info", &what));
    }
    // SAFETY: at least as long as the struct known here, alive as long as the library.
    Ok(Some(unsafe { &*told }))
}

/// Checks that the process has the functions that a plugin asks for.
///
/// # Errors
/// It lacks some; they are named.
///
/// # Safety
/// `names` is null or points to as many texts.
pub(super) unsafe fn check_imports(names: *const TF_StringView, count: usize) -> Result<()> {
    let mut missing = Vec::new();
    for at in 0..if names.is_null() { 0 } else { count } {
        // SAFETY: there are as many texts as `count` tells (Safety section).
        let name = text(unsafe { *names.add(at) });
        if !host_has(&name) {
            missing.push(name);
        }
    }
    if missing.is_empty() { Ok(()) } else { Err(refusal::missing_functions(&missing)) }
}

/// Documentation of the ops that have some.
fn docs(told: &OPLINK_PluginInfo) -> Vec<(String, String)> {
    let needed = offset_of!(OPLINK_OpInfo, doc) + size_of::<TF_StringView>();
    let count = if told.ops.is_null() || told.op_size < needed { 0 } else { told.num_ops };
    let doc = |at: usize| {
        // SAFETY: the plugin tells how many ops there are and how far apart; the fields read lie within that distance.
        let (size, name, doc) = unsafe {
            let op = told.ops.byte_add(at * told.op_size);
            ((*op).struct_size, (*op).name, (*op).doc)
        };
        let doc = if size < needed { String::new() } else { text(doc) };
        (!doc.is_empty()).then(|| (text(name), doc))
    };
    (0..count).filter_map(doc).collect()
}

pub(super) fn text(view: TF_StringView) -> String {
    if view.data.is_null() || view.len == 0 {
        return String::new();
    }
    // SAFETY: the plugin vouches for its texts.
    let bytes = unsafe { std::slice::from_raw_parts(view.data.cast::<u8>(), view.len) };
    String::from_utf8_lossy(bytes).into_owned()
}
