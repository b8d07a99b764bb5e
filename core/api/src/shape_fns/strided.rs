//! `StridedSlice`: the specification of a slice and what it picks.

use smallvec::SmallVec;

use crate::shape::Dim;
use crate::shape_inference::{merge_shapes, shape_error};
use crate::{PartialShape, Result, ShapeContext};

/// `StridedSlice`: see [`StridedSlice::resolve`]; `begin`, `end` and `strides` are the vector inputs 1 to 3.
///
/// # Errors
/// The inputs 1 to 3 are no vectors of one length, or [`StridedSlice::resolve`] fails.
pub fn strided_slice(c: &mut ShapeContext<'_>) -> Result<()> {
    let begin = merge_shapes(&c.with_rank(1, 1)?, &c.with_rank(2, 1)?)?;
    let count = merge_shapes(&begin, &c.with_rank(3, 1)?)?.dim(0);
    let (Some(_), Some(_), Some(strides)) = (c.input(0).rank(), count, c.constant_ints(3)?) else { return Ok(()) };
    let (begin, end) = (c.constant_ints(1)?, c.constant_ints(2)?);
    let masks = StridedSliceMasks::of(|name| c.attr(name))?;
    let slice = StridedSlice::resolve(c.input(0), begin.as_deref(), end.as_deref(), &strides, masks)?;
    c.set_output(0, slice.shape);
    Ok(())
}

/// The attrs of `StridedSlice`: bit `i` is about element `i` of the specification.
#[derive(Clone, Copy, Debug, Default)]
pub struct StridedSliceMasks {
    /// Begin is ignored: the range starts at the axis' start.
    pub begin: i64,
    /// End is ignored: the range goes to the axis' end.
    pub end: i64,
    /// Stands for as many whole axes as are left.
    pub ellipsis: i64,
    /// A new axis of extent 1.
    pub new_axis: i64,
    /// The one element at begin; its axis goes.
    pub shrink_axis: i64,
}

impl StridedSliceMasks {
    /// Reads the five attrs.
    ///
    /// # Errors
    /// An attr is missing.
    pub fn of(attr: impl Fn(&str) -> Result<i64>) -> Result<Self> {
        Ok(Self {
            begin: attr("begin_mask")?,
            end: attr("end_mask")?,
            ellipsis: attr("ellipsis_mask")?,
            new_axis: attr("new_axis_mask")?,
            shrink_axis: attr("shrink_axis_mask")?,
        })
    }
}

/// What is picked along one axis of the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StridedSliceDim {
    /// The first position; meaningless where the extent is 0 or unknown.
    pub begin: i64,
    /// The distance between positions, not 0.
    pub stride: i64,
    /// The number of positions.
    pub extent: Dim,
}

/// A resolved slice.
#[derive(Clone, Debug)]
pub struct StridedSlice {
    /// What is picked along each axis of the input.
    pub dims: SmallVec<[StridedSliceDim; 4]>,
    /// The shape of the result, axes added and removed.
    pub shape: PartialShape,
}

/// Where an axis of the result comes from.
enum Source {
    Input(usize),
    New,
}

/// One axis' range before its bounds are known; `None` values are the axis' ends.
#[derive(Clone, Copy)]
struct Range {
    begin: Bound,
    end: Bound,
    stride: i64,
    shrink: bool,
}

#[derive(Clone, Copy, PartialEq)]
enum Bound {
    Open,
    At(i64),
    Unknown,
}

const WHOLE: Range = Range { begin: Bound::Open, end: Bound::Open, stride: 1, shrink: false };

impl StridedSlice {
    /// Resolves a specification, as NumPy's basic indexing: negative positions count from the end, ranges are clamped,
    /// single positions must exist. `begin` and `end` may be unknown; then only the extents of whole axes are known.
    ///
    /// # Errors
    /// More than one ellipsis, more axes than the input has, a stride of 0, a negative stride with `shrink_axis`, a
    /// single position outside its axis, an input of unknown rank.
    pub fn resolve(
        input: &PartialShape,
        begin: Option<&[i64]>,
        end: Option<&[i64]>,
        strides: &[i64],
        masks: StridedSliceMasks,
    ) -> Result<Self> {
        let Some(dims) = input.dims() else { return Err(shape_error("the rank of the input must be known")) };
        if strides.len() >= 32 || [begin, end].iter().flatten().any(|values| values.len() != strides.len()) {
            return Err(shape_error("begin, end and strides must be vectors of one length below 32"));
        }
        let (ranges, sources) = dense(dims.len(), begin, end, strides, masks)?;
        let picked = ranges.iter().zip(dims).enumerate();
        let picked = picked.map(|(axis, (range, &dim))| range.pick(axis, dim)).collect::<Result<SmallVec<[_; 4]>>>()?;
        let extent = |source: &Source| match source {
            Source::Input(axis) => picked[*axis].extent,
            Source::New => Some(1),
        };
        let shape = sources.iter().map(extent).collect();
        Ok(Self { dims: picked, shape })
    }
}

/// One range for each axis of the input, and where the axes of the result come from.
fn dense(
    rank: usize,
    begin: Option<&[i64]>,
    end: Option<&[i64]>,
    strides: &[i64],
    masks: StridedSliceMasks,
) -> Result<(SmallVec<[Range; 4]>, SmallVec<[Source; 4]>)> {
    let has = |mask: i64, i: usize| mask >> i & 1 != 0;
    if masks.ellipsis.count_ones() > 1 {
        return Err(shape_error("a slice can have one ellipsis only"));
    }
    let both_known = begin.is_some() && end.is_some();
    let takes_axis = |&i: &usize| !has(masks.ellipsis, i) && !has(masks.new_axis, i);
    let named = (0..strides.len()).filter(takes_axis).count();
    if named > rank {
        return Err(shape_error(format!("index out of range: {named} axes are sliced, the input has {rank}")));
    }
    let (mut ranges, mut sources) = (SmallVec::with_capacity(rank), SmallVec::with_capacity(rank));
    let whole_axes = |ranges: &mut SmallVec<[Range; 4]>, sources: &mut SmallVec<[Source; 4]>, count: usize| {
        sources.extend((ranges.len()..ranges.len() + count).map(Source::Input));
        ranges.resize(ranges.len() + count, WHOLE);
    };
    for i in 0..strides.len() {
        if has(masks.ellipsis, i) {
            whole_axes(&mut ranges, &mut sources, rank - named);
        } else if has(masks.new_axis, i) {
            sources.push(Source::New);
        } else {
            let shrink = has(masks.shrink_axis, i);
            let open = |mask: i64| has(mask, i) && !shrink;
            let whole = open(masks.begin) && open(masks.end);
            let bound = |values: Option<&[i64]>, mask: i64| match values {
                Some(values) if both_known && !open(mask) => Bound::At(values[i]),
                _ if whole || (both_known && open(mask)) => Bound::Open,
                _ => Bound::Unknown,
            };
            if !shrink {
                sources.push(Source::Input(ranges.len()));
            }
            ranges.push(Range {
                begin: bound(begin, masks.begin),
                end: bound(end, masks.end),
                stride: strides[i],
                shrink,
            });
        }
    }
    let rest = rank - ranges.len();
    whole_axes(&mut ranges, &mut sources, rest);
    Ok((ranges, sources))
}

impl Range {
    fn pick(&self, axis: usize, dim: Dim) -> Result<StridedSliceDim> {
        let stride = self.stride;
        if stride == 0 {
            return Err(shape_error(format!("strides[{axis}] must not be 0")));
        }
        let Some(size) = dim else {
            return Ok(StridedSliceDim { begin: 0, stride, extent: self.shrink.then_some(1) });
        };
        if self.shrink {
            return self.pick_one(axis, size);
        }
        let (first, last) = if stride > 0 { (0, size as i64) } else { (size as i64 - 1, -1) };
        let clamp = |bound: Bound, open: i64| match bound {
            Bound::Open => Some(open),
            Bound::At(at) => {
                let at = if at < 0 { at.saturating_add(size as i64) } else { at };
                Some(at.clamp(first.min(last), first.max(last)))
            }
            Bound::Unknown => None,
        };
        let (begin, end) = (clamp(self.begin, first), clamp(self.end, last));
        let extent = begin.zip(end).map(|(begin, end)| positions(end - begin, stride));
        Ok(StridedSliceDim { begin: begin.unwrap_or(0), stride, extent })
    }

    fn pick_one(&self, axis: usize, size: usize) -> Result<StridedSliceDim> {
        let stride = self.stride;
        if stride < 0 {
            return Err(shape_error("only stride 1 is allowed where a single position is picked"));
        }
        let Bound::At(at) = self.begin else { return Ok(StridedSliceDim { begin: 0, stride, extent: Some(1) }) };
        let begin = if at < 0 { at.saturating_add(size as i64) } else { at };
        if begin < 0 || begin >= size as i64 {
            return Err(shape_error(format!("slice index {at} of dimension {axis} is out of bounds of extent {size}")));
        }
        Ok(StridedSliceDim { begin, stride, extent: Some(1) })
    }
}

/// The number of steps of `stride` that fit a signed interval.
fn positions(interval: i64, stride: i64) -> usize {
    if interval == 0 || (interval < 0) != (stride < 0) {
        return 0;
    }
    interval.unsigned_abs().div_ceil(stride.unsigned_abs()) as usize
}
