//! Boxes of high score that do not overlap much.
//!
//! `boxes` is [count, 4] with two opposite corners each, `scores` [count]. Boxes are taken by falling score, of equal
//! ones the first; one that overlaps a taken box by more than `iou_threshold` (the part of their union that both cover)
//! is left out, as is one whose score is not above `score_threshold`. At most `max_output_size` are taken.

use oplink::prelude::*;
use oplink::shape::Dim;

/// The positions of the boxes that are taken.
#[op("NonMaxSuppression", no_gradient,
     input = "boxes: float",
     input = "scores: float",
     input = "max_output_size: int32",
     output = "selected_indices: int32",
     attr = "iou_threshold: float = 0.5",
     shape = selected_shape::<3>)]
pub struct NonMaxSuppression;

/// As `NonMaxSuppression` with the threshold as an input.
#[op("NonMaxSuppressionV2", no_gradient,
     input = "boxes: T",
     input = "scores: T",
     input = "max_output_size: int32",
     input = "iou_threshold: T_threshold",
     output = "selected_indices: int32",
     attr = "T: {half, float} = DT_FLOAT",
     attr = "T_threshold: {half, float} = DT_FLOAT",
     shape = selected_shape::<4>)]
pub struct NonMaxSuppressionV2;

/// As `NonMaxSuppressionV2` with a threshold for scores.
#[op("NonMaxSuppressionV3",
     input = "boxes: T",
     input = "scores: T",
     input = "max_output_size: int32",
     input = "iou_threshold: T_threshold",
     input = "score_threshold: T_threshold",
     output = "selected_indices: int32",
     attr = "T: {half, float} = DT_FLOAT",
     attr = "T_threshold: {half, float} = DT_FLOAT",
     shape = selected_shape::<5>)]
pub struct NonMaxSuppressionV3;

/// As `NonMaxSuppressionV3`, with the number of boxes taken.
///
/// With `pad_to_max_output_size` zeros follow up to `max_output_size`.
#[op("NonMaxSuppressionV4",
     input = "boxes: T",
     input = "scores: T",
     input = "max_output_size: int32",
     input = "iou_threshold: T_threshold",
     input = "score_threshold: T_threshold",
     output = "selected_indices: int32",
     output = "valid_outputs: int32",
     attr = "T: {half, float} = DT_FLOAT",
     attr = "T_threshold: {half, float} = DT_FLOAT",
     attr = "pad_to_max_output_size: bool = false",
     shape = padded_shape::<5>)]
pub struct NonMaxSuppressionV4;

/// As `NonMaxSuppressionV4`, with the scores of the boxes taken.
///
/// With a `soft_nms_sigma` above 0 boxes are not left out for overlapping: each taken box that overlaps one by `iou`
/// multiplies its score by `exp(-iou^2 / (2 sigma))`.
#[op("NonMaxSuppressionV5",
     input = "boxes: T",
     input = "scores: T",
     input = "max_output_size: int32",
     input = "iou_threshold: T",
     input = "score_threshold: T",
     input = "soft_nms_sigma: T",
     output = "selected_indices: int32",
     output = "selected_scores: T",
     output = "valid_outputs: int32",
     attr = "T: {half, float} = DT_FLOAT",
     attr = "pad_to_max_output_size: bool = false",
     shape = soft_shape)]
pub struct NonMaxSuppressionV5;

/// As `NonMaxSuppressionV3`, with the overlap of each pair of boxes given in place of the boxes.
#[op("NonMaxSuppressionWithOverlaps", no_gradient,
     input = "overlaps: float",
     input = "scores: float",
     input = "max_output_size: int32",
     input = "overlap_threshold: float",
     input = "score_threshold: float",
     output = "selected_indices: int32",
     shape = overlaps_shape)]
pub struct NonMaxSuppressionWithOverlaps;

/// Boxes of high score in each class of each image.
///
/// `boxes` is [batch, count, classes or 1, 4], `scores` [batch, count, classes]. In each class at most
/// `max_output_size_per_class` boxes are taken, and of all classes of an image those of the highest scores, at most
/// `max_total_size`. The outputs have that many rows for each image, of which the first `valid_detections` count and
/// the others are 0; with `pad_per_class` no more than `max_output_size_per_class * classes`. With `clip_boxes`
/// corners are kept between 0 and 1. Of equal scores the lower class, then the first box, comes first.
#[op("CombinedNonMaxSuppression",
     input = "boxes: float",
     input = "scores: float",
     input = "max_output_size_per_class: int32",
     input = "max_total_size: int32",
     input = "iou_threshold: float",
     input = "score_threshold: float",
     output = "nmsed_boxes: float",
     output = "nmsed_scores: float",
     output = "nmsed_classes: float",
     output = "valid_detections: int32",
     attr = "pad_per_class: bool = false",
     attr = "clip_boxes: bool = true",
     shape = combined_shape)]
pub struct CombinedNonMaxSuppression;

/// Whether boxes fit scores, and what follows them are scalars, up to `inputs`.
fn check_boxes(c: &ShapeContext<'_>, inputs: usize) -> Result<()> {
    let (boxes, scores) = (c.with_rank(0, 2)?, c.with_rank(1, 1)?);
    (2..inputs).try_for_each(|scalar| c.with_rank(scalar, 0).map(drop))?;
    c.merge_dim(boxes.dim(0), scores.dim(0))?;
    c.merge_dim(boxes.dim(1), Some(4))?;
    Ok(())
}

fn selected_shape<const INPUTS: usize>(c: &mut ShapeContext<'_>) -> Result<()> {
    check_boxes(c, INPUTS)?;
    c.set_output(0, PartialShape::unknown_of_rank(1));
    Ok(())
}

/// The number of rows that are taken, where it is known.
fn padded(c: &ShapeContext<'_>) -> Result<PartialShape> {
    let known = c.attr("pad_to_max_output_size")?;
    let count = if known { c.constant_int(2)? } else { None };
    match count.map(usize::try_from) {
        Some(Ok(count)) => Ok(PartialShape::new(&[Some(count)])),
        Some(Err(_)) => bail!("max_output_size must be >= 0, it is {}", count.unwrap_or_default()),
        None => Ok(PartialShape::unknown_of_rank(1)),
    }
}

fn padded_shape<const INPUTS: usize>(c: &mut ShapeContext<'_>) -> Result<()> {
    check_boxes(c, INPUTS)?;
    let shape = padded(c)?;
    c.set_output(0, shape);
    c.set_output(1, PartialShape::new(&[]));
    Ok(())
}

fn soft_shape(c: &mut ShapeContext<'_>) -> Result<()> {
    check_boxes(c, 6)?;
    let shape = padded(c)?;
    c.set_output(0, shape.clone());
    c.set_output(1, shape);
    c.set_output(2, PartialShape::new(&[]));
    Ok(())
}

fn overlaps_shape(c: &mut ShapeContext<'_>) -> Result<()> {
    let (overlaps, scores) = (c.with_rank(0, 2)?, c.with_rank(1, 1)?);
    (2..5).try_for_each(|scalar| c.with_rank(scalar, 0).map(drop))?;
    c.merge_dim(overlaps.dim(0), scores.dim(0))?;
    c.merge_dim(overlaps.dim(0), overlaps.dim(1))?;
    c.set_output(0, PartialShape::unknown_of_rank(1));
    Ok(())
}

/// A constant input that must be above 0.
fn positive(c: &ShapeContext<'_>, input: usize) -> Result<Dim> {
    match c.constant_int(input)?.map(usize::try_from) {
        None => Ok(None),
        Some(Ok(value)) if value > 0 => Ok(Some(value)),
        Some(_) => bail!("input {} must be > 0", c.input_name(input)),
    }
}

fn combined_shape(c: &mut ShapeContext<'_>) -> Result<()> {
    let (boxes, scores) = (c.with_rank(0, 4)?, c.with_rank(1, 3)?);
    (2..6).try_for_each(|scalar| c.with_rank(scalar, 0).map(drop))?;
    c.merge_dim(boxes.dim(0), scores.dim(0))?;
    let batch = boxes.dim(0);
    c.merge_dim(boxes.dim(1), scores.dim(1))?;
    c.merge_dim(boxes.dim(3), Some(4))?;
    if let (Some(of_boxes), Some(of_scores)) = (boxes.dim(2), scores.dim(2)) {
        ensure!(
            of_boxes == 1 || of_boxes == of_scores,
            "boxes has {of_boxes} classes, which must be 1 or the {of_scores} of scores"
        );
    }
    let (total, in_class) = (positive(c, 3)?, positive(c, 2)?);
    let count = match (c.attr("pad_per_class")?, total, in_class, scores.dim(2)) {
        (false, total, ..) => total,
        (true, Some(total), Some(in_class), Some(classes)) => Some(total.min(in_class.saturating_mul(classes))),
        _ => None,
    };
    c.set_output(0, PartialShape::new(&[batch, count, Some(4)]));
    c.set_output(1, PartialShape::new(&[batch, count]));
    c.set_output(2, PartialShape::new(&[batch, count]));
    c.set_output(3, PartialShape::new(&[batch]));
    Ok(())
}
