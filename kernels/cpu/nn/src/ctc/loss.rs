//! `CTCLoss`: the negative logarithm of the probability of the labels, and its gradient by the logits.
//!
//! The labels of a sequence with a blank, the last class, before each and at the end are its positions. Forward and
//! backward variables are the probabilities of all paths to and from a position at a time step, as logarithms (Graves,
//! equations 7.5 to 7.16); the loss is their sum at the first step, the gradient softmax minus the share of each class
//! (7.34).

use oplink::memory::try_filled;
use oplink::prelude::*;
use oplink_ops::nn::CTCLoss;

use super::{Probability, log_sum_exp};

/// `CTCLoss` of f32 and f64.
#[kernel(CTCLoss, device = CPU, T = [f32, f64])]
#[allow(clippy::too_many_arguments, reason = "the op's inputs, attrs and outputs by name")]
pub fn ctc_loss_cpu<T: Probability>(
    inputs: &Tensor,
    labels_indices: &Tensor,
    labels_values: &Tensor,
    sequence_length: &Tensor,
    preprocess_collapse_repeated: bool,
    ctc_merge_repeated: bool,
    ignore_longer_outputs_than_inputs: bool,
    mut loss: OutputSlot<'_>,
    mut gradient: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let &[time, batch, classes] = inputs.shape().dims() else {
        bail!("inputs must be [max_time, batch, classes], its shape is {}", inputs.shape())
    };
    ensure!(batch > 0 && classes > 0 && time > 0, "inputs of shape {} has no elements", inputs.shape());
    let lengths = sequence_length.shape();
    ensure!(lengths.dims() == [batch], "sequence_length must have the shape [{batch}], it has {lengths}");
    let labels = labels_of(labels_indices, labels_values, batch)?;
    let lengths = sequence_length.as_slice::<i32>()?;
    let mut sequences = oplink::memory::try_vec(batch)?;
    for (at, (labels, &length)) in labels.iter().zip(lengths).enumerate() {
        let length = usize::try_from(length).ok().filter(|&length| length <= time);
        let Some(length) = length else { bail!("sequence_length[{at}] = {} is not in [0, {time}]", lengths[at]) };
        let fits = labels.len() <= length;
        let enough = fits || ignore_longer_outputs_than_inputs;
        ensure!(enough, "sequence {at} has {} labels and only {length} time steps", labels.len());
        let positions = positions(labels, classes, preprocess_collapse_repeated)
            .map_err(|error| error.context(format!("reading the labels of sequence {at}")))?;
        sequences.push((length > 0 && fits).then_some((length, positions)));
    }
    let logits = inputs.as_slice::<T>()?;
    let losses = loss.allocate([batch])?.as_mut_slice::<T>()?;
    let gradients = gradient.allocate(inputs.shape().clone())?.as_mut_slice::<T>()?;
    losses.fill(T::zero());
    gradients.fill(T::zero());
    for (at, sequence) in sequences.into_iter().enumerate() {
        let Some((length, positions)) = sequence else { continue };
        env.poll();
        let row = |time: usize| (time * batch + at) * classes;
        let mut chances = try_filled(T::zero(), length * classes)?;
        for (time, chances) in chances.chunks_exact_mut(classes).enumerate() {
            softmax(&logits[row(time)..][..classes], chances);
        }
        let paths = Paths { chances: &chances, classes, length, positions: &positions, merge: ctc_merge_repeated };
        let shares = paths.shares()?;
        let count = positions.len();
        let log_chance = shares[..count].iter().copied().fold(T::neg_infinity(), log_sum_exp);
        losses[at] = -log_chance;
        for time in 0..length {
            let out = &mut gradients[row(time)..][..classes];
            out.copy_from_slice(&chances[time * classes..][..classes]);
            if log_chance > T::neg_infinity() {
                paths.subtract_shares(&shares[time * count..][..count], log_chance, out)?;
            }
        }
    }
    Ok(())
}

/// The labels of each sequence of a batch.
fn labels_of(indices: &Tensor, values: &Tensor, batch: usize) -> Result<Vec<Vec<i32>>> {
    let &[count, 2] = indices.shape().dims() else {
        bail!("labels_indices must be a matrix of 2 columns, its shape is {}", indices.shape())
    };
    ensure!(values.shape().dims() == [count], "labels_values must be [{count}], its shape is {}", values.shape());
    let mut labels: Vec<Vec<i32>> = try_filled(Vec::new(), batch)?;
    let (rows, values) = (indices.as_slice::<i64>()?.as_chunks::<2>().0, values.as_slice::<i32>()?);
    for (at, (row, &value)) in rows.iter().zip(values).enumerate() {
        let rises = at == 0 || rows[at - 1] < *row;
        let sequence = usize::try_from(row[0]).ok().filter(|&sequence| sequence < batch && row[1] >= 0);
        let Some(sequence) = sequence.filter(|_| rises) else {
            bail!("labels_indices[{at}] = {row:?} is out of order, repeated or outside of the batch of {batch}")
        };
        labels[sequence].push(value);
    }
    Ok(labels)
}

/// The classes of the positions: a blank before each label and at the end.
fn positions(labels: &[i32], classes: usize, collapse: bool) -> Result<Vec<usize>> {
    ensure!(!labels.is_empty(), "there are none");
    let blank = classes - 1;
    let (mut positions, mut is_over) = (vec![blank], false);
    for (at, &label) in labels.iter().enumerate() {
        if collapse && at > 0 && labels[at - 1] == label {
            continue;
        }
        match usize::try_from(label) {
            Ok(label) if label >= blank => is_over = true,
            _ if is_over => bail!("a label follows one that is {blank} or more and ends the sequence"),
            Ok(label) => positions.extend([label, blank]),
            Err(_) => bail!("label {label} must be >= 0"),
        }
    }
    Ok(positions)
}

fn softmax<T: Probability>(logits: &[T], out: &mut [T]) {
    let largest = logits.iter().copied().fold(T::neg_infinity(), T::max);
    out.iter_mut().zip(logits).for_each(|(out, &logit)| *out = (logit - largest).exp());
    let sum: T = out.iter().copied().sum();
    out.iter_mut().for_each(|out| *out = *out / sum);
}

/// The paths of a sequence through its positions.
struct Paths<'a, T> {
    /// Softmax of the logits [length, classes].
    chances: &'a [T],
    classes: usize,
    length: usize,
    positions: &'a [usize],
    /// Whether a label that repeats stands for one.
    merge: bool,
}

impl<T: Probability> Paths<'_, T> {
    fn log_chance(&self, time: usize, position: usize) -> T {
        self.chances[time * self.classes + self.positions[position]].ln()
    }

    /// The positions that paths can be at.
    fn reachable(&self, time: usize) -> std::ops::Range<usize> {
        let count = self.positions.len();
        count.saturating_sub(2 * (self.length - time))..count.min(2 * (time + 1))
    }

    /// Whether a path may stay at a position.
    fn may_stay(&self, position: usize) -> bool {
        self.merge || self.positions[position] == self.classes - 1
    }

    /// Whether a path may leave out the blank between two positions.
    fn may_skip(&self, from: usize, to: usize) -> bool {
        let (from, to) = (self.positions[from], self.positions[to]);
        to != self.classes - 1 && !(self.merge && from == to)
    }

    /// For each time step and position the logarithm of the probability of all paths through it.
    fn shares(&self) -> Result<Vec<T>> {
        let count = self.positions.len();
        let cells = count.checked_mul(self.length).ok_or_else(|| Error::resource_exhausted("too many labels"))?;
        let mut forward = try_filled(T::neg_infinity(), cells)?;
        (0..count.min(2)).for_each(|position| forward[position] = self.log_chance(0, position));
        for time in 1..self.length {
            let (before, now) = forward.split_at_mut(time * count);
            let before = &before[(time - 1) * count..];
            for u in self.reachable(time) {
                let mut sum = if self.may_stay(u) { before[u] } else { T::neg_infinity() };
                if u > 0 {
                    sum = log_sum_exp(sum, before[u - 1]);
                }
                if u > 1 && self.may_skip(u - 2, u) {
                    sum = log_sum_exp(sum, before[u - 2]);
                }
                now[u] = self.log_chance(time, u) + sum;
            }
        }
        let mut backward = try_filled(T::neg_infinity(), cells)?;
        let last = (self.length - 1) * count;
        (count.saturating_sub(2)..count).for_each(|position| backward[last + position] = T::zero());
        for time in (0..self.length - 1).rev() {
            let (now, after) = backward.split_at_mut((time + 1) * count);
            let now = &mut now[time * count..];
            for u in self.reachable(time) {
                let next = |position: usize| after[position] + self.log_chance(time + 1, position);
                let mut sum = if self.may_stay(u) { next(u) } else { T::neg_infinity() };
                if u + 1 < count {
                    sum = log_sum_exp(sum, next(u + 1));
                }
                if u + 2 < count && self.may_skip(u + 2, u) {
                    sum = log_sum_exp(sum, next(u + 2));
                }
                now[u] = sum;
            }
        }
        forward.iter_mut().zip(backward).for_each(|(forward, backward)| *forward = *forward + backward);
        Ok(forward)
    }

    /// Subtracts from each class the share of the paths through it at a time step.
    fn subtract_shares(&self, shares: &[T], log_chance: T, out: &mut [T]) -> Result<()> {
        let mut sums = try_filled(T::neg_infinity(), self.classes)?;
        for (&class, &share) in self.positions.iter().zip(shares) {
            sums[class] = log_sum_exp(sums[class], share);
        }
        out.iter_mut().zip(sums).for_each(|(out, sum)| *out = *out - (sum - log_chance).exp());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::run;

    fn loss(labels: &[i32], length: i32, attrs: &[(&str, AttrValue)]) -> Result<Vec<Tensor>> {
        let logits = [0.3f64, 0.7, 0.4, 0.6].map(f64::ln).to_vec();
        let indices = (0..labels.len()).flat_map(|at| [0, at as i64]).collect();
        let indices = Tensor::from_vec([labels.len(), 2], indices)?;
        run("CTCLoss", attrs, vec![Tensor::from_vec([2, 1, 2], logits)?, indices, labels.into(), [length].into()])
    }

    #[test]
    fn the_sum_over_paths() {
        let out = loss(&[0], 2, &[]).unwrap();
        assert!((out[0].as_slice::<f64>().unwrap()[0] + 0.58f64.ln()).abs() < 1e-12);
        // P(a at step 0 | label) = (0.3 * 0.6 + 0.3 * 0.4) / 0.58.
        let gradient = out[1].as_slice::<f64>().unwrap();
        assert!((gradient[0] - (0.3 - 0.3 / 0.58)).abs() < 1e-12, "{gradient:?}");
        assert_eq!(loss(&[0], 0, &[("ignore_longer_outputs_than_inputs", true.into())]).unwrap()[1].num_elements(), 4);
    }

    #[test]
    fn labels_must_fit() {
        for (labels, length) in [(&[0, 0, 0][..], 2), (&[-1], 2), (&[1, 0], 2), (&[], 2), (&[0], 3), (&[0], -1)] {
            assert!(loss(labels, length, &[]).is_err(), "{labels:?} {length}");
        }
    }
}
