//! Datasets of the elements of others in order: repeated, from the front, from the back, one after the other, side by
//! side.

use oplink::prelude::*;
use oplink_ops::data::{ConcatenateDataset, RepeatDataset, SkipDataset, TakeDataset, ZipDataset};

use crate::dataset::{Cardinality, Dataset, DatasetHandle, DatasetIterator, Element, Elements, Run};
use crate::position::{PositionReader, PositionWriter};
use Cardinality::{Infinite, Known, Unknown};

struct Repeat {
    input: DatasetHandle,
    /// Without end where `None`.
    count: Option<u64>,
}

struct RepeatIterator {
    input: DatasetHandle,
    count: Option<u64>,
    rounds: u64,
    elements: Option<Elements>,
    /// Whether the present round had elements.
    any: bool,
}

impl Dataset for Repeat {
    fn inputs(&self) -> Vec<&DatasetHandle> {
        vec![&self.input]
    }

    fn batch_size(&self, env: Env<'_>) -> Option<usize> {
        self.input.batch_size(env)
    }

    fn cardinality(&self) -> Cardinality {
        match (self.input.cardinality(), self.count) {
            (_, Some(0)) | (Known(0), _) => Known(0),
            (Infinite, _) | (_, None) => Infinite,
            (Unknown, Some(_)) => Unknown,
            (Known(size), Some(count)) => Known(size.saturating_mul(count)),
        }
    }

    fn iterate(&self, run: &Run<'_>) -> Result<Box<dyn DatasetIterator>> {
        let (input, count, elements) = (self.input.clone(), self.count, Some(self.input.iterate(run)?));
        Ok(Box::new(RepeatIterator { input, count, rounds: 0, elements, any: false }))
    }
}

impl DatasetIterator for RepeatIterator {
    fn next(&mut self, run: &Run<'_>) -> Result<Option<Element>> {
        loop {
            if self.count.is_some_and(|count| self.rounds >= count) {
                return Ok(None);
            }
            let elements = match &mut self.elements {
                Some(elements) => elements,
                None => self.elements.insert(self.input.iterate(run)?),
            };
            if let Some(element) = elements.next(run)? {
                self.any = true;
                return Ok(Some(element));
            }
            self.elements = None;
            self.rounds += 1;
            // Going on without end over nothing would find nothing.
            if self.count.is_none() && !std::mem::take(&mut self.any) {
                return Ok(None);
            }
        }
    }

    fn save(&mut self, run: &Run<'_>, to: &mut PositionWriter) -> Result<()> {
        to.put(self.rounds as i64);
        to.put_flag(self.any);
        to.put_optional(run, self.elements.as_mut())
    }

    fn restore(&mut self, run: &Run<'_>, from: &mut PositionReader<'_>) -> Result<()> {
        (self.rounds, self.any) = (from.count()?, from.flag()?);
        self.elements = restored(&self.input, run, from)?;
        Ok(())
    }
}

/// Elements at a position that [`PositionWriter::put_optional`] wrote.
pub(crate) fn restored(
    dataset: &DatasetHandle,
    run: &Run<'_>,
    from: &mut PositionReader<'_>,
) -> Result<Option<Elements>> {
    if !from.flag()? {
        return Ok(None);
    }
    let mut elements = dataset.iterate(run)?;
    elements.restore(run, from)?;
    Ok(Some(elements))
}

/// `RepeatDataset`.
#[kernel(RepeatDataset, device = CPU)]
pub fn repeat_dataset_cpu(
    input_dataset: &DatasetHandle,
    count: i64,
    output_types: &[DType],
    output_shapes: &[PartialShape],
    env: Env<'_>,
) -> Result<DatasetHandle> {
    let repeat = Repeat { input: input_dataset.clone(), count: u64::try_from(count).ok() };
    DatasetHandle::new(&env, output_types, output_shapes, repeat)
}

/// Part of a dataset: the elements after the first `skip`, at most `take` of them.
struct Part {
    input: DatasetHandle,
    skip: u64,
    take: u64,
}

struct PartIterator {
    elements: Elements,
    skip: u64,
    take: u64,
}

impl Dataset for Part {
    fn inputs(&self) -> Vec<&DatasetHandle> {
        vec![&self.input]
    }

    fn batch_size(&self, env: Env<'_>) -> Option<usize> {
        self.input.batch_size(env)
    }

    fn cardinality(&self) -> Cardinality {
        match (self.input.cardinality(), self.take) {
            (_, 0) => Known(0),
            (Known(size), take) => Known(size.saturating_sub(self.skip).min(take)),
            (other, u64::MAX) => other,
            (Infinite, take) => Known(take),
            (Unknown, _) => Unknown,
        }
    }

    fn is_indexed(&self) -> bool {
        self.input.is_indexed()
    }

    fn at(&self, run: &Run<'_>, position: u64) -> Result<Option<Element>> {
        match self.skip.checked_add(position) {
            Some(at) if position < self.take => self.input.at(run, at),
            _ => Ok(None),
        }
    }

    fn iterate(&self, run: &Run<'_>) -> Result<Box<dyn DatasetIterator>> {
        Ok(Box::new(PartIterator { elements: self.input.iterate(run)?, skip: self.skip, take: self.take }))
    }
}

impl DatasetIterator for PartIterator {
    fn next(&mut self, run: &Run<'_>) -> Result<Option<Element>> {
        if self.take == 0 {
            return Ok(None);
        }
        while self.skip > 0 {
            if self.elements.next(run)?.is_none() {
                return Ok(None);
            }
            self.skip -= 1;
        }
        let element = self.elements.next(run)?;
        self.take -= 1;
        Ok(element)
    }

    fn save(&mut self, run: &Run<'_>, to: &mut PositionWriter) -> Result<()> {
        to.put(self.skip as i64);
        to.put(self.take as i64);
        self.elements.save(run, to)
    }

    fn restore(&mut self, run: &Run<'_>, from: &mut PositionReader<'_>) -> Result<()> {
        // A part without an end is written as -1.
        (self.skip, self.take) = (from.number()? as u64, from.number()? as u64);
        self.elements.restore(run, from)
    }
}

/// `TakeDataset`.
#[kernel(TakeDataset, device = CPU)]
pub fn take_dataset_cpu(
    input_dataset: &DatasetHandle,
    count: i64,
    output_types: &[DType],
    output_shapes: &[PartialShape],
    env: Env<'_>,
) -> Result<DatasetHandle> {
    let part = Part { input: input_dataset.clone(), skip: 0, take: u64::try_from(count).unwrap_or(u64::MAX) };
    DatasetHandle::new(&env, output_types, output_shapes, part)
}

/// `SkipDataset`.
#[kernel(SkipDataset, device = CPU)]
pub fn skip_dataset_cpu(
    input_dataset: &DatasetHandle,
    count: i64,
    output_types: &[DType],
    output_shapes: &[PartialShape],
    env: Env<'_>,
) -> Result<DatasetHandle> {
    let (skip, take) = u64::try_from(count).map_or((0, 0), |count| (count, u64::MAX));
    let part = Part { input: input_dataset.clone(), skip, take };
    DatasetHandle::new(&env, output_types, output_shapes, part)
}

/// The size of the batches of several datasets, where all have the same.
fn common_batch_size(inputs: &[DatasetHandle], env: Env<'_>) -> Option<usize> {
    let mut sizes = inputs.iter().map(|input| input.batch_size(env));
    let first = sizes.next()??;
    sizes.all(|size| size == Some(first)).then_some(first)
}

struct Concatenate([DatasetHandle; 2]);

struct ConcatenateIterator {
    inputs: [DatasetHandle; 2],
    second: bool,
    elements: Elements,
}

impl Dataset for Concatenate {
    fn inputs(&self) -> Vec<&DatasetHandle> {
        self.0.iter().collect()
    }

    fn batch_size(&self, env: Env<'_>) -> Option<usize> {
        common_batch_size(&self.0, env)
    }

    fn cardinality(&self) -> Cardinality {
        match self.0.each_ref().map(DatasetHandle::cardinality) {
            [Infinite, _] | [_, Infinite] => Infinite,
            [Known(first), Known(second)] => Known(first.saturating_add(second)),
            _ => Unknown,
        }
    }

    fn is_indexed(&self) -> bool {
        self.0.iter().all(DatasetHandle::is_indexed)
    }

    fn at(&self, run: &Run<'_>, position: u64) -> Result<Option<Element>> {
        match self.0[0].cardinality() {
            Known(first) if position >= first => self.0[1].at(run, position - first),
            _ => self.0[0].at(run, position),
        }
    }

    fn iterate(&self, run: &Run<'_>) -> Result<Box<dyn DatasetIterator>> {
        let elements = self.0[0].iterate(run)?;
        Ok(Box::new(ConcatenateIterator { inputs: self.0.clone(), second: false, elements }))
    }
}

impl DatasetIterator for ConcatenateIterator {
    fn next(&mut self, run: &Run<'_>) -> Result<Option<Element>> {
        match self.elements.next(run)? {
            None if !self.second => {
                self.elements = self.inputs[1].iterate(run)?;
                self.second = true;
                self.elements.next(run)
            }
            next => Ok(next),
        }
    }

    fn save(&mut self, run: &Run<'_>, to: &mut PositionWriter) -> Result<()> {
        to.put_flag(self.second);
        self.elements.save(run, to)
    }

    fn restore(&mut self, run: &Run<'_>, from: &mut PositionReader<'_>) -> Result<()> {
        self.second = from.flag()?;
        self.elements = self.inputs[usize::from(self.second)].iterate(run)?;
        self.elements.restore(run, from)
    }
}

/// `ConcatenateDataset`.
#[kernel(ConcatenateDataset, device = CPU)]
pub fn concatenate_dataset_cpu(
    input_dataset: &DatasetHandle,
    another_dataset: &DatasetHandle,
    output_types: &[DType],
    output_shapes: &[PartialShape],
    env: Env<'_>,
) -> Result<DatasetHandle> {
    let (first, second) = (input_dataset, another_dataset);
    let same = first.dtypes() == second.dtypes();
    ensure!(same, "{first} has elements of {:?}, {second} of {:?}", first.dtypes(), second.dtypes());
    let concatenate = Concatenate([first.clone(), second.clone()]);
    DatasetHandle::new(&env, output_types, output_shapes, concatenate)
}

struct Zip(Vec<DatasetHandle>);

struct ZipIterator(Vec<Elements>);

impl Dataset for Zip {
    fn inputs(&self) -> Vec<&DatasetHandle> {
        self.0.iter().collect()
    }

    fn batch_size(&self, env: Env<'_>) -> Option<usize> {
        common_batch_size(&self.0, env)
    }

    fn cardinality(&self) -> Cardinality {
        let least = |least, next| match (least, next) {
            (Unknown, _) | (_, Unknown) => Unknown,
            (Infinite, other) | (other, Infinite) => other,
            (Known(a), Known(b)) => Known(a.min(b)),
        };
        self.0.iter().map(DatasetHandle::cardinality).fold(Infinite, least)
    }

    fn is_indexed(&self) -> bool {
        self.0.iter().all(DatasetHandle::is_indexed)
    }

    fn at(&self, run: &Run<'_>, position: u64) -> Result<Option<Element>> {
        let mut all = Element::new();
        for input in &self.0 {
            match input.at(run, position)? {
                Some(components) => all.extend(components),
                None => return Ok(None),
            }
        }
        Ok(Some(all))
    }

    fn iterate(&self, run: &Run<'_>) -> Result<Box<dyn DatasetIterator>> {
        let elements = self.0.iter().map(|input| input.iterate(run)).collect::<Result<_>>()?;
        Ok(Box::new(ZipIterator(elements)))
    }
}

impl DatasetIterator for ZipIterator {
    fn next(&mut self, run: &Run<'_>) -> Result<Option<Element>> {
        let mut all = Element::new();
        for elements in &mut self.0 {
            match elements.next(run)? {
                Some(components) => all.extend(components),
                None => return Ok(None),
            }
        }
        Ok(Some(all))
    }

    fn save(&mut self, run: &Run<'_>, to: &mut PositionWriter) -> Result<()> {
        self.0.iter_mut().try_for_each(|elements| elements.save(run, to))
    }

    fn restore(&mut self, run: &Run<'_>, from: &mut PositionReader<'_>) -> Result<()> {
        self.0.iter_mut().try_for_each(|elements| elements.restore(run, from))
    }
}

/// `ZipDataset`.
#[kernel(ZipDataset, device = CPU)]
pub fn zip_dataset_cpu(
    input_datasets: &[Tensor],
    output_types: &[DType],
    output_shapes: &[PartialShape],
    env: Env<'_>,
) -> Result<DatasetHandle> {
    let inputs = datasets(input_datasets, "input_datasets")?;
    DatasetHandle::new(&env, output_types, output_shapes, Zip(inputs))
}

/// The datasets in several inputs.
pub(crate) fn datasets(inputs: &[Tensor], name: &str) -> Result<Vec<DatasetHandle>> {
    let bind = <&DatasetHandle as oplink::params::InputParam>::bind;
    let dataset = |(at, input)| bind(input).cloned().map_err(|error| error.context(format!("input {at} of {name}")));
    inputs.iter().enumerate().map(dataset).collect()
}
