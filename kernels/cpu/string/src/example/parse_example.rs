//! `ParseExample`, `ParseExampleV2`, `ParseSingleExample`: the features of `Example` messages as tensors.
//!
//! Dense features have `dense_shapes[i]`, of which the first extent may be unknown: then rows are filled up with the
//! one element of the default. A missing dense feature takes its default, and without one is an error. Sparse features
//! give the values that there are, by row and position; ragged ones the values and where each row starts, and the end.
//! Of features with one key the last counts.

use oplink::prelude::*;
use oplink_ops::string::{ParseExample, ParseExampleV2, ParseSingleExample};

use oplink_cpu_support::example::{Column, collect};

/// `ParseExample`.
#[kernel(ParseExample, device = CPU)]
#[allow(clippy::too_many_arguments, reason = "the op's inputs, attrs and outputs by name")]
pub fn parse_example_cpu(
    serialized: &Tensor,
    names: &Tensor,
    sparse_keys: &[Tensor],
    dense_keys: &[Tensor],
    dense_defaults: &[Tensor],
    dense_shapes: &[PartialShape],
    sparse_indices: OutputList<'_>,
    sparse_values: OutputList<'_>,
    sparse_shapes: OutputList<'_>,
    dense_values: OutputList<'_>,
    env: Env<'_>,
) -> Result<()> {
    ensure!(serialized.rank() == 1, "serialized must be a vector, its shape is {}", serialized.shape());
    check_names(names, serialized)?;
    let (sparse_keys, dense_keys) = (scalar_keys(sparse_keys)?, scalar_keys(dense_keys)?);
    let slots = Sparse { indices: sparse_indices, values: sparse_values, shapes: sparse_shapes };
    let dense = dense_columns(&dense_keys, dense_shapes, dense_defaults)?;
    parse(serialized, &sparse_keys, dense, slots, dense_values, env)
}

/// `ParseExampleV2`.
#[kernel(ParseExampleV2, device = CPU)]
#[allow(clippy::too_many_arguments, reason = "the op's inputs, attrs and outputs by name")]
pub fn parse_example_v2_cpu(
    serialized: &Tensor,
    names: &Tensor,
    sparse_keys: &Tensor,
    dense_keys: &Tensor,
    ragged_keys: &Tensor,
    dense_defaults: &[Tensor],
    dense_shapes: &[PartialShape],
    sparse_indices: OutputList<'_>,
    sparse_values: OutputList<'_>,
    sparse_shapes: OutputList<'_>,
    dense_values: OutputList<'_>,
    mut ragged_values: OutputList<'_>,
    mut ragged_row_splits: OutputList<'_>,
    env: Env<'_>,
) -> Result<()> {
    ensure!(serialized.rank() <= 1, "serialized must be a vector or a scalar, its shape is {}", serialized.shape());
    check_names(names, serialized)?;
    let (sparse_keys, dense_keys, ragged_keys) = (strings(sparse_keys)?, strings(dense_keys)?, strings(ragged_keys)?);
    let (own, count) = (ragged_keys.len(), ragged_values.len());
    ensure!(own == count, "ragged_keys has {own} keys for {count} ragged_value_types");
    let mut ragged = columns_of(&ragged_keys, &mut ragged_values)?;
    let mut dense = dense_columns(&dense_keys, dense_shapes, dense_defaults)?;
    let mut slots = Sparse { indices: sparse_indices, values: sparse_values, shapes: sparse_shapes };
    let mut sparse = slots.columns(&sparse_keys)?;
    let is_vector = serialized.rank() == 1;
    collect(serialized.as_slice()?, &mut [&mut sparse, &mut dense, &mut ragged], &polled(env))?;
    slots.write(sparse.into_iter().map(|column| column.into_sparse(is_vector)))?;
    write_dense(dense, dense_values, is_vector)?;
    write_ragged(ragged, &mut ragged_values, &mut ragged_row_splits, is_vector)
}

/// `ParseSingleExample`.
#[kernel(ParseSingleExample, device = CPU)]
#[allow(clippy::too_many_arguments, reason = "the op's inputs, attrs and outputs by name")]
pub fn parse_single_example_cpu(
    serialized: &Tensor,
    dense_defaults: &[Tensor],
    sparse_keys: &[Vec<u8>],
    dense_keys: &[Vec<u8>],
    dense_shapes: &[PartialShape],
    sparse_indices: OutputList<'_>,
    sparse_values: OutputList<'_>,
    sparse_shapes: OutputList<'_>,
    dense_values: OutputList<'_>,
    env: Env<'_>,
) -> Result<()> {
    ensure!(serialized.rank() == 0, "serialized must be a scalar, its shape is {}", serialized.shape());
    let slots = Sparse { indices: sparse_indices, values: sparse_values, shapes: sparse_shapes };
    parse(serialized, sparse_keys, dense_columns(dense_keys, dense_shapes, dense_defaults)?, slots, dense_values, env)
}

/// Collects the features and sets the sparse and the dense outputs.
fn parse<'a>(
    serialized: &Tensor,
    sparse_keys: &'a [Vec<u8>],
    mut dense: Vec<Column<'a>>,
    mut slots: Sparse<'_>,
    dense_values: OutputList<'_>,
    env: Env<'_>,
) -> Result<()> {
    let mut sparse = slots.columns(sparse_keys)?;
    let is_vector = serialized.rank() == 1;
    collect(serialized.as_slice()?, &mut [&mut sparse, &mut dense], &polled(env))?;
    slots.write(sparse.into_iter().map(|column| column.into_sparse(is_vector)))?;
    write_dense(dense, dense_values, is_vector)
}

/// Ends the kernel where its step has ended.
fn polled(env: Env<'_>) -> impl Fn() -> Result<()> {
    move || {
        env.poll();
        Ok(())
    }
}

/// The strings of a tensor.
pub(super) fn strings(keys: &Tensor) -> Result<Vec<Vec<u8>>> {
    Ok(keys.as_slice::<TString>()?.iter().map(|key| key.as_bytes().to_vec()).collect())
}

/// The strings of scalars.
pub(super) fn scalar_keys(keys: &[Tensor]) -> Result<Vec<Vec<u8>>> {
    keys.iter().map(|key| crate::strings::scalar(key, "a key").map(<[u8]>::to_vec)).collect()
}

fn check_names(names: &Tensor, serialized: &Tensor) -> Result<()> {
    let fits = names.num_elements() == 0 || names.shape() == serialized.shape();
    ensure!(fits, "names must be empty or of shape {}, its shape is {}", serialized.shape(), names.shape());
    Ok(())
}

/// The outputs of the sparse features.
pub(super) struct Sparse<'a> {
    pub(super) indices: OutputList<'a>,
    pub(super) values: OutputList<'a>,
    pub(super) shapes: OutputList<'a>,
}

impl Sparse<'_> {
    pub(super) fn columns<'k>(&mut self, keys: &'k [Vec<u8>]) -> Result<Vec<Column<'k>>> {
        let (own, count) = (keys.len(), self.values.len());
        ensure!(own == count, "there are {own} sparse_keys for {count} sparse_types");
        columns_of(keys, &mut self.values)
    }

    pub(super) fn write(&mut self, parts: impl Iterator<Item = Result<[Tensor; 3]>>) -> Result<()> {
        let slots = self.indices.iter_mut().zip(self.values.iter_mut()).zip(self.shapes.iter_mut());
        for (parts, ((mut indices, mut values), mut shape)) in parts.zip(slots) {
            let [rows, own, dense_shape] = parts?;
            indices.set(rows);
            values.set(own);
            shape.set(dense_shape);
        }
        Ok(())
    }
}

/// Columns of the dtypes of their outputs.
pub(super) fn columns_of<'k>(keys: &'k [Vec<u8>], values: &mut OutputList<'_>) -> Result<Vec<Column<'k>>> {
    keys.iter().zip(values.iter_mut()).map(|(key, slot)| Column::sparse(key, slot.dtype())).collect()
}

fn dense_columns<'a>(keys: &'a [Vec<u8>], shapes: &[PartialShape], defaults: &'a [Tensor]) -> Result<Vec<Column<'a>>> {
    let (own, count, of_shapes) = (keys.len(), defaults.len(), shapes.len());
    ensure!(own == count, "there are {own} dense_keys for {count} dense_defaults");
    ensure!(of_shapes == count, "there are {of_shapes} dense_shapes for {count} dense_defaults");
    keys.iter().zip(shapes).zip(defaults).map(|((key, shape), default)| Column::dense(key, shape, default)).collect()
}

pub(super) fn write_dense(columns: Vec<Column<'_>>, mut slots: OutputList<'_>, is_vector: bool) -> Result<()> {
    for (column, mut slot) in columns.into_iter().zip(slots.iter_mut()) {
        slot.set(column.into_dense(is_vector)?);
    }
    Ok(())
}

pub(super) fn write_ragged(
    columns: Vec<Column<'_>>,
    values: &mut OutputList<'_>,
    splits: &mut OutputList<'_>,
    is_vector: bool,
) -> Result<()> {
    for ((column, mut values), mut splits) in columns.into_iter().zip(values.iter_mut()).zip(splits.iter_mut()) {
        let [own, starts] = column.into_ragged(is_vector, splits.dtype())?;
        values.set(own);
        splits.set(starts);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::run;
    use oplink_cpu_support::wire::Message;

    /// An example of features of int64.
    fn example(features: &[(&str, &[u8])]) -> TString {
        let feature = |values: &[u8]| {
            let list = Message::default().bytes_unless_empty(1, values).into_bytes();
            Message::default().bytes(3, &list).into_bytes()
        };
        let entries = features
            .iter()
            .map(|(key, values)| Message::default().bytes(1, key.as_bytes()).bytes(2, &feature(values)).into_bytes());
        let features = entries.fold(Message::default(), |message, entry| message.bytes(1, &entry)).into_bytes();
        TString::new(Message::default().bytes(1, &features).into_bytes())
    }

    fn parse(examples: Tensor, shape: PartialShape, default: Tensor) -> Result<Vec<Tensor>> {
        let attrs = [
            ("num_sparse", 1i64.into()),
            ("sparse_types", AttrValue::Types(vec![DType::Int64])),
            ("ragged_value_types", AttrValue::Types(vec![DType::Int64])),
            ("ragged_split_types", AttrValue::Types(vec![DType::Int32])),
            ("dense_shapes", AttrValue::Shapes(vec![shape])),
        ];
        let keys = ["s", "d", "r"].map(|key| Tensor::from([TString::from(key)]));
        let [sparse, dense, ragged] = keys;
        let names = Tensor::from_slice::<TString>(&[]);
        run("ParseExampleV2", &attrs, vec![examples, names, sparse, dense, ragged, default])
    }

    #[test]
    fn features_of_two_examples() {
        let examples = [example(&[("s", &[1, 2]), ("d", &[3, 4]), ("r", &[5])]), example(&[("r", &[6, 7])])];
        let out = parse(examples.into(), PartialShape::new(&[Some(2)]), [8i64, 9].into()).unwrap();
        assert_eq!(out[0].as_slice::<i64>().unwrap(), [0, 0, 0, 1]);
        assert_eq!(out[1].as_slice::<i64>().unwrap(), [1, 2]);
        assert_eq!(out[2].as_slice::<i64>().unwrap(), [2, 2]);
        assert_eq!((out[3].shape().dims(), out[3].as_slice::<i64>().unwrap()), (&[2, 2][..], &[3, 4, 8, 9][..]));
        assert_eq!(out[4].as_slice::<i64>().unwrap(), [5, 6, 7]);
        assert_eq!(out[5].as_slice::<i32>().unwrap(), [0, 1, 3]);
    }

    #[test]
    fn rows_are_filled_up() {
        let examples = [example(&[("d", &[3, 4])]), example(&[])];
        let out = parse(examples.into(), PartialShape::new(&[None]), 7i64.into()).unwrap();
        assert_eq!((out[3].shape().dims(), out[3].as_slice::<i64>().unwrap()), (&[2, 2][..], &[3, 4, 7, 7][..]));
        let out = parse(example(&[("d", &[3])]).into(), PartialShape::new(&[None]), 7i64.into()).unwrap();
        assert_eq!((out[3].shape().dims(), out[5].num_elements()), (&[1][..], 0));
    }

    #[test]
    fn what_does_not_fit_is_an_error() {
        let none = || Tensor::from_slice::<i64>(&[]);
        let scalar = || PartialShape::new(&[]);
        assert!(parse(Tensor::from([example(&[])]), scalar(), none()).is_err());
        assert!(parse(Tensor::from([example(&[("d", &[1, 2])])]), scalar(), none()).is_err());
        assert!(parse(Tensor::from([TString::from("\nx")]), scalar(), 1i64.into()).is_err());
        assert!(parse(Tensor::from([example(&[("d", &[1])])]), scalar(), [1i64, 2].into()).is_err());
        assert!(parse(Tensor::from([example(&[("d", &[1])])]), scalar(), 1.0f32.into()).is_err());
    }
}
