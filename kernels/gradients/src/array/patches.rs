//! Windows of images.

use oplink::prelude::*;
use oplink_ops::{ExtractImagePatches, GatherV2, Mul, Pack, Range, Transpose, UnsortedSegmentSum};

use crate::Gradients;
use crate::nodes::{Attrs, Nodes};

/// Every pixel gets the sum of the gradients of its copies. Which pixel each is a copy of, is found by taking the
/// windows of an image of the pixels' numbers from 1 on; padding is 0, which leaves a negative segment.
#[gradient(ExtractImagePatches)]
fn extract_image_patches(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let &[_, rows, columns, _] = op.attr::<&[i64]>("ksizes")? else { bail!("ksizes must have four elements") };
    let extent = |shape, at| n.add::<GatherV2>([shape, n.int(at)?, n.int(0)?]);
    let (shape, windows) = (n.shape(op.input(0))?, n.shape(op.output(0))?);
    let (batch, channels) = (extent(shape, 0)?, extent(shape, 3)?);
    let pixels = n.add::<Mul>([extent(shape, 1)?, extent(shape, 2)?])?;
    let pack = |parts: &[Output]| n.join::<Pack>(parts, Attrs::new());
    let numbers = n.add::<Range>([n.int(1)?, n.add::<oplink_ops::Add>([pixels, n.int(1)?])?, n.int(1)?])?;
    let numbers = n.reshape(numbers, pack(&[n.int(1)?, extent(shape, 1)?, extent(shape, 2)?, n.int(1)?])?)?;
    let copied = n.like::<ExtractImagePatches>(op, [numbers], &["ksizes", "strides", "rates", "padding"])?[0];
    let segments = n.sub(n.reshape(copied, n.ints(&[-1])?)?, n.int(1)?)?;
    let taps = [n.int(rows as i32)?, n.int(columns as i32)?];
    let split = pack(&[batch, extent(windows, 1)?, extent(windows, 2)?, taps[0], taps[1], channels])?;
    let turned = n.add::<Transpose>([n.reshape(dy[0], split)?, n.ints(&[1, 2, 3, 4, 0, 5])?])?;
    let flat = n.reshape(turned, pack(&[n.int(-1)?, n.add::<Mul>([batch, channels])?])?)?;
    let sums = n.add::<UnsortedSegmentSum>([flat, segments, pixels])?;
    let sums = n.reshape(sums, pack(&[extent(shape, 1)?, extent(shape, 2)?, batch, channels])?)?;
    Ok(vec![Some(n.add::<Transpose>([sums, n.ints(&[2, 0, 1, 3])?])?)])
}
