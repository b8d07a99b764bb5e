//! A registry that grows by what is valid of a plugin's declarations; the rest is given back with its reasons.
//!
//! A kernel that serves the same nodes as another one at the same priority is told of too. It stays beside the other
//! one: as in TensorFlow neither serves such a node, which is refused with the names of both.

use std::collections::HashMap;

use oplink_api::descriptors::{GradientDescriptor, KernelDescriptor};

use super::builder::{DynamicOp, OpSource};
use super::check_kernels::{check_kernel, check_pair, check_repeats, same_place};
use super::conflicts::Conflicts;
use super::extend::twice;
use super::rejected::{RejectedDeclaration, RejectedItem, RejectedKernel};
use super::seal::{read_op, sorted_kernels};
use super::{ANY_OP, Declarations, KernelRecord, Registry};

/// What [`Registry::extended_by_valid`] makes.
#[derive(Debug)]
pub struct ValidExtension {
    /// The registry with what is valid.
    pub registry: Registry,
    /// What was added and serves.
    pub added: Declarations,
    /// What was left out, in the order it was declared: ops first.
    pub rejected: Vec<RejectedDeclaration>,
    /// The kernels among them whose op nothing declares.
    pub(super) without_op: Vec<&'static KernelDescriptor>,
}

/// New kernels of one op.
#[derive(Default)]
struct OfOp {
    kept: Vec<KernelRecord>,
    duplicates: Vec<KernelRecord>,
}

impl Registry {
    /// A registry of what is here and of those declarations that are valid. This one stays as it is.
    pub fn extended_by_valid(&self, declarations: &Declarations) -> ValidExtension {
        let Declarations { ops, kernels, gradients } = declarations.clone();
        let registry = self.copy(self.ops.clone());
        let (added, rejected, without_op) = (Declarations::default(), Vec::new(), Vec::new());
        let mut made = ValidExtension { registry, added, rejected, without_op };
        made.add_ops(ops);
        made.add_kernels(self, kernels);
        made.add_gradients(&gradients);
        made
    }
}

impl ValidExtension {
    fn add_ops(&mut self, ops: Vec<DynamicOp>) {
        let mut valid: Vec<DynamicOp> = Vec::new();
        for op in ops {
            let name = op.spec.name.as_str();
            let known = self.registry.get_op(name).map(|entry| entry.location);
            let first =
                known.or_else(|| valid.iter().find(|known| known.spec.name == name).map(|known| known.location));
            let mut conflicts = Conflicts::default();
            match first {
                Some(first) => conflicts.add(twice(name, first, op.location)),
                None => drop(read_op(OpSource::Dynamic(Box::new(op.clone())), &mut conflicts)),
            }
            match conflicts.into_reason() {
                Some(reason) => {
                    let DynamicOp { spec, location, .. } = op;
                    self.rejected.push(RejectedDeclaration { op: spec.name, item: RejectedItem::Op, reason, location });
                }
                None => valid.push(op),
            }
        }
        self.registry.add_ops(valid.clone(), &mut Conflicts::default());
        self.added.ops = valid;
    }

    fn add_kernels(&mut self, former: &Registry, kernels: Vec<&'static KernelDescriptor>) {
        let mut of_ops: HashMap<&str, OfOp> = HashMap::new();
        let mut reasons: Vec<(&'static KernelDescriptor, String)> = Vec::new();
        for kernel in kernels {
            let new = of_ops.entry(kernel.op).or_default();
            match self.sort_out(kernel, new) {
                Ok(duplicate_of) => reasons.extend(duplicate_of),
                Err(reason) => reasons.push((kernel, reason)),
            }
        }
        let kept: Vec<_> = of_ops.values().flat_map(|new| &new.kept).map(|record| record.descriptor).collect();
        let all = sorted_kernels(former.with_kernels_beside(kept.clone()));
        self.registry.add_kernels(&all, &mut Conflicts::default());
        for (op, new) in of_ops {
            if let Some(at) = self.registry.position(op) {
                self.registry.ops[at].duplicates.extend(new.duplicates);
            }
        }
        let is_rejected = |kernel: &KernelDescriptor| reasons.iter().any(|(known, _)| std::ptr::eq(*known, kernel));
        self.added.kernels = sorted_kernels(kept).into_iter().filter(|kernel| !is_rejected(kernel)).collect();
        self.rejected.extend(reasons.into_iter().map(|(kernel, reason)| of_kernel(kernel, reason)));
    }

    /// Puts a kernel that fits its op among those that are kept, or among the duplicates; then the answer is both sides
    /// of the duplicate that are new, with the reason.
    fn sort_out(
        &mut self,
        kernel: &'static KernelDescriptor,
        new: &mut OfOp,
    ) -> Result<Vec<(&'static KernelDescriptor, String)>, String> {
        let op = self.registry.position(kernel.op).filter(|_| kernel.op != ANY_OP);
        let Some(op) = op.map(|at| &self.registry.ops[at]) else {
            self.without_op.push(kernel);
            return Err(self.registry.unknown_op(kernel));
        };
        let mut conflicts = Conflicts::default();
        let fits = check_kernel(kernel, &op.entry, &mut conflicts);
        if let Some(reason) = conflicts.into_reason().filter(|_| !fits) {
            return Err(reason);
        }
        let record = KernelRecord::new(kernel, &op.entry);
        let mut conflicts = Conflicts::default();
        check_repeats(&record, &op.entry, &mut conflicts);
        if let Some(reason) = conflicts.into_reason() {
            return Err(reason);
        }
        let of_plugin = new.kept.iter().map(|other| (other, true));
        let mut others = of_plugin.chain(op.kernels.iter().map(|other| (other, false)));
        let clash = others.find_map(|(other, is_new)| {
            let mut conflicts = Conflicts::default();
            if same_place(&record, other) {
                check_pair(&record, other, &op.entry, &mut conflicts);
            }
            Some((other.descriptor, is_new, conflicts.into_reason()?))
        });
        let Some((other, is_new, reason)) = clash else {
            new.kept.push(record);
            return Ok(Vec::new());
        };
        new.duplicates.push(record);
        let reason = format!("{reason}\nas in TensorFlow neither serves such a node: give one another priority");
        let mut told = Vec::new();
        if is_new {
            told.push((other, reason.clone()));
        }
        told.push((kernel, reason));
        Ok(told)
    }

    fn add_gradients(&mut self, gradients: &[&'static GradientDescriptor]) {
        for gradient in gradients {
            let mut conflicts = Conflicts::default();
            self.registry.add_gradients(vec![gradient], &[], &mut conflicts);
            match conflicts.into_reason() {
                None => self.added.gradients.push(gradient),
                Some(reason) => {
                    let (op, location) = (gradient.op.to_owned(), gradient.location);
                    self.rejected.push(RejectedDeclaration { op, item: RejectedItem::Gradient, reason, location });
                }
            }
        }
    }
}

fn of_kernel(kernel: &KernelDescriptor, reason: String) -> RejectedDeclaration {
    let (op, location) = (kernel.op.to_owned(), kernel.location);
    RejectedDeclaration { op, item: RejectedItem::Kernel(RejectedKernel::of(kernel)), reason, location }
}
