//! Kernels against their op and against each other.

use std::fmt::Write as _;

use oplink_api::descriptors::KernelDescriptor;
use oplink_api::{DType, OpSpec};
use oplink_spec::sorting::sort;
use oplink_spec::{Allowed, AttrSpec, ScalarKind, nearest};

use super::conflicts::Conflicts;
use super::key::{KernelKeys, MAX_TYPE_ATTRS};
use super::nearest::assignments;
use super::{KernelRecord, OpEntry};

/// Whether the kernel says only what its op has; adds a conflict for each thing it does not have.
pub(super) fn check_kernel(kernel: &KernelDescriptor, op: &OpEntry, conflicts: &mut Conflicts) -> bool {
    let mut good = true;
    let mut wrong = |what: String| {
        good = false;
        conflicts.add(format!(
            "kernel for op `{}` {what}:\n  kernel: {}\n  op: {}",
            kernel.op, kernel.location, op.location
        ));
    };
    for (at, name) in kernel.type_attrs.iter().enumerate() {
        match op.spec.attr(name) {
            Some(attr) if attr.kind.scalar == ScalarKind::Type => check_dtypes(kernel, at, attr, &mut wrong),
            Some(attr) => wrong(format!("constrains attr `{name}`, which is of kind {}, not type", kind_name(attr))),
            None => wrong(format!("constrains attr `{name}`, which the op lacks{}", guess_attr(name, &op.spec))),
        }
    }
    check_combinations(kernel, &mut wrong);
    check_names(kernel, &op.spec, &mut wrong);
    good
}

fn kind_name(attr: &AttrSpec) -> String {
    let name = attr.kind.scalar.name();
    if attr.kind.list { format!("list({name})") } else { name.to_owned() }
}

fn guess_attr(name: &str, op: &OpSpec) -> String {
    let attrs = op.attrs.iter().filter(|attr| attr.kind.scalar == ScalarKind::Type);
    guess_of(name, attrs.map(|attr| attr.name.as_str()))
}

/// The dtypes that entries give the attr must be among those the op allows.
fn check_dtypes(kernel: &KernelDescriptor, at: usize, attr: &AttrSpec, wrong: &mut impl FnMut(String)) {
    let Some(Allowed::Types(allowed)) = &attr.allowed else { return };
    let mut refused: Vec<DType> = Vec::new();
    for dtype in kernel.entries.iter().filter_map(|entry| entry.dtypes.get(at)) {
        if !allowed.contains(dtype) && !refused.contains(dtype) {
            refused.push(*dtype);
        }
    }
    for dtype in refused {
        let names: Vec<&str> = allowed.iter().map(|dtype| dtype.name()).collect();
        wrong(format!("serves {}={dtype}, which the op does not allow (it allows {})", attr.name, names.join(", ")));
    }
}

fn check_combinations(kernel: &KernelDescriptor, wrong: &mut impl FnMut(String)) {
    let count = kernel.type_attrs.len();
    if count > MAX_TYPE_ATTRS {
        wrong(format!("constrains {count} type attrs, at most {MAX_TYPE_ATTRS} can be"));
    }
    for dtypes in kernel.entries.iter().map(|entry| entry.dtypes).filter(|dtypes| dtypes.len() != count) {
        wrong(format!("has an entry of {} dtypes for {count} type attrs", dtypes.len()));
    }
    if !kernel.excluded.len().is_multiple_of(count.max(1)) || (count == 0 && !kernel.excluded.is_empty()) {
        wrong(format!("leaves out {} dtypes, not some for each of {count} type attrs", kernel.excluded.len()));
    }
    let mut names = kernel.type_attrs.to_vec();
    sort(&mut names);
    if let Some(repeated) = names.iter().zip(&names[1.min(count)..]).find(|(a, b)| a == b) {
        wrong(format!("constrains attr `{}` twice", repeated.0));
    }
}

/// `host_memory` and `forward` must name inputs and outputs.
fn check_names(kernel: &KernelDescriptor, op: &OpSpec, wrong: &mut impl FnMut(String)) {
    let inputs = || op.inputs.iter().map(|arg| arg.name.as_str());
    let outputs = || op.outputs.iter().map(|arg| arg.name.as_str());
    let arguments = || inputs().chain(outputs());
    for name in kernel.host_memory.iter().filter(|name| arguments().all(|arg| arg != **name)) {
        wrong(format!("has `{name}` in host_memory, which is no input or output{}", guess_of(name, arguments())));
    }
    for (input, output) in kernel.forward {
        if inputs().all(|name| name != *input) {
            wrong(format!("forwards `{input}`, which is no input{}", guess_of(input, inputs())));
        }
        if outputs().all(|name| name != *output) {
            wrong(format!("forwards to `{output}`, which is no output{}", guess_of(output, outputs())));
        }
    }
}

fn guess_of<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> String {
    nearest(name, known).map_or(String::new(), |guess| format!(" (did you mean `{guess}`?)"))
}

/// Kernels of one op that serve the same nodes at the same priority.
pub(super) fn check_overlaps(kernels: &[KernelRecord], op: &OpEntry, conflicts: &mut Conflicts) {
    for group in kernels.chunk_by(same_place) {
        for (i, a) in group.iter().enumerate() {
            check_repeats(a, op, conflicts);
            group[i + 1..].iter().for_each(|b| check_pair(a, b, op, conflicts));
        }
    }
}

pub(super) fn check_repeats(kernel: &KernelRecord, op: &OpEntry, conflicts: &mut Conflicts) {
    let keys = &kernel.keys.keys;
    for (i, _) in keys.iter().enumerate().filter(|(i, key)| keys[..*i].contains(key)) {
        conflicts.add(format!(
            "kernel for op `{}` lists {} twice:\n  {}",
            op.name(),
            served(kernel, i),
            kernel.descriptor.location
        ));
    }
}

/// Whether both stand for the same device, label and priority, so that no node may be served by both.
pub(super) fn same_place(a: &KernelRecord, b: &KernelRecord) -> bool {
    let place = |record: &KernelRecord| (record.descriptor.device, record.descriptor.label, record.descriptor.priority);
    place(a) == place(b)
}

pub(super) fn check_pair(a: &KernelRecord, b: &KernelRecord, op: &OpEntry, conflicts: &mut Conflicts) {
    let shared = |key: &u128| b.keys.keys.iter().any(|other| overlap(&a.keys, *key, &b.keys, *other));
    let mut both = a.keys.keys.iter().enumerate().filter(|(_, key)| shared(key)).map(|(i, _)| i);
    let Some(first) = both.next() else { return };
    let others = both.count();
    let more = if others == 0 { String::new() } else { format!(" and {others} more") };
    conflicts.add(format!(
        "two kernels of op `{}` serve {}{more}:\n  {}\n  {}",
        op.name(),
        served(a, first),
        a.descriptor.location.min(b.descriptor.location),
        a.descriptor.location.max(b.descriptor.location)
    ));
}

/// Whether some node fits both keys.
fn overlap(a: &KernelKeys, key_a: u128, b: &KernelKeys, key_b: u128) -> bool {
    if a.positions == b.positions {
        return key_a == key_b;
    }
    let byte = |key: u128, i: usize| key >> (8 * i) & 0xff;
    a.positions.iter().enumerate().all(|(i, position)| {
        let other = b.positions.iter().position(|p| p == position);
        other.is_none_or(|j| byte(key_a, i) == byte(key_b, j))
    })
}

/// `device CPU, T=float, label …, priority …`
fn served(kernel: &KernelRecord, entry: usize) -> String {
    let descriptor = kernel.descriptor;
    let mut text = format!("device {}", descriptor.device);
    if !descriptor.type_attrs.is_empty() {
        let _ = write!(text, ", {}", assignments(descriptor.type_attrs, descriptor.entries[entry].dtypes));
    }
    if !descriptor.label.is_empty() {
        let _ = write!(text, ", label `{}`", descriptor.label);
    }
    if descriptor.priority != 0 {
        let _ = write!(text, ", priority {}", descriptor.priority);
    }
    text
}
