//! What a plugin tells of itself beyond TensorFlow's C ABI, to hosts that ask.
//!
//! A plugin may export the function `oplink_plugin_info` of type [`PluginInfoFn`]. Its structs only grow at their end:
//! a reader looks at `struct_size` before it reads a field, and takes what lies beyond for absent.

use crate::TF_StringView;

/// The version of these structs; another one means another layout.
pub const PLUGIN_INFO_VERSION: u32 = 1;

/// The name of the function that a plugin exports.
pub const PLUGIN_INFO_SYMBOL: &std::ffi::CStr = c"oplink_plugin_info";

/// Returns what a plugin tells of itself; valid as long as the library is mapped, null where it tells nothing.
pub type PluginInfoFn = unsafe extern "C" fn() -> *const OPLINK_PluginInfo;

/// Returns text that lives as long as the library is mapped.
pub type TextFn = Option<unsafe extern "C" fn() -> TF_StringView>;

/// What a plugin tells of itself.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct OPLINK_PluginInfo {
    /// Bytes of this struct that the plugin knows.
    pub struct_size: usize,
    /// [`PLUGIN_INFO_VERSION`] of the plugin.
    pub version: u32,
    /// Zero.
    pub reserved: u32,
    /// The package.
    pub crate_name: TF_StringView,
    /// The package's version.
    pub crate_version: TF_StringView,
    /// Version of the kit that the plugin was built with.
    pub sdk_version: TF_StringView,
    /// The ops, each [`op_size`](Self::op_size) bytes after the one before.
    pub ops: *const OPLINK_OpInfo,
    /// How many.
    pub num_ops: usize,
    /// Bytes from one op to the next.
    pub op_size: usize,
    /// The kernels, each [`kernel_size`](Self::kernel_size) bytes after the one before.
    pub kernels: *const OPLINK_KernelInfo,
    /// How many.
    pub num_kernels: usize,
    /// Bytes from one kernel to the next.
    pub kernel_size: usize,
    /// Names of the C functions that the plugin cannot do without and looks up in its host.
    pub imports: *const TF_StringView,
    /// How many.
    pub num_imports: usize,
    /// Why the plugin could not register what it has; empty text where it could, or has not tried.
    pub failure: TextFn,
}

/// What the C ABI does not tell of an op.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct OPLINK_OpInfo {
    /// Bytes of this struct that the plugin knows.
    pub struct_size: usize,
    /// The op's name.
    pub name: TF_StringView,
    /// Documentation, in Markdown.
    pub doc: TF_StringView,
    /// The package that declares it.
    pub crate_name: TF_StringView,
    /// The package's version.
    pub crate_version: TF_StringView,
    /// Source file.
    pub file: TF_StringView,
    /// Line, from 1.
    pub line: u32,
    /// 1 where the op exchanges data with other processes.
    pub distributed_communication: u32,
}

/// What the C ABI does not tell of a kernel.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct OPLINK_KernelInfo {
    /// Bytes of this struct that the plugin knows.
    pub struct_size: usize,
    /// The op's name.
    pub op: TF_StringView,
    /// Device type, such as `CPU`.
    pub device: TF_StringView,
    /// Label; empty for none.
    pub label: TF_StringView,
    /// The package that declares it.
    pub crate_name: TF_StringView,
    /// The package's version.
    pub crate_version: TF_StringView,
    /// Source file.
    pub file: TF_StringView,
    /// Line, from 1.
    pub line: u32,
    /// Combinations of dtypes that it serves; it is registered once for each.
    pub num_entries: u32,
    /// Higher wins among kernels that fit.
    pub priority: i32,
    /// 1 for a kernel that completes later.
    pub is_async: u32,
}

const _: () = assert!(size_of::<OPLINK_PluginInfo>() == 136 && size_of::<OPLINK_OpInfo>() == 96);
const _: () = assert!(size_of::<OPLINK_KernelInfo>() == 120);
