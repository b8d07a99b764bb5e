//! `CTCGreedyDecoder`: the most probable class at each time step, without the blank.
//!
//! With `merge_repeated`, classes that repeat without a blank between them come once. `blank_index` counts from the end
//! where negative. `log_probability` is the negative sum of the largest logits.

use oplink::prelude::*;
use oplink_ops::nn::CTCGreedyDecoder;

use super::Probability;
use super::paths::{Sequences, write};

/// `CTCGreedyDecoder` of f32 and f64.
#[kernel(CTCGreedyDecoder, device = CPU, T = [f32, f64])]
#[allow(clippy::too_many_arguments, reason = "the op's inputs, attrs and outputs by name")]
pub fn ctc_greedy_decoder_cpu<T: Probability>(
    inputs: &Tensor,
    sequence_length: &Tensor,
    merge_repeated: bool,
    blank_index: i64,
    decoded_indices: OutputSlot<'_>,
    decoded_values: OutputSlot<'_>,
    decoded_shape: OutputSlot<'_>,
    mut log_probability: OutputSlot<'_>,
) -> Result<()> {
    let sequences = Sequences::<T>::new(inputs, sequence_length)?;
    let blank = oplink::shape_inference::normalize_axis(blank_index, sequences.classes)
        .map_err(|error| error.context("reading blank_index"))?;
    let out = log_probability.allocate([sequences.batch, 1])?.as_mut_slice::<T>()?;
    let mut paths = oplink::memory::try_vec(sequences.batch)?;
    for (batch, (out, &length)) in out.iter_mut().zip(&sequences.lengths).enumerate() {
        *out = T::zero();
        let (mut labels, mut previous) = (Vec::new(), None);
        for time in 0..length {
            let (class, logit) = largest(sequences.at(time, batch));
            *out = *out - logit;
            if class != blank && !(merge_repeated && previous == Some(class)) {
                labels.push(class);
            }
            previous = Some(class);
        }
        paths.push(labels);
    }
    write(&paths, [decoded_indices, decoded_values, decoded_shape])
}

/// The first of the largest logits, and its class.
fn largest<T: Probability>(logits: &[T]) -> (usize, T) {
    let rest = logits.iter().copied().enumerate().skip(1);
    rest.fold((0, logits[0]), |best, next| if next.1 > best.1 { next } else { best })
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::run;

    fn decode(merge: bool, length: i32) -> Result<Vec<Tensor>> {
        // Classes 0, 0, blank, 1.
        let logits = vec![2.0f32, 1.0, 0.0, 3.0, 1.0, 0.0, 0.0, 1.0, 4.0, 0.0, 5.0, 1.0];
        let inputs = vec![Tensor::from_vec([4, 1, 3], logits)?, [length].into()];
        run("CTCGreedyDecoder", &[("merge_repeated", merge.into())], inputs)
    }

    #[test]
    fn largest_classes() {
        let out = decode(false, 4).unwrap();
        assert_eq!(out[1].as_slice::<i64>().unwrap(), [0, 0, 1]);
        assert_eq!(out[0].as_slice::<i64>().unwrap(), [0, 0, 0, 1, 0, 2]);
        assert_eq!(out[2].as_slice::<i64>().unwrap(), [1, 3]);
        assert_eq!(out[3].as_slice::<f32>().unwrap(), [-14.0]);
        assert_eq!(decode(true, 4).unwrap()[1].as_slice::<i64>().unwrap(), [0, 1]);
        assert_eq!(decode(true, -1).unwrap()[1].num_elements(), 0);
        assert_eq!(decode(true, 5).unwrap_err().code(), Code::FailedPrecondition);
    }
}
