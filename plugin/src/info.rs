//! What the plugin tells hosts that ask: documentation, and where everything is declared.
#![allow(unsafe_code, reason = "room: the C ABI")]

use oplink_abi::{OPLINK_KernelInfo, OPLINK_OpInfo, OPLINK_PluginInfo, PLUGIN_INFO_VERSION, TF_StringView};
use oplink_api::descriptors::{KernelDescriptor, KernelFunction, OpDescriptor};

use crate::entry::{Plugin, failure};
use crate::host::REQUIRED_FUNCTIONS;

/// The answer of `oplink_plugin_info`, which lives as long as the library.
#[derive(Debug)]
pub(crate) struct Info(Box<OPLINK_PluginInfo>);

// SAFETY: nothing behind the pointers changes.
unsafe impl Send for Info {}
// SAFETY: what it points to is static and is only read.
unsafe impl Sync for Info {}

impl Info {
    pub(crate) fn of(plugin: &Plugin) -> Self {
        let ops: &[OPLINK_OpInfo] = plugin.ops().map(op).collect::<Vec<_>>().leak();
        let kernels: &[OPLINK_KernelInfo] = plugin.kernels().map(kernel).collect::<Vec<_>>().leak();
        let imports: &[TF_StringView] = REQUIRED_FUNCTIONS.iter().copied().map(view).collect::<Vec<_>>().leak();
        Self(Box::new(OPLINK_PluginInfo {
            struct_size: size_of::<OPLINK_PluginInfo>(),
            version: PLUGIN_INFO_VERSION,
            reserved: 0,
            crate_name: view(plugin.crate_name),
            crate_version: view(plugin.crate_version),
            sdk_version: view(env!("CARGO_PKG_VERSION")),
            ops: ops.as_ptr(),
            num_ops: ops.len(),
            op_size: size_of::<OPLINK_OpInfo>(),
            kernels: kernels.as_ptr(),
            num_kernels: kernels.len(),
            kernel_size: size_of::<OPLINK_KernelInfo>(),
            imports: imports.as_ptr(),
            num_imports: imports.len(),
            failure: Some(failure),
        }))
    }

    pub(crate) fn as_ptr(&self) -> *const OPLINK_PluginInfo {
        &raw const *self.0
    }
}

fn op(op: &OpDescriptor) -> OPLINK_OpInfo {
    OPLINK_OpInfo {
        struct_size: size_of::<OPLINK_OpInfo>(),
        name: view(op.name),
        doc: view(op.doc),
        crate_name: view(op.location.crate_name),
        crate_version: view(op.location.crate_version),
        file: view(op.location.file),
        line: op.location.line,
        distributed_communication: op.flags.distributed_communication.into(),
    }
}

fn kernel(kernel: &KernelDescriptor) -> OPLINK_KernelInfo {
    let is_async = kernel.entries.iter().any(|entry| matches!(entry.function, KernelFunction::Async(_)));
    OPLINK_KernelInfo {
        struct_size: size_of::<OPLINK_KernelInfo>(),
        op: view(kernel.op),
        device: view(kernel.device),
        label: view(kernel.label),
        crate_name: view(kernel.location.crate_name),
        crate_version: view(kernel.location.crate_version),
        file: view(kernel.location.file),
        line: kernel.location.line,
        num_entries: kernel.entries.len() as u32,
        priority: kernel.priority,
        is_async: is_async.into(),
    }
}

/// Text as C has it: without an end mark.
pub(crate) fn view(text: &'static str) -> TF_StringView {
    TF_StringView { data: text.as_ptr().cast(), len: text.len() }
}
