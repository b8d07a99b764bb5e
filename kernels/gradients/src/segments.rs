//! Sums, products, means and extrema of segments.

use oplink::call::Arg;
use oplink::prelude::*;
use oplink_ops::{
    Cast, ConcatV2, Div, Equal, Fill, GatherV2, Greater, GreaterEqual, LogicalAnd, Maximum, OnesLike, Rank, SegmentMax,
    SegmentMean, SegmentMin, SegmentProd, SegmentSum, SelectV2, Sub, UnsortedSegmentMax, UnsortedSegmentMin,
    UnsortedSegmentProd, UnsortedSegmentSum,
};

use crate::Gradients;
use crate::nodes::{Attrs, Nodes};

/// The segments that the data of a node lies in.
struct Segments<'n, 's> {
    n: &'n Nodes<'s>,
    data: Output,
    segments: Output,
    /// The number of segments where it is an input; then segments may be negative, and what lies in those is left out.
    count: Option<Output>,
}

impl<'n, 's> Segments<'n, 's> {
    fn sorted(n: &'n Nodes<'s>, op: &OpForGradient) -> Self {
        Self { n, data: op.input(0), segments: op.input(1), count: None }
    }

    fn unsorted(n: &'n Nodes<'s>, op: &OpForGradient) -> Self {
        Self { n, data: op.input(0), segments: op.input(1), count: Some(op.input(2)) }
    }

    fn sum(&self, data: Output) -> Result<Output> {
        match self.count {
            Some(count) => self.n.add::<UnsortedSegmentSum>([data, self.segments, count]),
            None => self.n.add::<SegmentSum>([data, self.segments]),
        }
    }

    fn product(&self, data: Output) -> Result<Output> {
        match self.count {
            Some(count) => self.n.add::<UnsortedSegmentProd>([data, self.segments, count]),
            None => self.n.add::<SegmentProd>([data, self.segments]),
        }
    }

    /// For each element what its segment has; that of segment 0 where the segment is negative.
    fn gather(&self, of_segments: Output) -> Result<Output> {
        let n = self.n;
        let segments = match self.count {
            Some(_) => n.add::<Maximum>([self.segments, n.zeros(self.segments)?])?,
            None => self.segments,
        };
        n.add::<GatherV2>([of_segments, segments, n.int(0)?])
    }

    /// For each element whether its segment is not negative, in a shape that goes with that of the data; `None` where
    /// no segment can be.
    fn inside(&self) -> Result<Option<Output>> {
        let n = self.n;
        if self.count.is_none() {
            return Ok(None);
        }
        let inside = n.add::<GreaterEqual>([self.segments, n.zeros(self.segments)?])?;
        n.reshape(inside, self.with_ones()?).map(Some)
    }

    /// The shape of the segments, with 1 for every further axis of the data.
    fn with_ones(&self) -> Result<Output> {
        let n = self.n;
        let inner = n.add::<Sub>([n.add::<Rank>([self.data])?, n.add::<Rank>([self.segments])?])?;
        let ones = n.add::<Fill>([n.reshape(inner, n.ints(&[1])?)?, n.int(1)?])?;
        let parts = vec![Arg::List(vec![n.shape(self.segments)?, ones]), Arg::One(n.int(0)?)];
        Ok(n.call::<ConcatV2>(parts, Attrs::new())?[0])
    }

    /// As [`Segments::gather`], with zeros where the segment is negative.
    fn gather_or_zero(&self, of_segments: Output) -> Result<Output> {
        let gathered = self.gather(of_segments)?;
        match self.inside()? {
            Some(inside) => self.n.add::<SelectV2>([inside, gathered, self.n.zeros(gathered)?]),
            None => Ok(gathered),
        }
    }

    /// The gradient of the extrema `y`: shared by the elements of a segment that are equal to its extremum.
    fn by_extremum(&self, dtype: DType, y: Output, dy: Output) -> Result<Output> {
        let n = self.n;
        let equal = n.add::<Equal>([self.data, self.gather_or_zero(y)?])?;
        let chosen = match self.inside()? {
            Some(inside) => n.add::<LogicalAnd>([equal, inside])?,
            None => equal,
        };
        let counts = self.sum(n.cast(chosen, DType::Bool, dtype)?)?;
        let shares = self.gather_or_zero(n.add::<Div>([dy, counts])?)?;
        n.add::<SelectV2>([chosen, shares, n.zeros(shares)?])
    }

    /// The gradient of the products `y`: each element gets the product of the others of its segment. That is 0 beside
    /// one zero, and for all where there are two.
    fn by_product(&self, y: Output, dy: Output) -> Result<Output> {
        let (n, data) = (self.n, self.data);
        let is_zero = n.add::<Equal>([data, n.zeros(data)?])?;
        let zeros = self.sum(n.with::<Cast>([is_zero], vec![("DstT", DType::Int32.into())])?)?;
        let several = n.add::<Greater>([zeros, n.int(1)?])?;
        let dy = n.add::<SelectV2>([several, n.zeros(dy)?, dy])?;
        let others = n.add::<SelectV2>([is_zero, n.add::<OnesLike>([data])?, data])?;
        let of_others = self.gather(self.product(others)?)?;
        let divided = n.add::<Div>([self.gather(y)?, others])?;
        n.mul(self.gather_or_zero(dy)?, n.add::<SelectV2>([is_zero, of_others, divided])?)
    }
}

#[gradient(SegmentSum)]
fn segment_sum(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    Ok(vec![Some(Segments::sorted(&n, op).gather(dy[0])?), None])
}

/// Elements of negative segments, which are in no sum, get zeros.
#[gradient(UnsortedSegmentSum)]
fn unsorted_segment_sum(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    Ok(vec![Some(Segments::unsorted(&n, op).gather_or_zero(dy[0])?), None, None])
}

#[gradient(SegmentMean)]
fn segment_mean(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let segments = Segments::sorted(&n, op);
    let ones = n.add::<Fill>([segments.with_ones()?, n.scalar(1.0)?])?;
    Ok(vec![Some(segments.gather(n.add::<Div>([dy[0], segments.sum(ones)?])?)?), None])
}

fn extremum(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let by_data = Segments::sorted(&n, op).by_extremum(op.input_dtype(0), op.output(0), dy[0])?;
    Ok(vec![Some(by_data), None])
}

fn unsorted_extremum(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let by_data = Segments::unsorted(&n, op).by_extremum(op.input_dtype(0), op.output(0), dy[0])?;
    Ok(vec![Some(by_data), None, None])
}

#[gradient(SegmentMax)]
fn segment_max(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    extremum(scope, op, dy)
}

#[gradient(SegmentMin)]
fn segment_min(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    extremum(scope, op, dy)
}

#[gradient(UnsortedSegmentMax)]
fn unsorted_segment_max(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    unsorted_extremum(scope, op, dy)
}

#[gradient(UnsortedSegmentMin)]
fn unsorted_segment_min(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    unsorted_extremum(scope, op, dy)
}

#[gradient(SegmentProd)]
fn segment_prod(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    Ok(vec![Some(Segments::sorted(&n, op).by_product(op.output(0), dy[0])?), None])
}

#[gradient(UnsortedSegmentProd)]
fn unsorted_segment_prod(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    Ok(vec![Some(Segments::unsorted(&n, op).by_product(op.output(0), dy[0])?), None, None])
}
