//! One list of features of all sequences: what is collected, and the tensors that come of it.

use oplink::memory::try_vec;
use oplink::prelude::*;
use oplink_ops::dense_shape::DenseShape;

use crate::strings::shown;
use oplink_cpu_support::example::splits_tensor;
use oplink_cpu_support::example::{Values, messages};

/// What a list becomes.
enum Kind {
    /// A tensor with rows of these extents; an example without the list is an error unless that counts as empty.
    Dense { row: Shape, may_be_missing: bool },
    /// The values that there are; also those of ragged lists.
    Sparse,
}

/// A list of features and its values.
pub(super) struct ListColumn<'a> {
    key: &'a [u8],
    dtype: DType,
    kind: Kind,
    values: Values,
    /// The number of values of each row.
    lengths: Vec<usize>,
    /// The number of rows of each example.
    rows: Vec<usize>,
}

impl<'a> ListColumn<'a> {
    pub(super) fn sparse(key: &'a [u8], dtype: DType) -> Result<Self> {
        Self::new(key, dtype, Kind::Sparse)
    }

    pub(super) fn dense(key: &'a [u8], dtype: DType, shape: &PartialShape, may_be_missing: bool) -> Result<Self> {
        let row = DenseShape::of(shape)?;
        ensure!(!row.is_open, "feature_list_dense_shapes has {shape} for {}: it must be known", shown(key));
        Self::new(key, dtype, Kind::Dense { row: row.extents, may_be_missing })
    }

    fn new(key: &'a [u8], dtype: DType, kind: Kind) -> Result<Self> {
        Ok(Self { key, dtype, kind, values: Values::new(dtype)?, lengths: Vec::new(), rows: Vec::new() })
    }

    /// The name of the list.
    pub(super) fn key(&self) -> &'a [u8] {
        self.key
    }

    /// Adds the rows of one example; the number of the example is for errors.
    pub(super) fn add(&mut self, list: Option<&&[u8]>, number: usize) -> Result<()> {
        let (key, dtype) = (shown(self.key), self.dtype);
        let invalid =
            |why: &str| Error::invalid_argument(format!("example {number}, feature list {key} of {dtype}: {why}"));
        if let (None, Kind::Dense { may_be_missing: false, .. }) = (list, &self.kind) {
            return Err(invalid(
                "it is required, but missing; feature_list_dense_missing_assumed_empty does not allow it",
            ));
        }
        let features = messages(list.copied().unwrap_or_default(), 1).map_err(invalid)?;
        for (row, feature) in features.iter().enumerate() {
            let before = self.values.len();
            let has_values = self.values.extend(feature).map_err(|why| invalid(&format!("row {row}: {why}")))?;
            let own = self.values.len() - before;
            if let Kind::Dense { row: shape, .. } = &self.kind {
                let fits = has_values && own == shape.num_elements();
                let why = || invalid(&format!("row {row} has {own} values, feature_list_dense_shapes says {shape}"));
                fits.then_some(()).ok_or_else(why)?;
            }
            self.lengths.push(own);
        }
        self.rows.push(features.len());
        Ok(())
    }

    /// The dense tensor, filled up with zeros, and the number of rows of each example; with leading extents where there
    /// is a vector of examples.
    pub(super) fn into_dense(self, is_vector: bool) -> Result<[Tensor; 2]> {
        let Kind::Dense { row, .. } = self.kind else { bail!("feature list {} is not dense", shown(self.key)) };
        let longest = self.rows.iter().copied().max().unwrap_or(0);
        let stride = row.num_elements();
        let counts: Vec<usize> = self.rows.iter().map(|rows| rows * stride).collect();
        let leading: &[usize] = if is_vector { &[self.rows.len()] } else { &[] };
        let shape: Shape = leading.iter().copied().chain([longest]).chain(row.iter().copied()).collect();
        let too_large = || Error::invalid_argument(format!("the shape {shape} has too many elements"));
        shape.checked_num_elements().ok_or_else(too_large)?;
        let zero = Tensor::zeros(self.dtype, Shape::scalar())?;
        let values = self.values.padded(&counts, longest * stride, &zero)?.with_shape(shape)?;
        let lengths: Vec<i64> = self.rows.iter().map(|&rows| rows as i64).collect();
        Ok([values, Tensor::from_vec(leading, lengths)?])
    }

    /// The indices, values and dense shape.
    pub(super) fn into_sparse(self, is_vector: bool) -> Result<[Tensor; 3]> {
        let (count, rank) = (self.values.len(), 2 + usize::from(is_vector));
        let mut indices: Vec<i64> = try_vec(count.saturating_mul(rank))?;
        let mut lengths = self.lengths.iter();
        for (example, &rows) in self.rows.iter().enumerate() {
            for (row, &length) in lengths.by_ref().take(rows).enumerate() {
                for at in 0..length {
                    indices.extend(is_vector.then_some(example as i64));
                    indices.extend([row as i64, at as i64]);
                }
            }
        }
        let longest = |counts: &[usize]| counts.iter().copied().max().unwrap_or(0) as i64;
        let inner = [longest(&self.rows), longest(&self.lengths)];
        let shape: Vec<i64> = is_vector.then_some(self.rows.len() as i64).into_iter().chain(inner).collect();
        Ok([Tensor::from_vec([count, rank], indices)?, self.values.into_tensor([count].into())?, shape.into()])
    }

    /// The values, at which row each example starts, and the end (of one example nothing), and where each row starts,
    /// and the end.
    pub(super) fn into_ragged(self, is_vector: bool, splits: DType) -> Result<[Tensor; 3]> {
        let count = self.values.len();
        let starts = |counts: &[usize]| {
            let ends = counts.iter().scan(0, |end, &count| {
                *end += count as i64;
                Some(*end)
            });
            std::iter::once(0).chain(ends).collect::<Vec<i64>>()
        };
        let outer = if is_vector { starts(&self.rows) } else { Vec::new() };
        let [outer, inner] = [outer, starts(&self.lengths)].map(|starts| splits_tensor(starts, splits));
        Ok([self.values.into_tensor([count].into())?, outer?, inner?])
    }
}
