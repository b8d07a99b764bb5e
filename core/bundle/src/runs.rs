//! What a stored piece and a wanted piece of a tensor have in common, as runs of elements that are adjacent in both.

use std::ops::Range;

/// Elements that are adjacent in the source and in the target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Run {
    /// Position of the first one in the source.
    pub(crate) source: usize,
    /// Position of the first one in the target.
    pub(crate) target: usize,
    pub(crate) length: usize,
}

/// The common elements of two boxes of one tensor, both stored in row-major order; runs ascend in source and target.
pub(crate) struct Runs {
    /// For each outer axis: count, step in the source, step in the target, and the position.
    axes: Vec<(usize, usize, usize, usize)>,
    next: Option<Run>,
}

impl Runs {
    /// Of two boxes given by their positions along each axis.
    pub(crate) fn new(source: &[Range<usize>], target: &[Range<usize>]) -> Self {
        let common: Vec<Range<usize>> =
            source.iter().zip(target).map(|(s, t)| s.start.max(t.start)..s.end.min(t.end)).collect();
        let mut run = Run { source: 0, target: 0, length: 1 };
        let mut axes = Vec::new();
        let (mut source_step, mut target_step) = (1, 1);
        for ((s, t), c) in source.iter().zip(target).zip(&common).rev() {
            if c.is_empty() {
                return Self { axes: Vec::new(), next: None };
            }
            run.source += (c.start - s.start) * source_step;
            run.target += (c.start - t.start) * target_step;
            // Adjacent as long as what lies within was whole in both.
            if axes.is_empty() && run.length == source_step && run.length == target_step {
                run.length *= c.len();
            } else {
                axes.push((c.len(), source_step, target_step, 0));
            }
            source_step *= s.len();
            target_step *= t.len();
        }
        Self { axes, next: Some(run) }
    }

    /// One run over everything.
    pub(crate) fn whole(length: usize) -> Self {
        let run = Run { source: 0, target: 0, length };
        Self { axes: Vec::new(), next: (length > 0).then_some(run) }
    }
}

impl Iterator for Runs {
    type Item = Run;

    fn next(&mut self) -> Option<Run> {
        let run = self.next?;
        let mut following = run;
        self.next = None;
        for (count, source, target, at) in &mut self.axes {
            *at += 1;
            following.source += *source;
            following.target += *target;
            if *at < *count {
                self.next = Some(following);
                break;
            }
            following.source -= *count * *source;
            following.target -= *count * *target;
            *at = 0;
        }
        Some(run)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_inner_axes_are_one_run() {
        let runs = |source: &[Range<usize>], target: &[Range<usize>]| Runs::new(source, target).collect::<Vec<_>>();
        assert_eq!(runs(&[0..4, 0..3], &[1..3, 0..3]), [Run { source: 3, target: 0, length: 6 }]);
        assert_eq!(runs(&[2..4, 0..3], &[0..4, 0..3]), [Run { source: 0, target: 6, length: 6 }]);
        let halves = [Run { source: 0, target: 1, length: 2 }, Run { source: 2, target: 4, length: 2 }];
        assert_eq!(runs(&[0..2, 1..3], &[0..2, 0..3]), halves);
        assert_eq!(runs(&[], &[]), [Run { source: 0, target: 0, length: 1 }]);
        assert_eq!(runs(&[0..2, 0..1], &[2..4, 0..1]), []);
        assert_eq!(Runs::whole(0).count(), 0);
    }

    #[test]
    fn every_common_element_is_copied_once() {
        let boxes: [[Range<usize>; 3]; 4] =
            [[0..3, 0..4, 0..5], [1..3, 0..4, 0..5], [0..3, 1..3, 0..5], [2..3, 1..4, 2..4]];
        let elements = |b: &[Range<usize>; 3]| {
            let mut all = Vec::new();
            for i in b[0].clone() {
                for j in b[1].clone() {
                    all.extend(b[2].clone().map(|k| (i, j, k)));
                }
            }
            all
        };
        for source in &boxes {
            for target in &boxes {
                let (from, to) = (elements(source), elements(target));
                let mut copied = Vec::new();
                for run in Runs::new(source, target) {
                    for i in 0..run.length {
                        assert_eq!(from[run.source + i], to[run.target + i]);
                        copied.push(from[run.source + i]);
                    }
                }
                let common: Vec<_> = from.iter().copied().filter(|e| to.contains(e)).collect();
                assert_eq!(copied, common, "{source:?} {target:?}");
            }
        }
    }
}
