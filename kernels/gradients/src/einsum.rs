//! `Einsum`: sums of products over labelled axes.
//!
//! Subscripts are texts here in which one dot stands for the ellipsis, so that every character is an axis or it.

use oplink::call::Arg;
use oplink::prelude::*;
use oplink_ops::{BroadcastTo, ConcatV2, Einsum, FloorMod, Gather, Size, Slice};

use crate::Gradients;
use crate::nodes::{Attrs, Nodes};

const ELLIPSIS: char = '.';

/// A tensor and the labels of its axes.
type Labelled<'a> = (Output, &'a str);

#[gradient(Einsum)]
fn einsum(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let equation = op.attr::<&str>("equation")?.replace("...", ".");
    let Some((inputs, output)) = equation.split_once("->") else { bail!("the equation {equation} has no ->") };
    let gradient = (dy[0], output);
    match inputs.split_once(',') {
        None => Ok(vec![Some(repeated(&n, gradient, n.shape(op.input(0))?, inputs)?)]),
        Some((x, y)) => of_product(&n, op, gradient, [x, y]),
    }
}

/// The gradients of a product of two operands. An operand without the output's ellipsis has no axes under it: it gets
/// one at its end.
fn of_product(n: &Nodes<'_>, op: &OpForGradient, gradient: Labelled<'_>, labels: [&str; 2]) -> Gradients {
    let broadcasts = gradient.1.contains(ELLIPSIS);
    let own = |labels: &str| match broadcasts && !labels.contains(ELLIPSIS) {
        true => format!("{labels}{ELLIPSIS}"),
        false => labels.to_owned(),
    };
    let [x, y] = labels.map(own);
    let (values, shapes) = ([op.input(0), op.input(1)], [n.shape(op.input(0))?, n.shape(op.input(1))?]);
    let [x_value, y_value] = [n.conj(values[0])?, n.conj(values[1])?];
    let by_x = by_factor(n, gradient, (y_value, &y), (shapes[0], &x))?;
    let by_y = by_factor(n, gradient, (x_value, &x), (shapes[1], &y))?;
    if !broadcasts {
        return Ok(vec![Some(by_x), Some(by_y)]);
    }
    let axes = n.broadcast_axes(hidden(n, (shapes[0], &x))?, hidden(n, (shapes[1], &y))?)?;
    let summed = |value, axes, (shape, labels): Labelled<'_>| {
        let axes = n.add::<oplink_ops::Add>([axes, n.int(ellipsis(labels))?])?;
        n.reshape(n.sum(value, axes)?, shape)
    };
    Ok(vec![Some(summed(by_x, axes[0], (shapes[0], &x))?), Some(summed(by_y, axes[1], (shapes[1], &y))?)])
}

/// The gradient by a factor, of this shape and these labels, of a product with `other`.
fn by_factor(n: &Nodes<'_>, gradient: Labelled<'_>, other: Labelled<'_>, factor: Labelled<'_>) -> Result<Output> {
    let (shape, wanted) = factor;
    let stays = |label: &char| *label == ELLIPSIS || gradient.1.contains(*label) || other.1.contains(*label);
    let labels: String = wanted.chars().filter(stays).collect();
    let product = sum_of_products(n, &[gradient, other], &labels)?;
    if labels == wanted { Ok(product) } else { repeated(n, (product, &labels), shape, wanted) }
}

/// A value with the labels `wanted` in the shape `shape`: repeated along those that it lacks, because the sum went over
/// them, and zero beside the diagonals of those that `wanted` has twice.
fn repeated(n: &Nodes<'_>, (value, labels): Labelled<'_>, shape: Output, wanted: &str) -> Result<Output> {
    let mut missing = String::new();
    for label in wanted.chars().filter(|&label| label != ELLIPSIS && !labels.contains(label)) {
        if !missing.contains(label) {
            missing.push(label);
        }
    }
    if missing.is_empty() {
        return sum_of_products(n, &[(value, labels)], wanted);
    }
    let axes: Vec<i32> = missing.chars().map(|label| axis(wanted, label)).collect();
    let axes = n.add::<FloorMod>([n.ints(&axes)?, n.add::<Size>([shape])?])?;
    let extents = n.add::<Gather>([shape, axes])?;
    let own = n.shape(value)?;
    let joined = |first| Ok::<_, oplink::Error>(n.call::<ConcatV2>(concat(n, vec![first, own])?, Attrs::new())?[0]);
    let ones = n.ints(&vec![1; missing.chars().count()])?;
    let spread = n.add::<BroadcastTo>([n.reshape(value, joined(ones)?)?, joined(extents)?])?;
    sum_of_products(n, &[(spread, &format!("{missing}{labels}"))], wanted)
}

fn concat(n: &Nodes<'_>, parts: Vec<Output>) -> Result<Vec<Arg<Output>>> {
    Ok(vec![Arg::List(parts), Arg::One(n.int(0)?)])
}

fn sum_of_products(n: &Nodes<'_>, operands: &[Labelled<'_>], output: &str) -> Result<Output> {
    let labels: Vec<&str> = operands.iter().map(|operand| operand.1).collect();
    let equation = format!("{}->{output}", labels.join(",")).replace(ELLIPSIS, "...");
    let values: Vec<Output> = operands.iter().map(|operand| operand.0).collect();
    n.join::<Einsum>(&values, vec![("equation", equation.as_str().into())])
}

/// The position of a label's axis, counted from the end (-1 the last) where the ellipsis stands before it.
fn axis(labels: &str, label: char) -> i32 {
    let at = |wanted| labels.chars().position(|found| found == wanted);
    let position = at(label).unwrap_or_default();
    match at(ELLIPSIS) {
        Some(dots) if dots < position => position as i32 - labels.chars().count() as i32,
        _ => position as i32,
    }
}

/// The number of axes before the ellipsis.
fn ellipsis(labels: &str) -> i32 {
    labels.chars().take_while(|&label| label != ELLIPSIS).count() as i32
}

/// The extents of the axes under the ellipsis, of the shape of a tensor with these labels.
fn hidden(n: &Nodes<'_>, (shape, labels): Labelled<'_>) -> Result<Output> {
    let named = labels.chars().filter(|&label| label != ELLIPSIS).count() as i32;
    let count = n.sub(n.add::<Size>([shape])?, n.int(named)?)?;
    n.add::<Slice>([shape, n.ints(&[ellipsis(labels)])?, n.reshape(count, n.ints(&[1])?)?])
}
