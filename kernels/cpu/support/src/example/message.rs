//! Reading `Example` messages.

use std::collections::HashMap;

use oplink::memory::try_reserve;
use oplink::prelude::*;

use crate::wire::{Problem, Value, fields, integers, words};

/// The field of an example with its features, also of the context of a sequence.
pub const FEATURES: u64 = 1;

/// The field of a sequence with its lists of features.
pub const FEATURE_LISTS: u64 = 2;

/// The messages (`Feature` or `FeatureList`) in a field of an example by their keys; of equal keys the last one.
///
/// # Errors
/// It is no such message.
pub fn features(example: &[u8], field: u64) -> std::result::Result<HashMap<&[u8], &[u8]>, Problem> {
    let mut found = HashMap::new();
    for features in messages(example, field)? {
        for entry in messages(features, 1)? {
            let last = |number| Ok::<_, Problem>(messages(entry, number)?.pop().unwrap_or_default());
            found.insert(last(1)?, last(2)?);
        }
    }
    Ok(found)
}

/// The values of a field that holds messages or bytes.
///
/// # Errors
/// It is no message, or the field holds something else.
pub fn messages(message: &[u8], number: u64) -> std::result::Result<Vec<&[u8]>, Problem> {
    let mut found = Vec::new();
    for field in fields(message)?.into_iter().filter(|field| field.number == number) {
        let Value::Bytes(bytes) = field.value else { return Err("a field has the wrong kind") };
        found.push(bytes);
    }
    Ok(found)
}

/// The values of one feature of all examples, one after the other.
pub enum Values {
    /// Numbers.
    Floats(Vec<f32>),
    /// Integers.
    Ints(Vec<i64>),
    /// Strings.
    Strings(Vec<TString>),
}

impl Values {
    /// No values of a dtype.
    ///
    /// # Errors
    /// No feature has it.
    pub fn new(dtype: DType) -> Result<Self> {
        Ok(match dtype {
            DType::Float => Self::Floats(Vec::new()),
            DType::Int64 => Self::Ints(Vec::new()),
            DType::String => Self::Strings(Vec::new()),
            other => bail!("a feature cannot be of {other}: it is of float, int64 or string"),
        })
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        match self {
            Self::Floats(values) => values.len(),
            Self::Ints(values) => values.len(),
            Self::Strings(values) => values.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds the values of a feature; `false` where it has none, not even an empty list.
    ///
    /// # Errors
    /// It is no such message, or has values of another dtype.
    pub fn extend(&mut self, feature: &[u8]) -> std::result::Result<bool, Problem> {
        let lists = fields(feature)?;
        let Some(list) = lists.iter().rev().find(|field| (1..=3).contains(&field.number)) else { return Ok(false) };
        let Value::Bytes(bytes) = list.value else { return Err("a list has the wrong kind") };
        match (self, list.number) {
            (Self::Strings(values), 1) => values.extend(messages(bytes, 1)?.into_iter().map(TString::new)),
            (Self::Floats(values), 2) => values.extend(words(&fields(bytes)?, 1, f32::from_le_bytes)?),
            (Self::Ints(values), 3) => values.extend(integers(&fields(bytes)?, 1, |value| value as i64)?),
            _ => return Err("its dtype is another one"),
        }
        Ok(true)
    }

    /// Adds the elements of a default.
    ///
    /// # Errors
    /// It has another dtype.
    pub fn extend_from(&mut self, default: &Tensor) -> Result<()> {
        fn extend<T: Element>(values: &mut Vec<T>, default: &Tensor) -> Result<()> {
            let default = default.as_slice::<T>()?;
            try_reserve(values, default.len())?;
            values.extend_from_slice(default);
            Ok(())
        }
        match self {
            Self::Floats(values) => extend(values, default),
            Self::Ints(values) => extend(values, default),
            Self::Strings(values) => extend(values, default),
        }
    }

    /// A tensor of this shape with all values.
    ///
    /// # Errors
    /// There are more or fewer values than the shape has elements.
    pub fn into_tensor(self, shape: Shape) -> Result<Tensor> {
        match self {
            Self::Floats(values) => Tensor::from_vec(shape, values),
            Self::Ints(values) => Tensor::from_vec(shape, values),
            Self::Strings(values) => Tensor::from_vec(shape, values),
        }
    }

    /// A matrix with these counts of values in its rows, filled up with the default to so many columns.
    ///
    /// # Errors
    /// Memory runs out; the default has another dtype.
    pub fn padded(self, counts: &[usize], columns: usize, default: &Tensor) -> Result<Tensor> {
        fn pad<T: Element>(values: &[T], counts: &[usize], columns: usize, default: &Tensor) -> Result<Tensor> {
            let shape = Shape::from([counts.len(), columns]);
            ensure!(shape.checked_num_elements().is_some(), "{} rows of {columns} values are too many", counts.len());
            let mut out = Tensor::zeros(T::DTYPE, shape)?;
            let default = default.as_slice::<T>()?;
            let mut rest = values;
            for (row, &count) in out.as_mut_slice::<T>()?.chunks_exact_mut(columns.max(1)).zip(counts) {
                let (own, after) = rest.split_at(count);
                row[..count].clone_from_slice(own);
                row[count..].fill(default[0].clone());
                rest = after;
            }
            Ok(out)
        }
        match self {
            Self::Floats(values) => pad(&values, counts, columns, default),
            Self::Ints(values) => pad(&values, counts, columns, default),
            Self::Strings(values) => pad(&values, counts, columns, default),
        }
    }
}
