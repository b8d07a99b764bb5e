//! Connectionist temporal classification: labellings of sequences without an alignment.
//!
//! `inputs` are the logits [max_time, batch, classes]; one class, the last of the loss and of the beam search, stands
//! for "no label". Source of the formulas: Graves, "Supervised Sequence Labelling with Recurrent Neural Networks",
//! chapter 7.

use oplink::prelude::*;

/// The negative logarithm of the probability of the labels, and its gradient by the inputs.
///
/// `labels_indices` [count, 2] and `labels_values` are a sparse matrix [batch, time], indices in row-major order; every
/// sequence has a label. A label that is the last class or more ends its sequence. Sequences of length 0 have the loss
/// 0 and no gradient; so do those with more labels than time steps, which are an error without
/// `ignore_longer_outputs_than_inputs`. Without `ctc_merge_repeated`, repeated labels are as many; with
/// `preprocess_collapse_repeated` they are one before anything else.
#[op(
    "CTCLoss",
    input = "inputs: T",
    input = "labels_indices: int64",
    input = "labels_values: int32",
    input = "sequence_length: int32",
    output = "loss: T",
    output = "gradient: T",
    attr = "preprocess_collapse_repeated: bool = false",
    attr = "ctc_merge_repeated: bool = true",
    attr = "ignore_longer_outputs_than_inputs: bool = false",
    attr = "T: {float, double} = DT_FLOAT"
)]
pub fn ctc_loss(c: &mut ShapeContext<'_>) -> Result<()> {
    let (inputs, indices) = (c.with_rank(0, 3)?, c.with_rank(1, 2)?);
    let (values, lengths) = (c.with_rank(2, 1)?, c.with_rank(3, 1)?);
    c.merge_dim(indices.dim(0), values.dim(0))?;
    let batch = c.merge_dim(inputs.dim(1), lengths.dim(0))?;
    c.set_output(0, PartialShape::new(&[batch]));
    c.set_output(1, PartialShape::new(&[inputs.dim(0), batch, inputs.dim(2)]));
    Ok(())
}

/// The most probable class at each time step, without the blank.
///
/// With `merge_repeated`, classes that repeat without a blank between them come once. `blank_index` counts from the end
/// where negative. `log_probability` is the negative sum of the largest logits.
#[op(
    "CTCGreedyDecoder",
    no_gradient,
    input = "inputs: T",
    input = "sequence_length: int32",
    output = "decoded_indices: int64",
    output = "decoded_values: int64",
    output = "decoded_shape: int64",
    output = "log_probability: T",
    attr = "merge_repeated: bool = false",
    attr = "blank_index: int = -1",
    attr = "T: {float, double} = DT_FLOAT"
)]
pub fn ctc_greedy_decoder(c: &mut ShapeContext<'_>) -> Result<()> {
    let batch = batch(c)?;
    c.set_output(0, PartialShape::new(&[None, Some(2)]));
    c.set_output(1, PartialShape::new(&[None]));
    c.set_output(2, PartialShape::new(&[Some(2)]));
    c.set_output(3, PartialShape::new(&[batch, Some(1)]));
    Ok(())
}

/// The most probable labellings that a search of `beam_width` prefixes finds, the best first.
///
/// With `merge_repeated`, labels that repeat in a labelling come once.
#[op(
    "CTCBeamSearchDecoder",
    no_gradient,
    input = "inputs: T",
    input = "sequence_length: int32",
    output = "decoded_indices: top_paths * int64",
    output = "decoded_values: top_paths * int64",
    output = "decoded_shape: top_paths * int64",
    output = "log_probability: T",
    attr = "beam_width: int >= 1",
    attr = "top_paths: int >= 1",
    attr = "merge_repeated: bool = true",
    attr = "T: {float, double} = DT_FLOAT"
)]
pub fn ctc_beam_search_decoder(c: &mut ShapeContext<'_>) -> Result<()> {
    let (batch, paths) = (batch(c)?, c.num_outputs() / 3);
    for path in 0..paths {
        c.set_output(path, PartialShape::new(&[None, Some(2)]));
        c.set_output(path + paths, PartialShape::new(&[None]));
        c.set_output(path + 2 * paths, PartialShape::new(&[Some(2)]));
    }
    c.set_output(3 * paths, PartialShape::new(&[batch, Some(paths)]));
    Ok(())
}

/// The extent that inputs and lengths share.
fn batch(c: &ShapeContext<'_>) -> Result<oplink::shape::Dim> {
    let (inputs, lengths) = (c.with_rank(0, 3)?, c.with_rank(1, 1)?);
    c.merge_dim(inputs.dim(1), lengths.dim(0))
}
