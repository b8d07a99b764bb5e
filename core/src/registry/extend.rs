//! A registry that grows is a new one: the old one's tables, and what a plugin declares, checked against them.

use oplink_api::descriptors::{GradientDescriptor, KernelDescriptor, Location};
use oplink_api::foreign::ShapeInference;
use oplink_api::{Code, Error, ErrorKind, OpSpec, Result};
use oplink_spec::sorting::{sort, sort_by};

use super::builder::{DynamicOp, OpSource};
use super::conflicts::Conflicts;
use super::hash::NameIndex;
use super::memo::Memo;
use super::seal::{read_op, sorted_kernels};
use super::{ANY_OP, OpRecord, Registry};

/// Ops, kernels and gradients declared at run time.
///
/// What they point to lives as long as the process: a plugin's library is never unloaded, so the descriptors made for
/// it are leaked on purpose.
#[derive(Clone, Debug, Default)]
pub struct Declarations {
    pub(super) ops: Vec<DynamicOp>,
    pub(super) kernels: Vec<&'static KernelDescriptor>,
    pub(super) gradients: Vec<&'static GradientDescriptor>,
}

impl Declarations {
    /// Adds an op; without shape inference all its output shapes are unknown.
    pub fn op(
        &mut self,
        spec: OpSpec,
        shape_fn: Option<ShapeInference>,
        doc: impl Into<String>,
        location: Location,
    ) -> &mut Self {
        self.ops.push(DynamicOp::new(spec, shape_fn, doc.into(), location));
        self
    }

    /// Adds a kernel.
    pub fn kernel(&mut self, kernel: &'static KernelDescriptor) -> &mut Self {
        self.kernels.push(kernel);
        self
    }

    /// Adds a gradient.
    pub fn gradient(&mut self, gradient: &'static GradientDescriptor) -> &mut Self {
        self.gradients.push(gradient);
        self
    }

    /// Gives the op of this name documentation, where it is declared here.
    pub fn document(&mut self, op: &str, doc: &str) {
        if let Some(declared) = self.ops.iter_mut().find(|declared| declared.spec.name == op) {
            doc.clone_into(&mut declared.doc);
        }
    }

    /// Whether nothing is declared.
    pub fn is_empty(&self) -> bool {
        self.ops.is_empty() && self.kernels.is_empty() && self.gradients.is_empty()
    }

    /// The ops, in the order they were declared.
    pub fn ops(&self) -> impl Iterator<Item = &OpSpec> {
        self.ops.iter().map(|op| &op.spec)
    }

    /// The kernels, in the order they were declared.
    pub fn kernels(&self) -> &[&'static KernelDescriptor] {
        &self.kernels
    }

    /// The gradients, in the order they were declared.
    pub fn gradients(&self) -> &[&'static GradientDescriptor] {
        &self.gradients
    }

    /// Moves what `of` holds behind what is here.
    pub fn append(&mut self, mut of: Self) {
        self.ops.append(&mut of.ops);
        self.kernels.append(&mut of.kernels);
        self.gradients.append(&mut of.gradients);
    }

    /// Names of the ops that are declared, or that kernels are declared for.
    pub fn op_names(&self) -> Vec<&str> {
        let kernels = self.kernels.iter().map(|kernel| kernel.op);
        let mut names: Vec<&str> = self.ops().map(|op| op.name.as_str()).chain(kernels).collect();
        sort(&mut names);
        names.dedup();
        names
    }

    /// Takes out the kernels of which `known` does not know the op.
    pub(super) fn take_kernels_without_op(&mut self, known: &Registry) -> Vec<&'static KernelDescriptor> {
        let declared: Vec<String> = self.ops().map(|op| op.name.clone()).collect();
        let has_op = |kernel: &KernelDescriptor| {
            known.get_op(kernel.op).is_some() || declared.iter().any(|name| name == kernel.op)
        };
        let (with, without) = std::mem::take(&mut self.kernels).into_iter().partition(|kernel| has_op(kernel));
        self.kernels = with;
        without
    }

    /// Keeps what concerns one op.
    pub(super) fn only(&self, op: &str) -> Self {
        let ops = self.ops.iter().filter(|declared| declared.spec.name == op).cloned().collect();
        Self {
            ops,
            kernels: self.kernels.iter().copied().filter(|kernel| kernel.op == op).collect(),
            gradients: self.gradients.iter().copied().filter(|gradient| gradient.op == op).collect(),
        }
    }
}

impl Registry {
    /// A registry of what is here and of these declarations. This one stays as it is.
    ///
    /// # Errors
    /// One error of kind `Registry` that lists every conflict with the locations of both sides.
    pub fn extended(&self, declarations: &Declarations) -> Result<Self> {
        let mut conflicts = Conflicts::default();
        let Declarations { ops, kernels, gradients } = declarations.clone();
        let mut made = self.copy(self.ops.clone());
        made.add_ops(ops, &mut conflicts);
        made.add_kernels(&sorted_kernels(self.with_kernels_beside(kernels)), &mut conflicts);
        made.add_gradients(gradients, &[], &mut conflicts);
        conflicts.finish()?;
        Ok(made)
    }

    /// New kernels together with those that their ops have.
    pub(super) fn with_kernels_beside(
        &self,
        mut new: Vec<&'static KernelDescriptor>,
    ) -> Vec<&'static KernelDescriptor> {
        let mut ops: Vec<&str> = new.iter().map(|kernel| kernel.op).collect();
        sort(&mut ops);
        ops.dedup();
        for op in ops {
            let any = if op == ANY_OP { &self.any_op[..] } else { &[] };
            new.extend(any.iter().map(|kernel| kernel.descriptor).chain(self.kernels_of(op)));
        }
        new
    }

    /// This registry with other ops.
    pub(super) fn copy(&self, ops: Vec<OpRecord>) -> Self {
        let index = NameIndex::new(ops.iter().map(|record| record.entry.name()));
        let (any_op, excluded, hints) = (self.any_op.clone(), self.excluded.clone(), self.hints.clone());
        Self { ops, index, any_op, excluded, hints, rejected: self.rejected.clone(), memo: Memo::default() }
    }

    /// This registry with one op, or without any where it does not know it.
    pub(super) fn only(&self, op: &str) -> Self {
        self.copy(self.position(op).map(|at| self.ops[at].clone()).into_iter().collect())
    }

    pub(super) fn add_ops(&mut self, mut new: Vec<DynamicOp>, conflicts: &mut Conflicts) {
        sort_by(&mut new, |a, b| (&a.spec.name, a.location).cmp(&(&b.spec.name, b.location)));
        let mut added: Vec<OpRecord> = Vec::with_capacity(new.len());
        for op in new {
            let name = op.spec.name.as_str();
            let last = added.last().map(|record| &record.entry).filter(|entry| entry.name() == name);
            if let Some(first) = self.get_op(name).or(last) {
                conflicts.add(twice(name, first.location, op.location));
                continue;
            }
            let entry = read_op(OpSource::Dynamic(Box::new(op)), conflicts);
            added.extend(entry.map(OpRecord::new));
        }
        let mut ops = std::mem::take(&mut self.ops);
        ops.extend(added);
        sort_by(&mut ops, |a, b| a.entry.name().cmp(b.entry.name()));
        *self = self.copy(ops);
    }

    /// Whether an op of this name could be declared here and in `queued`.
    ///
    /// # Errors
    /// It is declared already; both places are named.
    pub(super) fn check_new_op(&self, new: &Declarations, queued: &Declarations) -> Result<()> {
        for op in &new.ops {
            let name = op.spec.name.as_str();
            let queued = queued.ops.iter().find(|known| known.spec.name == name).map(|known| known.location);
            if let Some(first) = self.get_op(name).map(|entry| entry.location).or(queued) {
                let message = twice(name, first, op.location);
                return Err(Error::new(Code::AlreadyExists, ErrorKind::Registry, message));
            }
        }
        Ok(())
    }
}

pub(super) fn twice(name: &str, first: Location, second: Location) -> String {
    format!("op `{name}` is declared twice:\n  {first}\n  {second}")
}
