//! The inputs of decoders, and labellings as sparse tensors.

use oplink::prelude::*;

use super::Probability;

/// Logits [time, batch, classes], and the length of each sequence.
pub(super) struct Sequences<'a, T> {
    logits: &'a [T],
    pub(super) lengths: Vec<usize>,
    pub(super) batch: usize,
    pub(super) classes: usize,
}

impl<'a, T: Probability> Sequences<'a, T> {
    pub(super) fn new(inputs: &'a Tensor, sequence_length: &Tensor) -> Result<Self> {
        let &[time, batch, classes] = inputs.shape().dims() else {
            bail!("inputs must be [max_time, batch, classes], its shape is {}", inputs.shape())
        };
        ensure!(inputs.num_elements() > 0, "inputs of shape {} has no elements", inputs.shape());
        let lengths = lengths(sequence_length, time, batch)?;
        Ok(Self { logits: inputs.as_slice()?, lengths, batch, classes })
    }

    /// The logits of a sequence at a time step.
    pub(super) fn at(&self, time: usize, sequence: usize) -> &'a [T] {
        &self.logits[(time * self.batch + sequence) * self.classes..][..self.classes]
    }
}

/// The error that TensorFlow gives for lengths that do not fit the inputs.
fn unfit(message: String) -> Error {
    Error::new(Code::FailedPrecondition, ErrorKind::InvalidArgument, message)
}

/// The lengths of the sequences of a batch; negative ones count as 0.
fn lengths(sequence_length: &Tensor, time: usize, batch: usize) -> Result<Vec<usize>> {
    let shape = sequence_length.shape();
    ensure!(shape.rank() == 1, "sequence_length must be a vector, its shape is {shape}");
    if shape[0] != batch {
        let message = format!("sequence_length has {} elements for a batch of {batch}", shape[0]);
        return Err(unfit(message));
    }
    let length = |(at, &length): (usize, &i32)| match usize::try_from(length) {
        Ok(length) if length > time => Err(unfit(format!("sequence_length[{at}] = {length} is more than {time}"))),
        length => Ok(length.unwrap_or(0)),
    };
    sequence_length.as_slice::<i32>()?.iter().enumerate().map(length).collect()
}

/// Sets the outputs of one labelling of each sequence: indices, values, dense shape.
pub(super) fn write(labels: &[Vec<usize>], outputs: [OutputSlot<'_>; 3]) -> Result<()> {
    let [mut indices, mut values, mut shape] = outputs;
    let count = labels.iter().map(Vec::len).sum();
    let longest = labels.iter().map(Vec::len).max().unwrap_or(0);
    let rows = indices.allocate([count, 2])?.as_mut_slice::<i64>()?.chunks_exact_mut(2);
    let places = labels.iter().enumerate().flat_map(|(batch, labels)| (0..labels.len()).map(move |at| [batch, at]));
    rows.zip(places).for_each(|(row, place)| row.copy_from_slice(&place.map(|index| index as i64)));
    let out = values.allocate([count])?.as_mut_slice::<i64>()?;
    out.iter_mut().zip(labels.iter().flatten()).for_each(|(out, &label)| *out = label as i64);
    shape.set([labels.len() as i64, longest as i64].into());
    Ok(())
}
