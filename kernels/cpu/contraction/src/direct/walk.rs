//! What an output pixel sees of the input, and its division into parts that are multiplied one after the other.

use super::filter::Panel;

/// Elements of a part at most: all tiles multiply the same part of a panel, which stays in the second level of cache,
/// before they go on to the next one. Known elsewhere as blocks of the depth, or of K.
const PART: usize = 1024;
/// Elements that are one part nevertheless.
const WHOLE: usize = 2048;

/// The elements that a pixel sees: lines of taps, the taps of a line, the elements of a tap.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Walk {
    /// Lines of taps, and elements of the input from one to the next.
    pub rows: (usize, usize),
    /// Taps of a line, and elements of the input from one to the next.
    pub columns: (usize, usize),
    /// Elements of a tap, side by side.
    pub length: usize,
}

impl Walk {
    /// All elements.
    pub fn depth(&self) -> usize {
        self.rows.0 * self.columns.0 * self.length
    }

    /// The position of the last element; there is one.
    pub(super) fn last(&self) -> usize {
        (self.rows.0 - 1) * self.rows.1 + (self.columns.0 - 1) * self.columns.1 + self.length - 1
    }

    /// Parts in the order of the elements: lines, taps of a line, or elements of a tap.
    pub(super) fn parts(&self) -> Vec<Part> {
        let Self { rows, columns, length } = *self;
        let line = columns.0 * length;
        let mut first = 0;
        let mut part = |input, walk: Self| {
            let part = Part { input, first, walk };
            first += walk.depth();
            part
        };
        if self.depth() <= WHOLE {
            return vec![part(0, *self)];
        }
        if line <= PART {
            let lines = divide(rows.0, PART / line);
            return lines.map(|(at, count)| part(at * rows.1, Self { rows: (count, rows.1), ..*self })).collect();
        }
        let mut parts = Vec::new();
        for row in 0..rows.0 {
            for (tap, taps) in divide(columns.0, PART / length) {
                let (at, most) = (row * rows.1 + tap * columns.1, if taps == 1 { PART } else { length });
                parts.extend(divide(length, most).map(|(element, length)| {
                    part(at + element, Self { rows: (1, 0), columns: (taps, columns.1), length })
                }));
            }
        }
        parts
    }
}

/// Some of the elements that a pixel sees, side by side in a panel.
#[derive(Debug)]
pub(super) struct Part {
    /// The position of the first element in the input.
    pub(super) input: usize,
    /// The elements of all parts before.
    pub(super) first: usize,
    pub(super) walk: Walk,
}

impl Part {
    /// The lines of a panel that these elements are multiplied by.
    pub(super) fn of<'p>(&self, &(lines, width, _): &Panel<'p>) -> &'p [f32] {
        &lines[self.first * width..][..self.walk.depth() * width]
    }
}

/// So many things in parts of about the same size, at most `most` each but at least one: the first and the number of
/// each part.
fn divide(count: usize, most: usize) -> impl Iterator<Item = (usize, usize)> {
    let parts = count.div_ceil(most.max(1));
    (0..parts).map(move |index| {
        let part = super::part(count, index, parts);
        (part.start, part.len())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn positions(input: usize, walk: &Walk) -> Vec<usize> {
        let rows = (0..walk.rows.0).map(|row| input + row * walk.rows.1);
        let taps = rows.flat_map(|at| (0..walk.columns.0).map(move |column| at + column * walk.columns.1));
        taps.flat_map(|at| at..at + walk.length).collect()
    }

    #[test]
    fn parts_are_all_elements_in_order() {
        for (rows, columns, length) in
            [(1, 1, 2049), (1, 1, 5000), (3, 1, 1536), (3, 3, 256), (3, 3, 512), (5, 5, 90), (7, 7, 64), (3, 3, 1500)]
        {
            let walk = Walk { rows: (rows, 40_000), columns: (columns, length + 16), length };
            let parts = walk.parts();
            assert!(parts.len() > 1 && parts.iter().all(|part| part.walk.depth() <= PART), "{walk:?}: {parts:?}");
            let mut found = Vec::new();
            for part in &parts {
                assert_eq!(part.first, found.len(), "{walk:?}");
                found.extend(positions(part.input, &part.walk));
            }
            assert_eq!(found, positions(0, &walk), "{walk:?}");
        }
        let small = Walk { rows: (3, 100), columns: (3, 20), length: 64 };
        assert_eq!(small.parts().len(), 1);
    }
}
