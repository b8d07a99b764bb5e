//! What a dataset is, and what gives its elements one after the other.

use std::fmt;
use std::sync::{Arc, OnceLock};

use oplink::params::{InputParam, OutputValue};
use oplink::prelude::*;
use oplink::resource::{Variant, VariantObject};
use oplink::{AttrMap, KernelEnv, NodeInfo, Step};

use crate::position::{PositionReader, PositionWriter};
use crate::statistics::Statistics;

/// The components of an element.
pub type Element = Vec<Tensor>;

/// How many elements a dataset has, as far as it is known without running it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cardinality {
    /// So many.
    Known(u64),
    /// There is no end.
    Infinite,
    /// Nobody can tell.
    Unknown,
}

/// What iterators work in: the step of the run that asks, memory and threads, and where statistics go.
#[derive(Clone, Copy)]
pub struct Run<'a> {
    /// The step.
    pub step: &'a Step,
    /// Memory and threads.
    pub env: &'a dyn KernelEnv,
    /// Whether an iterator asks, of which statistics count the elements.
    pub by_iterator: bool,
    /// Where statistics go, if anywhere.
    pub statistics: Option<&'a Arc<Statistics>>,
}

impl<'a> Run<'a> {
    /// The run of a kernel.
    ///
    /// # Errors
    /// The kernel runs outside of a step.
    pub fn of(env: &'a Env<'a>) -> Result<Self> {
        Ok(Self { step: env.step()?, env, by_iterator: false, statistics: None })
    }

    /// The run of a kernel that asks an iterator for an element.
    ///
    /// # Errors
    /// As [`of`](Self::of).
    pub fn of_iterator(env: &'a Env<'a>) -> Result<Self> {
        Ok(Self { by_iterator: true, ..Self::of(env)? })
    }

    /// # Errors
    /// The step was cancelled.
    pub fn check(&self) -> Result<()> {
        self.step.cancellation().check()
    }
}

/// Elements that can be gone through any number of times, also at once.
pub trait Dataset: Send + Sync {
    /// The datasets whose elements it reads, in the order of the op's inputs; not those that functions make.
    fn inputs(&self) -> Vec<&DatasetHandle>;

    /// The size of its batches, where `ComputeBatchSize` is to know it: of those that it makes, or that its inputs give
    /// and it passes on.
    fn batch_size(&self, _: Env<'_>) -> Option<usize> {
        None
    }

    /// Whether it reads files that could be divided among workers, or its function makes datasets, which may.
    fn may_read_files(&self) -> bool {
        false
    }

    /// Its own options, a message `Options`.
    fn options(&self) -> &[u8] {
        &[]
    }

    /// How many elements there are.
    fn cardinality(&self) -> Cardinality;

    /// Whether its elements are found by their positions, below a number of elements that is known.
    fn is_indexed(&self) -> bool {
        false
    }

    /// The element at a position, where elements are found by them; `None` from the end on.
    ///
    /// # Errors
    /// The element cannot be made; elements are not found by their positions.
    fn at(&self, run: &Run<'_>, position: u64) -> Result<Option<Element>> {
        let _ = run;
        Err(Error::unimplemented(format!("element {position} cannot be made without those before it")))
    }

    /// Starts to go through the elements.
    ///
    /// # Errors
    /// Those of the datasets that it is made of; a function fails.
    fn iterate(&self, run: &Run<'_>) -> Result<Box<dyn DatasetIterator>>;
}

/// A position in a dataset.
pub trait DatasetIterator: Send {
    /// The next element; `None` at the end, after which nobody asks.
    ///
    /// # Errors
    /// The element cannot be made; the next call goes on after it.
    fn next(&mut self, run: &Run<'_>) -> Result<Option<Element>>;

    /// Writes the position.
    ///
    /// # Errors
    /// It cannot be written.
    fn save(&mut self, run: &Run<'_>, to: &mut PositionWriter) -> Result<()>;

    /// Brings a new iterator to a position.
    ///
    /// # Errors
    /// The position is that of another dataset.
    fn restore(&mut self, run: &Run<'_>, from: &mut PositionReader<'_>) -> Result<()>;
}

/// A dataset with the node that made it. What a variant holds.
#[derive(Clone)]
pub struct DatasetHandle(Arc<Made>);

struct Made {
    op: String,
    node: String,
    dtypes: Vec<DType>,
    shapes: Vec<PartialShape>,
    dataset: Box<dyn Dataset>,
    source: OnceLock<Source>,
    /// Datasets behind one another, this one included.
    depth: usize,
}

/// The most datasets behind one another: each is a call within the call of the one before it.
pub const MAX_DEPTH: usize = 1000;

/// What a dataset's node made it of.
pub(crate) struct Source {
    pub(crate) attrs: AttrMap,
    pub(crate) inputs: Vec<Tensor>,
}

impl DatasetHandle {
    /// The dataset that a node makes.
    ///
    /// # Errors
    /// There is not a shape for each dtype.
    pub fn new(
        env: &Env<'_>,
        dtypes: &[DType],
        shapes: &[PartialShape],
        dataset: impl Dataset + 'static,
    ) -> Result<Self> {
        Self::named(&env.node().op.name, &env.node().name, dtypes, shapes, dataset)
    }

    /// As [`new`](Self::new), of an op and a node of these names.
    ///
    /// # Errors
    /// There is not a shape for each dtype; more than [`MAX_DEPTH`] datasets would be behind one another.
    pub fn named(
        op: &str,
        node: &str,
        dtypes: &[DType],
        shapes: &[PartialShape],
        dataset: impl Dataset + 'static,
    ) -> Result<Self> {
        let (of_dtypes, of_shapes) = (dtypes.len(), shapes.len());
        ensure!(
            of_dtypes == of_shapes,
            "attr `output_types` has {of_dtypes} dtypes, `output_shapes` {of_shapes} shapes"
        );
        let depth = 1 + dataset.inputs().into_iter().map(|input| input.0.depth).max().unwrap_or(0);
        if depth > MAX_DEPTH {
            return Err(Error::resource_exhausted(format!(
                "more than {MAX_DEPTH} datasets are behind one another; make fewer of them, by interleaving a dataset of \
                 datasets for example"
            )));
        }
        let (op, node) = (op.to_owned(), node.to_owned());
        let (dtypes, shapes, dataset) = (dtypes.to_vec(), shapes.to_vec(), Box::new(dataset));
        Ok(Self(Arc::new(Made { op, node, dtypes, shapes, dataset, source: OnceLock::new(), depth })))
    }

    /// As a scalar tensor.
    pub fn into_tensor(self) -> Tensor {
        Tensor::scalar(Variant::new(self))
    }

    /// The op that made it.
    pub(crate) fn op(&self) -> &str {
        &self.0.op
    }

    /// What its node made it of; `None` where a kernel made it within another dataset.
    pub(crate) fn source(&self) -> Option<&Source> {
        self.0.source.get()
    }

    /// What tells it from all others that there are.
    pub(crate) fn address(&self) -> usize {
        Arc::as_ptr(&self.0).addr()
    }

    /// Dtypes of the components.
    pub fn dtypes(&self) -> &[DType] {
        &self.0.dtypes
    }

    /// Shapes of the components.
    pub fn shapes(&self) -> &[PartialShape] {
        &self.0.shapes
    }

    /// The dataset itself.
    pub fn dataset(&self) -> &dyn Dataset {
        &*self.0.dataset
    }

    /// The size of its batches, where it is known; see [`Dataset::batch_size`].
    pub fn batch_size(&self, env: Env<'_>) -> Option<usize> {
        env.poll();
        self.0.dataset.batch_size(env)
    }

    /// How many elements there are.
    pub fn cardinality(&self) -> Cardinality {
        self.0.dataset.cardinality()
    }

    /// Whether elements are found by their positions.
    pub fn is_indexed(&self) -> bool {
        self.0.dataset.is_indexed()
    }

    /// The element at a position.
    ///
    /// # Errors
    /// As [`Dataset::at`]; the step was cancelled.
    pub fn at(&self, run: &Run<'_>, position: u64) -> Result<Option<Element>> {
        run.check()?;
        self.0.dataset.at(run, position).map_err(|error| self.locate(error))
    }

    /// Starts to go through the elements.
    ///
    /// # Errors
    /// As [`Dataset::iterate`].
    pub fn iterate(&self, run: &Run<'_>) -> Result<Elements> {
        let iterator = self.0.dataset.iterate(run).map_err(|error| self.locate(error))?;
        Ok(Elements { dataset: self.clone(), iterator: Some(iterator) })
    }

    /// Checks that the dataset has elements of these dtypes and shapes.
    ///
    /// # Errors
    /// It has others.
    pub fn check(&self, dtypes: &[DType], shapes: &[PartialShape]) -> Result<()> {
        let (has, wanted) = (self.dtypes().len(), dtypes.len());
        ensure!(has == wanted, "{self} has elements of {has} components, {wanted} are expected");
        for (at, (has, wanted)) in self.dtypes().iter().zip(dtypes).enumerate() {
            ensure!(has == wanted, "component {at} of the elements of {self} is {has}, {wanted} is expected");
        }
        for (at, (has, wanted)) in self.shapes().iter().zip(shapes).enumerate() {
            let fits = has.is_compatible_with(wanted);
            ensure!(fits, "component {at} of the elements of {self} has shape {has}, {wanted} is expected");
        }
        Ok(())
    }

    /// An error with the dataset that it is of, the innermost one.
    #[cold]
    fn locate(&self, error: Error) -> Error {
        match error.context_lines().iter().any(|line| line.starts_with("in dataset ")) {
            true => error,
            false => error.context(format!("in {self}")),
        }
    }
}

impl fmt::Display for DatasetHandle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "dataset `{}` ({})", self.0.node, self.0.op)
    }
}

impl VariantObject for DatasetHandle {
    fn type_name(&self) -> &'static str {
        "tensorflow::DatasetVariantWrapper"
    }
}

/// The dataset in a scalar.
impl<'a> InputParam<'a> for &'a DatasetHandle {
    type Element = Variant;

    fn bind(input: &'a Tensor) -> Result<Self> {
        let [variant] = input.as_slice::<Variant>()? else {
            bail!("it must be a scalar that holds a dataset, it has shape {}", input.shape())
        };
        let name = variant.type_name();
        variant.get().ok_or_else(|| {
            let held = if name.is_empty() { "nothing".to_owned() } else { format!("`{name}`") };
            Error::invalid_argument(format!("it holds {held}, not a dataset; make one with an op such as RangeDataset"))
        })
    }
}

/// A kernel's output, which keeps what it was made of.
impl OutputValue for DatasetHandle {
    type Element = Variant;

    fn into_output(self) -> Tensor {
        self.into_tensor()
    }

    fn into_output_of(self, node: &NodeInfo, inputs: &[Tensor]) -> Tensor {
        // A kernel may return a dataset that another node made.
        if node.op.name == self.0.op && node.name == self.0.node {
            self.0.source.get_or_init(|| Source { attrs: node.attrs.clone(), inputs: inputs.to_vec() });
        }
        self.into_tensor()
    }
}

/// The elements of a dataset from a position on.
pub struct Elements {
    dataset: DatasetHandle,
    iterator: Option<Box<dyn DatasetIterator>>,
}

impl Elements {
    /// The dataset.
    pub fn dataset(&self) -> &DatasetHandle {
        &self.dataset
    }

    /// The next element; `None` from the end on.
    ///
    /// # Errors
    /// As [`DatasetIterator::next`]; the step was cancelled.
    pub fn next(&mut self, run: &Run<'_>) -> Result<Option<Element>> {
        let Some(iterator) = &mut self.iterator else { return Ok(None) };
        run.check()?;
        let next = iterator.next(run).map_err(|error| self.dataset.locate(error))?;
        if next.is_none() {
            self.iterator = None;
        }
        Ok(next)
    }

    /// Writes the position.
    ///
    /// # Errors
    /// As [`DatasetIterator::save`].
    pub fn save(&mut self, run: &Run<'_>, to: &mut PositionWriter) -> Result<()> {
        to.put_flag(self.iterator.is_some());
        match &mut self.iterator {
            Some(iterator) => iterator.save(run, to).map_err(|error| self.dataset.locate(error)),
            None => Ok(()),
        }
    }

    /// Brings elements that nobody asked for to a position.
    ///
    /// # Errors
    /// As [`DatasetIterator::restore`].
    pub fn restore(&mut self, run: &Run<'_>, from: &mut PositionReader<'_>) -> Result<()> {
        match (from.flag()?, &mut self.iterator) {
            (true, Some(iterator)) => iterator.restore(run, from).map_err(|error| self.dataset.locate(error)),
            _ => {
                self.iterator = None;
                Ok(())
            }
        }
    }
}
