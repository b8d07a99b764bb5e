//! The direction numbers of Sobol sequences: those of Joe and Kuo ("Constructing Sobol sequences with better
//! two-dimensional projections", 2008), from their table `new-joe-kuo-6.21201`, whose licence is in `joe_kuo.LICENSE`.

/// The bits of a direction number, and how many of them a dimension has.
pub(super) const BITS: usize = 32;

/// The table; `make_joe_kuo.py` tells what it consists of.
const TABLE: &[u8] = include_bytes!("joe_kuo.bin");

/// How many dimensions have a primitive polynomial of degree 1, 2 and so on: as many as there are such polynomials.
const COUNTS: [usize; 18] = [1, 1, 2, 2, 6, 6, 18, 16, 48, 60, 176, 144, 630, 756, 1800, 2048, 7710, 7776];

/// The direction numbers of a dimension, which is counted from 0 and below 21200. The highest bit stands for one half.
pub(super) fn direction_numbers(dimension: usize) -> [u32; BITS] {
    let Some(row) = dimension.checked_sub(1) else {
        return std::array::from_fn(|at| 1 << (BITS - 1 - at));
    };
    let (degree, start) = place(row);
    let mut bits = Bits(start);
    let inner = bits.take(degree - 1);
    let mut numbers = [0; BITS];
    for (at, number) in numbers[..degree].iter_mut().enumerate() {
        *number = (bits.take(at) << 1 | 1) << (BITS - 1 - at);
    }
    for at in degree..BITS {
        let oldest = numbers[at - degree];
        let chosen = (1..degree).filter(|back| inner >> (degree - 1 - back) & 1 == 1);
        numbers[at] = chosen.fold(oldest ^ oldest >> degree, |number, back| number ^ numbers[at - back]);
    }
    numbers
}

/// The degree of the polynomial in a row of the table, and the row's first bit.
fn place(row: usize) -> (usize, usize) {
    let (mut before, mut start) = (0, 0);
    for (degree, count) in (1..).zip(COUNTS) {
        let width = (degree - 1) * (degree + 2) / 2;
        if row < before + count {
            return (degree, start + (row - before) * width);
        }
        before += count;
        start += count * width;
    }
    (1, 0)
}

/// The position of the next bit of the table.
struct Bits(usize);

impl Bits {
    /// The next bits, at most 17, as a number.
    fn take(&mut self, count: usize) -> u32 {
        let bytes = std::array::from_fn(|at| TABLE.get(self.0 / 8 + at).copied().unwrap_or(0));
        let number = u32::from_le_bytes(bytes) >> (self.0 % 8) & ((1 << count) - 1);
        self.0 += count;
        number
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The numbers of the table's columns `m_i`, as many as the polynomial has degrees.
    fn initial(dimension: usize, degree: usize) -> Vec<u32> {
        let numbers = direction_numbers(dimension);
        (0..degree).map(|at| numbers[at] >> (BITS - 1 - at)).collect()
    }

    #[test]
    fn numbers_are_those_of_the_table() {
        assert_eq!(initial(1, 1), [1]);
        assert_eq!(initial(2, 2), [1, 3]);
        assert_eq!(initial(37, 8), [1, 3, 1, 15, 31, 13, 49, 245]);
        let last = [1, 1, 5, 1, 19, 1, 83, 3, 425, 873, 1943, 3935, 4257, 14587, 11829, 55217, 21963, 39683];
        assert_eq!(initial(21_199, 18), last);
        assert_eq!(place(21_199).1.div_ceil(8), TABLE.len(), "the row behind the last one");
    }
}
