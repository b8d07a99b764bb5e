//! Windows of elements, each a dataset for every component.

use std::collections::VecDeque;
use std::sync::Arc;

use oplink::prelude::*;
use oplink_ops::data::{ExperimentalSlidingWindowDataset, SlidingWindowDataset, WindowDataset};

use crate::batch::stack;
use crate::dataset::{Cardinality, Dataset, DatasetHandle, DatasetIterator, Element, Elements, Run};
use crate::position::{PositionReader, PositionWriter};

/// A dataset of elements that are there.
pub(crate) struct Given(pub(crate) Arc<Vec<Element>>);

struct GivenIterator {
    elements: Arc<Vec<Element>>,
    next: usize,
}

impl Dataset for Given {
    fn inputs(&self) -> Vec<&DatasetHandle> {
        Vec::new()
    }

    fn cardinality(&self) -> Cardinality {
        Cardinality::Known(self.0.len() as u64)
    }

    fn iterate(&self, _: &Run<'_>) -> Result<Box<dyn DatasetIterator>> {
        Ok(Box::new(GivenIterator { elements: self.0.clone(), next: 0 }))
    }
}

impl DatasetIterator for GivenIterator {
    fn next(&mut self, _: &Run<'_>) -> Result<Option<Element>> {
        self.next += 1;
        Ok(self.elements.get(self.next - 1).cloned())
    }

    fn save(&mut self, _: &Run<'_>, to: &mut PositionWriter) -> Result<()> {
        to.put(self.next as i64);
        to.put_elements(self.elements.iter());
        Ok(())
    }

    fn restore(&mut self, _: &Run<'_>, from: &mut PositionReader<'_>) -> Result<()> {
        (self.next, self.elements) = (from.count()? as usize, Arc::new(from.elements()?));
        Ok(())
    }
}

/// Which elements windows have.
#[derive(Clone, Copy)]
struct Windows {
    size: usize,
    shift: usize,
    stride: usize,
    drop_remainder: bool,
}

/// What a window becomes.
#[derive(Clone)]
enum Form {
    /// A dataset for each component, which the node of this name makes.
    Datasets(Arc<str>),
    Batch,
}

struct Window {
    input: DatasetHandle,
    form: Form,
    windows: Windows,
}

struct WindowIterator {
    elements: Elements,
    form: Form,
    windows: Windows,
    kept: VecDeque<Element>,
    /// Elements to leave out before the next window.
    skip: usize,
}

impl Dataset for Window {
    fn inputs(&self) -> Vec<&DatasetHandle> {
        vec![&self.input]
    }

    fn cardinality(&self) -> Cardinality {
        let Cardinality::Known(count) = self.input.cardinality() else { return self.input.cardinality() };
        let Windows { shift, drop_remainder, .. } = self.windows;
        let span = self.windows.span() as u64;
        Cardinality::Known(match drop_remainder {
            true => count.checked_sub(span).map_or(0, |rest| rest / shift as u64 + 1),
            false => count.div_ceil(shift as u64),
        })
    }

    fn iterate(&self, run: &Run<'_>) -> Result<Box<dyn DatasetIterator>> {
        let (elements, form, windows) = (self.input.iterate(run)?, self.form.clone(), self.windows);
        Ok(Box::new(WindowIterator { elements, form, windows, kept: VecDeque::new(), skip: 0 }))
    }
}

impl Windows {
    /// # Errors
    /// A number is not positive.
    fn new([size, shift, stride]: [(&str, i64); 3], drop_remainder: bool) -> Result<Self> {
        let positive = |(name, value): (&str, i64)| {
            ensure!(value > 0, "{name} must be greater than 0, it is {value}");
            Ok::<_, Error>(usize::try_from(value).unwrap_or(usize::MAX))
        };
        Ok(Self { size: positive(size)?, shift: positive(shift)?, stride: positive(stride)?, drop_remainder })
    }

    /// Elements from the first of a window to the last.
    fn span(self) -> usize {
        (self.size - 1).saturating_mul(self.stride).saturating_add(1)
    }
}

impl DatasetIterator for WindowIterator {
    fn next(&mut self, run: &Run<'_>) -> Result<Option<Element>> {
        while self.skip > 0 && self.elements.next(run)?.is_some() {
            self.skip -= 1;
        }
        let span = self.windows.span();
        while self.kept.len() < span {
            let Some(element) = self.elements.next(run)? else { break };
            self.kept.push_back(element);
        }
        if self.kept.is_empty() || (self.windows.drop_remainder && self.kept.len() < span) {
            return Ok(None);
        }
        let window = self.kept.iter().step_by(self.windows.stride).take(self.windows.size);
        let element = match &self.form {
            Form::Batch => stack(run, &window.cloned().collect::<Vec<Element>>()),
            Form::Datasets(node) => datasets(self.elements.dataset(), node, &window.collect::<Vec<&Element>>()),
        }?;
        let dropped = self.windows.shift.min(self.kept.len());
        self.kept.drain(..dropped);
        self.skip = self.windows.shift - dropped;
        Ok(Some(element))
    }

    fn save(&mut self, run: &Run<'_>, to: &mut PositionWriter) -> Result<()> {
        to.put(self.skip as i64);
        to.put_elements(self.kept.iter());
        self.elements.save(run, to)
    }

    fn restore(&mut self, run: &Run<'_>, from: &mut PositionReader<'_>) -> Result<()> {
        (self.skip, self.kept) = (from.count()? as usize, from.elements()?);
        self.elements.restore(run, from)
    }
}

/// A dataset for each component of some elements.
fn datasets(input: &DatasetHandle, node: &str, window: &[&Element]) -> Result<Element> {
    let dataset = |at: usize| {
        let column = window.iter().map(|element| element[at..=at].to_vec()).collect();
        let (dtypes, shapes) = (&input.dtypes()[at..=at], &input.shapes()[at..=at]);
        let dataset = DatasetHandle::named("WindowDataset", node, dtypes, shapes, Given(Arc::new(column)));
        dataset.map(DatasetHandle::into_tensor)
    };
    (0..input.dtypes().len()).map(dataset).collect()
}

/// `WindowDataset`.
#[kernel(WindowDataset, device = CPU)]
pub fn window_dataset_cpu(
    input_dataset: &DatasetHandle,
    size: i64,
    shift: i64,
    stride: i64,
    drop_remainder: bool,
    output_types: &[DType],
    output_shapes: &[PartialShape],
    env: Env<'_>,
) -> Result<DatasetHandle> {
    let windows = Windows::new([("size", size), ("shift", shift), ("stride", stride)], drop_remainder)?;
    let form = Form::Datasets(env.node().name.as_str().into());
    let window = Window { input: input_dataset.clone(), form, windows };
    DatasetHandle::new(&env, output_types, output_shapes, window)
}

fn sliding(
    env: &Env<'_>,
    input_dataset: &DatasetHandle,
    windows: Windows,
    output_types: &[DType],
    output_shapes: &[PartialShape],
) -> Result<DatasetHandle> {
    let window = Window { input: input_dataset.clone(), form: Form::Batch, windows };
    DatasetHandle::new(env, output_types, output_shapes, window)
}

/// `SlidingWindowDataset`.
#[kernel(SlidingWindowDataset, device = CPU)]
pub fn sliding_window_dataset_cpu(
    input_dataset: &DatasetHandle,
    window_size: i64,
    window_shift: i64,
    window_stride: i64,
    drop_remainder: bool,
    output_types: &[DType],
    output_shapes: &[PartialShape],
    env: Env<'_>,
) -> Result<DatasetHandle> {
    let numbers = [("window_size", window_size), ("window_shift", window_shift), ("window_stride", window_stride)];
    sliding(&env, input_dataset, Windows::new(numbers, drop_remainder)?, output_types, output_shapes)
}

/// `ExperimentalSlidingWindowDataset`.
#[kernel(ExperimentalSlidingWindowDataset, device = CPU)]
pub fn experimental_sliding_window_dataset_cpu(
    input_dataset: &DatasetHandle,
    window_size: i64,
    window_shift: i64,
    window_stride: i64,
    output_types: &[DType],
    output_shapes: &[PartialShape],
    env: Env<'_>,
) -> Result<DatasetHandle> {
    let numbers = [("window_size", window_size), ("window_shift", window_shift), ("window_stride", window_stride)];
    sliding(&env, input_dataset, Windows::new(numbers, true)?, output_types, output_shapes)
}
