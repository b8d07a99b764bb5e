//! Reductions along axes, running sums and products.

use oplink::call::Arg;
use oplink::prelude::*;
use oplink_ops::{
    Add, BroadcastTo, Cumprod, Cumsum, Div, DivNoNan, DynamicStitch, Equal, EuclideanNorm, Fill, FloorDiv, FloorMod,
    Gather, Max, Maximum, Mean, Min, Prod, Range, Rank, Size, Sum, Transpose,
};
use oplink_ops::{
    ConcatV2, CumulativeLogsumexp, Exp, Greater, InvertPermutation, ListDiff, Log, Neg, Reshape, SelectV2,
};

use crate::Gradients;
use crate::nodes::Nodes;

/// A reduction's axes and shapes, as int32.
struct Reduced {
    /// The axes as they are given, possibly negative.
    axes: Output,
    rank: Output,
    /// The input's shape.
    shape: Output,
    /// The same with 1 in place of each axis.
    kept: Output,
}

impl Reduced {
    fn new(n: &Nodes<'_>, op: &OpForGradient) -> Result<Self> {
        let axes = n.cast(op.input(1), op.input_dtype(1), DType::Int32)?;
        let axes = n.reshape(axes, n.ints(&[-1])?)?;
        let (shape, rank) = (n.shape(op.input(0))?, n.add::<Rank>([op.input(0)])?);
        let positive = n.add::<FloorMod>([n.add::<Add>([axes, rank])?, rank])?;
        let all = n.add::<Range>([n.int(0)?, rank, n.int(1)?])?;
        let ones = n.add::<Fill>([n.shape(positive)?, n.int(1)?])?;
        let lists = vec![Arg::List(vec![all, positive]), Arg::List(vec![shape, ones])];
        let kept = n.call::<DynamicStitch>(lists, Vec::new())?;
        Ok(Self { axes: positive, rank, shape, kept: kept.first().copied().unwrap_or(shape) })
    }

    /// A value of the reduced shape, repeated along the axes.
    fn spread(&self, n: &Nodes<'_>, value: Output) -> Result<Output> {
        n.add::<BroadcastTo>([n.reshape(value, self.kept)?, self.shape])
    }
}

#[gradient(Sum)]
fn sum(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    Ok(vec![Some(Reduced::new(&n, op)?.spread(&n, dy[0])?), None])
}

#[gradient(Mean)]
fn mean(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let spread = Reduced::new(&n, op)?.spread(&n, dy[0])?;
    let outputs = n.add::<Maximum>([n.add::<Size>([op.output(0)])?, n.int(1)?])?;
    let count = n.add::<FloorDiv>([n.add::<Size>([op.input(0)])?, outputs])?;
    let count = n.cast(count, DType::Int32, op.input_dtype(0))?;
    Ok(vec![Some(n.add::<Div>([spread, count])?), None])
}

/// The gradient is shared by the elements that are equal to the extremum.
fn extremum(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let reduced = Reduced::new(&n, op)?;
    let (y, dy) = (n.reshape(op.output(0), reduced.kept)?, n.reshape(dy[0], reduced.kept)?);
    let equal = n.cast(n.add::<Equal>([y, op.input(0)])?, DType::Bool, op.input_dtype(0))?;
    let count = n.reshape(n.sum(equal, reduced.axes)?, reduced.kept)?;
    Ok(vec![Some(n.mul(n.add::<Div>([equal, count])?, dy)?), None])
}

#[gradient(Max)]
fn max(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    extremum(scope, op, dy)
}

#[gradient(Min)]
fn min(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    extremum(scope, op, dy)
}

/// Each element gets the product of the others: of those before it and of those behind it, along one axis that the
/// reduced ones are moved to. So that a zero among them divides nothing.
#[gradient(Prod)]
fn prod(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let reduced = Reduced::new(&n, op)?;
    let spread = reduced.spread(&n, dy[0])?;
    let all = n.add::<Range>([n.int(0)?, reduced.rank, n.int(1)?])?;
    let others = n.call::<ListDiff>(vec![Arg::One(all), Arg::One(reduced.axes)], Vec::new())?[0];
    let order = vec![Arg::List(vec![reduced.axes, others]), Arg::One(n.int(0)?)];
    let order = n.call::<ConcatV2>(order, Vec::new())?[0];
    let moved = n.add::<Transpose>([op.input(0), order])?;
    let lengths = n.add::<Gather>([reduced.shape, reduced.axes])?;
    let length = n.add::<Prod>([lengths, n.int(0)?])?;
    let rows = n.join::<oplink_ops::Pack>(&[length, n.int(-1)?], Vec::new())?;
    let matrix = n.add::<Reshape>([moved, rows])?;
    let before = n.with::<Cumprod>([matrix, n.int(0)?], vec![("exclusive", true.into())])?;
    let behind = vec![("exclusive", true.into()), ("reverse", true.into())];
    let behind = n.with::<Cumprod>([matrix, n.int(0)?], behind)?;
    let product = n.reshape_like(n.mul(n.conj(before)?, n.conj(behind)?)?, moved)?;
    let back = n.add::<Transpose>([product, n.add::<InvertPermutation>([order])?])?;
    Ok(vec![Some(n.mul(spread, back)?), None])
}

#[gradient(EuclideanNorm)]
fn euclidean_norm(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let reduced = Reduced::new(&n, op)?;
    let (y, dy) = (n.reshape(op.output(0), reduced.kept)?, n.reshape(dy[0], reduced.kept)?);
    Ok(vec![Some(n.mul(op.input(0), n.add::<DivNoNan>([dy, y])?)?), None])
}

/// The running sum in the other direction.
fn sum_back(n: &Nodes<'_>, op: &OpForGradient, value: Output) -> Result<Output> {
    let attrs =
        vec![("exclusive", op.attr::<bool>("exclusive")?.into()), ("reverse", (!op.attr::<bool>("reverse")?).into())];
    n.with::<Cumsum>([value, op.input(1)], attrs)
}

#[gradient(Cumsum)]
fn cumsum(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    Ok(vec![Some(sum_back(&n, op, dy[0])?), None])
}

/// Where an element is zero the gradient is not a number, as in TensorFlow.
#[gradient(Cumprod)]
fn cumprod(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let sums = sum_back(&n, op, n.mul(op.output(0), dy[0])?)?;
    Ok(vec![Some(n.add::<DivNoNan>([sums, op.input(0)])?), None])
}

/// The parts of the gradient above and below 0 as logarithms, each summed in the other direction: nothing overflows.
#[gradient(CumulativeLogsumexp)]
fn cumulative_logsumexp(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let lowest = match op.input_dtype(0) {
        DType::Half => -65504.0,
        DType::BFloat16 => -3.389_531_389_251_535_5e38,
        DType::Float => f64::from(f32::MIN),
        _ => f64::MIN,
    };
    let attrs =
        vec![("exclusive", op.attr::<bool>("exclusive")?.into()), ("reverse", (!op.attr::<bool>("reverse")?).into())];
    let part = |value| {
        let is_above = n.add::<Greater>([value, n.zeros(value)?])?;
        let log = n.add::<SelectV2>([is_above, n.add::<Log>([value])?, n.scalar(lowest)?])?;
        let sums = n.with::<CumulativeLogsumexp>([n.sub(log, op.output(0))?, op.input(1)], attrs.clone())?;
        n.add::<Exp>([n.add::<Add>([sums, op.input(0)])?])
    };
    Ok(vec![Some(n.sub(part(dy[0])?, part(n.add::<Neg>([dy[0]])?)?)?), None])
}
