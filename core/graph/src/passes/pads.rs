//! `pad_fusion`: zeros around the input of a convolution are paddings of the convolution itself.
//!
//! Which ops pad an input with zeros, they say themselves (`OpFact::ZeroPads`).

use oplink_api::call::Arg;
use oplink_api::descriptors::OpFact;
use oplink_api::shape_inference::int_values;
use oplink_api::{AttrValue, Output, Result};

use super::rewrite::Replacements;
use super::{Pass, Rewrite};
use crate::build::NewNode;
use crate::known_ops::KnownOp;

pub(super) const PASS: Pass =
    Pass { name: "pad_fusion", description: "makes zeros around the input of a convolution its paddings", run };

/// The attr that says how an op pads, its values, and the attr that has the numbers.
const PADDING: &str = "padding";
const NONE: &[u8] = b"VALID";
const EXPLICIT: &[u8] = b"EXPLICIT";
const NUMBERS: &str = "explicit_paddings";

/// A node that reads what a `Pad` makes.
struct Padded {
    pad: u32,
    /// The position of the input.
    input: usize,
    /// Zeros before and after each axis, those of the node itself among them.
    numbers: Vec<i64>,
}

fn run(rewrite: &mut Rewrite) -> Result<()> {
    let mut replacements = Replacements::default();
    for position in rewrite.needed()? {
        rewrite.check_time()?;
        if let Some(padded) = padded(rewrite, position)
            && let Some(output) = build(rewrite, position, &padded)?
        {
            replacements.set(Output { node: position, index: 0 }, output);
        }
    }
    rewrite.replace(&replacements);
    Ok(())
}

/// What the node pads its input by when it reads what a `Pad` reads.
fn padded(rewrite: &Rewrite, position: u32) -> Option<Padded> {
    let node = rewrite.node(position);
    let op = rewrite.graph.registry().get_op(node.op_name())?;
    let name = op.facts.iter().find_map(|fact| if let OpFact::ZeroPads(input) = fact { Some(*input) } else { None })?;
    let input = op.spec.inputs.iter().position(|arg| arg.name == name)?;
    let read = *node.inputs().get(input)?;
    let pad = rewrite.node(read.node);
    let is_free = |node: u32| !rewrite.is_fed(node) && rewrite.node(node).control_inputs().is_empty();
    if pad.known() != KnownOp::Pad || !is_free(read.node) || !is_free(position) || pad.device() != node.device() {
        return None;
    }
    let added = int_values(rewrite.constant(pad.inputs()[1])?).ok()?;
    let attrs = &node.info().attrs;
    let own = match (attrs.get(PADDING)?, attrs.get(NUMBERS)) {
        (AttrValue::String(padding), _) if padding == NONE => vec![0; added.len()],
        (AttrValue::String(padding), Some(AttrValue::Ints(own))) if padding == EXPLICIT => own.clone(),
        _ => return None,
    };
    let sums = own.iter().zip(&added).map(|(own, added)| own.checked_add(*added)).collect::<Option<Vec<i64>>>();
    (own.len() == added.len()).then_some(Padded { pad: read.node, input, numbers: sums? })
}

/// The output of the node that pads by itself; `None` where its op takes no such paddings.
fn build(rewrite: &mut Rewrite, position: u32, padded: &Padded) -> Result<Option<Output>> {
    let (node, pad) = (rewrite.node(position), rewrite.node(padded.pad));
    let (name, device) = (format!("{}/padded", node.name()), node.device().to_owned());
    let (wanted, mut inputs) = (node.output_shapes().to_vec(), node.inputs().to_vec());
    inputs[padded.input] = pad.inputs()[0];
    let own = [
        (PADDING.to_owned(), AttrValue::String(EXPLICIT.to_vec())),
        (NUMBERS.to_owned(), AttrValue::Ints(padded.numbers.clone())),
    ];
    let is_own = |name: &str| own.iter().any(|(own, _)| own == name);
    let kept = node.info().attrs.iter().filter(|(name, _)| !is_own(name));
    let attrs: Vec<(String, AttrValue)> =
        kept.map(|(name, value)| (name.to_owned(), value.clone())).chain(own.iter().cloned()).collect();
    let attrs: Vec<(&str, AttrValue)> = attrs.iter().map(|(name, value)| (name.as_str(), value.clone())).collect();
    let op = node.op_name().to_owned();
    let inputs: Vec<Arg<Output>> = inputs.into_iter().map(Arg::One).collect();
    let new = NewNode { op: &op, name: &name, device: &device, inputs: &inputs, control_inputs: &[], attrs: &attrs };
    // Paddings of batches or channels are not the op's.
    let Ok(node) = rewrite.add(new) else { return Ok(None) };
    rewrite.stands_for(node, &[padded.pad, position]);
    Ok((rewrite.node(node).output_shapes() == wanted).then_some(Output { node, index: 0 }))
}
