//! The elements of datasets that a function makes, one dataset after the other or several in turn.

use std::sync::Arc;

use oplink::params::InputParam;
use oplink::prelude::*;
use oplink_ops::data::ExperimentalParallelInterleaveDataset;
use oplink_ops::data::{
    FlatMapDataset, InterleaveDataset, LegacyParallelInterleaveDatasetV2, ParallelInterleaveDataset,
    ParallelInterleaveDatasetV2, ParallelInterleaveDatasetV3, ParallelInterleaveDatasetV4,
};

use crate::dataset::{Cardinality, Dataset, DatasetHandle, DatasetIterator, Element, Elements, Run};
use crate::function::DatasetFunction;
use crate::map::threads;
use crate::position::{PositionReader, PositionWriter};

impl DatasetFunction {
    /// Calls it for a dataset.
    ///
    /// # Errors
    /// As [`call`](Self::call); the result is no dataset.
    pub fn call_for_dataset(&self, run: &Run<'_>, arguments: Vec<Tensor>) -> Result<DatasetHandle> {
        let results = self.call(run, arguments)?;
        let [dataset] = &results[..] else { bail!("the function must return a dataset, it returns {}", results.len()) };
        <&DatasetHandle>::bind(dataset).cloned().map_err(|error| error.context("the result of the function"))
    }
}

/// Datasets that are opened before the first element is given, at most.
const MOST_AT_ONCE: usize = 4096;

/// How many datasets give elements in turn, and how many elements each in a turn.
#[derive(Clone, Copy)]
struct Turns {
    cycle_length: usize,
    block_length: u64,
    /// Whether all places are filled at first and a dataset that ends is replaced at once; where it cannot be, the next
    /// place goes on with the turn.
    replace_at_once: bool,
}

struct Interleave {
    input: DatasetHandle,
    function: Arc<DatasetFunction>,
    dtypes: Arc<[DType]>,
    turns: Turns,
}

/// A dataset that gives elements, and the element that it was made of.
struct Open {
    arguments: Element,
    elements: Elements,
}

struct InterleaveIterator {
    input: Option<Elements>,
    function: Arc<DatasetFunction>,
    dtypes: Arc<[DType]>,
    turns: Turns,
    /// The datasets in their places, of which there are as many as were needed so far.
    places: Vec<Option<Open>>,
    /// The place whose turn it is.
    place: usize,
    /// Elements that it gave in this turn.
    given: u64,
}

impl Dataset for Interleave {
    fn inputs(&self) -> Vec<&DatasetHandle> {
        vec![&self.input]
    }

    fn may_read_files(&self) -> bool {
        true
    }

    fn cardinality(&self) -> Cardinality {
        if self.input.cardinality() == Cardinality::Known(0) { Cardinality::Known(0) } else { Cardinality::Unknown }
    }

    fn iterate(&self, run: &Run<'_>) -> Result<Box<dyn DatasetIterator>> {
        let (input, function) = (Some(self.input.iterate(run)?), self.function.clone());
        let (dtypes, turns) = (self.dtypes.clone(), self.turns);
        Ok(Box::new(InterleaveIterator { input, function, dtypes, turns, places: Vec::new(), place: 0, given: 0 }))
    }
}

impl InterleaveIterator {
    /// Begins the turn of the next place.
    fn advance(&mut self) {
        self.given = 0;
        self.next_place();
    }

    fn next_place(&mut self) {
        self.place += 1;
        // Where the input ended there are no more places than were opened.
        let places = if self.input.is_some() { self.turns.cycle_length } else { self.places.len() };
        if self.place >= places {
            self.place = 0;
        }
    }

    fn open(&self, run: &Run<'_>, arguments: Element) -> Result<Open> {
        let dataset = self.function.call_for_dataset(run, arguments.clone())?;
        let same = dataset.dtypes() == &*self.dtypes;
        ensure!(same, "the function made a {dataset} of {:?}, output_types is {:?}", dataset.dtypes(), self.dtypes);
        Ok(Open { arguments, elements: dataset.iterate(run)? })
    }

    /// Opens a dataset at each place, as far as the input goes.
    fn fill_all(&mut self, run: &Run<'_>) -> Result<()> {
        while self.input.is_some() && self.places.len() < self.turns.cycle_length {
            self.place = self.places.len();
            self.fill(run)?;
        }
        self.place = 0;
        Ok(())
    }

    /// Opens a dataset at the place whose turn it is, where the input has one more.
    fn fill(&mut self, run: &Run<'_>) -> Result<()> {
        let Some(input) = &mut self.input else { return Ok(()) };
        let Some(arguments) = input.next(run)? else {
            self.input = None;
            return Ok(());
        };
        let open = Some(self.open(run, arguments)?);
        match self.places.get_mut(self.place) {
            Some(place) => *place = open,
            None => self.places.push(open),
        }
        Ok(())
    }
}

impl DatasetIterator for InterleaveIterator {
    fn next(&mut self, run: &Run<'_>) -> Result<Option<Element>> {
        if self.turns.replace_at_once && self.places.is_empty() {
            self.fill_all(run)?;
        }
        loop {
            run.check()?;
            if let Some(Some(open)) = self.places.get_mut(self.place) {
                if let Some(element) = open.elements.next(run)? {
                    self.given += 1;
                    if self.given == self.turns.block_length {
                        self.advance();
                    }
                    return Ok(Some(element));
                }
                self.places[self.place] = None;
                if self.turns.replace_at_once {
                    self.fill(run)?;
                }
                if self.turns.replace_at_once && self.places[self.place].is_none() {
                    self.next_place();
                } else {
                    self.advance();
                }
            } else if self.input.is_some() {
                self.fill(run)?;
            } else if self.places.iter().all(Option::is_none) {
                return Ok(None);
            } else {
                self.next_place();
            }
        }
    }

    fn save(&mut self, run: &Run<'_>, to: &mut PositionWriter) -> Result<()> {
        to.put(self.place as i64);
        to.put(self.given as i64);
        to.put(self.places.len() as i64);
        for place in &mut self.places {
            to.put_flag(place.is_some());
            if let Some(open) = place {
                to.put_tensors(&open.arguments);
                open.elements.save(run, to)?;
            }
        }
        to.put_optional(run, self.input.as_mut())
    }

    fn restore(&mut self, run: &Run<'_>, from: &mut PositionReader<'_>) -> Result<()> {
        (self.place, self.given) = (from.count()? as usize, from.count()?);
        for _ in 0..from.count()? {
            let mut place = None;
            if from.flag()? {
                let mut open = self.open(run, from.tensors()?)?;
                open.elements.restore(run, from)?;
                place = Some(open);
            }
            self.places.push(place);
        }
        match (from.flag()?, &mut self.input) {
            (true, Some(input)) => input.restore(run, from),
            _ => {
                self.input = None;
                Ok(())
            }
        }
    }
}

/// The inputs and attrs that all these ops have.
struct Declared<'a> {
    input: &'a DatasetHandle,
    function: DatasetFunction,
    output_types: &'a [DType],
    output_shapes: &'a [PartialShape],
}

impl Declared<'_> {
    /// The dataset; a `cycle_length` of -1 stands for the number of threads.
    fn make(self, env: &Env<'_>, cycle_length: i64, block_length: i64, replace_at_once: bool) -> Result<DatasetHandle> {
        let cycle_length = if cycle_length == -1 { env.intra_op_threads() as i64 } else { cycle_length };
        ensure!(cycle_length > 0, "cycle_length must be greater than 0, it is {cycle_length}");
        ensure!(block_length > 0, "block_length must be greater than 0, it is {block_length}");
        let cycle_length = usize::try_from(cycle_length).unwrap_or(usize::MAX);
        let few = cycle_length <= MOST_AT_ONCE || !replace_at_once;
        ensure!(few, "cycle_length is {cycle_length}, at most {MOST_AT_ONCE} datasets are read at once");
        let interleave = Interleave {
            input: self.input.clone(),
            function: Arc::new(self.function),
            dtypes: self.output_types.into(),
            turns: Turns { cycle_length, block_length: block_length as u64, replace_at_once },
        };
        DatasetHandle::new(env, self.output_types, self.output_shapes, interleave)
    }
}

/// `FlatMapDataset`.
#[kernel(FlatMapDataset, device = CPU)]
pub fn flat_map_dataset_cpu(
    input_dataset: &DatasetHandle,
    other_arguments: &[Tensor],
    f: &FuncAttr,
    output_types: &[DType],
    output_shapes: &[PartialShape],
    env: Env<'_>,
) -> Result<DatasetHandle> {
    let function = DatasetFunction::new(f, other_arguments);
    Declared { input: input_dataset, function, output_types, output_shapes }.make(&env, 1, i64::MAX, false)
}

/// `InterleaveDataset`.
#[kernel(InterleaveDataset, device = CPU)]
pub fn interleave_dataset_cpu(
    input_dataset: &DatasetHandle,
    other_arguments: &[Tensor],
    cycle_length: i64,
    block_length: i64,
    f: &FuncAttr,
    output_types: &[DType],
    output_shapes: &[PartialShape],
    env: Env<'_>,
) -> Result<DatasetHandle> {
    let function = DatasetFunction::new(f, other_arguments);
    let declared = Declared { input: input_dataset, function, output_types, output_shapes };
    declared.make(&env, cycle_length, block_length, false)
}

/// `ParallelInterleaveDatasetV2`, `ParallelInterleaveDatasetV3` and `ParallelInterleaveDatasetV4`, in order.
#[kernel(ParallelInterleaveDatasetV2, device = CPU)]
#[kernel(ParallelInterleaveDatasetV3, device = CPU)]
#[kernel(ParallelInterleaveDatasetV4, device = CPU)]
pub fn parallel_interleave_dataset_v2_cpu(
    input_dataset: &DatasetHandle,
    other_arguments: &[Tensor],
    cycle_length: i64,
    block_length: i64,
    num_parallel_calls: i64,
    f: &FuncAttr,
    output_types: &[DType],
    output_shapes: &[PartialShape],
    env: Env<'_>,
) -> Result<DatasetHandle> {
    threads(num_parallel_calls, &env)?;
    let fits = cycle_length == -1 || num_parallel_calls <= cycle_length;
    ensure!(
        fits,
        "num_parallel_calls is {num_parallel_calls}, it must not be above cycle_length, {cycle_length}; or -1"
    );
    let function = DatasetFunction::new(f, other_arguments);
    let declared = Declared { input: input_dataset, function, output_types, output_shapes };
    declared.make(&env, cycle_length, block_length, false)
}

/// `ParallelInterleaveDataset`: in the order of datasets that are always read ahead in time.
#[kernel(ParallelInterleaveDataset, device = CPU)]
#[kernel(LegacyParallelInterleaveDatasetV2, device = CPU)]
#[kernel(ExperimentalParallelInterleaveDataset, device = CPU)]
pub fn parallel_interleave_dataset_cpu(
    input_dataset: &DatasetHandle,
    other_arguments: &[Tensor],
    cycle_length: i64,
    block_length: i64,
    f: &FuncAttr,
    output_types: &[DType],
    output_shapes: &[PartialShape],
    env: Env<'_>,
) -> Result<DatasetHandle> {
    let function = DatasetFunction::new(f, other_arguments);
    let declared = Declared { input: input_dataset, function, output_types, output_shapes };
    declared.make(&env, cycle_length, block_length, true)
}
