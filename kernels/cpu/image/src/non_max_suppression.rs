//! `NonMaxSuppression`, its versions 2 to 5 and `NonMaxSuppressionWithOverlaps`.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use oplink::memory::try_vec;
use oplink::prelude::*;
use oplink_ops::image::{
    NonMaxSuppression, NonMaxSuppressionV2, NonMaxSuppressionV3, NonMaxSuppressionV3Inputs, NonMaxSuppressionV4,
    NonMaxSuppressionV4Inputs, NonMaxSuppressionV5, NonMaxSuppressionV5Inputs, NonMaxSuppressionWithOverlaps,
};

/// `NonMaxSuppression`.
#[kernel(NonMaxSuppression, device = CPU)]
pub fn non_max_suppression_cpu(
    boxes: &Tensor,
    scores: &Tensor,
    max_output_size: &Tensor,
    iou_threshold: f32,
    mut selected_indices: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let limits = Limits { overlap: iou_threshold, score: f32::MIN, sigma: 0.0 };
    let most = checked(boxes, scores, max_output_size, &limits)?;
    let selected = select(env, scores.as_slice()?, most, limits, &overlaps::<f32>(boxes)?)?;
    write(&selected, selected.len(), &mut selected_indices)
}

/// `NonMaxSuppressionV2`.
#[kernel(NonMaxSuppressionV2, device = CPU, T = [f16, f32], T_threshold = any)]
pub fn non_max_suppression_v2_cpu<T: Float>(
    boxes: &Tensor,
    scores: &Tensor,
    max_output_size: &Tensor,
    iou_threshold: &Tensor,
    mut selected_indices: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let limits = Limits {
        overlap: threshold::<T>("iou_threshold", iou_threshold)?,
        score: T::min_value(),
        sigma: <T as num_traits::Zero>::zero(),
    };
    let most = checked(boxes, scores, max_output_size, &limits)?;
    let selected = select(env, scores.as_slice()?, most, limits, &overlaps::<T>(boxes)?)?;
    write(&selected, selected.len(), &mut selected_indices)
}

/// `NonMaxSuppressionV3`.
#[kernel(NonMaxSuppressionV3, device = CPU, T = [f16, f32], T_threshold = any)]
pub fn non_max_suppression_v3_cpu<T: Float>(
    inputs: NonMaxSuppressionV3Inputs<'_>,
    mut selected_indices: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let limits = Limits::<T>::hard(&inputs.iou_threshold, &inputs.score_threshold)?;
    let most = checked(&inputs.boxes, &inputs.scores, &inputs.max_output_size, &limits)?;
    let selected = select(env, inputs.scores.as_slice()?, most, limits, &overlaps::<T>(&inputs.boxes)?)?;
    write(&selected, selected.len(), &mut selected_indices)
}

/// `NonMaxSuppressionV4`.
#[kernel(NonMaxSuppressionV4, device = CPU, T = [f16, f32], T_threshold = any)]
pub fn non_max_suppression_v4_cpu<T: Float>(
    inputs: NonMaxSuppressionV4Inputs<'_>,
    pad_to_max_output_size: bool,
    mut selected_indices: OutputSlot<'_>,
    mut valid_outputs: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let limits = Limits::<T>::hard(&inputs.iou_threshold, &inputs.score_threshold)?;
    let most = checked(&inputs.boxes, &inputs.scores, &inputs.max_output_size, &limits)?;
    let selected = select(env, inputs.scores.as_slice()?, most, limits, &overlaps::<T>(&inputs.boxes)?)?;
    valid_outputs.set_scalar(selected.len() as i32);
    write(&selected, if pad_to_max_output_size { most } else { selected.len() }, &mut selected_indices)
}

/// `NonMaxSuppressionV5`.
#[kernel(NonMaxSuppressionV5, device = CPU, T = [f16, f32])]
pub fn non_max_suppression_v5_cpu<T: Float>(
    inputs: NonMaxSuppressionV5Inputs<'_>,
    pad_to_max_output_size: bool,
    mut selected_indices: OutputSlot<'_>,
    mut selected_scores: OutputSlot<'_>,
    mut valid_outputs: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let zero = <T as num_traits::Zero>::zero();
    let mut limits = Limits::<T>::hard(&inputs.iou_threshold, &inputs.score_threshold)?;
    limits.sigma = threshold("soft_nms_sigma", &inputs.soft_nms_sigma)?;
    ensure!(limits.sigma >= zero, "soft_nms_sigma must be >= 0, it is {:?}", limits.sigma);
    let most = checked(&inputs.boxes, &inputs.scores, &inputs.max_output_size, &limits)?;
    let selected = select(env, inputs.scores.as_slice()?, most, limits, &overlaps::<T>(&inputs.boxes)?)?;
    valid_outputs.set_scalar(selected.len() as i32);
    let rows = if pad_to_max_output_size { most } else { selected.len() };
    let scores = selected_scores.allocate([rows])?.as_mut_slice::<T>()?;
    scores.fill(zero);
    scores.iter_mut().zip(&selected).for_each(|(out, &(_, score))| *out = score);
    write(&selected, rows, &mut selected_indices)
}

/// `NonMaxSuppressionWithOverlaps`.
#[kernel(NonMaxSuppressionWithOverlaps, device = CPU)]
pub fn non_max_suppression_with_overlaps_cpu(
    overlaps: &Tensor,
    scores: &Tensor,
    max_output_size: &Tensor,
    overlap_threshold: &Tensor,
    score_threshold: &Tensor,
    mut selected_indices: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let limits = Limits::<f32> {
        overlap: threshold("overlap_threshold", overlap_threshold)?,
        score: threshold("score_threshold", score_threshold)?,
        sigma: 0.0,
    };
    let count = overlaps.shape().dims().first().copied().unwrap_or_default();
    ensure!(
        overlaps.shape().dims() == [count, count],
        "overlaps must be a square matrix, its shape is {}",
        overlaps.shape()
    );
    check_scores(scores, count)?;
    let (most, values) = (size(max_output_size)?, overlaps.as_slice::<f32>()?);
    let selected = select(env, scores.as_slice()?, most, limits, &|a, b| values[a * count + b])?;
    write(&selected, selected.len(), &mut selected_indices)
}

/// What leaves boxes out.
#[derive(Debug, Clone, Copy)]
struct Limits<T> {
    overlap: T,
    score: T,
    sigma: T,
}

impl<T: Float> Limits<T> {
    fn hard(overlap: &Tensor, score: &Tensor) -> Result<Self> {
        Ok(Self {
            overlap: threshold("iou_threshold", overlap)?,
            score: threshold("score_threshold", score)?,
            sigma: <T as num_traits::Zero>::zero(),
        })
    }
}

/// A scalar of half or single precision.
fn threshold<T: Float>(name: &str, value: &Tensor) -> Result<T> {
    ensure!(value.rank() == 0, "{name} must be a scalar, its shape is {}", value.shape());
    Ok(T::from_f32(match value.dtype() {
        DType::Half => value.to_scalar::<f16>()?.to_f32(),
        _ => value.to_scalar::<f32>()?,
    }))
}

fn size(max_output_size: &Tensor) -> Result<usize> {
    ensure!(max_output_size.rank() == 0, "max_output_size must be a scalar, its shape is {}", max_output_size.shape());
    let most = max_output_size.to_scalar::<i32>()?;
    usize::try_from(most).map_err(|_| Error::invalid_argument(format!("max_output_size must be >= 0, it is {most}")))
}

fn check_scores(scores: &Tensor, count: usize) -> Result<()> {
    ensure!(scores.shape().dims() == [count], "scores must have shape [{count}], it is {}", scores.shape());
    Ok(())
}

/// The most boxes to take, where boxes, scores and the threshold for overlaps fit.
fn checked<T: Float>(boxes: &Tensor, scores: &Tensor, max_output_size: &Tensor, limits: &Limits<T>) -> Result<usize> {
    let &[count, 4] = boxes.shape().dims() else { bail!("boxes must have shape [count, 4], it is {}", boxes.shape()) };
    check_scores(scores, count)?;
    let overlap = limits.overlap.to_f32();
    ensure!((0.0..=1.0).contains(&overlap), "iou_threshold must be in [0, 1], it is {overlap}");
    size(max_output_size)
}

/// A box with its corners in order, and its area.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Area {
    low: [f32; 2],
    high: [f32; 2],
    area: f32,
}

fn lower(a: f32, b: f32) -> f32 {
    if b < a { b } else { a }
}

fn upper(a: f32, b: f32) -> f32 {
    if a < b { b } else { a }
}

impl Area {
    pub(crate) fn new([y1, x1, y2, x2]: [f32; 4]) -> Self {
        let (low, high) = ([lower(y1, y2), lower(x1, x2)], [upper(y1, y2), upper(x1, x2)]);
        Self { low, high, area: (high[0] - low[0]) * (high[1] - low[1]) }
    }

    /// The part of the union that both boxes cover.
    pub(crate) fn overlap(&self, other: &Self) -> f32 {
        if self.area <= 0.0 || other.area <= 0.0 {
            return 0.0;
        }
        let side =
            |axis: usize| upper(lower(self.high[axis], other.high[axis]) - upper(self.low[axis], other.low[axis]), 0.0);
        let both = side(0) * side(1);
        both / (self.area + other.area - both)
    }
}

/// The overlaps of boxes.
fn overlaps<T: Float>(boxes: &Tensor) -> Result<impl Fn(usize, usize) -> f32 + use<T>> {
    let corners = boxes.as_slice::<T>()?.as_chunks::<4>().0;
    let mut areas = try_vec(corners.len())?;
    areas.extend(corners.iter().map(|corners| Area::new(corners.map(Float::to_f32))));
    Ok(move |a: usize, b: usize| areas[a].overlap(&areas[b]))
}

/// A box that may be taken, and how many of the taken boxes its score has been held against.
#[derive(Clone, Copy)]
struct Candidate<T> {
    score: T,
    index: usize,
    compared: usize,
}

impl<T: Float> Ord for Candidate<T> {
    fn cmp(&self, other: &Self) -> Ordering {
        let by_score = self.score.partial_cmp(&other.score).unwrap_or(Ordering::Equal);
        by_score.then(other.index.cmp(&self.index))
    }
}

impl<T: Float> PartialOrd for Candidate<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<T: Float> PartialEq for Candidate<T> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl<T: Float> Eq for Candidate<T> {}

/// Boxes that are taken, with their scores, the best first.
fn select<T: Float>(
    env: Env<'_>,
    scores: &[T],
    most: usize,
    limits: Limits<T>,
    overlap: &dyn Fn(usize, usize) -> f32,
) -> Result<Vec<(usize, T)>> {
    let zero = <T as num_traits::Zero>::zero();
    let is_soft = limits.sigma > zero;
    let scale = if is_soft { T::from_f32(-0.5) / limits.sigma } else { zero };
    let mut candidates = try_vec(scores.len())?;
    let above = scores.iter().enumerate().filter(|&(_, &score)| score > limits.score);
    candidates.extend(above.map(|(index, &score)| Candidate { score, index, compared: 0 }));
    let (mut candidates, mut selected) = (BinaryHeap::from(candidates), Vec::<(usize, T)>::new());
    while selected.len() < most
        && let Some(mut next) = candidates.pop()
    {
        let original = next.score;
        let mut left_out = false;
        for &(taken, _) in env.watch(selected[next.compared..].iter().rev()) {
            let similarity = T::from_f32(overlap(next.index, taken));
            let fits = is_soft || similarity <= limits.overlap;
            next.score = next.score * if fits { (scale * similarity * similarity).exp() } else { zero };
            left_out = !is_soft && similarity > limits.overlap;
            if left_out || next.score <= limits.score {
                break;
            }
        }
        next.compared = selected.len();
        if left_out {
            continue;
        }
        if next.score == original {
            selected.push((next.index, next.score));
        } else if next.score > limits.score {
            candidates.push(next);
        }
    }
    Ok(selected)
}

/// Sets the output to the positions of the boxes taken, followed by zeros up to `rows`.
fn write<T>(selected: &[(usize, T)], rows: usize, output: &mut OutputSlot<'_>) -> Result<()> {
    let out = output.allocate([rows])?.as_mut_slice::<i32>()?;
    out.fill(0);
    out.iter_mut().zip(selected).for_each(|(out, &(index, _))| *out = index as i32);
    Ok(())
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;

    use oplink_cpu_support::testing::{check_error, run};

    /// Two boxes that overlap by a third, turned in every way, and one apart.
    fn boxes() -> Tensor {
        Tensor::from_vec([3, 4], vec![0.0, 0.0, 1.0, 1.0, 1.0, 1.5, 0.0, 0.5, 2.0, 2.0, 3.0, 3.0f32]).unwrap()
    }

    fn inputs(thresholds: &[f32]) -> Vec<Tensor> {
        let scores = Tensor::from([0.9f32, 0.8, 0.7]);
        [boxes(), scores, 3.into()].into_iter().chain(thresholds.iter().map(|&t| t.into())).collect()
    }

    fn positions(tensor: &Tensor) -> &[i32] {
        tensor.as_slice().unwrap()
    }

    #[test]
    fn overlapping_boxes_of_lower_score_are_left_out() {
        let v3 = |overlap, score| run("NonMaxSuppressionV3", &[], inputs(&[overlap, score])).unwrap().remove(0);
        assert_eq!(positions(&v3(0.3, 0.0)), [0, 2]);
        assert_eq!(positions(&v3(0.4, 0.0)), [0, 1, 2]);
        assert_eq!(positions(&v3(0.4, 0.8)), [0]);
        let out = run("NonMaxSuppression", &[("iou_threshold", 0.3.into())], inputs(&[])).unwrap();
        assert_eq!(positions(&out[0]), [0, 2]);
    }

    #[test]
    fn padding_and_soft_suppression() {
        let pad = [("pad_to_max_output_size", true.into())];
        let out = run("NonMaxSuppressionV4", &pad, inputs(&[0.3, 0.0])).unwrap();
        assert_eq!((positions(&out[0]), out[1].to_scalar::<i32>().unwrap()), (&[0, 2, 0][..], 2));
        let out = run("NonMaxSuppressionV5", &[], inputs(&[0.3, 0.0, 0.1])).unwrap();
        assert_eq!(positions(&out[0]), [0, 2, 1]);
        let scores = out[1].as_slice::<f32>().unwrap();
        assert!((scores[2] - 0.8 * (-5.0f32 / 9.0).exp()).abs() < 1e-6, "{scores:?}");
    }

    #[test]
    fn wrong_shapes_and_thresholds_are_errors() {
        let few = [boxes(), Tensor::from([0.5f32]), 3.into()];
        check_error("NonMaxSuppression", few, "scores must have shape [3]");
        let below = [boxes(), Tensor::from([0.5f32; 3]), (-1).into()];
        check_error("NonMaxSuppression", below, "max_output_size must be >= 0");
        assert!(run("NonMaxSuppressionV2", &[], inputs(&[1.5])).is_err());
    }
}
