//! Why an op or a kernel is not there: five different things, five messages.

use std::fmt::Write as _;

use oplink_api::descriptors::KernelDescriptor;
use oplink_api::{Code, Error, ErrorKind, NodeInfo};
use oplink_spec::nearest;

use super::nearest::{assignments, nearest_kernels, node_types};
use super::unlinked::Hint;
use super::{KernelRef, OpRecord, Registry, RejectedDeclaration, RejectedPlugin};
use crate::device::HOST_DEVICE_TYPE;

/// What to do about something that the selection leaves out.
const ADD_IT: &str = "; add it to the selection file and build again";

fn missing(kind: ErrorKind, message: String) -> Error {
    Error::new(Code::NotFound, kind, message)
}

impl Registry {
    /// Of an op that is not declared.
    #[cold]
    pub(super) fn op_missing(&self, op: &str) -> Error {
        if let Some(plugin) = self.rejecting_plugin(op) {
            return rejected(format!("op `{op}` is declared by"), &plugin);
        }
        if let Some(declaration) = self.rejected_op(op) {
            let message = format!("op `{op}` is not declared: {}", left_out(&declaration));
            return missing(ErrorKind::PluginRejected, message);
        }
        if self.excluded.iter().any(|excluded| excluded.is(op)) {
            return missing(
                ErrorKind::Excluded,
                format!("op `{op}` is excluded from this build by its selection of ops{ADD_IT}"),
            );
        }
        if let Some(hint) = self.hint_of(op) {
            let Hint { crate_name, how_to_enable, .. } = hint;
            let message = format!(
                "op `{op}` is declared by the crate `{crate_name}`, which this binary does not link: {how_to_enable}"
            );
            return missing(ErrorKind::NotLinked, message);
        }
        let guess = nearest(op, self.ops.iter().map(|record| record.entry.name()));
        let guess = guess.map_or(String::new(), |guess| format!("; did you mean `{guess}`?"));
        let count = self.ops.len();
        missing(
            ErrorKind::OpNotDeclared,
            format!(
                "op `{op}` is not declared: none of the {count} ops of this process{guess} (if a dependency declares it, name \
                 that crate with `oplink::link!(the_crate);`)"
            ),
        )
    }

    /// Of an op that is declared, and has no kernel for the node.
    #[cold]
    pub(super) fn kernel_missing(&self, record: &OpRecord, device_type: &str, label: &str, node: &NodeInfo) -> Error {
        let op = record.entry.name();
        let asked = asked(device_type, label, node);
        if let Some(Err(both)) = self.best(record, device_type, label, node) {
            return ambiguous(op, &asked, both);
        }
        if let Some((kernel, dtypes)) = excluded(record, device_type, label, node) {
            return missing(ErrorKind::Excluded, excluded_message(op, kernel, &dtypes));
        }
        if let Some(declaration) = self.rejected_kernel(op, device_type, label, node) {
            let message = format!("op `{op}` has no kernel for {asked}: {}", left_out(&declaration));
            return missing(ErrorKind::PluginRejected, message);
        }
        if record.entry.excluded {
            let location = record.entry.location;
            return missing(
                ErrorKind::Excluded,
                format!(
                    "op `{op}` is excluded from this build by its selection of ops, so it has no kernel for {asked}{ADD_IT}. It is declared at {location}"
                ),
            );
        }
        let on_device = record.kernels.iter().any(|kernel| kernel.descriptor.device == device_type);
        if let Some(plugin) = self.rejecting_plugin(op).filter(|_| !on_device) {
            return rejected(format!("a kernel of op `{op}` for {asked} may be in"), &plugin);
        }
        if let Some(hint) = self.hint_of(op).filter(|_| record.kernels.is_empty()) {
            let Hint { crate_name, how_to_enable, .. } = hint;
            let message =
                format!("op `{op}` has no kernel in this binary, the crate `{crate_name}` has some: {how_to_enable}");
            return missing(ErrorKind::NotLinked, message);
        }
        let message = if record.kernels.is_empty() {
            format!("op `{op}` has no kernel for {asked}: no crate of this binary has a kernel of it")
        } else {
            let listed = nearest_kernels(record, device_type, label, node);
            format!("op `{op}` has no kernel for {asked}; the nearest are{listed}")
        };
        missing(ErrorKind::NoMatchingKernel, message)
    }

    /// Of a kernel that is the host's, where the host has none for the node.
    #[cold]
    pub(super) fn host_kernel_missing(
        &self,
        record: &OpRecord,
        device_type: &str,
        label: &str,
        node: &NodeInfo,
    ) -> Error {
        let op = record.entry.name();
        if let Some((kernel, dtypes)) = excluded(record, HOST_DEVICE_TYPE, label, node) {
            return missing(ErrorKind::Excluded, excluded_message(op, kernel, &dtypes));
        }
        let asked = asked(device_type, label, node);
        let how = self.hint_of(op).map_or_else(
            || "link a crate that has it, such as `oplink-kernels-cpu`".to_owned(),
            |hint| format!("the crate `{}` has kernels, {}", hint.crate_name, hint.how_to_enable),
        );
        let message = format!(
            "op `{op}` for {asked} runs the kernel of device {HOST_DEVICE_TYPE}, of which none is registered: {how}"
        );
        missing(ErrorKind::NotLinked, message)
    }

    fn hint_of(&self, op: &str) -> Option<&Hint> {
        self.hints.iter().find(|hint| hint.op == op)
    }
}

fn rejected(subject: String, plugin: &RejectedPlugin) -> Error {
    let RejectedPlugin { path, reason, .. } = plugin;
    missing(ErrorKind::PluginRejected, format!("{subject} the plugin {path}, which was rejected: {reason}"))
}

/// A declaration that was left out, for the end of a message.
fn left_out(declaration: &RejectedDeclaration) -> String {
    let RejectedDeclaration { location, reason, .. } = declaration;
    format!("the {declaration} of the plugin {} was rejected: {reason}", location.file)
}

/// Of a node that two kernels serve at the same priority.
fn ambiguous(op: &str, asked: &str, [first, second]: [KernelRef; 2]) -> Error {
    Error::invalid_argument(format!(
        "Multiple OpKernel registrations match NodeDef at the same priority: op `{op}` for {asked} is served by\n  \
         {}\n  {}\ngive one of them another priority",
        first.location(),
        second.location()
    ))
    .with_kind(ErrorKind::PluginRejected)
}

/// `device CPU, T=int8, label …`
fn asked(device_type: &str, label: &str, node: &NodeInfo) -> String {
    let mut text = format!("device {device_type}");
    let types = node_types(node);
    if !types.is_empty() {
        let _ = write!(text, ", {types}");
    }
    if !label.is_empty() {
        let _ = write!(text, ", label `{label}`");
    }
    text
}

/// The kernel whose tombstone fits the node, and the combination.
fn excluded(
    record: &OpRecord,
    device_type: &str,
    label: &str,
    node: &NodeInfo,
) -> Option<(&'static KernelDescriptor, String)> {
    record.kernels.iter().find_map(|kernel| {
        let descriptor = kernel.descriptor;
        if descriptor.device != device_type || descriptor.label != label {
            return None;
        }
        let wanted = kernel.keys.wanted(descriptor, node);
        if descriptor.type_attrs.is_empty() && descriptor.entries.is_empty() {
            return Some((descriptor, String::new()));
        }
        let dtypes = descriptor.excluded_combinations().find(|dtypes| wanted.is_met_by(kernel.keys.pack(dtypes)))?;
        Some((descriptor, assignments(descriptor.type_attrs, dtypes)))
    })
}

fn excluded_message(op: &str, kernel: &KernelDescriptor, dtypes: &str) -> String {
    let comma = if dtypes.is_empty() { "" } else { ", " };
    format!(
        "the kernel of op `{op}` for device {}{comma}{dtypes} is excluded from this build by its selection of kernels\
         {ADD_IT}. It is declared at {}",
        kernel.device, kernel.location
    )
}
