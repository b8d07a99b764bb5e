//! The keys of a table, each with a row number.

use std::collections::HashMap;
use std::hash::Hash;

use oplink::prelude::*;
use oplink::shape_inference::int_values;

/// Keys and their rows, numbered from 0 without gaps.
#[derive(Debug)]
pub(super) enum Keys {
    /// int32 and int64.
    Integers(KeySet<i64>),
    /// Strings.
    Texts(KeySet<TString>),
}

#[derive(Debug, Default)]
pub(super) struct KeySet<K> {
    rows: HashMap<K, usize>,
    /// The key of each row.
    keys: Vec<K>,
}

/// What [`Keys::remove`] does to the rows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Removed {
    /// The row that is free, and becomes that of the last row's key.
    pub(super) row: usize,
    /// The last row.
    pub(super) last: usize,
}

impl<K: Hash + Eq + Clone> KeySet<K> {
    fn find(&self, keys: &[K]) -> Vec<Option<usize>> {
        keys.iter().map(|key| self.rows.get(key).copied()).collect()
    }

    fn insert(&mut self, keys: &[K]) -> Vec<usize> {
        let row = |key: &K| match self.rows.get(key) {
            Some(&row) => row,
            None => {
                self.rows.insert(key.clone(), self.keys.len());
                self.keys.push(key.clone());
                self.keys.len() - 1
            }
        };
        keys.iter().map(row).collect()
    }

    fn remove(&mut self, keys: &[K]) -> Vec<Removed> {
        let remove = |key: &K| {
            let row = self.rows.remove(key)?;
            let last = self.keys.len() - 1;
            self.keys.swap_remove(row);
            if let Some(moved) = self.keys.get(row) {
                self.rows.insert(moved.clone(), row);
            }
            Some(Removed { row, last })
        };
        keys.iter().filter_map(remove).collect()
    }
}

impl Keys {
    /// No keys of a dtype.
    ///
    /// # Errors
    /// Keys cannot have that dtype.
    pub(super) fn new(dtype: DType) -> Result<Self> {
        match dtype {
            DType::Int32 | DType::Int64 => Ok(Self::Integers(KeySet::default())),
            DType::String => Ok(Self::Texts(KeySet::default())),
            other => bail!("a table has keys of int32, int64 or string, not of {other}"),
        }
    }

    pub(super) fn len(&self) -> usize {
        match self {
            Self::Integers(set) => set.keys.len(),
            Self::Texts(set) => set.keys.len(),
        }
    }

    /// The row of each key; `None` where there is none.
    pub(super) fn find(&self, keys: &Tensor) -> Result<Vec<Option<usize>>> {
        Ok(match self {
            Self::Integers(set) => set.find(&int_values(keys)?),
            Self::Texts(set) => set.find(keys.as_slice()?),
        })
    }

    /// The row of each key, new ones at the end.
    pub(super) fn insert(&mut self, keys: &Tensor) -> Result<Vec<usize>> {
        Ok(match self {
            Self::Integers(set) => set.insert(&int_values(keys)?),
            Self::Texts(set) => set.insert(keys.as_slice()?),
        })
    }

    /// Takes keys away, and the last row in place of each.
    pub(super) fn remove(&mut self, keys: &Tensor) -> Result<Vec<Removed>> {
        Ok(match self {
            Self::Integers(set) => set.remove(&int_values(keys)?),
            Self::Texts(set) => set.remove(keys.as_slice()?),
        })
    }

    /// The keys in the order of their rows, as a vector of `dtype`.
    pub(super) fn to_tensor(&self, dtype: DType) -> Tensor {
        match self {
            Self::Integers(set) if dtype == DType::Int32 => {
                set.keys.iter().map(|&key| key as i32).collect::<Vec<_>>().into()
            }
            Self::Integers(set) => Tensor::from_slice(&set.keys),
            Self::Texts(set) => Tensor::from_slice(&set.keys),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_stay_without_gaps() {
        let mut keys = Keys::new(DType::Int32).unwrap();
        assert_eq!(keys.insert(&[7, 8, 9, 8].into()).unwrap(), [0, 1, 2, 1]);
        let removed = keys.remove(&[7, 7, 6].into()).unwrap();
        assert_eq!(removed.iter().map(|removed| (removed.row, removed.last)).collect::<Vec<_>>(), [(0, 2)]);
        assert_eq!(keys.find(&[7, 8, 9].into()).unwrap(), [None, Some(1), Some(0)]);
        assert_eq!(keys.to_tensor(DType::Int32).as_slice::<i32>().unwrap(), [9, 8]);
    }
}
