//! What a move comes to: axes over words, or over elements shorter than a word.

use oplink::prelude::*;
use oplink_ops::movement::Axis;
use smallvec::SmallVec;

/// Axes that a program goes over.
pub(super) const RANK: usize = 8;
/// Bytes of a word.
const WORD: usize = 4;

/// One axis of a move: how many positions, and how far apart they are in the source and in the output, in elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Step {
    pub(super) count: usize,
    pub(super) from: isize,
    pub(super) to: isize,
    /// Where the axis' part of [`Move::table`] starts; it then says what each position adds on one side, whose distance
    /// is 0.
    pub(super) table: Option<usize>,
}

/// Elements from anywhere in a source to anywhere in an output. Distances count units: words, or elements that are
/// shorter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Move {
    /// Outermost first.
    pub(super) steps: SmallVec<[Step; RANK]>,
    pub(super) from: isize,
    pub(super) to: isize,
    pub(super) table: Vec<i32>,
    /// Whether the table is about the output.
    pub(super) scatters: bool,
    /// Units of a word.
    pub(super) per_word: usize,
}

impl Move {
    /// From `base` and `axes` of a source to all of a row-major output.
    pub(super) fn gather(base: isize, axes: &[Axis<'_>], bytes: usize) -> Result<Self> {
        let mut this = Self { from: base, ..Self::default() };
        this.add(axes, |from, to| (from, to));
        this.in_units(bytes)
    }

    /// From all of a row-major source to `base` and `axes` of an output.
    pub(super) fn scatter(base: isize, axes: &[Axis<'_>], bytes: usize) -> Result<Self> {
        let mut this = Self { to: base, scatters: true, ..Self::default() };
        this.add(axes, |from, to| (to, from));
        this.in_units(bytes)
    }

    /// Adds the axes, `sides` saying which distance is the source's: it gets that of the axis and the row-major one.
    fn add(&mut self, axes: &[Axis<'_>], sides: impl Fn(isize, isize) -> (isize, isize)) {
        let mut row_major: isize = axes.iter().map(|axis| axis.count() as isize).product();
        for axis in axes {
            let count = axis.count();
            row_major /= count.max(1) as isize;
            let (own, table) = match *axis {
                Axis::Strided { stride, .. } => (stride, None),
                Axis::Table(offsets) => {
                    let start = self.table.len();
                    self.table.extend(offsets.iter().map(|&offset| offset as i32));
                    (0, Some(start))
                }
            };
            let (from, to) = sides(own, row_major);
            self.push(Step { count, from, to, table });
        }
    }

    /// Adds an axis inside of the others, joined to the last where one says it all.
    fn push(&mut self, step: Step) {
        if step.count == 1 && step.table.is_none() {
            return;
        }
        let within = |outer: &Step| {
            let reach = |distance: isize| distance * step.count as isize;
            outer.table.is_none()
                && step.table.is_none()
                && outer.from == reach(step.from)
                && outer.to == reach(step.to)
        };
        match self.steps.last_mut() {
            Some(outer) if within(outer) => *outer = Step { count: outer.count * step.count, ..step },
            _ => self.steps.push(step),
        }
    }

    /// The same in words, where elements of this many bytes are whole words or stand together in them.
    fn in_units(mut self, bytes: usize) -> Result<Self> {
        self.per_word = 1;
        if bytes >= WORD {
            self.multiply(bytes / WORD);
        } else if !self.divide(WORD / bytes) {
            self.per_word = WORD / bytes;
            self.order();
        }
        let fits = |value: &isize| i32::try_from(*value).is_ok();
        let reach = self.steps.iter().flat_map(|step| [step.from, step.to, step.count as isize]);
        if !reach.chain([self.from, self.to]).all(|value| fits(&value)) {
            return Err(Error::unimplemented("tensors of more than 2147483647 words are not moved on a GPU"));
        }
        if self.steps.len() > RANK {
            let message =
                format!("a GPU moves elements along {RANK} axes that do not join, here are {}", self.steps.len());
            return Err(Error::unimplemented(message));
        }
        Ok(self)
    }

    fn multiply(&mut self, words: usize) {
        let factor = words as isize;
        self.steps.iter_mut().for_each(|step| (step.from, step.to) = (step.from * factor, step.to * factor));
        self.table.iter_mut().for_each(|offset| *offset *= factor as i32);
        (self.from, self.to) = (self.from * factor, self.to * factor);
        self.push(Step { count: words, from: 1, to: 1, table: None });
    }

    /// Joins elements to words; false, with nothing changed, where they do not stand together.
    fn divide(&mut self, per_word: usize) -> bool {
        let factor = per_word as isize;
        let Some((inner, outer)) = self.steps.split_last() else { return false };
        let together = inner.from == 1 && inner.to == 1 && inner.table.is_none() && inner.count % per_word == 0;
        let whole = |value: isize| value % factor == 0;
        let apart = outer.iter().all(|step| whole(step.from) && whole(step.to));
        let table = self.table.iter().all(|&offset| whole(offset as isize));
        if !(together && apart && table && whole(self.from) && whole(self.to)) {
            return false;
        }
        let last = self.steps.len() - 1;
        for step in &mut self.steps[..last] {
            (step.from, step.to) = (step.from / factor, step.to / factor);
        }
        self.steps[last].count /= per_word;
        if self.steps[last].count == 1 {
            self.steps.pop();
        }
        self.table.iter_mut().for_each(|offset| *offset /= factor as i32);
        (self.from, self.to) = (self.from / factor, self.to / factor);
        true
    }

    /// Turns the axes so that each goes forward in the output, those of the widest steps first.
    fn order(&mut self) {
        for step in &mut self.steps {
            if step.to < 0 && step.table.is_none() {
                let last = step.count as isize - 1;
                self.from += last * step.from;
                self.to += last * step.to;
                (step.from, step.to) = (-step.from, -step.to);
            }
        }
        self.steps.sort_by_key(|step| std::cmp::Reverse(step.to));
    }

    /// Units that are moved.
    pub(super) fn units(&self) -> usize {
        self.steps.iter().map(|step| step.count).product()
    }

    /// The first unit of the output that is written, and the one behind the last; for a move without a table about it.
    pub(super) fn written(&self) -> (usize, usize) {
        let reach: isize = self.steps.iter().map(|step| (step.count as isize - 1) * step.to).sum();
        (self.to as usize, (self.to + reach + 1) as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(of: &Move) -> Vec<(usize, isize, isize)> {
        of.steps.iter().map(|step| (step.count, step.from, step.to)).collect()
    }

    fn strided(count: usize, stride: isize) -> Axis<'static> {
        Axis::Strided { count, stride }
    }

    #[test]
    fn axes_join_and_count_words() {
        let whole = [strided(2, 12), strided(3, 4), strided(4, 1)];
        assert_eq!(steps(&Move::gather(0, &whole, 4).unwrap()), [(24, 1, 1)]);
        assert_eq!(steps(&Move::gather(0, &whole, 8).unwrap()), [(48, 1, 1)]);
        assert_eq!(steps(&Move::gather(0, &whole, 2).unwrap()), [(12, 1, 1)]);
        let transposed = [strided(4, 1), strided(3, 4)];
        assert_eq!(steps(&Move::gather(0, &transposed, 8).unwrap()), [(4, 2, 6), (3, 8, 2), (2, 1, 1)]);
        let rows = Move::scatter(6, &[strided(2, 8), strided(2, 1)], 2).unwrap();
        assert_eq!((steps(&rows), rows.to, rows.per_word), (vec![(2, 1, 4)], 3, 1));
    }

    #[test]
    fn short_elements_that_stand_apart_are_moved_one_by_one() {
        let odd = Move::gather(1, &[strided(4, 1)], 2).unwrap();
        assert_eq!((steps(&odd), odd.from, odd.per_word), (vec![(4, 1, 1)], 1, 2));
        let back = Move::scatter(7, &[strided(2, -4), strided(3, -1)], 1).unwrap();
        assert_eq!((steps(&back), back.from, back.to), (vec![(2, -3, 4), (3, -1, 1)], 5, 1));
        assert_eq!((back.written(), back.per_word), ((1, 8), 4));
    }

    #[test]
    fn tables_count_what_the_axes_count() {
        let table = [8, 0, 4];
        let wide = Move::gather(0, &[Axis::Table(&table), strided(4, 1)], 8).unwrap();
        assert_eq!((steps(&wide), wide.table.as_slice()), (vec![(3, 0, 8), (8, 1, 1)], &[16, 0, 8][..]));
        let short = Move::gather(0, &[Axis::Table(&table), strided(4, 1)], 1).unwrap();
        assert_eq!((steps(&short), short.table.as_slice()), (vec![(3, 0, 1)], &[2, 0, 1][..]));
    }

    #[test]
    fn too_many_axes_are_refused() {
        let axes = vec![strided(2, 100); RANK + 1];
        assert!(Move::gather(0, &axes, 4).unwrap_err().to_string().contains("along 8 axes"));
    }
}
