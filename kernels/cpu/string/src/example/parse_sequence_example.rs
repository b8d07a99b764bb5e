//! `ParseSequenceExample`, `ParseSequenceExampleV2`, `ParseSingleSequenceExample`: the features and the lists of
//! features of `SequenceExample` messages as tensors.
//!
//! Dense features of the context take their default where they are missing, dense lists are filled up with zeros to the
//! longest one; the ops' declarations say the rest. Of features with one key the last counts.

use std::collections::HashSet;

use oplink::prelude::*;
use oplink_ops::string::{ParseSequenceExample, ParseSequenceExampleV2, ParseSingleSequenceExample};

use super::lists::ListColumn;
use super::parse_example::{Sparse, columns_of, scalar_keys, strings, write_dense, write_ragged};
use crate::strings::shown;
use oplink_cpu_support::example::Column;
use oplink_cpu_support::example::{FEATURE_LISTS, FEATURES, features};

/// `ParseSequenceExample`.
#[kernel(ParseSequenceExample, device = CPU)]
#[allow(clippy::too_many_arguments, reason = "the op's inputs, attrs and outputs by name")]
pub fn parse_sequence_example_cpu(
    serialized: &Tensor,
    debug_name: &Tensor,
    context_dense_defaults: &[Tensor],
    feature_list_dense_missing_assumed_empty: &[Vec<u8>],
    context_sparse_keys: &[Vec<u8>],
    context_dense_keys: &[Vec<u8>],
    feature_list_sparse_keys: &[Vec<u8>],
    feature_list_dense_keys: &[Vec<u8>],
    context_dense_shapes: &[PartialShape],
    feature_list_dense_types: &[DType],
    feature_list_dense_shapes: &[PartialShape],
    context_sparse_indices: OutputList<'_>,
    context_sparse_values: OutputList<'_>,
    context_sparse_shapes: OutputList<'_>,
    context_dense_values: OutputList<'_>,
    feature_list_sparse_indices: OutputList<'_>,
    feature_list_sparse_values: OutputList<'_>,
    feature_list_sparse_shapes: OutputList<'_>,
    feature_list_dense_values: OutputList<'_>,
    feature_list_dense_lengths: OutputList<'_>,
    env: Env<'_>,
) -> Result<()> {
    let is_vector = check_batch(serialized, debug_name)?;
    let missing = feature_list_dense_missing_assumed_empty;
    let may_be_missing: Vec<bool> = feature_list_dense_keys.iter().map(|key| missing.contains(key)).collect();
    let mut context =
        Sparse { indices: context_sparse_indices, values: context_sparse_values, shapes: context_sparse_shapes };
    let mut lists = Sparse {
        indices: feature_list_sparse_indices,
        values: feature_list_sparse_values,
        shapes: feature_list_sparse_shapes,
    };
    let mut columns = Columns {
        sparse: context.columns(context_sparse_keys)?,
        dense: context_dense(context_dense_keys, context_dense_shapes, context_dense_defaults)?,
        ragged: Vec::new(),
        sparse_lists: sparse_lists(feature_list_sparse_keys, &mut lists.values)?,
        dense_lists: dense_lists(
            feature_list_dense_keys,
            feature_list_dense_types,
            feature_list_dense_shapes,
            &may_be_missing,
        )?,
        ragged_lists: Vec::new(),
    };
    columns.check_distinct()?;
    columns.check_defaults(serialized.num_elements(), context_dense_defaults)?;
    columns.collect(serialized.as_slice()?, env)?;
    context.write(columns.sparse.into_iter().map(|column| column.into_sparse(is_vector)))?;
    write_dense(columns.dense, context_dense_values, is_vector)?;
    lists.write(columns.sparse_lists.into_iter().map(|column| column.into_sparse(is_vector)))?;
    write_dense_lists(columns.dense_lists, feature_list_dense_values, Some(feature_list_dense_lengths), is_vector)
}

/// `ParseSequenceExampleV2`.
#[kernel(ParseSequenceExampleV2, device = CPU)]
#[allow(clippy::too_many_arguments, reason = "the op's inputs, attrs and outputs by name")]
pub fn parse_sequence_example_v2_cpu(
    serialized: &Tensor,
    debug_name: &Tensor,
    context_sparse_keys: &Tensor,
    context_dense_keys: &Tensor,
    context_ragged_keys: &Tensor,
    feature_list_sparse_keys: &Tensor,
    feature_list_dense_keys: &Tensor,
    feature_list_ragged_keys: &Tensor,
    feature_list_dense_missing_assumed_empty: &Tensor,
    context_dense_defaults: &[Tensor],
    context_dense_shapes: &[PartialShape],
    feature_list_dense_types: &[DType],
    feature_list_dense_shapes: &[PartialShape],
    context_sparse_indices: OutputList<'_>,
    context_sparse_values: OutputList<'_>,
    context_sparse_shapes: OutputList<'_>,
    context_dense_values: OutputList<'_>,
    mut context_ragged_values: OutputList<'_>,
    mut context_ragged_row_splits: OutputList<'_>,
    feature_list_sparse_indices: OutputList<'_>,
    feature_list_sparse_values: OutputList<'_>,
    feature_list_sparse_shapes: OutputList<'_>,
    feature_list_dense_values: OutputList<'_>,
    feature_list_dense_lengths: OutputList<'_>,
    mut feature_list_ragged_values: OutputList<'_>,
    mut feature_list_ragged_outer_splits: OutputList<'_>,
    mut feature_list_ragged_inner_splits: OutputList<'_>,
    env: Env<'_>,
) -> Result<()> {
    let is_vector = check_batch(serialized, debug_name)?;
    let may_be_missing = feature_list_dense_missing_assumed_empty.as_slice::<bool>()?;
    let [sparse, dense, ragged] = [context_sparse_keys, context_dense_keys, context_ragged_keys].map(strings);
    let (sparse, dense, ragged) = (sparse?, dense?, ragged?);
    let [list_sparse, list_dense, list_ragged] =
        [feature_list_sparse_keys, feature_list_dense_keys, feature_list_ragged_keys].map(strings);
    let (list_sparse, list_dense, list_ragged) = (list_sparse?, list_dense?, list_ragged?);
    let (own, count) = (ragged.len(), context_ragged_values.len());
    ensure!(own == count, "context_ragged_keys has {own} keys for {count} context_ragged_value_types");
    let mut context =
        Sparse { indices: context_sparse_indices, values: context_sparse_values, shapes: context_sparse_shapes };
    let mut lists = Sparse {
        indices: feature_list_sparse_indices,
        values: feature_list_sparse_values,
        shapes: feature_list_sparse_shapes,
    };
    let mut columns = Columns {
        sparse: context.columns(&sparse)?,
        dense: context_dense(&dense, context_dense_shapes, context_dense_defaults)?,
        ragged: columns_of(&ragged, &mut context_ragged_values)?,
        sparse_lists: sparse_lists(&list_sparse, &mut lists.values)?,
        dense_lists: dense_lists(&list_dense, feature_list_dense_types, feature_list_dense_shapes, may_be_missing)?,
        ragged_lists: sparse_lists(&list_ragged, &mut feature_list_ragged_values)?,
    };
    columns.check_distinct()?;
    columns.check_defaults(serialized.num_elements(), context_dense_defaults)?;
    columns.collect(serialized.as_slice()?, env)?;
    context.write(columns.sparse.into_iter().map(|column| column.into_sparse(is_vector)))?;
    write_dense(columns.dense, context_dense_values, is_vector)?;
    write_ragged(columns.ragged, &mut context_ragged_values, &mut context_ragged_row_splits, is_vector)?;
    lists.write(columns.sparse_lists.into_iter().map(|column| column.into_sparse(is_vector)))?;
    write_dense_lists(columns.dense_lists, feature_list_dense_values, Some(feature_list_dense_lengths), is_vector)?;
    let outer = feature_list_ragged_outer_splits.iter_mut();
    let slots = feature_list_ragged_values.iter_mut().zip(outer).zip(feature_list_ragged_inner_splits.iter_mut());
    for (column, ((mut values, mut outer), mut inner)) in columns.ragged_lists.into_iter().zip(slots) {
        let [own, examples, rows] = column.into_ragged(is_vector, outer.dtype())?;
        values.set(own);
        outer.set(examples);
        inner.set(rows);
    }
    Ok(())
}

/// `ParseSingleSequenceExample`.
#[kernel(ParseSingleSequenceExample, device = CPU)]
#[allow(clippy::too_many_arguments, reason = "the op's inputs, attrs and outputs by name")]
pub fn parse_single_sequence_example_cpu(
    serialized: &Tensor,
    feature_list_dense_missing_assumed_empty: &Tensor,
    context_sparse_keys: &[Tensor],
    context_dense_keys: &[Tensor],
    feature_list_sparse_keys: &[Tensor],
    feature_list_dense_keys: &[Tensor],
    context_dense_defaults: &[Tensor],
    debug_name: &Tensor,
    context_dense_shapes: &[PartialShape],
    feature_list_dense_types: &[DType],
    feature_list_dense_shapes: &[PartialShape],
    context_sparse_indices: OutputList<'_>,
    context_sparse_values: OutputList<'_>,
    context_sparse_shapes: OutputList<'_>,
    context_dense_values: OutputList<'_>,
    feature_list_sparse_indices: OutputList<'_>,
    feature_list_sparse_values: OutputList<'_>,
    feature_list_sparse_shapes: OutputList<'_>,
    feature_list_dense_values: OutputList<'_>,
    env: Env<'_>,
) -> Result<()> {
    for (tensor, name) in [(serialized, "serialized"), (debug_name, "debug_name")] {
        ensure!(tensor.rank() == 0, "{name} must be a scalar, its shape is {}", tensor.shape());
    }
    let missing = feature_list_dense_missing_assumed_empty;
    let what = "feature_list_dense_missing_assumed_empty";
    ensure!(missing.rank() == 1, "{what} must be a vector, its shape is {}", missing.shape());
    let missing = strings(missing)?;
    let [sparse, dense] = [context_sparse_keys, context_dense_keys].map(scalar_keys);
    let [list_sparse, list_dense] = [feature_list_sparse_keys, feature_list_dense_keys].map(scalar_keys);
    let (sparse, dense, list_sparse, list_dense) = (sparse?, dense?, list_sparse?, list_dense?);
    let may_be_missing: Vec<bool> = list_dense.iter().map(|key| missing.contains(key)).collect();
    let mut context =
        Sparse { indices: context_sparse_indices, values: context_sparse_values, shapes: context_sparse_shapes };
    let mut lists = Sparse {
        indices: feature_list_sparse_indices,
        values: feature_list_sparse_values,
        shapes: feature_list_sparse_shapes,
    };
    let mut columns = Columns {
        sparse: context.columns(&sparse)?,
        dense: context_dense(&dense, context_dense_shapes, context_dense_defaults)?,
        ragged: Vec::new(),
        sparse_lists: sparse_lists(&list_sparse, &mut lists.values)?,
        dense_lists: dense_lists(&list_dense, feature_list_dense_types, feature_list_dense_shapes, &may_be_missing)?,
        ragged_lists: Vec::new(),
    };
    columns.collect(serialized.as_slice()?, env)?;
    context.write(columns.sparse.into_iter().map(|column| column.into_sparse(false)))?;
    write_dense(columns.dense, context_dense_values, false)?;
    lists.write(columns.sparse_lists.into_iter().map(|column| column.into_sparse(false)))?;
    write_dense_lists(columns.dense_lists, feature_list_dense_values, None, false)
}

/// Whether there is a vector of sequences.
fn check_batch(serialized: &Tensor, names: &Tensor) -> Result<bool> {
    ensure!(serialized.rank() <= 1, "serialized must be a vector or a scalar, its shape is {}", serialized.shape());
    let (own, count) = (names.num_elements(), serialized.num_elements());
    ensure!(own == 0 || own == count, "debug_name has {own} names for {count} examples");
    Ok(serialized.rank() == 1)
}

/// The features and the lists of features.
struct Columns<'a> {
    sparse: Vec<Column<'a>>,
    dense: Vec<Column<'a>>,
    ragged: Vec<Column<'a>>,
    sparse_lists: Vec<ListColumn<'a>>,
    dense_lists: Vec<ListColumn<'a>>,
    ragged_lists: Vec<ListColumn<'a>>,
}

impl Columns<'_> {
    /// An error where two kinds of features, or of lists, have a key in common.
    fn check_distinct(&self) -> Result<()> {
        fn check(kinds: [Vec<&[u8]>; 3], what: &str) -> Result<()> {
            let mut seen = HashSet::new();
            for keys in kinds {
                let repeated = keys.iter().find(|key| seen.contains(*key));
                ensure!(repeated.is_none(), "{what} {} is of two kinds", shown(repeated.unwrap_or(&&[][..])));
                seen.extend(keys);
            }
            Ok(())
        }
        let keys = |columns: &[Column<'_>]| columns.iter().map(Column::key).map(<[u8]>::to_vec).collect::<Vec<_>>();
        let list_keys = |columns: &[ListColumn<'_>]| columns.iter().map(|c| c.key().to_vec()).collect::<Vec<_>>();
        let context = [&self.sparse, &self.ragged, &self.dense].map(|columns| keys(columns));
        let lists = [&self.sparse_lists, &self.ragged_lists, &self.dense_lists].map(|columns| list_keys(columns));
        check(context.each_ref().map(|keys| keys.iter().map(Vec::as_slice).collect()), "the context's feature")?;
        check(lists.each_ref().map(|keys| keys.iter().map(Vec::as_slice).collect()), "the feature list")
    }

    /// An error where there is no example, so that a dense feature without a default has no values.
    fn check_defaults(&self, examples: usize, defaults: &[Tensor]) -> Result<()> {
        let open = self
            .dense
            .iter()
            .zip(defaults)
            .find(|(column, default)| examples == 0 && default.num_elements() == 0 && column.has_elements());
        match open {
            Some((column, _)) => {
                bail!("the context's feature {} has neither values nor a default", shown(column.key()))
            }
            None => Ok(()),
        }
    }

    /// Collects the features of all sequences.
    fn collect(&mut self, sequences: &[TString], env: Env<'_>) -> Result<()> {
        for (number, sequence) in env.watch(sequences.iter().enumerate()) {
            let invalid = |why| Error::invalid_argument(format!("example {number} cannot be parsed: {why}"));
            let context = features(sequence.as_bytes(), FEATURES).map_err(invalid)?;
            for column in self.sparse.iter_mut().chain(&mut self.dense).chain(&mut self.ragged) {
                column.add(context.get(column.key()), number)?;
            }
            let lists = features(sequence.as_bytes(), FEATURE_LISTS).map_err(invalid)?;
            for column in self.sparse_lists.iter_mut().chain(&mut self.dense_lists).chain(&mut self.ragged_lists) {
                column.add(lists.get(column.key()), number)?;
            }
        }
        Ok(())
    }
}

fn context_dense<'a>(keys: &'a [Vec<u8>], shapes: &[PartialShape], defaults: &'a [Tensor]) -> Result<Vec<Column<'a>>> {
    let (own, count, of_shapes) = (keys.len(), defaults.len(), shapes.len());
    ensure!(own == count, "there are {own} context_dense_keys for {count} context_dense_defaults");
    ensure!(of_shapes == count, "there are {of_shapes} context_dense_shapes for {count} context_dense_defaults");
    let columns = keys.iter().zip(shapes).zip(defaults);
    columns.map(|((key, shape), default)| Column::of_context(key, shape, default)).collect()
}

fn sparse_lists<'a>(keys: &'a [Vec<u8>], values: &mut OutputList<'_>) -> Result<Vec<ListColumn<'a>>> {
    let (own, count) = (keys.len(), values.len());
    ensure!(own == count, "there are {own} keys for {count} dtypes of sparse or ragged feature lists");
    keys.iter().zip(values.iter_mut()).map(|(key, slot)| ListColumn::sparse(key, slot.dtype())).collect()
}

fn dense_lists<'a>(
    keys: &'a [Vec<u8>],
    types: &[DType],
    shapes: &[PartialShape],
    may_be_missing: &[bool],
) -> Result<Vec<ListColumn<'a>>> {
    let (own, count) = (keys.len(), types.len());
    let fits = own == count && shapes.len() == count && may_be_missing.len() == count;
    ensure!(
        fits,
        "{own} feature_list_dense_keys and {} values of feature_list_dense_missing_assumed_empty do not fit {count} \
         feature_list_dense_types and {} feature_list_dense_shapes",
        may_be_missing.len(),
        shapes.len()
    );
    let columns = keys.iter().zip(types).zip(shapes).zip(may_be_missing);
    columns.map(|(((key, &dtype), shape), &missing)| ListColumn::dense(key, dtype, shape, missing)).collect()
}

fn write_dense_lists(
    columns: Vec<ListColumn<'_>>,
    mut values: OutputList<'_>,
    mut lengths: Option<OutputList<'_>>,
    is_vector: bool,
) -> Result<()> {
    for (at, column) in columns.into_iter().enumerate() {
        let [own, rows] = column.into_dense(is_vector)?;
        values.set(at, own);
        if let Some(lengths) = &mut lengths {
            lengths.set(at, rows);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::run;
    use oplink_cpu_support::wire::Message;

    /// The entry of a map from a key to a message.
    fn entry(key: &str, value: &[u8]) -> Vec<u8> {
        Message::default().bytes(1, key.as_bytes()).bytes(2, value).into_bytes()
    }

    /// A feature of int64.
    fn feature(values: &[u8]) -> Vec<u8> {
        Message::default().bytes(3, &Message::default().bytes_unless_empty(1, values).into_bytes()).into_bytes()
    }

    /// A sequence with the context's feature `c` and the list `l`.
    fn sequence(context: &[u8], rows: &[&[u8]]) -> TString {
        let list = rows.iter().fold(Message::default(), |list, row| list.bytes(1, &feature(row))).into_bytes();
        let context = Message::default().bytes(1, &entry("c", &feature(context))).into_bytes();
        let lists = Message::default().bytes(1, &entry("l", &list)).into_bytes();
        TString::new(Message::default().bytes(1, &context).bytes(2, &lists).into_bytes())
    }

    fn parse(sequences: Tensor, dense: bool) -> Result<Vec<Tensor>> {
        let key = |key: &str, taken: bool| Tensor::from(if taken { vec![TString::from(key)] } else { Vec::new() });
        let types = |taken: bool| AttrValue::Types(if taken { vec![DType::Int64] } else { Vec::new() });
        let attrs = [
            ("Nfeature_list_sparse", i64::from(!dense).into()),
            ("Nfeature_list_dense", i64::from(dense).into()),
            ("feature_list_sparse_types", types(!dense)),
            ("feature_list_dense_types", types(dense)),
            ("feature_list_dense_shapes", AttrValue::Shapes(vec![PartialShape::new(&[Some(2)]); usize::from(dense)])),
            ("context_ragged_value_types", types(true)),
            ("context_ragged_split_types", types(true)),
        ];
        let none = || key("", false);
        let missing = Tensor::from(vec![false; usize::from(dense)]);
        let inputs =
            vec![sequences, none(), none(), none(), key("c", true), key("l", !dense), key("l", dense), none(), missing];
        run("ParseSequenceExampleV2", &attrs, inputs)
    }

    #[test]
    fn features_and_lists() {
        let sequences = || Tensor::from([sequence(&[7], &[&[1, 2]]), sequence(&[8, 9], &[&[3, 4], &[5, 6]])]);
        let out = parse(sequences(), true).unwrap();
        assert_eq!(out[0].as_slice::<i64>().unwrap(), [7, 8, 9]);
        assert_eq!(out[1].as_slice::<i64>().unwrap(), [0, 1, 3]);
        assert_eq!(out[2].shape().dims(), [2, 2, 2]);
        assert_eq!(out[2].as_slice::<i64>().unwrap(), [1, 2, 0, 0, 3, 4, 5, 6]);
        assert_eq!(out[3].as_slice::<i64>().unwrap(), [1, 2]);
        let out = parse(sequences(), false).unwrap();
        assert_eq!(out[2].as_slice::<i64>().unwrap(), [0, 0, 0, 0, 0, 1, 1, 0, 0, 1, 0, 1, 1, 1, 0, 1, 1, 1]);
        assert_eq!(out[4].as_slice::<i64>().unwrap(), [2, 2, 2]);
    }

    #[test]
    fn what_does_not_fit_is_an_error() {
        assert!(parse(Tensor::from([sequence(&[], &[&[1]])]), true).is_err());
        assert!(parse(Tensor::from([TString::from("")]), true).is_err());
        assert!(parse(Tensor::from([TString::from("\x12\x05x")]), true).is_err());
        assert!(parse(Tensor::from_vec([1, 1], vec![sequence(&[], &[])]).unwrap(), true).is_err());
    }
}
