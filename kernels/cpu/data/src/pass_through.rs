//! Datasets that are others with advice to the runtime, or with a check.

use std::time::{Duration, Instant};

use oplink::prelude::*;
use oplink_ops::data::{
    AssertCardinalityDataset, AssertNextDataset, AssertPrevDataset, FinalizeDataset, IgnoreErrorsDataset,
    MaxIntraOpParallelismDataset, ModelDataset, NonSerializableDataset, OptimizeDataset, OptimizeDatasetV2,
    PrivateThreadPoolDataset, RewriteDataset, SleepDataset,
};
use oplink_ops::data::{
    ExperimentalAssertNextDataset, ExperimentalIgnoreErrorsDataset, ExperimentalMaxIntraOpParallelismDataset,
    ExperimentalNonSerializableDataset, ExperimentalPrivateThreadPoolDataset, ExperimentalSleepDataset,
};

use crate::dataset::{Cardinality, Dataset, DatasetHandle, DatasetIterator, Element, Elements, Run};
use crate::position::{PositionReader, PositionWriter};

/// What is done beside giving the elements of another dataset.
#[derive(Clone, Copy)]
pub(crate) enum Beside {
    Nothing,
    /// Nothing either, but what the input tells of its batches ends here, as in TensorFlow.
    Opaque,
    /// To wait before each element.
    Sleep(Duration),
    /// To leave out elements that fail.
    IgnoreErrors,
    /// To check that there are so many.
    Count(Cardinality),
}

struct PassThrough {
    input: DatasetHandle,
    beside: Beside,
}

struct PassThroughIterator {
    elements: Elements,
    beside: Beside,
    given: u64,
}

impl Dataset for PassThrough {
    fn inputs(&self) -> Vec<&DatasetHandle> {
        vec![&self.input]
    }

    fn batch_size(&self, env: Env<'_>) -> Option<usize> {
        if matches!(self.beside, Beside::Nothing | Beside::Count(_)) { self.input.batch_size(env) } else { None }
    }

    fn cardinality(&self) -> Cardinality {
        match self.beside {
            Beside::Count(count) => count,
            Beside::IgnoreErrors => match self.input.cardinality() {
                Cardinality::Known(0) => Cardinality::Known(0),
                _ => Cardinality::Unknown,
            },
            _ => self.input.cardinality(),
        }
    }

    fn iterate(&self, run: &Run<'_>) -> Result<Box<dyn DatasetIterator>> {
        Ok(Box::new(PassThroughIterator { elements: self.input.iterate(run)?, beside: self.beside, given: 0 }))
    }
}

impl PassThroughIterator {
    fn check_count(&self, wanted: Cardinality, at_end: bool) -> Result<()> {
        let (given, wanted) = match (wanted, at_end) {
            (Cardinality::Known(count), true) if self.given < count => (self.given, count.to_string()),
            (Cardinality::Known(count), false) if self.given > count => (self.given, count.to_string()),
            (Cardinality::Infinite, true) => (self.given, "an infinite number of".to_owned()),
            (Cardinality::Unknown, true) => (self.given, "an unknown number of".to_owned()),
            _ => return Ok(()),
        };
        let more = if at_end { "" } else { " at least" };
        let message = format!("the dataset should have {wanted} elements, it has{more} {given}");
        Err(Error::new(Code::FailedPrecondition, ErrorKind::InvalidArgument, message))
    }
}

impl DatasetIterator for PassThroughIterator {
    fn next(&mut self, run: &Run<'_>) -> Result<Option<Element>> {
        if let Beside::Sleep(time) = self.beside {
            sleep(run, time)?;
        }
        loop {
            let next = self.elements.next(run);
            if matches!(self.beside, Beside::IgnoreErrors) && next.is_err() {
                run.check()?;
                continue;
            }
            let next = next?;
            self.given += u64::from(next.is_some());
            if let Beside::Count(wanted) = self.beside {
                self.check_count(wanted, next.is_none())?;
            }
            return Ok(next);
        }
    }

    fn save(&mut self, run: &Run<'_>, to: &mut PositionWriter) -> Result<()> {
        to.put(self.given as i64);
        self.elements.save(run, to)
    }

    fn restore(&mut self, run: &Run<'_>, from: &mut PositionReader<'_>) -> Result<()> {
        self.given = from.count()?;
        self.elements.restore(run, from)
    }
}

/// Waits, with looks at the step.
fn sleep(run: &Run<'_>, time: Duration) -> Result<()> {
    let start = Instant::now();
    while let Some(rest) = time.checked_sub(start.elapsed()).filter(|rest| !rest.is_zero()) {
        run.check()?;
        std::thread::sleep(rest.min(Duration::from_millis(20)));
    }
    Ok(())
}

/// The variant of a dataset with the elements of another one.
pub(crate) fn passed(
    env: &Env<'_>,
    input: &DatasetHandle,
    beside: Beside,
    output_types: &[DType],
    output_shapes: &[PartialShape],
) -> Result<DatasetHandle> {
    let dataset = PassThrough { input: input.clone(), beside };
    DatasetHandle::new(env, output_types, output_shapes, dataset)
}

/// Datasets with advice, through which `ComputeBatchSize` sees their input.
#[kernel(RewriteDataset, device = CPU)]
#[kernel(ModelDataset, device = CPU)]
pub fn advised_dataset_cpu(
    input_dataset: &DatasetHandle,
    output_types: &[DType],
    output_shapes: &[PartialShape],
    env: Env<'_>,
) -> Result<DatasetHandle> {
    passed(&env, input_dataset, Beside::Nothing, output_types, output_shapes)
}

/// Other datasets with advice, all of them the elements of their input.
#[kernel(OptimizeDataset, device = CPU)]
#[kernel(OptimizeDatasetV2, device = CPU)]
#[kernel(FinalizeDataset, device = CPU)]
#[kernel(AssertNextDataset, device = CPU)]
#[kernel(ExperimentalAssertNextDataset, device = CPU)]
#[kernel(AssertPrevDataset, device = CPU)]
pub fn pass_through_dataset_cpu(
    input_dataset: &DatasetHandle,
    output_types: &[DType],
    output_shapes: &[PartialShape],
    env: Env<'_>,
) -> Result<DatasetHandle> {
    passed(&env, input_dataset, Beside::Opaque, output_types, output_shapes)
}

/// `NonSerializableDataset`: as a tensor it keeps nothing that a graph could be written of.
#[kernel(NonSerializableDataset, device = CPU)]
#[kernel(ExperimentalNonSerializableDataset, device = CPU)]
pub fn non_serializable_dataset_cpu(
    input_dataset: &DatasetHandle,
    output_types: &[DType],
    output_shapes: &[PartialShape],
    env: Env<'_>,
) -> Result<Tensor> {
    passed(&env, input_dataset, Beside::Opaque, output_types, output_shapes).map(DatasetHandle::into_tensor)
}

/// `MaxIntraOpParallelismDataset`.
#[kernel(MaxIntraOpParallelismDataset, device = CPU)]
#[kernel(ExperimentalMaxIntraOpParallelismDataset, device = CPU)]
pub fn max_intra_op_parallelism_dataset_cpu(
    input_dataset: &DatasetHandle,
    max_intra_op_parallelism: i64,
    output_types: &[DType],
    output_shapes: &[PartialShape],
    env: Env<'_>,
) -> Result<DatasetHandle> {
    let number = max_intra_op_parallelism;
    ensure!(number >= 0, "max_intra_op_parallelism must not be negative, it is {number}");
    passed(&env, input_dataset, Beside::Opaque, output_types, output_shapes)
}

/// `PrivateThreadPoolDataset`.
#[kernel(PrivateThreadPoolDataset, device = CPU)]
#[kernel(ExperimentalPrivateThreadPoolDataset, device = CPU)]
pub fn private_thread_pool_dataset_cpu(
    input_dataset: &DatasetHandle,
    num_threads: i64,
    output_types: &[DType],
    output_shapes: &[PartialShape],
    env: Env<'_>,
) -> Result<DatasetHandle> {
    ensure!(num_threads >= 0, "num_threads must not be negative, it is {num_threads}");
    passed(&env, input_dataset, Beside::Opaque, output_types, output_shapes)
}

/// `SleepDataset`.
#[kernel(SleepDataset, device = CPU)]
#[kernel(ExperimentalSleepDataset, device = CPU)]
pub fn sleep_dataset_cpu(
    input_dataset: &DatasetHandle,
    sleep_microseconds: i64,
    output_types: &[DType],
    output_shapes: &[PartialShape],
    env: Env<'_>,
) -> Result<DatasetHandle> {
    let Ok(time) = u64::try_from(sleep_microseconds) else {
        bail!("sleep_microseconds must not be negative, it is {sleep_microseconds}")
    };
    passed(&env, input_dataset, Beside::Sleep(Duration::from_micros(time)), output_types, output_shapes)
}

/// `IgnoreErrorsDataset`.
#[kernel(IgnoreErrorsDataset, device = CPU)]
#[kernel(ExperimentalIgnoreErrorsDataset, device = CPU)]
pub fn ignore_errors_dataset_cpu(
    input_dataset: &DatasetHandle,
    output_types: &[DType],
    output_shapes: &[PartialShape],
    env: Env<'_>,
) -> Result<DatasetHandle> {
    passed(&env, input_dataset, Beside::IgnoreErrors, output_types, output_shapes)
}

/// `AssertCardinalityDataset`: -1 stands for a dataset without end, -2 for a number that is unknown, which no dataset
/// that ends has.
#[kernel(AssertCardinalityDataset, device = CPU)]
pub fn assert_cardinality_dataset_cpu(
    input_dataset: &DatasetHandle,
    cardinality: i64,
    output_types: &[DType],
    output_shapes: &[PartialShape],
    env: Env<'_>,
) -> Result<DatasetHandle> {
    let count = match (u64::try_from(cardinality), cardinality) {
        (Ok(count), _) => Cardinality::Known(count),
        (_, -1) => Cardinality::Infinite,
        _ => Cardinality::Unknown,
    };
    passed(&env, input_dataset, Beside::Count(count), output_types, output_shapes)
}
