//! The first elements of several datasets, as many of each as their weights allow.

use std::sync::Arc;

use oplink::prelude::*;
use oplink_ops::data::WeightedFlatMapDataset;

use crate::dataset::{Cardinality, Dataset, DatasetHandle, DatasetIterator, Element, Elements, Run};
use crate::order::{datasets, restored};
use crate::position::{PositionReader, PositionWriter};

struct Weighted(Arc<[Share]>);

/// A dataset, and how many of its elements are read.
struct Share {
    dataset: DatasetHandle,
    count: u64,
}

struct WeightedIterator {
    shares: Arc<[Share]>,
    /// The dataset that is read.
    at: usize,
    /// Elements of it that were given.
    given: u64,
    elements: Option<Elements>,
}

impl Dataset for Weighted {
    fn inputs(&self) -> Vec<&DatasetHandle> {
        self.0.iter().map(|share| &share.dataset).collect()
    }

    fn cardinality(&self) -> Cardinality {
        Cardinality::Known(self.0.iter().fold(0, |sum: u64, share| sum.saturating_add(share.count)))
    }

    fn iterate(&self, _: &Run<'_>) -> Result<Box<dyn DatasetIterator>> {
        Ok(Box::new(WeightedIterator { shares: self.0.clone(), at: 0, given: 0, elements: None }))
    }
}

impl DatasetIterator for WeightedIterator {
    fn next(&mut self, run: &Run<'_>) -> Result<Option<Element>> {
        while let Some(share) = self.shares.get(self.at) {
            if self.given >= share.count {
                (self.at, self.given, self.elements) = (self.at + 1, 0, None);
                continue;
            }
            let elements = match &mut self.elements {
                Some(elements) => elements,
                None => self.elements.insert(share.dataset.iterate(run)?),
            };
            let element = elements.next(run)?;
            self.given += 1;
            return Ok(element);
        }
        Ok(None)
    }

    fn save(&mut self, run: &Run<'_>, to: &mut PositionWriter) -> Result<()> {
        to.put(self.at as i64);
        to.put(self.given as i64);
        to.put_optional(run, self.elements.as_mut())
    }

    fn restore(&mut self, run: &Run<'_>, from: &mut PositionReader<'_>) -> Result<()> {
        (self.at, self.given) = (usize::try_from(from.count()?).unwrap_or(usize::MAX), from.count()?);
        self.elements = match self.shares.get(self.at) {
            Some(share) => restored(&share.dataset, run, from)?,
            None => from.flag().map(|_| None)?,
        };
        Ok(())
    }
}

/// How many elements are read of datasets with so many: in the proportions of the weights, until the dataset ends that
/// has the fewest for its weight.
fn shares(counts: &[u64], weights: &[f64]) -> Result<Vec<u64>> {
    let largest = weights.iter().copied().fold(0.0, f64::max);
    let mut least = (f64::MAX, 1.0);
    for (&count, &weight) in counts.iter().zip(weights) {
        let scaled = count as f64 * weight / largest;
        if scaled < least.0 {
            least = (scaled, weight);
        }
    }
    let share = |(number, (&count, &weight)): (usize, (&u64, &f64))| {
        let share = (least.0 * weight / least.1) as u64;
        ensure!(share <= count, "dataset {number} has {count} elements, its weight needs {share}");
        Ok(share)
    };
    counts.iter().zip(weights).enumerate().map(share).collect()
}

/// `WeightedFlatMapDataset`.
#[kernel(WeightedFlatMapDataset, device = CPU)]
pub fn weighted_flat_map_dataset_cpu(
    input_datasets: &[Tensor],
    weights: &[Tensor],
    output_types: &[DType],
    output_shapes: &[PartialShape],
    env: Env<'_>,
) -> Result<DatasetHandle> {
    let inputs = datasets(input_datasets, "input_datasets")?;
    let (count, given) = (inputs.len(), weights.len());
    ensure!(count == given, "there are {given} weights for {count} datasets");
    for input in &inputs {
        let (dtypes, wanted) = (input.dtypes(), inputs[0].dtypes());
        ensure!(dtypes == wanted, "{input} has elements of {dtypes:?}, the first dataset of {wanted:?}");
    }
    let weights = weights.iter().map(Tensor::to_scalar::<f64>).collect::<Result<Vec<_>>>()?;
    for (number, weight) in weights.iter().enumerate() {
        ensure!(*weight > 0.0, "weights must be greater than 0, that of dataset {number} is {weight}");
    }
    let known = |input: &DatasetHandle| match input.cardinality() {
        Cardinality::Known(count) => Ok(count),
        Cardinality::Infinite => bail!("{input} has no end, the number of its elements must be known"),
        Cardinality::Unknown => bail!("{input} has an unknown number of elements, it must be known"),
    };
    let counts = inputs.iter().map(known).collect::<Result<Vec<_>>>()?;
    let shares = shares(&counts, &weights)?;
    let shares = inputs.into_iter().zip(shares).map(|(dataset, count)| Share { dataset, count }).collect();
    DatasetHandle::new(&env, output_types, output_shapes, Weighted(shares))
}
