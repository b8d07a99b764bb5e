//! The features of `Example` messages in a dataset's elements, as tensors.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use oplink::prelude::*;
use oplink::resource::Variant;
use oplink_cpu_state::RaggedTensor;
use oplink_cpu_support::example::{Column, FEATURES, Values, collect, features, messages};
use oplink_cpu_support::shown::shown;
use oplink_cpu_support::sparse::HeldTensor;
use oplink_cpu_support::wire::Problem;
use oplink_ops::data::{ExperimentalParseExampleDataset, ParseExampleDataset, ParseExampleDatasetV2};

use crate::ahead::{Ahead, ElementFunction};
use crate::dataset::{Cardinality, Dataset, DatasetHandle, DatasetIterator, Element, Run};
use crate::map::threads;
use crate::statistics::Statistics;
use crate::values::check_element;

/// A dense feature.
struct Dense {
    key: Vec<u8>,
    shape: PartialShape,
    default: Tensor,
}

/// The features that are parsed, and what an element of them is declared as.
#[derive(Default)]
struct Features {
    dense: Vec<Dense>,
    sparse: Vec<(Vec<u8>, DType)>,
    /// Dtypes of values and of splits.
    ragged: Vec<(Vec<u8>, DType, DType)>,
    dtypes: Vec<DType>,
    shapes: Vec<PartialShape>,
    /// The node's name, which tags of statistics begin with.
    node: String,
}

impl Features {
    /// # Errors
    /// A feature cannot be parsed so, or two have one key.
    fn check(&self) -> Result<()> {
        let mut keys = BTreeSet::new();
        for key in self.keys() {
            ensure!(keys.insert(key), "the key {} is given twice", shown(key));
        }
        self.dense_columns().map(drop)?;
        self.sparse_columns().map(drop)?;
        self.ragged_columns().map(drop)
    }

    fn keys(&self) -> impl Iterator<Item = &[u8]> {
        let (sparse, ragged) = (self.sparse.iter().map(|(key, _)| key), self.ragged.iter().map(|(key, ..)| key));
        self.dense.iter().map(|dense| &dense.key).chain(sparse).chain(ragged).map(Vec::as_slice)
    }

    /// Records how many features each example has, and how many values those have that are parsed.
    fn record<'e>(
        &self,
        statistics: &Statistics,
        examples: impl IntoIterator<Item = &'e TString>,
        number: u64,
    ) -> Result<()> {
        let sparse = self.sparse.iter().map(|(key, dtype)| (key, *dtype));
        let ragged = self.ragged.iter().map(|(key, dtype, _)| (key, *dtype));
        let dense = self.dense.iter().map(|dense| (&dense.key, dense.default.dtype()));
        let parsed: Vec<(&Vec<u8>, DType)> = dense.chain(sparse).chain(ragged).collect();
        let [of_features, of_values] =
            ["features_count", "feature_values_count"].map(|what| format!("{}::{what}", self.node).into_bytes());
        for example in examples {
            let (all, values) = counts(example.as_bytes(), &parsed).map_err(Error::invalid_argument)?;
            statistics.add(&of_features, all as f64, number)?;
            statistics.add(&of_values, values as f64, number)?;
        }
        Ok(())
    }

    fn dense_columns(&self) -> Result<Vec<Column<'_>>> {
        self.dense.iter().map(|Dense { key, shape, default }| Column::dense(key, shape, default)).collect()
    }

    fn sparse_columns(&self) -> Result<Vec<Column<'_>>> {
        self.sparse.iter().map(|(key, dtype)| Column::sparse(key, *dtype)).collect()
    }

    fn ragged_columns(&self) -> Result<Vec<Column<'_>>> {
        self.ragged.iter().map(|(key, dtype, _)| Column::sparse(key, *dtype)).collect()
    }
}

/// The components are in the order of their keys: dense tensors, sparse ones as three variants, ragged ones as one.
impl ElementFunction for Features {
    fn apply(&self, run: &Run<'_>, element: Element, number: u64) -> Result<Option<Element>> {
        let examples = element.iter().map(Tensor::as_slice::<TString>).collect::<Result<Vec<_>>>()?;
        let (mut dense, mut sparse, mut ragged) =
            (self.dense_columns()?, self.sparse_columns()?, self.ragged_columns()?);
        let mut columns: [&mut [Column<'_>]; 3] = [&mut dense, &mut sparse, &mut ragged];
        collect(examples.iter().copied().flatten(), &mut columns, &|| run.check())?;
        let mut components: BTreeMap<&[u8], Tensor> = BTreeMap::new();
        for column in dense {
            components.insert(column.key(), column.into_dense(true)?);
        }
        for column in sparse {
            let key = column.key();
            let variants = column.into_sparse(true)?.map(|part| Variant::new(HeldTensor(part)));
            components.insert(key, Tensor::from_vec([3], variants.to_vec())?);
        }
        for (column, (.., splits)) in ragged.into_iter().zip(&self.ragged) {
            let key = column.key();
            let [values, rows] = column.into_ragged(true, *splits)?;
            components.insert(key, Tensor::scalar(Variant::new(RaggedTensor::of_rows(rows, values))));
        }
        let element = components.into_values().collect();
        check_element(&element, &self.dtypes, &self.shapes)?;
        if let Some(statistics) = run.statistics {
            self.record(statistics, examples.into_iter().flatten(), number)?;
        }
        Ok(Some(element))
    }
}

/// The number of an example's features, equal keys counted apart, and of the values of some of them.
fn counts(example: &[u8], parsed: &[(&Vec<u8>, DType)]) -> std::result::Result<(usize, usize), Problem> {
    let mut all = 0;
    for entries in messages(example, FEATURES)? {
        all += messages(entries, 1)?.len();
    }
    let (found, mut count) = (features(example, FEATURES)?, 0);
    for (key, dtype) in parsed {
        let Some(feature) = found.get(key.as_slice()) else { continue };
        let mut values = Values::new(*dtype).map_err(|_| "a feature has the wrong dtype")?;
        values.extend(feature)?;
        count += values.len();
    }
    Ok((all, count))
}

struct Parsed {
    input: DatasetHandle,
    features: Arc<Features>,
    threads: usize,
}

impl Dataset for Parsed {
    fn inputs(&self) -> Vec<&DatasetHandle> {
        vec![&self.input]
    }

    fn cardinality(&self) -> Cardinality {
        self.input.cardinality()
    }

    fn iterate(&self, run: &Run<'_>) -> Result<Box<dyn DatasetIterator>> {
        let threads = if self.threads > 1 { self.threads } else { 0 };
        let limit = threads.saturating_mul(2);
        let elements = Ahead::new(self.input.iterate(run)?, Some(self.features.clone()), limit, threads);
        Ok(Box::new(elements))
    }
}

/// Dense features by their attrs.
fn dense(keys: &[Vec<u8>], shapes: &[PartialShape], defaults: &[Tensor]) -> Result<Vec<Dense>> {
    let (own, of_shapes, count) = (keys.len(), shapes.len(), defaults.len());
    ensure!(own == count, "there are {own} dense_keys for {count} dense_defaults");
    ensure!(of_shapes == count, "there are {of_shapes} dense_shapes for {count} dense_defaults");
    let dense = |((key, shape), default): ((&Vec<u8>, &PartialShape), &Tensor)| Dense {
        key: key.clone(),
        shape: shape.clone(),
        default: default.clone(),
    };
    Ok(keys.iter().zip(shapes).zip(defaults).map(dense).collect())
}

/// Sparse features by their attrs.
fn sparse(keys: &[Vec<u8>], types: &[DType]) -> Result<Vec<(Vec<u8>, DType)>> {
    let (own, count) = (keys.len(), types.len());
    ensure!(own == count, "there are {own} sparse_keys for {count} sparse_types");
    Ok(keys.iter().cloned().zip(types.iter().copied()).collect())
}

/// Ragged features by their attrs.
fn ragged(keys: &[Vec<u8>], values: &[DType], splits: &[DType]) -> Result<Vec<(Vec<u8>, DType, DType)>> {
    let (own, of_values, of_splits) = (keys.len(), values.len(), splits.len());
    let fits = own == of_values && own == of_splits;
    ensure!(fits, "there are {own} ragged_keys for {of_values} ragged_value_types and {of_splits} ragged_split_types");
    Ok(keys.iter().zip(values).zip(splits).map(|((key, &values), &splits)| (key.clone(), values, splits)).collect())
}

fn parsed(env: Env<'_>, input: &DatasetHandle, num_parallel_calls: i64, features: Features) -> Result<DatasetHandle> {
    features.check()?;
    let (threads, components) = (threads(num_parallel_calls, &env)?, features.keys().count());
    let strings = input.dtypes().iter().all(|&dtype| dtype == DType::String);
    ensure!(strings, "{input} has elements of {:?}, they must be strings", input.dtypes());
    let declared = features.dtypes.len();
    ensure!(declared == components, "output_types has {declared} dtypes for {components} features");
    let (dtypes, shapes) = (features.dtypes.clone(), features.shapes.clone());
    let dataset = Parsed { input: input.clone(), features: Arc::new(features), threads };
    DatasetHandle::new(&env, &dtypes, &shapes, dataset)
}

/// `ParseExampleDataset`, and with names for how the order of elements may be kept, `ParseExampleDatasetV2`: elements
/// stay in order.
#[kernel(ParseExampleDataset, device = CPU)]
#[kernel(ParseExampleDatasetV2, device = CPU)]
#[allow(clippy::too_many_arguments, reason = "the op's inputs and attrs by name")]
pub fn parse_example_dataset_cpu(
    input_dataset: &DatasetHandle,
    num_parallel_calls: i64,
    dense_defaults: &[Tensor],
    sparse_keys: &[Vec<u8>],
    dense_keys: &[Vec<u8>],
    sparse_types: &[DType],
    dense_shapes: &[PartialShape],
    ragged_keys: &[Vec<u8>],
    ragged_value_types: &[DType],
    ragged_split_types: &[DType],
    output_types: &[DType],
    output_shapes: &[PartialShape],
    env: Env<'_>,
) -> Result<DatasetHandle> {
    let features = Features {
        dense: dense(dense_keys, dense_shapes, dense_defaults)?,
        sparse: sparse(sparse_keys, sparse_types)?,
        ragged: ragged(ragged_keys, ragged_value_types, ragged_split_types)?,
        dtypes: output_types.to_vec(),
        shapes: output_shapes.to_vec(),
        node: env.node().name.clone(),
    };
    parsed(env, input_dataset, num_parallel_calls, features)
}

/// `ExperimentalParseExampleDataset`.
#[kernel(ExperimentalParseExampleDataset, device = CPU)]
#[allow(clippy::too_many_arguments, reason = "the op's inputs and attrs by name")]
pub fn experimental_parse_example_dataset_cpu(
    input_dataset: &DatasetHandle,
    num_parallel_calls: i64,
    dense_defaults: &[Tensor],
    sparse_keys: &[Vec<u8>],
    dense_keys: &[Vec<u8>],
    sparse_types: &[DType],
    dense_shapes: &[PartialShape],
    output_types: &[DType],
    output_shapes: &[PartialShape],
    env: Env<'_>,
) -> Result<DatasetHandle> {
    let features = Features {
        dense: dense(dense_keys, dense_shapes, dense_defaults)?,
        sparse: sparse(sparse_keys, sparse_types)?,
        dtypes: output_types.to_vec(),
        shapes: output_shapes.to_vec(),
        node: env.node().name.clone(),
        ..Features::default()
    };
    parsed(env, input_dataset, num_parallel_calls, features)
}
