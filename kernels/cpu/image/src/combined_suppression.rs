//! `CombinedNonMaxSuppression`: boxes of high score in each class of each image, and the best of all classes.

use oplink::memory::{try_collect, try_vec};
use oplink::prelude::*;
use oplink_ops::image::{
    CombinedNonMaxSuppression, CombinedNonMaxSuppressionAttrs, CombinedNonMaxSuppressionInputs,
    CombinedNonMaxSuppressionOutputs,
};

use crate::non_max_suppression::Area;

/// `CombinedNonMaxSuppression`.
#[kernel(CombinedNonMaxSuppression, device = CPU)]
pub fn combined_non_max_suppression_cpu(
    inputs: CombinedNonMaxSuppressionInputs<'_>,
    attrs: CombinedNonMaxSuppressionAttrs<'_>,
    outputs: &mut CombinedNonMaxSuppressionOutputs<'_>,
    env: Env<'_>,
) -> Result<()> {
    let images = Images::new(&inputs)?;
    let rows = match attrs.pad_per_class {
        true => images.total.min(images.in_class.saturating_mul(images.classes)),
        false => images.total,
    };
    let batch = images.batch;
    let boxes = outputs.nmsed_boxes.allocate([batch, rows, 4])?.as_mut_slice::<f32>()?;
    let scores = outputs.nmsed_scores.allocate([batch, rows])?.as_mut_slice::<f32>()?;
    let classes = outputs.nmsed_classes.allocate([batch, rows])?.as_mut_slice::<f32>()?;
    let valid = outputs.valid_detections.allocate([batch])?.as_mut_slice::<i32>()?;
    boxes.fill(0.0);
    scores.fill(0.0);
    classes.fill(0.0);
    for (image, valid) in valid.iter_mut().enumerate() {
        let mut found = Vec::new();
        for class in 0..images.classes {
            images.select(env, image, class, &mut found)?;
        }
        // Stable: of equal scores the lower class comes first.
        found.sort_by(|a, b| b.score.total_cmp(&a.score));
        *valid = found.len().min(rows) as i32;
        for (row, found) in env.watch(&found).take(rows).enumerate() {
            let at = image * rows + row;
            (scores[at], classes[at]) = (found.score, found.class as f32);
            let clipped = |corner: f32| if attrs.clip_boxes { corner.clamp(0.0, 1.0) } else { corner };
            boxes[at * 4..][..4].copy_from_slice(&found.corners.map(clipped));
        }
    }
    Ok(())
}

/// A box that was taken.
struct Found {
    score: f32,
    class: usize,
    corners: [f32; 4],
}

/// The inputs, checked.
struct Images<'a> {
    batch: usize,
    count: usize,
    classes: usize,
    /// Classes that have boxes of their own, or 1.
    box_classes: usize,
    corners: &'a [[f32; 4]],
    scores: &'a [f32],
    in_class: usize,
    total: usize,
    overlap: f32,
    least: f32,
}

impl<'a> Images<'a> {
    fn new(inputs: &'a CombinedNonMaxSuppressionInputs<'_>) -> Result<Self> {
        let (boxes, scores) = (inputs.boxes.shape(), inputs.scores.shape());
        let (&[batch, count, box_classes, 4], &[score_batch, score_count, classes]) = (boxes.dims(), scores.dims())
        else {
            bail!(
                "boxes must have shape [batch, count, classes, 4] and scores [batch, count, classes], they are \
                 {boxes} and {scores}"
            )
        };
        ensure!(
            (batch, count) == (score_batch, score_count) && (box_classes == 1 || box_classes == classes),
            "boxes of shape {boxes} do not fit scores of shape {scores}"
        );
        let overlap = scalar::<f32>("iou_threshold", &inputs.iou_threshold)?;
        ensure!((0.0..=1.0).contains(&overlap), "iou_threshold must be in [0, 1], it is {overlap}");
        Ok(Self {
            batch,
            count,
            classes,
            box_classes,
            corners: inputs.boxes.as_slice::<f32>()?.as_chunks().0,
            scores: inputs.scores.as_slice()?,
            in_class: positive("max_output_size_per_class", &inputs.max_output_size_per_class)?,
            total: positive("max_total_size", &inputs.max_total_size)?,
            overlap,
            least: scalar("score_threshold", &inputs.score_threshold)?,
        })
    }

    /// Appends the boxes of a class that are taken, the best first.
    fn select(&self, env: Env<'_>, image: usize, class: usize, found: &mut Vec<Found>) -> Result<()> {
        let score = |at: usize| self.scores[(image * self.count + at) * self.classes + class];
        let mut order = try_vec(self.count)?;
        order.extend(env.watch(0..self.count).filter(|&at| score(at) > self.least));
        order.sort_by(|&a, &b| score(b).total_cmp(&score(a)));
        let box_class = if self.box_classes > 1 { class } else { 0 };
        let corners = |at: usize| self.corners[(image * self.count + at) * self.box_classes + box_class];
        let areas = try_collect(order.iter().map(|&at| Area::new(corners(at))))?;
        let mut taken: Vec<&Area> = Vec::new();
        for (&at, area) in order.iter().zip(&areas) {
            if taken.len() == self.in_class {
                break;
            }
            // The last taken ones have scores near this one's, and so are likely to overlap it.
            if env.watch(taken.iter().rev()).all(|other| !(area.overlap(other) > self.overlap)) {
                taken.push(area);
                found.push(Found { score: score(at), class, corners: corners(at) });
            }
        }
        Ok(())
    }
}

fn scalar<T: Element>(name: &str, value: &Tensor) -> Result<T> {
    ensure!(value.rank() == 0, "{name} must be a scalar, its shape is {}", value.shape());
    value.to_scalar()
}

fn positive(name: &str, value: &Tensor) -> Result<usize> {
    match scalar::<i32>(name, value)? {
        value if value > 0 => Ok(value as usize),
        value => bail!("{name} must be > 0, it is {value}"),
    }
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;

    use oplink_cpu_support::testing::run;

    #[test]
    fn the_best_of_all_classes() {
        let boxes = vec![0.0, 0.0, 1.0, 1.0, 0.0, 0.1, 1.0, 1.1, 2.0, 2.0, 3.0, 3.0f32];
        let boxes = Tensor::from_vec([1, 3, 1, 4], boxes).unwrap();
        let scores = Tensor::from_vec([1, 3, 2], vec![0.9, 0.1, 0.8, 0.7, 0.3, 0.6f32]).unwrap();
        let inputs =
            |most: i32| vec![boxes.clone(), scores.clone(), most.into(), 5.into(), 0.5f32.into(), 0.2f32.into()];
        let out = run("CombinedNonMaxSuppression", &[], inputs(2)).unwrap();
        assert_eq!(out[1].as_slice::<f32>().unwrap(), [0.9, 0.7, 0.6, 0.3, 0.0]);
        assert_eq!(out[2].as_slice::<f32>().unwrap(), [0.0, 1.0, 1.0, 0.0, 0.0]);
        assert_eq!(out[3].as_slice::<i32>().unwrap(), [4]);
        assert_eq!(out[0].as_slice::<f32>().unwrap()[4..8], [0.0, 0.1, 1.0, 1.0]);
        let out = run("CombinedNonMaxSuppression", &[("pad_per_class", true.into())], inputs(1)).unwrap();
        assert_eq!(out[1].as_slice::<f32>().unwrap(), [0.9, 0.7]);
        assert!(run("CombinedNonMaxSuppression", &[], inputs(0)).is_err());
    }
}
