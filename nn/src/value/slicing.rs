//! Regions: `x.slice(s![.., 0..3])`, as `ndarray` writes them.

use ndarray::SliceInfoElem;
use oplink_api::Result;
use oplink_ops::StridedSlice;

use super::Value;
use super::extents::integers;
use crate::run::call_with;

/// A region of [`Value::slice`], an element for each axis, as `ndarray` writes them: `s![.., 0..3]`, `s![-1, ..;2]`,
/// `s![NewAxis, 1..]`. Unlike `ndarray`'s macro it is for crates that forbid unsafe code, too.
#[macro_export]
macro_rules! s {
    (@parse [$($done:expr,)*]) => { [$($done),*] };
    (@parse [$($done:expr,)*] $range:expr; $step:expr, $($rest:tt)*) => {
        $crate::s!(@parse [$($done,)* $crate::value::stepped($range, $step),] $($rest)*)
    };
    (@parse [$($done:expr,)*] $range:expr; $step:expr) => {
        $crate::s!(@parse [$($done,)* $crate::value::stepped($range, $step),])
    };
    (@parse [$($done:expr,)*] $range:expr, $($rest:tt)*) => {
        $crate::s!(@parse [$($done,)* $crate::value::region($range),] $($rest)*)
    };
    (@parse [$($done:expr,)*] $range:expr) => {
        $crate::s!(@parse [$($done,)* $crate::value::region($range),])
    };
    ($($region:tt)*) => { $crate::s!(@parse [] $($region)*) };
}

/// An element of a region; used by [`s!`](crate::s).
#[doc(hidden)]
pub fn region(range: impl Into<SliceInfoElem>) -> SliceInfoElem {
    range.into()
}

/// An element of a region with a step; used by [`s!`](crate::s).
#[doc(hidden)]
pub fn stepped(range: impl Into<SliceInfoElem>, step: isize) -> SliceInfoElem {
    match range.into() {
        SliceInfoElem::Slice { start, end, .. } => SliceInfoElem::Slice { start, end, step },
        element => element,
    }
}

/// The arguments of a strided slice.
#[derive(Default)]
struct Region {
    begin: Vec<i64>,
    end: Vec<i64>,
    strides: Vec<i64>,
    begin_mask: i64,
    end_mask: i64,
    ellipsis_mask: i64,
    new_axis_mask: i64,
    shrink_axis_mask: i64,
}

impl Value {
    /// A region, an element for each axis as [`s!`](crate::s) makes them: ranges with or without a step, single
    /// positions, `NewAxis`. Negative positions count from the end, a negative step gives the range in reverse order.
    /// Axes behind the last element stay whole.
    ///
    /// # Errors
    /// As the op `StridedSlice`: ranges are clamped to the axis, single positions must exist.
    pub fn slice(&self, region: impl AsRef<[SliceInfoElem]>) -> Result<Self> {
        let mut arguments = Region::default();
        region.as_ref().iter().for_each(|element| arguments.push(*element));
        let Region { begin, end, strides, .. } = &arguments;
        let inputs = [self.clone(), integers(begin)?, integers(end)?, integers(strides)?];
        let attrs = vec![
            ("begin_mask", arguments.begin_mask.into()),
            ("end_mask", arguments.end_mask.into()),
            ("ellipsis_mask", arguments.ellipsis_mask.into()),
            ("new_axis_mask", arguments.new_axis_mask.into()),
            ("shrink_axis_mask", arguments.shrink_axis_mask.into()),
        ];
        call_with::<StridedSlice>(inputs, attrs)
    }

    /// The slice at a position of the first axis.
    ///
    /// # Errors
    /// There is no such position.
    pub fn at(&self, position: isize) -> Result<Self> {
        self.slice([SliceInfoElem::Index(position)])
    }
}

impl Region {
    fn push(&mut self, element: SliceInfoElem) {
        let bit = 1 << self.begin.len();
        let (begin, end, stride) = match element {
            SliceInfoElem::Index(position) => {
                self.shrink_axis_mask |= bit;
                (position as i64, position as i64 + 1, 1)
            }
            SliceInfoElem::NewAxis => {
                self.new_axis_mask |= bit;
                (0, 0, 1)
            }
            SliceInfoElem::Slice { start, end, step } if step > 0 => {
                let end = end.map_or_else(|| self.open_end(bit), |end| end as i64);
                (start as i64, end, step as i64)
            }
            SliceInfoElem::Slice { start, end, step } => {
                self.backward(bit, start as i64, end.map(|end| end as i64), step as i64)
            }
        };
        self.begin.push(begin);
        self.end.push(end);
        self.strides.push(stride);
    }

    fn open_end(&mut self, bit: i64) -> i64 {
        self.end_mask |= bit;
        0
    }

    /// The range `start..end` from its last element to its first: the op goes from `end - 1` to before `start`.
    fn backward(&mut self, bit: i64, start: i64, end: Option<i64>, step: i64) -> (i64, i64, i64) {
        if end == Some(0) {
            return (0, 0, 1);
        }
        let begin = end.map_or_else(
            || {
                self.begin_mask |= bit;
                0
            },
            |end| end - 1,
        );
        (begin, if start == 0 { self.open_end(bit) } else { start - 1 }, step)
    }
}
