//! Parameters of kernels for the small integer inputs of ops on state: positions, sizes, element shapes.

use oplink::params::{AnyElement, InputParam};
use oplink::prelude::*;
use oplink::shape_inference::{few_ints, int_values};

/// An integer scalar.
#[derive(Clone, Copy, Debug)]
pub struct Scalar(pub i64);

/// An integer scalar that is not negative.
#[derive(Clone, Copy, Debug)]
pub struct Size(pub usize);

/// An integer tensor of one element, whatever its rank.
#[derive(Clone, Copy, Debug)]
pub struct Single(pub i64);

/// A vector of integers.
#[derive(Clone, Debug)]
pub struct Vector(pub Vec<i64>);

/// An element shape: a vector of extents, -1 for unknown ones, or the scalar -1 for an unknown rank.
#[derive(Clone, Debug)]
pub struct ElementShape(pub PartialShape);

impl InputParam<'_> for Scalar {
    type Element = AnyElement;

    fn bind(input: &Tensor) -> Result<Self> {
        ensure!(input.rank() == 0, "it must be a scalar, it has shape {}", input.shape());
        Ok(Self(few_ints(input)?[0]))
    }
}

impl InputParam<'_> for Size {
    type Element = AnyElement;

    fn bind(input: &Tensor) -> Result<Self> {
        not_negative(Scalar::bind(input)?.0, "it").map(Self)
    }
}

impl InputParam<'_> for Single {
    type Element = AnyElement;

    fn bind(input: &Tensor) -> Result<Self> {
        match few_ints(input)?[..] {
            [value] => Ok(Self(value)),
            _ => bail!("it must have one element, it has shape {}", input.shape()),
        }
    }
}

impl InputParam<'_> for Vector {
    type Element = AnyElement;

    fn bind(input: &Tensor) -> Result<Self> {
        ensure!(input.rank() == 1, "it must be a vector, it has shape {}", input.shape());
        int_values(input).map(Self)
    }
}

impl InputParam<'_> for ElementShape {
    type Element = AnyElement;

    fn bind(input: &Tensor) -> Result<Self> {
        let values = few_ints(input)?;
        match (input.rank(), &values[..]) {
            (0, [-1]) => Ok(Self(PartialShape::unknown())),
            (0, [value]) => bail!("an element shape that is a scalar must be -1, for an unknown one; it is {value}"),
            (1, values) => PartialShape::from_i64(Some(values)).map(Self),
            _ => bail!("an element shape must be a vector or a scalar, it has shape {}", input.shape()),
        }
    }
}

/// A size or position that must not be negative.
pub(super) fn not_negative(value: i64, name: &str) -> Result<usize> {
    usize::try_from(value).map_err(|_| Error::invalid_argument(format!("{name} must not be negative, it is {value}")))
}
