//! Sealing: sorts all declarations, checks them against each other, reports every conflict at once, builds the tables.

use std::fmt::Write as _;
use std::ptr;
use std::sync::{Arc, Mutex};

use oplink_api::Result;
use oplink_api::descriptors::{Anchor, KernelDescriptor, Location, OpDescriptor};
use oplink_spec::sorting::{sort, sort_by, sort_by_key};
use oplink_spec::{Diagnostic, Piece, nearest};

use super::builder::OpSource;
use super::check_kernels::{check_kernel, check_overlaps};
use super::conflicts::Conflicts;
use super::hash::NameIndex;
use super::memo::Memo;
use super::rejected::Rejected;
use super::{ANY_OP, KernelRecord, OpEntry, OpRecord, Registry, RegistryBuilder};

impl RegistryBuilder {
    /// Checks all declarations against each other and makes the registry.
    ///
    /// # Errors
    /// One error of kind `Registry` that lists every conflict with the locations of both sides.
    pub fn seal(self) -> Result<Registry> {
        seal(self)
    }
}

fn seal(builder: RegistryBuilder) -> Result<Registry> {
    let mut conflicts = Conflicts::default();
    check_anchors(&builder, &mut conflicts);
    let RegistryBuilder { ops, kernels, gradients, mut hints, rejected, excluded_ops, .. } = builder;
    let ops = sorted_ops(ops);
    let kernels = sorted_kernels(kernels);
    let mut registry = tables(ops, &mut conflicts);
    registry.add_kernels(&kernels, &mut conflicts);
    registry.add_gradients(gradients, &excluded_ops, &mut conflicts);
    conflicts.finish()?;
    sort(&mut hints);
    hints.dedup();
    registry.hints = hints;
    registry.excluded = excluded_ops;
    registry.rejected = Arc::new(Mutex::new(Rejected::of_plugins(rejected)));
    Ok(registry)
}

/// By name, then location; each static once.
fn sorted_ops(mut ops: Vec<OpSource>) -> Vec<OpSource> {
    let address = |op: &OpSource| match op {
        OpSource::Static(op) => ptr::from_ref::<OpDescriptor>(op).addr(),
        OpSource::Dynamic(_) => 0,
    };
    sort_by(&mut ops, |a, b| {
        let order = a.name().cmp(b.name()).then_with(|| a.location().cmp(&b.location()));
        order.then_with(|| address(a).cmp(&address(b)))
    });
    ops.dedup_by(|a, b| matches!((a, b), (OpSource::Static(a), OpSource::Static(b)) if ptr::eq(*a, *b)));
    ops
}

/// By op, device, label, priority from the highest, constraints and location; each static once.
pub(super) fn sorted_kernels(mut kernels: Vec<&'static KernelDescriptor>) -> Vec<&'static KernelDescriptor> {
    sort_by(&mut kernels, |a, b| {
        let by_op = (a.op == ANY_OP, a.op).cmp(&(b.op == ANY_OP, b.op));
        let by_place = || (a.device, a.label).cmp(&(b.device, b.label)).then(b.priority.cmp(&a.priority));
        let by_types = || a.type_attrs.cmp(b.type_attrs).then_with(|| dtypes(a).cmp(dtypes(b)));
        let by_source = || a.location.cmp(&b.location).then(ptr::from_ref(*a).cmp(&ptr::from_ref(*b)));
        by_op.then_with(by_place).then_with(by_types).then_with(by_source)
    });
    kernels.dedup_by(|a, b| ptr::eq(*a, *b));
    kernels
}

fn dtypes(kernel: &'static KernelDescriptor) -> impl Iterator<Item = &'static [oplink_api::DType]> {
    kernel.entries.iter().map(|entry| entry.dtypes)
}

/// What arrived of each anchored crate, against what the crate declares.
fn check_anchors(builder: &RegistryBuilder, conflicts: &mut Conflicts) {
    let mut anchors = builder.anchors.clone();
    let key = |anchor: &&Anchor| (anchor.crate_name, anchor.ops, anchor.kernels, anchor.gradients);
    sort_by_key(&mut anchors, key);
    anchors.dedup_by_key(|anchor| key(anchor));
    for anchor in anchors {
        let Anchor { crate_name, ops: declared_ops, kernels: declared_kernels, gradients: declared_gradients } = anchor;
        let ops = builder.ops.iter().filter(|op| op.location().crate_name == *crate_name).count()
            + builder.excluded_ops.iter().filter(|op| op.is_of(crate_name)).count();
        let kernels = builder.kernels.iter().filter(|kernel| kernel.location.crate_name == *crate_name).count()
            + builder.excluded_kernels.iter().filter(|kernel| kernel.is_of(crate_name)).count();
        let gradients = builder.gradients.iter().filter(|gradient| gradient.location.crate_name == *crate_name).count();
        if ops < *declared_ops || kernels < *declared_kernels || gradients < *declared_gradients {
            let (declared, arrived) = match declared_gradients {
                0 => (String::new(), String::new()),
                _ => (format!(" and {declared_gradients} gradients"), format!(" and {gradients} gradients")),
            };
            conflicts.add(format!(
                "crate `{crate_name}` declares {declared_ops} ops and {declared_kernels} kernels{declared}, only {ops} \
                 ops and {kernels} kernels{arrived} arrived: the linker dropped the others. How is it linked? Out of a `staticlib` or \
                 across a shared `dylib` link-time collection loses elements: list them with `library!`, link the \
                 archive whole, or use the feature `inventory`"
            ));
        }
    }
}

/// The registry with its ops, without kernels.
fn tables(sources: Vec<OpSource>, conflicts: &mut Conflicts) -> Registry {
    let mut ops: Vec<OpRecord> = Vec::with_capacity(sources.len());
    let mut last: Option<(String, Location)> = None;
    for op in sources {
        let location = op.location();
        if let Some((_, first)) = last.as_ref().filter(|(name, _)| name == op.name()) {
            conflicts.add(format!("op `{}` is declared twice:\n  {first}\n  {location}", op.name()));
            continue;
        }
        last = Some((op.name().to_owned(), location));
        ops.extend(read_op(op, conflicts).map(OpRecord::new));
    }
    let index = NameIndex::new(ops.iter().map(|record| record.entry.name()));
    let (any_op, excluded, hints) = (Vec::new(), Vec::new(), Vec::new());
    Registry { ops, index, any_op, excluded, hints, rejected: Arc::default(), memo: Memo::default() }
}

/// The declaration, where it is not broken.
pub(super) fn read_op(op: OpSource, conflicts: &mut Conflicts) -> Option<OpEntry> {
    let (name, location) = (op.name().to_owned(), op.location());
    let errors: Vec<String> = match op {
        OpSource::Static(op) => match OpEntry::parse(op) {
            Ok(entry) => return Some(entry),
            Err(errors) => {
                errors.iter().map(|(piece, error)| format!("{piece}: {}", rendered(op, *piece, error))).collect()
            }
        },
        OpSource::Dynamic(op) => match (op.check)(&op.spec) {
            problems if problems.is_empty() => return Some(op.into_entry()),
            problems => problems.iter().map(ToString::to_string).collect(),
        },
    };
    for error in errors {
        conflicts.add(format!("op `{name}` declared at {location} is broken: {error}"));
    }
    conflicts.broken.push(name);
    None
}

fn rendered(op: &OpDescriptor, piece: Piece, error: &Diagnostic) -> String {
    let text = match piece {
        Piece::Input(i) => op.inputs.get(i),
        Piece::Output(i) => op.outputs.get(i),
        Piece::Attr(i) => op.attrs.get(i),
        Piece::Name | Piece::Op => Some(&op.name),
    };
    error.render(text.unwrap_or(&op.name))
}

impl Registry {
    /// Gives ops these kernels in place of those that they have.
    pub(super) fn add_kernels(&mut self, kernels: &[&'static KernelDescriptor], conflicts: &mut Conflicts) {
        for of_one_op in kernels.chunk_by(|a, b| a.op == b.op) {
            let op = of_one_op[0].op;
            if op == ANY_OP {
                self.any_op = records(of_one_op, &OpEntry::any_op(of_one_op[0].location), conflicts);
                continue;
            }
            let Some(at) = self.position(op) else {
                if !conflicts.is_broken(op) {
                    for kernel in of_one_op {
                        conflicts.add(self.unknown_op(kernel));
                    }
                }
                continue;
            };
            let record = &mut self.ops[at];
            record.kernels = records(of_one_op, &record.entry, conflicts);
        }
    }

    pub(super) fn unknown_op(&self, kernel: &KernelDescriptor) -> String {
        let mut text =
            format!("kernel for op `{}`, which nothing in this binary declares:\n  {}", kernel.op, kernel.location);
        if let Some(guess) = nearest(kernel.op, self.ops.iter().map(|record| record.entry.name())) {
            let _ = write!(text, "\ndid you mean `{guess}`?");
        }
        text
    }
}

fn records(kernels: &[&'static KernelDescriptor], op: &OpEntry, conflicts: &mut Conflicts) -> Vec<KernelRecord> {
    let fits = |kernel: &&&'static KernelDescriptor| check_kernel(kernel, op, conflicts);
    let good: Vec<&'static KernelDescriptor> = kernels.iter().filter(fits).copied().collect();
    let records: Vec<KernelRecord> = good.into_iter().map(|kernel| KernelRecord::new(kernel, op)).collect();
    check_overlaps(&records, op, conflicts);
    records
}
