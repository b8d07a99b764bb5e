//! Datasets as graphs: written, read and told apart by a fingerprint.

use std::collections::HashMap;
use std::sync::Arc;

use oplink::function::{FunctionLibrary, WriteOptions, WrittenNode};
use oplink::log::warn;
use oplink::params::InputParam;
use oplink::prelude::*;
use oplink::{AttrMap, AttrValue, Op};
use oplink_cpu_support::fingerprint::fingerprint64;
use oplink_ops::array::{Assert, Const};
use oplink_ops::data::{DatasetFingerprint, DatasetFromGraph, DatasetToGraph, DatasetToGraphV2};
use oplink_ops::state::{LookupTableFindV2, LookupTableSizeV2};
use oplink_ops::string::{Print, PrintV2};

use crate::dataset::{Cardinality, Dataset, DatasetHandle, DatasetIterator, Element, Elements, Run, Source};
use crate::position::{PositionReader, PositionWriter};
use crate::seeds::op_of_dummy;

/// Stateful ops whose effects and states a pipeline may have anywhere, as in TensorFlow.
const HARMLESS: [&str; 5] =
    [Assert::NAME, Print::NAME, PrintV2::NAME, LookupTableFindV2::NAME, LookupTableSizeV2::NAME];
/// The attr with a text for tools, which says nothing of the elements.
const METADATA: &str = "metadata";

/// What becomes of functions with effects.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Effects {
    Named,
    Ignored,
    Refused,
}

/// The nodes of a graph that makes a dataset.
#[derive(Default)]
struct DatasetGraph<'a> {
    nodes: Vec<WrittenNode<'a>>,
    /// The nodes of datasets, by the datasets' addresses.
    known: HashMap<usize, usize>,
    /// The functions that the attrs name.
    functions: Vec<&'a str>,
    /// Whether texts for tools are left out.
    is_bare: bool,
}

impl<'a> DatasetGraph<'a> {
    fn push(&mut self, op: &'a str, attrs: AttrMap, inputs: Vec<usize>) -> usize {
        self.nodes.push(WrittenNode { op, attrs, inputs });
        self.nodes.len() - 1
    }

    /// The position of the node that makes the dataset.
    fn add(&mut self, dataset: &'a DatasetHandle) -> Result<usize> {
        if let Some(&known) = self.known.get(&dataset.address()) {
            return Ok(known);
        }
        let Some(Source { attrs, inputs }) = dataset.source() else {
            return Err(Error::unimplemented(format!(
                "{dataset} has no graph: it is an element of another dataset, or was made to have none"
            )));
        };
        let inputs = inputs.iter().enumerate().map(|(at, input)| {
            self.add_input(input).map_err(|error| error.context(format!("input {at} of {dataset}")))
        });
        let inputs = inputs.collect::<Result<_>>()?;
        for (_, value) in attrs.iter() {
            match value {
                AttrValue::Func(function) => self.functions.push(&function.name),
                AttrValue::Funcs(functions) => self.functions.extend(functions.iter().map(|it| it.name.as_str())),
                _ => {}
            }
        }
        let kept = attrs.iter().filter(|&(name, _)| !self.is_bare || name != METADATA);
        let attrs = kept.map(|(name, value)| (name, value.clone())).collect();
        let node = self.push(dataset.op(), attrs, inputs);
        self.known.insert(dataset.address(), node);
        Ok(node)
    }

    fn add_input(&mut self, input: &'a Tensor) -> Result<usize> {
        match input.dtype() {
            DType::Variant => match <&DatasetHandle>::bind(input) {
                Ok(dataset) => self.add(dataset),
                Err(error) => Err(Error::unimplemented(format!("graphs hold no variants but datasets: {error}"))),
            },
            DType::Resource => {
                let handle = input.to_scalar::<ResourceHandle>()?;
                let op = op_of_dummy(&handle).ok_or_else(|| {
                    let message = format!("{handle} is a resource, whose state is no part of a graph");
                    Error::new(Code::FailedPrecondition, ErrorKind::InvalidArgument, message)
                })?;
                Ok(self.push(op, AttrMap::new(), Vec::new()))
            }
            dtype => {
                let attrs = [("dtype", AttrValue::Type(dtype)), ("value", AttrValue::Tensor(input.clone()))];
                Ok(self.push(Const::NAME, attrs.into_iter().collect(), Vec::new()))
            }
        }
    }

    /// # Errors
    /// A function has effects that are refused.
    fn check_effects(&self, functions: &dyn FunctionLibrary, effects: Effects) -> Result<()> {
        if effects == Effects::Ignored {
            return Ok(());
        }
        for function in &self.functions {
            let ops = functions.stateful_ops(function)?;
            let Some(op) = ops.iter().find(|op| !HARMLESS.contains(&op.as_str())) else { continue };
            let message = format!(
                "function `{function}` has a node of the op {op}, which is stateful: its state is no part of the graph"
            );
            match effects {
                Effects::Refused => {
                    return Err(Error::new(Code::FailedPrecondition, ErrorKind::InvalidArgument, message));
                }
                _ => warn(&message),
            }
        }
        Ok(())
    }
}

fn written(dataset: &DatasetHandle, effects: Effects, strips_devices: bool, env: &Env<'_>) -> Result<TString> {
    let functions = env.step()?.functions()?;
    let mut graph = DatasetGraph::default();
    graph.add(dataset)?;
    graph.check_effects(&**functions, effects)?;
    let options = WriteOptions { strips_devices, ..WriteOptions::default() };
    functions.write_graph(&graph.nodes, options).map(TString::new)
}

/// The fingerprint of `DatasetFingerprint`.
///
/// # Errors
/// The dataset has no graph.
pub(crate) fn fingerprint(dataset: &DatasetHandle, env: &Env<'_>) -> Result<u64> {
    let mut graph = DatasetGraph { is_bare: true, ..DatasetGraph::default() };
    graph.add(dataset)?;
    let options = WriteOptions { numbers_functions: true, strips_devices: true };
    let bytes = env.step()?.functions()?.write_graph(&graph.nodes, options)?;
    Ok(fingerprint64(&bytes))
}

/// `DatasetToGraph`.
#[kernel(DatasetToGraph, device = CPU)]
pub fn dataset_to_graph_cpu(
    input_dataset: &DatasetHandle,
    allow_stateful: bool,
    strip_device_assignment: bool,
    env: Env<'_>,
) -> Result<TString> {
    let effects = if allow_stateful { Effects::Named } else { Effects::Refused };
    written(input_dataset, effects, strip_device_assignment, &env)
}

/// `DatasetToGraphV2`.
#[kernel(DatasetToGraphV2, device = CPU)]
pub fn dataset_to_graph_v2_cpu(
    input_dataset: &DatasetHandle,
    external_state_policy: i64,
    strip_device_assignment: bool,
    env: Env<'_>,
) -> Result<TString> {
    let effects = match external_state_policy {
        0 => Effects::Named,
        2 => Effects::Refused,
        _ => Effects::Ignored,
    };
    written(input_dataset, effects, strip_device_assignment, &env)
}

/// `DatasetFingerprint`.
#[kernel(DatasetFingerprint, device = CPU)]
pub fn dataset_fingerprint_cpu(input_dataset: &DatasetHandle, env: Env<'_>) -> Result<u64> {
    fingerprint(input_dataset, &env)
}

/// The dataset of a graph, which calls the graph's functions.
struct OfGraph {
    dataset: DatasetHandle,
    functions: Arc<dyn FunctionLibrary>,
}

struct OfGraphIterator {
    elements: Elements,
    functions: Arc<dyn FunctionLibrary>,
}

impl OfGraph {
    /// What runs in the step with the graph's functions in the place of its own.
    fn within<R>(functions: &Arc<dyn FunctionLibrary>, run: &Run<'_>, work: impl FnOnce(&Run<'_>) -> R) -> R {
        let step = run.step.with_functions(functions.clone());
        work(&Run { step: &step, ..*run })
    }
}

impl Dataset for OfGraph {
    fn inputs(&self) -> Vec<&DatasetHandle> {
        vec![&self.dataset]
    }

    fn batch_size(&self, env: Env<'_>) -> Option<usize> {
        self.dataset.batch_size(env)
    }

    fn cardinality(&self) -> Cardinality {
        self.dataset.cardinality()
    }

    fn is_indexed(&self) -> bool {
        self.dataset.is_indexed()
    }

    fn at(&self, run: &Run<'_>, position: u64) -> Result<Option<Element>> {
        Self::within(&self.functions, run, |run| self.dataset.at(run, position))
    }

    fn iterate(&self, run: &Run<'_>) -> Result<Box<dyn DatasetIterator>> {
        let elements = Self::within(&self.functions, run, |run| self.dataset.iterate(run))?;
        Ok(Box::new(OfGraphIterator { elements, functions: self.functions.clone() }))
    }
}

impl DatasetIterator for OfGraphIterator {
    fn next(&mut self, run: &Run<'_>) -> Result<Option<Element>> {
        OfGraph::within(&self.functions, run, |run| self.elements.next(run))
    }

    fn save(&mut self, run: &Run<'_>, to: &mut PositionWriter) -> Result<()> {
        OfGraph::within(&self.functions, run, |run| self.elements.save(run, to))
    }

    fn restore(&mut self, run: &Run<'_>, from: &mut PositionReader<'_>) -> Result<()> {
        OfGraph::within(&self.functions, run, |run| self.elements.restore(run, from))
    }
}

/// `DatasetFromGraph`.
#[kernel(DatasetFromGraph, device = CPU)]
pub fn dataset_from_graph_cpu(graph_def: TString, env: Env<'_>) -> Result<DatasetHandle> {
    let step = env.step()?;
    let read = step.functions()?.read_graph(graph_def.as_bytes(), step.cancellation())?;
    let mut results = Vec::new();
    read.root.call(&step.with_functions(read.functions.clone()), &mut std::iter::empty(), &mut results)?;
    let [result] = &results[..] else { bail!("the graph has {} results, it must have one: a dataset", results.len()) };
    ensure!(
        result.dtype() == DType::Variant,
        "the graph's result is a {} tensor, it must be a dataset",
        result.dtype()
    );
    ensure!(result.num_elements() == 1, "the graph's result has shape {}, a dataset is a scalar", result.shape());
    let dataset = <&DatasetHandle>::bind(result).map_err(|error| error.context("the graph's result"))?.clone();
    let (dtypes, shapes) = (dataset.dtypes().to_vec(), dataset.shapes().to_vec());
    DatasetHandle::new(&env, &dtypes, &shapes, OfGraph { dataset, functions: read.functions })
}
