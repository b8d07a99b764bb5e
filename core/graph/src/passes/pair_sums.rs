//! `pair_sums`: the sum of two values of one shape becomes the op that chains and products can take in.
//!
//! Gradients by two readers are added by `AddN`, which takes any number of values and is no elementwise op.

use oplink_api::call::Arg;
use oplink_api::{Output, Result};

use super::devices::kernel_of;
use super::rewrite::Replacements;
use super::{HAS_FUSIONS, Pass, Rewrite};
use crate::build::NewNode;
use crate::known_ops::KnownOp;

pub(super) const PASS: Pass =
    Pass { name: "pair_sums", description: "makes `AddN` of two values of one known shape `AddV2`", run };

fn run(rewrite: &mut Rewrite) -> Result<()> {
    if !HAS_FUSIONS {
        return Ok(());
    }
    let mut replacements = Replacements::default();
    for position in rewrite.needed()? {
        rewrite.check_time()?;
        if rewrite.node(position).known() != KnownOp::AddN || rewrite.is_fed(position) {
            continue;
        }
        if let Some(sum) = pair(rewrite, position) {
            replacements.set(Output { node: position, index: 0 }, sum);
        }
    }
    rewrite.replace(&replacements);
    Ok(())
}

/// The same sum by `AddV2`, where a kernel of the same device takes it.
fn pair(rewrite: &mut Rewrite, position: u32) -> Option<Output> {
    let node = rewrite.node(position);
    let &[a, b] = node.inputs() else { return None };
    let shape = rewrite.graph.shape(a);
    if !shape.is_fully_known() || rewrite.graph.shape(b) != shape || !node.control_inputs().is_empty() {
        return None;
    }
    let (name, device) = (format!("{}/pair", node.name()), node.device().to_owned());
    let device_type = kernel_of(rewrite, node)?.0.to_owned();
    let (op, inputs) = (KnownOp::AddV2.name(), &[Arg::One(a), Arg::One(b)]);
    let sum =
        rewrite.add(NewNode { op, name: &name, device: &device, inputs, control_inputs: &[], attrs: &[] }).ok()?;
    let has_kernel = kernel_of(rewrite, rewrite.node(sum)).is_some_and(|found| found.0 == device_type);
    rewrite.stands_for(sum, &[position]);
    has_kernel.then_some(Output { node: sum, index: 0 })
}
