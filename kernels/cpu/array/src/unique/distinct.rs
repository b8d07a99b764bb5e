//! The distinct ones among elements or rows of elements, in the order of their first appearance.

use oplink::memory::{try_filled, try_vec};
use oplink::prelude::*;

pub(crate) use super::words::Zeros;
use super::words::words;

/// Which rows are equal.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Distinct {
    /// For each row, the number of its value: values count from 0 in the order of their first row.
    pub(crate) numbers: Vec<usize>,
    /// The first row of each value.
    pub(crate) firsts: Vec<usize>,
}

impl Distinct {
    /// Of `rows` rows that the elements of a tensor make one after the other. A NaN equals nothing, zeros of either
    /// sign are equal, but those of 16-bit floats where `short_zeros` says that theirs differ.
    ///
    /// # Errors
    /// A dtype whose elements cannot be compared.
    pub(crate) fn rows(tensor: &Tensor, rows: usize, short_zeros: Zeros) -> Result<Self> {
        let (words, each) = words(tensor, short_zeros)?;
        let width = tensor.num_elements().checked_div(rows).unwrap_or(0) * each;
        let row = |at: usize| &words[at * width..][..width];
        let hash = |at: usize| row(at).iter().fold(0, |hash, &word| mix(hash, word));
        distinct(rows, hash, |a, b| row(a) == row(b))
    }

    /// The number of rows of each value.
    pub(crate) fn counts(&self) -> Vec<usize> {
        // bounded: one for each row at most
        let mut counts = vec![0; self.firsts.len()];
        self.numbers.iter().for_each(|&number| counts[number] += 1);
        counts
    }
}

/// A hash that has seen one more word.
pub(super) fn mix(hash: u64, word: u64) -> u64 {
    (hash.rotate_left(5) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// An entry of the table that holds no value.
const EMPTY: usize = usize::MAX;

/// Tells rows apart by an open table of hashes, at most half full.
pub(super) fn distinct(
    rows: usize,
    hash: impl Fn(usize) -> u64,
    same: impl Fn(usize, usize) -> bool,
) -> Result<Distinct> {
    let bits = (2 * rows).next_power_of_two().trailing_zeros().max(1);
    let mut table = try_filled(EMPTY, 1 << bits)?;
    let (mut numbers, mut firsts) = (try_vec(rows)?, Vec::new());
    for row in 0..rows {
        // The high bits of a product depend on all bits of the word.
        let mut slot = (mix(hash(row), 0) >> (64 - bits)) as usize;
        let number = loop {
            let number = table[slot];
            if number == EMPTY {
                table[slot] = firsts.len();
                firsts.push(row);
                break firsts.len() - 1;
            }
            if same(firsts[number], row) {
                break number;
            }
            slot = (slot + 1) & (table.len() - 1);
        };
        numbers.push(number);
    }
    Ok(Distinct { numbers, firsts })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_count_first_appearances() {
        let values: Vec<i64> = (0..5000).map(|i| (i * 7919 % 613) << 40).collect();
        let found = Distinct::rows(&values.clone().into(), values.len(), Zeros::Equal).unwrap();
        assert_eq!(found.firsts, (0..613).collect::<Vec<_>>());
        assert!(found.numbers.iter().zip(&values).all(|(&number, &value)| values[found.firsts[number]] == value));
        assert_eq!(found.counts().iter().sum::<usize>(), values.len());
    }

    #[test]
    fn rows_of_every_kind() {
        let check = |tensor: Tensor, rows: usize, numbers: &[usize]| {
            assert_eq!(Distinct::rows(&tensor, rows, Zeros::Signed).unwrap().numbers, numbers, "{tensor:?}");
        };
        check([0.0f32, -0.0, f32::NAN, f32::NAN, 1.0].into(), 5, &[0, 0, 1, 2, 3]);
        check([1, 2, 1, 2, 2, 1].into(), 3, &[0, 0, 1]);
        check(["a", "bb", "a"].map(TString::from).into(), 3, &[0, 1, 0]);
        check([0.0, -0.0].map(bf16::from_f32).into(), 2, &[0, 1]);
        check([1i8, -1, -1].into(), 3, &[0, 1, 1]);
        check([Complex::new(1.0f64, 2.0), Complex::new(1.0, 3.0)].into(), 2, &[0, 1]);
        check(Tensor::from_slice::<f32>(&[]), 2, &[0, 0]);
        check(Tensor::from_slice::<f32>(&[]), 0, &[]);
    }
}
