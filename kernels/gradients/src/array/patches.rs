//! Windows of images and volumes.

use oplink::call::Arg;
use oplink::prelude::*;
use oplink_ops::{
    ConcatV2, ExtractImagePatches, ExtractVolumePatches, GatherV2, Mul, Pack, Prod, Range, Slice, Transpose,
    UnsortedSegmentSum,
};

use crate::Gradients;
use crate::nodes::{Attrs, Nodes};

/// Every pixel gets the sum of the gradients of its copies. Which pixel each is a copy of, is found by taking the
/// windows of an image of the pixels' numbers from 1 on, with `extract`; padding is 0, which leaves a negative segment.
fn of_windows(
    n: &Nodes<'_>,
    op: &OpForGradient,
    dy: Output,
    extract: impl FnOnce(Output) -> Result<Output>,
) -> Gradients {
    let windows = op.attr::<&[i64]>("ksizes")?;
    ensure!(windows.len() >= 3, "ksizes must have an element for each axis");
    let axes = windows.len() as i32 - 2;
    let extent = |shape, at| n.add::<GatherV2>([shape, n.int(at)?, n.int(0)?]);
    let inner = |shape| n.add::<Slice>([shape, n.ints(&[1])?, n.ints(&[axes])?]);
    let join = |parts: &[Output]| {
        Ok::<_, Error>(n.call::<ConcatV2>(vec![Arg::List(parts.to_vec()), Arg::One(n.int(0)?)], Attrs::new())?[0])
    };
    let pack = |parts: &[Output]| n.join::<Pack>(parts, Attrs::new());
    let (shape, places) = (n.shape(op.input(0))?, n.shape(op.output(0))?);
    let (batch, channels) = (extent(shape, 0)?, extent(shape, axes + 1)?);
    let pixels = n.add::<Prod>([inner(shape)?, n.int(0)?])?;
    let numbers = n.add::<Range>([n.int(1)?, n.add::<oplink_ops::Add>([pixels, n.int(1)?])?, n.int(1)?])?;
    let numbers = n.reshape(numbers, join(&[n.ints(&[1])?, inner(shape)?, n.ints(&[1])?])?)?;
    let segments = n.sub(n.reshape(extract(numbers)?, n.ints(&[-1])?)?, n.int(1)?)?;
    let window: Vec<i32> = windows[1..=axes as usize].iter().map(|&extent| extent as i32).collect();
    let split = join(&[pack(&[batch])?, inner(places)?, n.ints(&window)?, pack(&[channels])?])?;
    let behind = 2 * axes + 1;
    let order: Vec<i32> = (1..behind).chain([0, behind]).collect();
    let turned = n.add::<Transpose>([n.reshape(dy, split)?, n.ints(&order)?])?;
    let flat = n.reshape(turned, pack(&[n.int(-1)?, n.add::<Mul>([batch, channels])?])?)?;
    let sums = n.add::<UnsortedSegmentSum>([flat, segments, pixels])?;
    let sums = n.reshape(sums, join(&[inner(shape)?, pack(&[batch, channels])?])?)?;
    let order: Vec<i32> = [axes].into_iter().chain(0..axes).chain([axes + 1]).collect();
    Ok(vec![Some(n.add::<Transpose>([sums, n.ints(&order)?])?)])
}

#[gradient(ExtractImagePatches)]
fn extract_image_patches(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    of_windows(&n, op, dy[0], |numbers| {
        Ok(n.like::<ExtractImagePatches>(op, [numbers], &["ksizes", "strides", "rates", "padding"])?[0])
    })
}

#[gradient(ExtractVolumePatches)]
fn extract_volume_patches(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    of_windows(&n, op, dy[0], |numbers| {
        Ok(n.like::<ExtractVolumePatches>(op, [numbers], &["ksizes", "strides", "padding"])?[0])
    })
}
