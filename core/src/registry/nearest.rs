//! The kernels nearest to what a node asks for, and in what they differ.

use std::fmt::Write as _;

use oplink_api::{AttrValue, DType, NodeInfo};
use oplink_spec::ScalarKind;
use oplink_spec::sorting::sort_by_key;

use super::{KernelRecord, OpRecord};

/// Kernels that a message lists.
const MAX_LISTED: usize = 5;
/// The distance of a kernel without entries: behind those with any.
const NO_ENTRY: usize = 32;
/// Combinations of dtypes that a line lists.
const MAX_COMBINATIONS: usize = 6;

/// `T=float, Tidx=int32`
pub(super) fn assignments(type_attrs: &[&str], dtypes: &[DType]) -> String {
    let each: Vec<String> = type_attrs.iter().zip(dtypes).map(|(attr, dtype)| format!("{attr}={dtype}")).collect();
    each.join(", ")
}

/// The node's type attrs, as `T=float, Tidx=int32`; empty where it has none.
pub(super) fn node_types(node: &NodeInfo) -> String {
    let types = node.op.attrs.iter().filter(|attr| attr.kind.scalar == ScalarKind::Type);
    let each: Vec<String> =
        types.filter_map(|attr| Some(format!("{}={}", attr.name, shown(node.attrs.get(&attr.name)?)))).collect();
    each.join(", ")
}

fn shown(value: &AttrValue) -> String {
    match value {
        AttrValue::Type(dtype) => dtype.to_string(),
        AttrValue::Types(dtypes) => {
            let names: Vec<&str> = dtypes.iter().map(|dtype| dtype.name()).collect();
            format!("[{}]", names.join(", "))
        }
        other => other.kind_name().to_owned(),
    }
}

/// A line for each of the op's nearest kernels: what it serves, in what that differs, where it is declared.
pub(super) fn nearest_kernels(record: &OpRecord, device_type: &str, label: &str, node: &NodeInfo) -> String {
    let mut ranked: Vec<(usize, &KernelRecord)> =
        record.kernels.iter().map(|kernel| (distance(kernel, device_type, label, node), kernel)).collect();
    sort_by_key(&mut ranked, |(distance, _)| *distance);
    let mut text = String::new();
    for (_, kernel) in ranked.iter().take(MAX_LISTED) {
        let differing = differing(kernel, device_type, label, node);
        let _ = write!(text, "\n  {}: {differing}, at {}", describe(kernel), kernel.descriptor.location);
    }
    match ranked.len().checked_sub(MAX_LISTED) {
        Some(more) if more > 0 => text + &format!("\n  and {more} more"),
        _ => text,
    }
}

fn distance(kernel: &KernelRecord, device_type: &str, label: &str, node: &NodeInfo) -> usize {
    let descriptor = kernel.descriptor;
    let types = nearest_entry(kernel, node).map_or(NO_ENTRY, |(_, distance)| distance);
    types + 4 * usize::from(descriptor.label != label) + 16 * usize::from(descriptor.device != device_type)
}

fn nearest_entry(kernel: &KernelRecord, node: &NodeInfo) -> Option<(u128, usize)> {
    let wanted = kernel.keys.wanted(kernel.descriptor, node);
    kernel.keys.keys.iter().map(|&key| (key, wanted.distance(key))).min_by_key(|(_, distance)| *distance)
}

/// `device CPU, T in {float, double}, label …`
fn describe(kernel: &KernelRecord) -> String {
    let descriptor = kernel.descriptor;
    let mut text = format!("device {}", descriptor.device);
    let combination = |dtypes: &[DType]| {
        let names: Vec<&str> = dtypes.iter().map(|dtype| dtype.name()).collect();
        if names.len() == 1 { names[0].to_owned() } else { format!("({})", names.join(", ")) }
    };
    if !descriptor.type_attrs.is_empty() {
        let mut listed: Vec<String> =
            descriptor.entries.iter().take(MAX_COMBINATIONS).map(|entry| combination(entry.dtypes)).collect();
        if descriptor.entries.len() > MAX_COMBINATIONS {
            listed.push("…".to_owned());
        }
        let attrs = descriptor.type_attrs;
        let attrs = if attrs.len() == 1 { attrs[0].to_owned() } else { format!("({})", attrs.join(", ")) };
        let _ = write!(text, ", {attrs} in {{{}}}", listed.join(", "));
    }
    if !descriptor.label.is_empty() {
        let _ = write!(text, ", label `{}`", descriptor.label);
    }
    text
}

/// The fields in which the kernel's nearest entry is not what is asked for.
fn differing(kernel: &KernelRecord, device_type: &str, label: &str, node: &NodeInfo) -> String {
    let descriptor = kernel.descriptor;
    let mut fields: Vec<String> = Vec::new();
    if descriptor.device != device_type {
        fields.push("the device differs".to_owned());
    }
    if descriptor.label != label {
        fields.push("the label differs".to_owned());
    }
    match nearest_entry(kernel, node) {
        Some((key, _)) => {
            let wanted = kernel.keys.wanted(descriptor, node);
            let attrs = kernel.keys.positions.iter().enumerate().filter(|(i, _)| wanted.differs_at(key, *i));
            fields.extend(attrs.map(|(_, &at)| format!("`{}` differs", node.op.attrs[usize::from(at)].name)));
        }
        None => fields.push("every dtype of it is left out of this build".to_owned()),
    }
    fields.join(", ")
}
