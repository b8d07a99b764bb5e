//! Gradients against their op and against each other.

use oplink_api::descriptors::{ExcludedOp, GradientDescriptor};
use oplink_spec::nearest;
use oplink_spec::sorting::sort_by;

use super::Registry;
use super::conflicts::Conflicts;

impl Registry {
    /// Gives ops their gradients; one of an op that the build's selection leaves out is dropped.
    pub(super) fn add_gradients(
        &mut self,
        mut gradients: Vec<&'static GradientDescriptor>,
        excluded: &[ExcludedOp],
        conflicts: &mut Conflicts,
    ) {
        sort_by(&mut gradients, |a, b| {
            let order = (a.op, a.location).cmp(&(b.op, b.location));
            order.then_with(|| std::ptr::from_ref(*a).cmp(&std::ptr::from_ref(*b)))
        });
        gradients.dedup_by(|a, b| std::ptr::eq(*a, *b));
        for gradient in gradients {
            match self.position(gradient.op) {
                Some(at) => self.add_gradient(at, gradient, conflicts),
                None if excluded.iter().any(|op| op.is(gradient.op)) => {}
                None if conflicts.is_broken(gradient.op) => {}
                None => conflicts.add(self.gradient_of_unknown_op(gradient)),
            }
        }
    }

    fn add_gradient(&mut self, at: usize, gradient: &'static GradientDescriptor, conflicts: &mut Conflicts) {
        let record = &mut self.ops[at];
        let (op, location) = (gradient.op, gradient.location);
        if let Some(first) = record.gradient {
            conflicts.add(format!("op `{op}` has two gradients:\n  {}\n  {location}", first.location));
        } else if record.entry.no_gradient {
            let declared = record.entry.location;
            conflicts.add(format!(
                "op `{op}` has a gradient although it is declared `no_gradient`:\n  gradient: {location}\n  op: {declared}"
            ));
        } else {
            record.gradient = Some(gradient);
        }
    }

    fn gradient_of_unknown_op(&self, gradient: &GradientDescriptor) -> String {
        let (op, location) = (gradient.op, gradient.location);
        let guess = nearest(op, self.ops.iter().map(|record| record.entry.name()));
        let guess = guess.map_or_else(String::new, |guess| format!("\ndid you mean `{guess}`?"));
        format!("gradient of op `{op}`, which nothing in this binary declares:\n  {location}{guess}")
    }
}
