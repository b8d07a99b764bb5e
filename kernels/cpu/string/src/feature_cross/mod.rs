//! `SparseCross`, `SparseCrossV2`, `SparseCrossHashed`, `RaggedCross`: the crosses of the features of each row, as
//! strings or as hashes.
//!
//! Of a sparse column values are taken row by row in their order: in `SparseCross` those that follow each other with
//! the row's index, in `RaggedCross` those up to the first one with a greater index.

mod columns;

use oplink::memory::try_vec;
use oplink::prelude::*;
use oplink_ops::string::{RaggedCross, SparseCross, SparseCrossHashed, SparseCrossV2};
use siphasher::sip::SipHasher24;

use super::strings::scalar;
use columns::{Column, Crosses, Features};
use oplink_cpu_support::fingerprint::{fingerprint_cat64, fingerprint64};

/// What stands between features where the op has no separator of its own.
const SEPARATOR: &[u8] = b"_X_";

/// `SparseCross` as strings and as hashes.
#[kernel(SparseCross, device = CPU, out_type = any, internal_type = any)]
#[allow(clippy::too_many_arguments, reason = "the op's inputs, attrs and outputs by name")]
pub fn sparse_cross_cpu(
    indices: &[Tensor],
    values: &[Tensor],
    shapes: &[Tensor],
    dense_inputs: &[Tensor],
    num_buckets: i64,
    hash_key: i64,
    internal_type: DType,
    output_indices: OutputSlot<'_>,
    output_values: OutputSlot<'_>,
    output_shape: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let columns = sparse_columns(indices, values, shapes, dense_inputs)?;
    let mixed = internal_type == DType::String && columns.iter().any(Column::is_ints);
    ensure!(!mixed, "internal_type is string, but there are columns of int64");
    let crosses = Crosses::new(&columns)?;
    let hash = HashOf { start: Some(hash_key as u64), buckets: num_buckets, feature: &plain_hash };
    write_values(&columns, &crosses, SEPARATOR, &hash, output_values, env)?;
    write_places(&crosses, output_indices, output_shape)
}

/// `SparseCrossV2`.
#[kernel(SparseCrossV2, device = CPU)]
#[allow(clippy::too_many_arguments, reason = "the op's inputs and outputs by name")]
pub fn sparse_cross_v2_cpu(
    indices: &[Tensor],
    values: &[Tensor],
    shapes: &[Tensor],
    dense_inputs: &[Tensor],
    sep: &Tensor,
    output_indices: OutputSlot<'_>,
    mut output_values: OutputSlot<'_>,
    output_shape: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let columns = sparse_columns(indices, values, shapes, dense_inputs)?;
    let crosses = Crosses::new(&columns)?;
    output_values.set(strings(&columns, &crosses, scalar(sep, "sep")?, env)?);
    write_places(&crosses, output_indices, output_shape)
}

/// `SparseCrossHashed`.
#[kernel(SparseCrossHashed, device = CPU)]
#[allow(clippy::too_many_arguments, reason = "the op's inputs and outputs by name")]
pub fn sparse_cross_hashed_cpu(
    indices: &[Tensor],
    values: &[Tensor],
    shapes: &[Tensor],
    dense_inputs: &[Tensor],
    num_buckets: &Tensor,
    strong_hash: &Tensor,
    salt: &Tensor,
    output_indices: OutputSlot<'_>,
    mut output_values: OutputSlot<'_>,
    output_shape: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let columns = sparse_columns(indices, values, shapes, dense_inputs)?;
    let buckets = oplink_ops::arguments::scalar(num_buckets, "num_buckets")?;
    ensure!(strong_hash.rank() == 0, "strong_hash must be a scalar, its shape is {}", strong_hash.shape());
    let &[low, high] = salt.as_slice::<i64>()? else {
        bail!("salt must have 2 elements, its shape is {}", salt.shape())
    };
    let crosses = Crosses::new(&columns)?;
    let hash = if strong_hash.to_scalar::<bool>()? {
        let ints = columns.iter().any(Column::is_ints);
        ensure!(!ints, "strong_hash is for columns of strings, one is of int64: convert it with AsString");
        let hasher = SipHasher24::new_with_keys(low as u64, high as u64);
        let feature = |column: &Column<'_>, at: usize| match column.features {
            Features::Strings(strings) => hasher.hash(strings[at].as_bytes()),
            Features::Ints(ints) => ints[at] as u64,
        };
        HashOf { start: None, buckets, feature: &feature }.all(&columns, &crosses, env)?
    } else {
        HashOf { start: None, buckets, feature: &salted_hash }.all(&columns, &crosses, env)?
    };
    output_values.set(hash);
    write_places(&crosses, output_indices, output_shape)
}

/// `RaggedCross` as strings and as hashes.
#[kernel(RaggedCross, device = CPU, out_values_type = any, out_row_splits_type = any)]
#[allow(clippy::too_many_arguments, reason = "the op's inputs, attrs and outputs by name")]
pub fn ragged_cross_cpu(
    ragged_values: &[Tensor],
    ragged_row_splits: &[Tensor],
    sparse_indices: &[Tensor],
    sparse_values: &[Tensor],
    sparse_shape: &[Tensor],
    dense_inputs: &[Tensor],
    input_order: &[u8],
    num_buckets: i64,
    hash_key: i64,
    output_values: OutputSlot<'_>,
    mut output_row_splits: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let (ragged, sparse) = (ragged_values.len(), sparse_values.len());
    ensure!(ragged == ragged_row_splits.len(), "there are {ragged} ragged_values, but other numbers of splits");
    ensure!(sparse == sparse_indices.len(), "there are {sparse} sparse_values, but other numbers of indices");
    let count = ragged + sparse + dense_inputs.len();
    ensure!(input_order.len() == count, "input_order has {} letters for {count} columns", input_order.len());
    let (mut ragged, mut sparse) = (ragged_values.iter().zip(ragged_row_splits), sparse_values.iter().enumerate());
    let mut dense = dense_inputs.iter();
    let column = |letter: &u8| {
        let column = match letter {
            b'R' => ragged.next().map(|(values, splits)| Column::ragged(values, splits)),
            b'S' => sparse.next().map(|(at, values)| {
                Column::sparse(&sparse_indices[at], values, &sparse_shape[at], |index, row| index <= row)
            }),
            b'D' => dense.next().map(Column::dense),
            other => bail!("input_order has the letter {:?}, it must be R, S or D", char::from(*other)),
        };
        column.unwrap_or_else(|| bail!("input_order has more {} than there are such inputs", char::from(*letter)))
    };
    let columns = input_order.iter().map(column).collect::<Result<Vec<_>>>()?;
    let crosses = Crosses::new(&columns)?;
    let hash = HashOf { start: Some(hash_key as u64), buckets: num_buckets, feature: &plain_hash };
    write_values(&columns, &crosses, SEPARATOR, &hash, output_values, env)?;
    let mut ends = try_vec(crosses.counts.len() + 1)?;
    ends.push(0);
    ends.extend(crosses.counts.iter().scan(0, |end, &count| {
        *end += count as i64;
        Some(*end)
    }));
    output_row_splits.set(super::example::splits_tensor(ends, output_row_splits.dtype())?);
    Ok(())
}

fn sparse_columns<'a>(
    indices: &[Tensor],
    values: &'a [Tensor],
    shapes: &[Tensor],
    dense: &'a [Tensor],
) -> Result<Vec<Column<'a>>> {
    let (own, count) = (values.len(), indices.len());
    ensure!(own == count && shapes.len() == count, "there are {own} values for {count} sparse indices");
    let sparse = values.iter().zip(indices).zip(shapes);
    let sparse =
        sparse.map(|((values, indices), shape)| Column::sparse(indices, values, shape, |index, row| index == row));
    sparse.chain(dense.iter().map(Column::dense)).collect()
}

/// The hash of a feature: the fingerprint of a string, an integer itself.
fn plain_hash(column: &Column<'_>, at: usize) -> u64 {
    match column.features {
        Features::Strings(strings) => fingerprint64(strings[at].as_bytes()),
        Features::Ints(ints) => ints[at] as u64,
    }
}

/// As [`plain_hash`], but the fingerprint of the lower 4 bytes of an integer that is not of a dense tensor.
fn salted_hash(column: &Column<'_>, at: usize) -> u64 {
    match column.features {
        Features::Ints(ints) if !column.is_dense => fingerprint64(&ints[at].to_le_bytes()[..4]),
        _ => plain_hash(column, at),
    }
}

/// How crosses are hashed.
struct HashOf<'a> {
    /// What the hash of the first feature is combined with.
    start: Option<u64>,
    buckets: i64,
    feature: &'a dyn Fn(&Column<'_>, usize) -> u64,
}

impl HashOf<'_> {
    fn all(&self, columns: &[Column<'_>], crosses: &Crosses<'_>, env: Env<'_>) -> Result<Tensor> {
        let divisor = if self.buckets > 0 { self.buckets as u64 } else { i64::MAX as u64 };
        let mut out: Vec<i64> = try_vec(crosses.total)?;
        crosses.for_each(env, |at| {
            let features = columns.iter().zip(at).map(|(column, &at)| (self.feature)(column, at));
            let hash = self.start.into_iter().chain(features).reduce(fingerprint_cat64).unwrap_or_default();
            out.push((hash % divisor) as i64);
        });
        Tensor::from_vec([crosses.total], out)
    }
}

fn strings(columns: &[Column<'_>], crosses: &Crosses<'_>, separator: &[u8], env: Env<'_>) -> Result<Tensor> {
    let mut out: Vec<TString> = try_vec(crosses.total)?;
    crosses.for_each(env, |at| {
        let mut joined = Vec::new();
        for (number, (column, &at)) in columns.iter().zip(at).enumerate() {
            if number > 0 {
                joined.extend_from_slice(separator);
            }
            match column.features {
                Features::Strings(strings) => joined.extend_from_slice(strings[at].as_bytes()),
                Features::Ints(ints) => joined.extend_from_slice(ints[at].to_string().as_bytes()),
            }
        }
        out.push(TString::new(joined));
    });
    Tensor::from_vec([crosses.total], out)
}

/// Sets an output to the strings or the hashes of all crosses, by its dtype.
fn write_values(
    columns: &[Column<'_>],
    crosses: &Crosses<'_>,
    separator: &[u8],
    hash: &HashOf<'_>,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let values = match output.dtype() {
        DType::String => strings(columns, crosses, separator, env)?,
        _ => hash.all(columns, crosses, env)?,
    };
    output.set(values);
    Ok(())
}

/// Sets the indices and the dense shape of the crosses.
fn write_places(crosses: &Crosses<'_>, mut indices: OutputSlot<'_>, mut shape: OutputSlot<'_>) -> Result<()> {
    let mut rows: Vec<i64> = try_vec(2 * crosses.total)?;
    for (row, &count) in crosses.counts.iter().enumerate() {
        rows.extend((0..count).flat_map(|at| [row as i64, at as i64]));
    }
    indices.set(Tensor::from_vec([crosses.total, 2], rows)?);
    let longest = crosses.counts.iter().copied().max().unwrap_or(0);
    shape.set([crosses.counts.len() as i64, longest as i64].into());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::run;

    fn texts<const N: usize>(values: [&str; N]) -> Tensor {
        values.map(TString::from).into()
    }

    fn sparse() -> [Tensor; 3] {
        let indices = Tensor::from_vec([3, 2], vec![0i64, 0, 0, 1, 1, 0]).unwrap();
        [indices, texts(["a", "b", "c"]), [2i64, 3].into()]
    }

    fn ints() -> Tensor {
        Tensor::from_vec([2, 2], vec![1i64, 2, 3, 4]).unwrap()
    }

    #[test]
    fn crosses_as_strings() {
        let [indices, values, shape] = sparse();
        let out = run("SparseCrossV2", &[], vec![indices, values, shape, ints(), "-".into()]).unwrap();
        assert_eq!(out[0].as_slice::<i64>().unwrap(), [0, 0, 0, 1, 0, 2, 0, 3, 1, 0, 1, 1]);
        let expected = ["a-1", "a-2", "b-1", "b-2", "c-3", "c-4"].map(TString::from);
        assert_eq!(out[1].as_slice::<TString>().unwrap(), expected);
        assert_eq!(out[2].as_slice::<i64>().unwrap(), [2, 4]);
    }

    #[test]
    fn hashes_are_those_of_tensorflow() {
        let hashed = |values: Tensor, dense: Option<Tensor>, buckets: i64, strong: bool| {
            let [indices, _, shape] = sparse();
            let attrs = [
                ("N", 1i64.into()),
                ("sparse_types", AttrValue::Types(vec![values.dtype()])),
                ("dense_types", AttrValue::Types(dense.iter().map(Tensor::dtype).collect())),
            ];
            let inputs = [indices, values, shape].into_iter().chain(dense);
            let salt: Tensor = [1i64, 2].into();
            let inputs = inputs.chain([buckets.into(), Tensor::scalar(strong), salt]).collect();
            run("SparseCrossHashed", &attrs, inputs).map(|out| out[1].as_slice::<i64>().unwrap().to_vec())
        };
        let letters = || texts(["a", "b", "c"]);
        let expected = [
            6_222_962_060_873_510_234,
            3_219_302_265_842_617_099,
            990_312_396_925_660_322,
            6_807_782_712_720_082_185,
            8_730_443_589_068_332_447,
            3_674_302_722_055_416_035,
        ];
        assert_eq!(hashed(letters(), Some(ints()), 0, false).unwrap(), expected);
        let expected = [7_601_041_269_982_238_804, 7_601_041_269_982_238_804, 3_427_172_234_988_467_876];
        assert_eq!(hashed([1i64, (1 << 40) + 1, -1].into(), None, 0, false).unwrap(), expected);
        assert_eq!(hashed(letters(), None, 7, true).unwrap(), [1, 1, 3]);
        assert!(hashed(letters(), Some(ints()), 7, true).is_err());
    }

    #[test]
    fn columns_in_an_order() {
        let attrs = |order: &str, dtype: DType| {
            [
                ("input_order", order.into()),
                ("hashed_output", (dtype == DType::Int64).into()),
                ("num_buckets", 50i64.into()),
                ("hash_key", 5i64.into()),
                ("out_values_type", dtype.into()),
                ("out_row_splits_type", DType::Int64.into()),
            ]
        };
        let inputs = || {
            let indices = Tensor::from_vec([3, 2], vec![0i64, 0, 1, 0, 1, 1]).unwrap();
            let dense = Tensor::from_vec([2, 1], ["x", "y"].map(TString::from).to_vec()).unwrap();
            let splits: Tensor = [0i64, 2, 3].into();
            vec![texts(["a", "b", "c"]), splits, indices, [7i64, 8, 9].into(), [2i64, 3].into(), dense]
        };
        let out = run("RaggedCross", &attrs("RSD", DType::String), inputs()).unwrap();
        let expected = ["a_X_7_X_x", "b_X_7_X_x", "c_X_8_X_y", "c_X_9_X_y"].map(TString::from);
        assert_eq!(out[0].as_slice::<TString>().unwrap(), expected);
        assert_eq!(out[1].as_slice::<i64>().unwrap(), [0, 2, 4]);
        let out = run("RaggedCross", &attrs("RSD", DType::Int64), inputs()).unwrap();
        assert_eq!(out[0].as_slice::<i64>().unwrap(), [17, 39, 9, 36]);
        assert!(run("RaggedCross", &attrs("RRD", DType::String), inputs()).is_err());
        assert!(run("RaggedCross", &attrs("RSX", DType::String), inputs()).is_err());
        assert!(run("RaggedCross", &attrs("RS", DType::String), inputs()).is_err());
    }
}
