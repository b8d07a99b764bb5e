//! Rows of elements as words, or as parts of words.

/// What a program that puts words of an output together needs to know of its elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Units {
    /// Units of a row: words, or elements that are shorter and do not stand together in words.
    pub(crate) row: u32,
    /// Units of a word.
    pub(crate) per_word: u32,
    /// Bits of a unit.
    pub(crate) bits: u32,
    /// A unit's bits in a word.
    pub(crate) mask: u32,
}

impl Units {
    /// Of rows of this many elements, of so many bytes each. Rows are whole words, or every element is a unit.
    pub(crate) fn of_rows(elements: usize, bytes: usize) -> Self {
        let row = elements * bytes;
        match bytes {
            1 | 2 if !row.is_multiple_of(4) => {
                let bits = 8 * bytes as u32;
                Self { row: elements as u32, per_word: 32 / bits, bits, mask: (1 << bits) - 1 }
            }
            _ => Self { row: (row / 4) as u32, per_word: 1, bits: 32, mask: u32::MAX },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_whole_words_are_moved_as_words() {
        assert_eq!(Units::of_rows(3, 8), Units { row: 6, per_word: 1, bits: 32, mask: u32::MAX });
        assert_eq!(Units::of_rows(4, 2).row, 2);
        assert_eq!(Units::of_rows(3, 2), Units { row: 3, per_word: 2, bits: 16, mask: 0xFFFF });
        assert_eq!(Units::of_rows(6, 1), Units { row: 6, per_word: 4, bits: 8, mask: 0xFF });
    }
}
