//! What functions make of the elements that have a key in common.

use std::collections::BTreeMap;
use std::sync::Arc;

use oplink::prelude::*;
use oplink_ops::data::{ExperimentalGroupByReducerDataset, ExperimentalGroupByWindowDataset};
use oplink_ops::data::{GroupByReducerDataset, GroupByWindowDataset};

use crate::dataset::{Cardinality, Dataset, DatasetHandle, DatasetIterator, Element, Elements, Run};
use crate::function::DatasetFunction;
use crate::position::{PositionReader, PositionWriter};
use crate::window::Given;

struct WindowFunctions {
    key: DatasetFunction,
    reduce: DatasetFunction,
    window_size: DatasetFunction,
    node: String,
}

struct GroupByWindow {
    input: DatasetHandle,
    functions: Arc<WindowFunctions>,
}

/// The elements of a key that wait until there are so many.
struct Group {
    size: u64,
    elements: Vec<Element>,
}

/// What the function made of a group, and the group.
struct Open {
    key: i64,
    group: Vec<Element>,
    elements: Elements,
}

struct GroupByWindowIterator {
    input: Elements,
    functions: Arc<WindowFunctions>,
    groups: BTreeMap<i64, Group>,
    open: Option<Open>,
}

impl Dataset for GroupByWindow {
    fn inputs(&self) -> Vec<&DatasetHandle> {
        vec![&self.input]
    }

    fn cardinality(&self) -> Cardinality {
        Cardinality::Unknown
    }

    fn iterate(&self, run: &Run<'_>) -> Result<Box<dyn DatasetIterator>> {
        let (input, functions) = (self.input.iterate(run)?, self.functions.clone());
        Ok(Box::new(GroupByWindowIterator { input, functions, groups: BTreeMap::new(), open: None }))
    }
}

impl GroupByWindowIterator {
    /// The next group that is full, or at the end of the input the first that is left.
    fn next_group(&mut self, run: &Run<'_>) -> Result<Option<(i64, Vec<Element>)>> {
        while let Some(element) = self.input.next(run)? {
            let key = self.functions.key.call_for_scalar(run, element.clone())?;
            let group = match self.groups.get_mut(&key) {
                Some(group) => group,
                None => {
                    let size: i64 = self.functions.window_size.call_for_scalar(run, vec![Tensor::scalar(key)])?;
                    ensure!(size > 0, "the size of windows must be greater than 0, it is {size} for key {key}");
                    self.groups.entry(key).or_insert(Group { size: size as u64, elements: Vec::new() })
                }
            };
            group.elements.push(element);
            if group.elements.len() as u64 == group.size {
                return Ok(self.groups.remove(&key).map(|group| (key, group.elements)));
            }
        }
        Ok(self.groups.pop_first().map(|(key, group)| (key, group.elements)))
    }

    fn open(&self, run: &Run<'_>, key: i64, group: Vec<Element>) -> Result<Open> {
        let input = self.input.dataset();
        let given = Given(Arc::new(group.clone()));
        let (op, node) = ("GroupByWindowDataset", &self.functions.node);
        let elements = DatasetHandle::named(op, node, input.dtypes(), input.shapes(), given)?;
        let arguments = vec![Tensor::scalar(key), elements.into_tensor()];
        let elements = self.functions.reduce.call_for_dataset(run, arguments)?.iterate(run)?;
        Ok(Open { key, group, elements })
    }
}

impl DatasetIterator for GroupByWindowIterator {
    fn next(&mut self, run: &Run<'_>) -> Result<Option<Element>> {
        loop {
            if let Some(open) = &mut self.open {
                if let Some(element) = open.elements.next(run)? {
                    return Ok(Some(element));
                }
                self.open = None;
            }
            let Some((key, group)) = self.next_group(run)? else { return Ok(None) };
            self.open = Some(self.open(run, key, group)?);
        }
    }

    fn save(&mut self, run: &Run<'_>, to: &mut PositionWriter) -> Result<()> {
        to.put(self.groups.len() as i64);
        for (key, group) in &self.groups {
            to.put(*key);
            to.put(group.size as i64);
            to.put_elements(group.elements.iter());
        }
        to.put_flag(self.open.is_some());
        if let Some(open) = &mut self.open {
            to.put(open.key);
            to.put_elements(open.group.iter());
            open.elements.save(run, to)?;
        }
        self.input.save(run, to)
    }

    fn restore(&mut self, run: &Run<'_>, from: &mut PositionReader<'_>) -> Result<()> {
        for _ in 0..from.count()? {
            let (key, size, elements) = (from.number()?, from.count()?, from.elements()?);
            self.groups.insert(key, Group { size, elements });
        }
        if from.flag()? {
            let mut open = self.open(run, from.number()?, from.elements()?)?;
            open.elements.restore(run, from)?;
            self.open = Some(open);
        }
        self.input.restore(run, from)
    }
}

/// `GroupByWindowDataset`.
#[kernel(GroupByWindowDataset, device = CPU)]
#[kernel(ExperimentalGroupByWindowDataset, device = CPU)]
pub fn group_by_window_dataset_cpu(
    input_dataset: &DatasetHandle,
    key_func_other_arguments: &[Tensor],
    reduce_func_other_arguments: &[Tensor],
    window_size_func_other_arguments: &[Tensor],
    key_func: &FuncAttr,
    reduce_func: &FuncAttr,
    window_size_func: &FuncAttr,
    output_types: &[DType],
    output_shapes: &[PartialShape],
    env: Env<'_>,
) -> Result<DatasetHandle> {
    let functions = Arc::new(WindowFunctions {
        key: DatasetFunction::new(key_func, key_func_other_arguments),
        reduce: DatasetFunction::new(reduce_func, reduce_func_other_arguments),
        window_size: DatasetFunction::new(window_size_func, window_size_func_other_arguments),
        node: env.node().name.clone(),
    });
    let group = GroupByWindow { input: input_dataset.clone(), functions };
    DatasetHandle::new(&env, output_types, output_shapes, group)
}

struct ReducerFunctions {
    key: DatasetFunction,
    init: DatasetFunction,
    reduce: DatasetFunction,
    finalize: DatasetFunction,
    dtypes: Vec<DType>,
}

struct GroupByReducer {
    input: DatasetHandle,
    functions: Arc<ReducerFunctions>,
}

struct GroupByReducerIterator {
    input: Elements,
    functions: Arc<ReducerFunctions>,
    states: BTreeMap<i64, Vec<Tensor>>,
}

impl Dataset for GroupByReducer {
    fn inputs(&self) -> Vec<&DatasetHandle> {
        vec![&self.input]
    }

    fn cardinality(&self) -> Cardinality {
        Cardinality::Unknown
    }

    fn iterate(&self, run: &Run<'_>) -> Result<Box<dyn DatasetIterator>> {
        let (input, functions) = (self.input.iterate(run)?, self.functions.clone());
        Ok(Box::new(GroupByReducerIterator { input, functions, states: BTreeMap::new() }))
    }
}

impl DatasetIterator for GroupByReducerIterator {
    fn next(&mut self, run: &Run<'_>) -> Result<Option<Element>> {
        let functions = self.functions.clone();
        while let Some(element) = self.input.next(run)? {
            let key = functions.key.call_for_scalar(run, element.clone())?;
            let mut state = match self.states.remove(&key) {
                Some(state) => state,
                None => functions.init.call(run, vec![Tensor::scalar(key)])?,
            };
            state.extend(element);
            self.states.insert(key, functions.reduce.call(run, state)?);
        }
        let Some((_, state)) = self.states.pop_first() else { return Ok(None) };
        functions.finalize.call_for(run, state, &functions.dtypes).map(Some)
    }

    fn save(&mut self, run: &Run<'_>, to: &mut PositionWriter) -> Result<()> {
        to.put(self.states.len() as i64);
        for (key, state) in &self.states {
            to.put(*key);
            to.put_tensors(state);
        }
        self.input.save(run, to)
    }

    fn restore(&mut self, run: &Run<'_>, from: &mut PositionReader<'_>) -> Result<()> {
        for _ in 0..from.count()? {
            let (key, state) = (from.number()?, from.tensors()?);
            self.states.insert(key, state);
        }
        self.input.restore(run, from)
    }
}

/// `GroupByReducerDataset`.
#[kernel(GroupByReducerDataset, device = CPU)]
#[kernel(ExperimentalGroupByReducerDataset, device = CPU)]
pub fn group_by_reducer_dataset_cpu(
    input_dataset: &DatasetHandle,
    key_func_other_arguments: &[Tensor],
    init_func_other_arguments: &[Tensor],
    reduce_func_other_arguments: &[Tensor],
    finalize_func_other_arguments: &[Tensor],
    key_func: &FuncAttr,
    init_func: &FuncAttr,
    reduce_func: &FuncAttr,
    finalize_func: &FuncAttr,
    output_types: &[DType],
    output_shapes: &[PartialShape],
    env: Env<'_>,
) -> Result<DatasetHandle> {
    let functions = Arc::new(ReducerFunctions {
        key: DatasetFunction::new(key_func, key_func_other_arguments),
        init: DatasetFunction::new(init_func, init_func_other_arguments),
        reduce: DatasetFunction::new(reduce_func, reduce_func_other_arguments),
        finalize: DatasetFunction::new(finalize_func, finalize_func_other_arguments),
        dtypes: output_types.to_vec(),
    });
    let group = GroupByReducer { input: input_dataset.clone(), functions };
    DatasetHandle::new(&env, output_types, output_shapes, group)
}
