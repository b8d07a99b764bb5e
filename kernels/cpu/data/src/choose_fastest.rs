//! Datasets of which the fastest is to give the elements: the first, because which is faster only time tells.

use oplink::prelude::*;
use oplink_ops::data::{ChooseFastestBranchDataset, ChooseFastestDataset, ExperimentalChooseFastestDataset};

use crate::dataset::{Cardinality, Dataset, DatasetHandle, DatasetIterator, Run};
use crate::forwarded::Forwarded;
use crate::function::DatasetFunction;
use crate::order::datasets;
use crate::pass_through::{Beside, passed};

/// `ChooseFastestDataset`.
#[kernel(ChooseFastestDataset, device = CPU)]
#[kernel(ExperimentalChooseFastestDataset, device = CPU)]
pub fn choose_fastest_dataset_cpu(
    input_datasets: &[Tensor],
    output_types: &[DType],
    output_shapes: &[PartialShape],
    env: Env<'_>,
) -> Result<DatasetHandle> {
    let inputs = datasets(input_datasets, "input_datasets")?;
    inputs.iter().try_for_each(|input| input.check(output_types, output_shapes))?;
    let Some(first) = inputs.first() else { bail!("input_datasets is empty, it must have a dataset") };
    passed(&env, first, Beside::Opaque, output_types, output_shapes)
}

/// What the first of several functions, which make equal elements of a dataset, makes of it.
struct Branch {
    input: DatasetHandle,
    function: DatasetFunction,
    /// Whether there is an element for each of the input.
    one_for_one: bool,
}

impl Dataset for Branch {
    fn inputs(&self) -> Vec<&DatasetHandle> {
        vec![&self.input]
    }

    fn cardinality(&self) -> Cardinality {
        match self.input.cardinality() {
            Cardinality::Known(_) if !self.one_for_one => Cardinality::Unknown,
            cardinality => cardinality,
        }
    }

    fn iterate(&self, run: &Run<'_>) -> Result<Box<dyn DatasetIterator>> {
        let dataset = self.function.call_for_dataset(run, vec![self.input.clone().into_tensor()])?;
        Ok(Box::new(Forwarded(dataset.iterate(run)?)))
    }
}

/// `ChooseFastestBranchDataset`.
#[kernel(ChooseFastestBranchDataset, device = CPU)]
#[allow(clippy::too_many_arguments, reason = "the op's inputs and attrs by name")]
pub fn choose_fastest_branch_dataset_cpu(
    input_dataset: &DatasetHandle,
    ratio_numerator: i64,
    ratio_denominator: i64,
    other_arguments: &[Tensor],
    num_elements_per_branch: i64,
    branches: &[FuncAttr],
    other_arguments_lengths: &[i64],
    output_types: &[DType],
    output_shapes: &[PartialShape],
    env: Env<'_>,
) -> Result<DatasetHandle> {
    let (count, lengths) = (branches.len(), other_arguments_lengths.len());
    ensure!(count == lengths, "there are {lengths} other_arguments_lengths for {count} branches");
    for (name, number) in [("ratio_numerator", ratio_numerator), ("ratio_denominator", ratio_denominator)] {
        ensure!(number > 0, "{name} must be greater than 0, it is {number}");
    }
    let fits = num_elements_per_branch % ratio_denominator == 0;
    ensure!(fits, "num_elements_per_branch is {num_elements_per_branch}, no multiple of {ratio_denominator}");
    let (Some(branch), Some(&length)) = (branches.first(), other_arguments_lengths.first()) else {
        bail!("branches is empty, it must have a function")
    };
    let captured = usize::try_from(length).ok().and_then(|length| other_arguments.get(..length));
    let Some(captured) = captured else {
        bail!("the first branch has {length} arguments of {} other_arguments", other_arguments.len())
    };
    let function = DatasetFunction::new(branch, captured);
    let one_for_one = ratio_numerator == ratio_denominator;
    let branch = Branch { input: input_dataset.clone(), function, one_for_one };
    DatasetHandle::new(&env, output_types, output_shapes, branch)
}
