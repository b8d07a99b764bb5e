//! `CTCBeamSearchDecoder`: the most probable labellings that a search of `beam_width` prefixes finds.
//!
//! At each time step every prefix goes on with the blank, with its last label, or with another one; the most probable
//! prefixes stay. The last class is the blank. With `merge_repeated`, labels that repeat in a labelling come once.

use std::collections::HashMap;

use oplink::prelude::*;
use oplink_ops::nn::CTCBeamSearchDecoder;

use super::paths::{Sequences, write};
use super::{Probability, log_sum_exp};

/// `CTCBeamSearchDecoder` of f32 and f64.
#[kernel(CTCBeamSearchDecoder, device = CPU, T = [f32, f64])]
#[allow(clippy::too_many_arguments, reason = "the op's inputs, attrs and outputs by name")]
pub fn ctc_beam_search_decoder_cpu<T: Probability>(
    inputs: &Tensor,
    sequence_length: &Tensor,
    beam_width: i64,
    merge_repeated: bool,
    mut decoded_indices: OutputList<'_>,
    mut decoded_values: OutputList<'_>,
    mut decoded_shape: OutputList<'_>,
    mut log_probability: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let sequences = Sequences::<T>::new(inputs, sequence_length)?;
    let (width, count) = (beam_width as usize, decoded_indices.len());
    ensure!(count <= width, "top_paths {count} must not be more than beam_width {width}");
    let out = log_probability.allocate([sequences.batch, count])?.as_mut_slice::<T>()?;
    let mut paths: Vec<Vec<Vec<usize>>> = oplink::memory::try_filled(Vec::new(), count)?;
    for (batch, (out, &length)) in out.chunks_exact_mut(count).zip(&sequences.lengths).enumerate() {
        let mut search = Search::new(width);
        for time in env.watch(0..length) {
            search.step(sequences.at(time, batch))?;
        }
        let best = search.leaves_in_order();
        ensure!(best.len() >= count, "the search has {} paths, top_paths is {count}", best.len());
        for ((paths, out), &entry) in paths.iter_mut().zip(out).zip(&best) {
            paths.push(search.labels(entry, merge_repeated));
            *out = search.entries[entry].new.total;
        }
    }
    for (((paths, indices), values), shape) in
        paths.iter().zip(decoded_indices.iter_mut()).zip(decoded_values.iter_mut()).zip(decoded_shape.iter_mut())
    {
        write(paths, [indices, values, shape])?;
    }
    Ok(())
}

/// Logarithms of the probabilities of a prefix: of all paths, of those that end in a blank, and in its last label.
#[derive(Clone, Copy)]
struct Chances<T> {
    total: T,
    blank: T,
    label: T,
}

impl<T: Probability> Chances<T> {
    fn none() -> Self {
        Self { total: T::neg_infinity(), blank: T::neg_infinity(), label: T::neg_infinity() }
    }
}

/// A prefix: the label after its parent's.
struct Entry<T> {
    parent: Option<usize>,
    label: Option<usize>,
    children: HashMap<usize, usize>,
    old: Chances<T>,
    new: Chances<T>,
}

impl<T: Probability> Entry<T> {
    fn new(parent: Option<usize>, label: Option<usize>) -> Self {
        Self { parent, label, children: HashMap::new(), old: Chances::none(), new: Chances::none() }
    }

    fn is_active(&self) -> bool {
        self.new.total != T::neg_infinity()
    }
}

/// All prefixes seen, and which of them are in the beam.
struct Search<T> {
    width: usize,
    entries: Vec<Entry<T>>,
    leaves: Vec<usize>,
}

impl<T: Probability> Search<T> {
    fn new(width: usize) -> Self {
        let mut root = Entry::new(None, None);
        root.new = Chances { total: T::zero(), blank: T::zero(), label: T::neg_infinity() };
        Self { width, entries: vec![root], leaves: vec![0] }
    }

    /// The prefixes in the beam, the most probable first.
    fn leaves_in_order(&self) -> Vec<usize> {
        let mut leaves = self.leaves.clone();
        let total = |leaf: &usize| self.entries[*leaf].new.total;
        leaves.sort_by(|a, b| total(b).partial_cmp(&total(a)).unwrap_or(std::cmp::Ordering::Equal));
        leaves
    }

    /// Where the least probable prefix stands in the beam.
    fn bottom(&self) -> usize {
        let total = |at: usize| self.entries[self.leaves[at]].new.total;
        (1..self.leaves.len()).fold(0, |lowest, at| if total(at) < total(lowest) { at } else { lowest })
    }

    /// Whether a prefix of this probability gets into the beam.
    fn is_candidate(&self, chances: Chances<T>) -> bool {
        let total = chances.total;
        total > T::neg_infinity()
            && (self.leaves.len() < self.width || total > self.entries[self.leaves[self.bottom()]].new.total)
    }

    /// One time step on.
    fn step(&mut self, logits: &[T]) -> Result<()> {
        let blank = logits.len() - 1;
        let largest = logits.iter().copied().fold(T::neg_infinity(), T::max);
        let sum: T = logits.iter().map(|&logit| (logit - largest).exp()).sum();
        let offset = largest + sum.ln();
        let branches = self.leaves_in_order();
        oplink::memory::try_reserve(&mut self.entries, branches.len().saturating_mul(blank))?;
        for &at in &branches {
            self.entries[at].old = self.entries[at].new;
        }
        for &at in &branches {
            self.stay(at, logits, blank, offset);
        }
        self.leaves.clone_from(&branches);
        for &at in &branches {
            if self.is_candidate(self.entries[at].old) {
                (0..blank).for_each(|label| self.grow(at, label, logits[label] - offset));
            }
        }
        Ok(())
    }

    /// The probabilities of a prefix that goes on with the blank or with its last label.
    fn stay(&mut self, at: usize, logits: &[T], blank: usize, offset: T) {
        let mut new = self.entries[at].new;
        if let (Some(parent), Some(label)) = (self.entries[at].parent, self.entries[at].label) {
            let parent = &self.entries[parent];
            if parent.is_active() {
                let before = if parent.label == Some(label) { parent.old.blank } else { parent.old.total };
                new.label = log_sum_exp(new.label, before);
            }
            new.label = new.label + logits[label] - offset;
        }
        new.blank = self.entries[at].old.total + logits[blank] - offset;
        new.total = log_sum_exp(new.blank, new.label);
        self.entries[at].new = new;
    }

    /// A prefix with one more label, if it gets into the beam.
    fn grow(&mut self, at: usize, label: usize, chance: T) {
        let known = self.entries.len();
        let child = *self.entries[at].children.entry(label).or_insert(known);
        if child == known {
            self.entries.push(Entry::new(Some(at), Some(label)));
        }
        if self.entries[child].is_active() {
            return;
        }
        let parent = &self.entries[at];
        let before = if parent.label == Some(label) { parent.old.blank } else { parent.old.total };
        let total = chance + before;
        let new = Chances { total, blank: T::neg_infinity(), label: total };
        if !self.is_candidate(new) {
            (self.entries[child].old, self.entries[child].new) = (Chances::none(), Chances::none());
            return;
        }
        self.entries[child].new = new;
        if self.leaves.len() < self.width {
            self.leaves.push(child);
        } else {
            let bottom = self.bottom();
            let leaving = std::mem::replace(&mut self.leaves[bottom], child);
            self.entries[leaving].new = Chances::none();
        }
    }

    /// The labels of a prefix.
    fn labels(&self, at: usize, merge_repeated: bool) -> Vec<usize> {
        let (mut labels, mut next) = (Vec::new(), Some(&self.entries[at]));
        while let Some(entry) = next {
            labels.extend(entry.label);
            next = entry.parent.map(|parent| &self.entries[parent]);
        }
        if merge_repeated {
            labels.dedup();
        }
        labels.reverse();
        labels
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::run;

    #[test]
    fn the_sum_over_paths_decides() {
        // P(-) = 0.42, P(a) = 0.58, though the most probable path is two blanks (Graves, figure 7.5).
        let logits = [0.3f64, 0.7, 0.4, 0.6].map(f64::ln).to_vec();
        let inputs = vec![Tensor::from_vec([2, 1, 2], logits).unwrap(), [2].into()];
        let attrs = [("beam_width", 4i64.into()), ("top_paths", 2i64.into())];
        let out = run("CTCBeamSearchDecoder", &attrs, inputs.clone()).unwrap();
        assert_eq!(out[2].as_slice::<i64>().unwrap(), [0]);
        assert_eq!(out[3].num_elements(), 0);
        let chances = out[6].as_slice::<f64>().unwrap().iter().map(|chance| chance.exp()).collect::<Vec<_>>();
        assert!((chances[0] - 0.58).abs() < 1e-12 && (chances[1] - 0.42).abs() < 1e-12, "{chances:?}");
        let too_many = [("beam_width", 1i64.into()), ("top_paths", 2i64.into())];
        assert!(run("CTCBeamSearchDecoder", &too_many, inputs).is_err());
    }
}
