//! Colours as hue, saturation and value.

use oplink::call::Arg;
use oplink::prelude::*;
use oplink_ops::{AddN, DivNoNan, Greater, GreaterEqual, LogicalAnd, OnesLike, Pack, RGBToHSV, Square, Unpack};

use crate::Gradients;
use crate::nodes::{Attrs, Nodes};

/// The channels of colours, and which of them is the largest and the smallest of a colour, as 0 and 1. Of equal ones
/// red counts before green before blue.
struct Channels<'n, 's> {
    n: &'n Nodes<'s>,
    dtype: DType,
    values: [Output; 3],
    largest: [Output; 3],
    smallest: [Output; 3],
}

impl<'n, 's> Channels<'n, 's> {
    fn new(n: &'n Nodes<'s>, colors: Output, dtype: DType) -> Result<Self> {
        let values @ [r, g, b] = split(n, colors)?;
        let mask = |both: [Output; 2]| n.cast(n.add::<LogicalAnd>(both)?, DType::Bool, dtype);
        let above = |a, b| n.add::<Greater>([a, b]);
        let from = |a, b| n.add::<GreaterEqual>([a, b]);
        let largest = [
            mask([from(r, b)?, from(r, g)?])?,
            mask([above(g, r)?, from(g, b)?])?,
            mask([above(b, r)?, above(b, g)?])?,
        ];
        let smallest = [
            mask([above(b, r)?, above(g, r)?])?,
            mask([from(r, g)?, above(b, g)?])?,
            mask([from(r, b)?, from(g, b)?])?,
        ];
        Ok(Self { n, dtype, values, largest, smallest })
    }

    fn product(&self, factors: &[Output]) -> Result<Output> {
        factors[1..].iter().try_fold(factors[0], |product, &factor| self.n.mul(product, factor))
    }

    /// `1 / value`, and 0 for 0.
    fn reciprocal(&self, value: Output) -> Result<Output> {
        self.n.add::<DivNoNan>([self.n.add::<OnesLike>([value])?, value])
    }

    /// `1 / value^2`, and 0 for 0.
    fn reciprocal_square(&self, value: Output) -> Result<Output> {
        self.reciprocal(self.n.add::<Square>([value])?)
    }

    /// Whether a channel is above 0, as 0 and 1.
    fn positive(&self, at: usize) -> Result<Output> {
        let zero = self.n.zeros(self.values[at])?;
        self.n.cast(self.n.add::<Greater>([self.values[at], zero])?, DType::Bool, self.dtype)
    }

    fn sum(&self, terms: &[Output]) -> Result<Output> {
        self.n.join::<AddN>(terms, Attrs::new())
    }

    /// The derivative of the saturation by a channel: of `1 - smallest / largest`.
    fn by_saturation(&self, i: usize) -> Result<Output> {
        let (n, j, k) = (self.n, (i + 1) % 3, (i + 2) % 3);
        let either =
            |masks: &[Output; 3]| self.sum(&[n.mul(masks[j], self.values[j])?, n.mul(masks[k], self.values[k])?]);
        let as_largest =
            self.product(&[self.largest[i], either(&self.smallest)?, self.reciprocal_square(self.values[i])?])?;
        let as_smallest = n.mul(self.smallest[i], self.reciprocal(either(&self.largest)?)?)?;
        n.mul(self.positive(i)?, n.sub(as_largest, as_smallest)?)
    }

    /// The derivative of the hue by a channel, of which 1 is the whole circle.
    fn by_hue(&self, i: usize, [saturation, value]: [Output; 2]) -> Result<Output> {
        let (n, j, k) = (self.n, (i + 1) % 3, (i + 2) % 3);
        let (c, largest, smallest) = (&self.values, &self.largest, &self.smallest);
        let apart = n.sub(c[k], c[j])?;
        let range = [self.reciprocal_square(saturation)?, self.reciprocal_square(value)?];
        let mut terms = vec![self.product(&[self.positive(i)?, largest[i], apart, range[0], range[1]])?];
        for other in [j, k] {
            let distance = self.reciprocal_square(n.sub(c[other], c[i])?)?;
            terms.push(self.product(&[self.positive(other)?, largest[other], smallest[i], apart, distance])?);
        }
        let step = self.reciprocal(apart)?;
        for (most, least) in [(j, k), (k, j)] {
            terms.push(self.product(&[self.positive(most)?, largest[most], smallest[least], step])?);
        }
        n.mul(self.sum(&terms)?, n.scalar(1.0 / 6.0)?)
    }
}

/// The channels along the last axis.
fn split(n: &Nodes<'_>, colors: Output) -> Result<[Output; 3]> {
    let channels = n.call::<Unpack>(vec![Arg::One(colors)], vec![("num", 3.into()), ("axis", (-1).into())])?;
    <[Output; 3]>::try_from(channels).map_err(|_| oplink::Error::internal("colours without three channels"))
}

#[gradient(RGBToHSV)]
fn rgb_to_hsv(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let channels = Channels::new(&n, op.input(0), op.input_dtype(0))?;
    let [_, saturation, value] = split(&n, op.output(0))?;
    let [by_hue, by_saturation, by_value] = split(&n, dy[0])?;
    let of = |i: usize| {
        let hue = n.mul(by_hue, channels.by_hue(i, [saturation, value])?)?;
        let saturation = n.mul(by_saturation, channels.by_saturation(i)?)?;
        channels.sum(&[hue, saturation, n.mul(by_value, channels.largest[i])?])
    };
    let parts = [of(0)?, of(1)?, of(2)?];
    Ok(vec![Some(n.join::<Pack>(&parts, vec![("axis", (-1).into())])?)])
}
