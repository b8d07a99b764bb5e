//! The two products of attention: what they multiply, and the order of the axes.

use oplink_api::{AttrValue, Output};

use super::Rewrite;
use crate::graph::Node;
use crate::known_ops::KnownOp;

/// A value as [batch, heads, time, depth], or with the axes 1 and 2 changed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Side {
    pub(super) output: Output,
    pub(super) time_first: bool,
}

/// Queries and keys, where the node's output is the products [batch, heads, queries, keys] of them.
pub(super) fn scores(rewrite: &Rewrite, node: &Node) -> Option<(Side, Side)> {
    let &[x, y] = node.inputs() else { return None };
    match node.known() {
        KnownOp::BatchMatMulV2 if !flag(node, "adj_x") && flag(node, "adj_y") => {
            Some((before_transpose(rewrite, x), before_transpose(rewrite, y)))
        }
        KnownOp::Einsum => {
            let [first, second, [b, n, t, s]] = subscripts(node)?;
            let depth = first.into_iter().find(|label| ![b, n, t, s].contains(label))?;
            let side = |output: Output, labels: [u8; 4], time: u8| {
                order(labels, [b, n, time, depth]).map(|time_first| Side { output, time_first })
            };
            let direct = side(x, first, t).zip(side(y, second, s));
            direct.or_else(|| side(y, second, t).zip(side(x, first, s)))
        }
        _ => None,
    }
}

/// The values, and whether the output has time first, where the node's output is the products of `powers` with them.
pub(super) fn weighted(rewrite: &Rewrite, node: &Node, powers: u32) -> Option<(Side, bool)> {
    let &[x, y] = node.inputs() else { return None };
    match node.known() {
        KnownOp::BatchMatMulV2 if x.node == powers && !flag(node, "adj_x") && !flag(node, "adj_y") => {
            Some((before_transpose(rewrite, y), false))
        }
        KnownOp::Einsum => {
            let [first, second, out] = subscripts(node)?;
            let ([b, n, t, s], labels, output) = if x.node == powers { (first, second, y) } else { (second, first, x) };
            let width = out.into_iter().find(|label| ![b, n, t, s].contains(label))?;
            let time_first = order(labels, [b, n, s, width])?;
            Some((Side { output, time_first }, order(out, [b, n, t, width])?))
        }
        _ => None,
    }
}

/// Whether a node changes the axes 1 and 2 of four.
pub(super) fn swaps_time(rewrite: &Rewrite, node: &Node) -> bool {
    let permutation = || rewrite.constant(*node.inputs().get(1)?);
    let values = || oplink_api::shape_inference::int_values(permutation()?).ok();
    node.known() == KnownOp::Transpose && values().is_some_and(|values| values[..] == [0, 2, 1, 3])
}

/// What a transposition of the axes 1 and 2 has changed, with time first; any other value as it is.
fn before_transpose(rewrite: &Rewrite, output: Output) -> Side {
    let node = rewrite.node(output.node);
    if !rewrite.is_fed(output.node) && node.control_inputs().is_empty() && swaps_time(rewrite, node) {
        return Side { output: node.inputs()[0], time_first: true };
    }
    Side { output, time_first: false }
}

fn flag(node: &Node, name: &str) -> bool {
    node.info().attr::<bool>(name).is_ok_and(|flag| flag)
}

/// Whether labels are [batch, time, heads, depth], or else [batch, heads, time, depth].
fn order(labels: [u8; 4], [batch, heads, time, depth]: [u8; 4]) -> Option<bool> {
    if labels == [batch, time, heads, depth] {
        return Some(true);
    }
    (labels == [batch, heads, time, depth]).then_some(false)
}

/// The labels of an `Einsum` of two inputs and an output with four distinct ones each.
fn subscripts(node: &Node) -> Option<[[u8; 4]; 3]> {
    let Some(AttrValue::String(equation)) = node.info().attrs.get("equation") else { return None };
    let text = std::str::from_utf8(equation).ok()?.replace(' ', "");
    let (inputs, output) = text.split_once("->")?;
    let (first, second) = inputs.split_once(',')?;
    let labels = |text: &str| {
        let labels: [u8; 4] = text.as_bytes().try_into().ok()?;
        let is_distinct = |at: usize| labels[at].is_ascii_alphabetic() && !labels[..at].contains(&labels[at]);
        (0..4).all(is_distinct).then_some(labels)
    };
    Some([labels(first)?, labels(second)?, labels(output)?])
}
