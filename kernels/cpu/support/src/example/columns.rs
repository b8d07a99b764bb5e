//! One feature of all examples: what is collected, and the tensors that come of it.

use oplink::memory::try_vec;
use oplink::prelude::*;
use oplink_ops::dense_shape::DenseShape;

use super::message::{FEATURES, Values, features};
use crate::shown::shown;

/// What a feature becomes.
enum Kind<'a> {
    /// A tensor with a row for each example, and what stands where a feature is missing.
    Dense { shape: DenseShape, default: &'a Tensor },
    /// The values that there are; also those of ragged features.
    Sparse,
}

/// A feature and its values.
pub struct Column<'a> {
    key: &'a [u8],
    dtype: DType,
    kind: Kind<'a>,
    /// Whether a dense feature that is there must have values, and one that is missing a default with elements.
    strict: bool,
    values: Values,
    /// The number of values of each example.
    counts: Vec<usize>,
}

impl<'a> Column<'a> {
    /// A feature of which there are the values that there are.
    ///
    /// # Errors
    /// No feature has the dtype.
    pub fn sparse(key: &'a [u8], dtype: DType) -> Result<Self> {
        Ok(Self { key, dtype, kind: Kind::Sparse, strict: false, values: Values::new(dtype)?, counts: Vec::new() })
    }

    /// A feature with a row for each example: of a shape, or `default` where it is missing.
    ///
    /// # Errors
    /// No feature has the dtype or the shape; the default does not fit the shape.
    pub fn dense(key: &'a [u8], shape: &PartialShape, default: &'a Tensor) -> Result<Self> {
        let (dense, own) = (DenseShape::of(shape)?, default.num_elements());
        if dense.is_open {
            ensure!(own == 1, "the default of {} must have one element, to fill up with, it has {own}", shown(key));
        } else {
            let fits = own == 0 || default.shape() == &dense.extents;
            ensure!(fits, "the default of {} has shape {}, dense_shapes says {shape}", shown(key), default.shape());
        }
        let (dtype, kind) = (default.dtype(), Kind::Dense { shape: dense, default });
        Ok(Self { key, dtype, kind, strict: false, values: Values::new(dtype)?, counts: Vec::new() })
    }

    /// A dense feature of a sequence's context: its shape is known, and it is there or has a default.
    ///
    /// # Errors
    /// As [`dense`](Self::dense); the shape is not known.
    pub fn of_context(key: &'a [u8], shape: &PartialShape, default: &'a Tensor) -> Result<Self> {
        ensure!(shape.is_fully_known(), "context_dense_shapes has {shape} for {}: it must be known", shown(key));
        Ok(Self { strict: true, ..Self::dense(key, shape, default)? })
    }

    /// The name of the feature.
    pub fn key(&self) -> &'a [u8] {
        self.key
    }

    /// Whether a dense feature has elements.
    pub fn has_elements(&self) -> bool {
        matches!(&self.kind, Kind::Dense { shape, .. } if shape.extents.num_elements() > 0)
    }

    /// Adds the values of one example; the number of the example is for errors.
    ///
    /// # Errors
    /// The feature has another dtype or shape, or is missing and has no default.
    pub fn add(&mut self, feature: Option<&&[u8]>, number: usize) -> Result<()> {
        let before = self.values.len();
        let describe = |why: &str, key: &[u8], dtype: DType| {
            Error::invalid_argument(format!("example {number}, feature {} of {dtype}: {why}", shown(key)))
        };
        let found = match feature {
            Some(feature) => self.values.extend(feature).map_err(|why| describe(why, self.key, self.dtype))?,
            None => false,
        };
        if let Kind::Dense { shape, default } = &self.kind {
            let stride = shape.extents.num_elements();
            let own = self.values.len() - before;
            if !found && self.strict && feature.is_some() {
                return Err(describe("it has no values", self.key, self.dtype));
            }
            if found {
                let fits = if shape.is_open { stride > 0 && own.is_multiple_of(stride) } else { own == stride };
                let why = format!("it has {own} values, its shape needs {stride}");
                if !fits {
                    return Err(describe(&why, self.key, self.dtype));
                }
            } else if !shape.is_open {
                if default.num_elements() == 0 && (stride > 0 || self.strict) {
                    return Err(describe("it is required, but missing", self.key, self.dtype));
                }
                self.values.extend_from(default)?;
            }
        }
        self.counts.push(self.values.len() - before);
        Ok(())
    }

    /// The dense tensor; with leading extent where there is a vector of examples.
    ///
    /// # Errors
    /// Memory runs out.
    pub fn into_dense(self, is_vector: bool) -> Result<Tensor> {
        let Kind::Dense { shape, default } = self.kind else { bail!("feature {} is not dense", shown(self.key)) };
        let mut extents: Vec<usize> = if is_vector { vec![self.counts.len()] } else { Vec::new() };
        if !shape.is_open {
            extents.extend(shape.extents.iter());
            return self.values.into_tensor(extents.into());
        }
        let longest = self.counts.iter().copied().max().unwrap_or(0);
        let stride = shape.extents.num_elements().max(1);
        extents.push(longest / stride);
        extents.extend(shape.extents.iter());
        self.values.padded(&self.counts, longest, default)?.with_shape(extents)
    }

    /// The indices, values and dense shape.
    ///
    /// # Errors
    /// Memory runs out.
    pub fn into_sparse(self, is_vector: bool) -> Result<[Tensor; 3]> {
        let (count, rank) = (self.values.len(), 1 + usize::from(is_vector));
        let mut rows: Vec<i64> = try_vec(count * rank)?;
        for (row, &count) in self.counts.iter().enumerate() {
            for at in 0..count {
                rows.extend(is_vector.then_some(row as i64));
                rows.push(at as i64);
            }
        }
        let longest = self.counts.iter().copied().max().unwrap_or(0) as i64;
        let shape = if is_vector { Tensor::from([self.counts.len() as i64, longest]) } else { [longest].into() };
        let values = self.values.into_tensor([count].into())?;
        Ok([Tensor::from_vec([count, rank], rows)?, values, shape])
    }

    /// The values, and where those of each example start, and the end; of one example no starts.
    ///
    /// # Errors
    /// There are too many for the dtype of splits.
    pub fn into_ragged(self, is_vector: bool, splits: DType) -> Result<[Tensor; 2]> {
        let count = self.values.len();
        let ends = self.counts.iter().scan(0, |end, count| {
            *end += *count as i64;
            Some(*end)
        });
        let starts: Vec<i64> = if is_vector { std::iter::once(0).chain(ends).collect() } else { Vec::new() };
        let starts = splits_tensor(starts, splits)?;
        Ok([self.values.into_tensor([count].into())?, starts])
    }
}

/// Where rows start, and the end, in the dtype of splits.
///
/// # Errors
/// There are too many for the dtype.
pub fn splits_tensor(starts: Vec<i64>, dtype: DType) -> Result<Tensor> {
    if dtype != DType::Int32 {
        return Ok(starts.into());
    }
    let narrow = |start: &i64| i32::try_from(*start).map_err(|_| Error::invalid_argument("too many values for int32"));
    Ok(starts.iter().map(narrow).collect::<Result<Vec<_>>>()?.into())
}

/// Collects the features of all examples; `check` is called before each.
///
/// # Errors
/// An example is no such message, or has other features than the columns take; what `check` returns.
pub fn collect<'e>(
    examples: impl IntoIterator<Item = &'e TString>,
    columns: &mut [&mut [Column<'_>]],
    check: &dyn Fn() -> Result<()>,
) -> Result<()> {
    for (number, example) in examples.into_iter().enumerate() {
        check()?;
        let features = features(example.as_bytes(), FEATURES)
            .map_err(|why| Error::invalid_argument(format!("example {number} cannot be parsed: {why}")))?;
        for column in columns.iter_mut().flat_map(|columns| columns.iter_mut()) {
            let feature = features.get(column.key);
            column.add(feature, number)?;
        }
    }
    Ok(())
}
