//! Windows that move over images and volumes: the attrs `strides`, `dilations`, `padding`, `explicit_paddings`,
//! `data_format`, and where a window meets its input. Convolutions and poolings follow, as far as they are extents
//! alone, which are the same on every device.
//!
//! An image is a volume of one plane, over which every window has one tap.

mod attrs;
mod convolution;
mod order;
mod pooling;
mod sizes;

use std::ops::Range;

use oplink::prelude::*;
use oplink::shape_fns::Padding;

use crate::attrs::WindowPadding;

pub use attrs::WindowAttrs;
pub use convolution::{Depthwise, Geometry};
pub use order::ChannelOrder;
pub use pooling::{PoolGeometry, PoolWindow};
pub use sizes::shape_of;

/// How a window moves along planes, rows and columns.
#[derive(Debug, Clone)]
pub struct Window {
    /// Input positions between neighbouring outputs.
    pub strides: [usize; 3],
    /// Input positions between neighbouring taps.
    pub dilations: [usize; 3],
    /// Positions around the input.
    pub padding: [Padding; 3],
}

/// A window's positions along one axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Axis {
    /// Extent of the input.
    pub input: usize,
    /// Extent of the output.
    pub output: usize,
    /// Taps of the window.
    pub window: usize,
    /// Input positions between neighbouring outputs.
    pub stride: usize,
    /// Input positions between neighbouring taps.
    pub dilation: usize,
    /// Padding before the first input position.
    pub before: usize,
}

impl Window {
    /// From the attrs of the op `op` on the CPU.
    ///
    /// # Errors
    /// Other data formats than channels last (code Unimplemented); as for [`Self::new`].
    pub fn channels_last(op: &str, attrs: &WindowAttrs<'_>) -> Result<Self> {
        attrs.check_channels_last(op)?;
        Self::new(op, attrs, ChannelOrder::Last)
    }

    /// From the attrs of the op `op`, over images or volumes whose axes, and so the attrs' numbers, are in `order`.
    ///
    /// # Errors
    /// Strides or dilations of batch or channels other than 1 (code Unimplemented); malformed numbers or paddings.
    pub fn new(op: &str, attrs: &WindowAttrs<'_>, order: ChannelOrder) -> Result<Self> {
        let dilations = match attrs.dilations {
            None => [1; 3],
            Some(dilations) => spatial(op, "dilations", &order.to_last(dilations))?,
        };
        let strides = spatial(op, "strides", &order.to_last(attrs.strides))?;
        Ok(Self { strides, dilations, padding: padding(attrs, order)? })
    }

    /// The positions along planes, rows and columns, for an input and a window of these extents.
    ///
    /// # Errors
    /// The window reaches beyond the padded input's end by two strides or more; where it does by less, there is no
    /// output.
    pub fn axes(&self, input: [usize; 3], window: [usize; 3]) -> Result<[Axis; 3]> {
        let mut axes = [Axis { input: 1, output: 1, window: 1, stride: 1, dilation: 1, before: 0 }; 3];
        for (axis, to) in axes.iter_mut().enumerate() {
            *to = self.axis(axis, input[axis], window[axis])?;
        }
        Ok(axes)
    }

    fn axis(&self, axis: usize, input: usize, window: usize) -> Result<Axis> {
        let (stride, dilation, padding) = (self.strides[axis], self.dilations[axis], self.padding[axis]);
        let reach = window.saturating_sub(1).saturating_mul(dilation).saturating_add(1);
        let padded = match padding {
            Padding::Explicit(before, after) => input.saturating_add(before).saturating_add(after),
            Padding::Valid | Padding::Same => input,
        };
        let output = match padding {
            Padding::Same => input.div_ceil(stride),
            _ if padded.saturating_add(stride).saturating_add(stride) > reach => {
                padded.saturating_add(stride).saturating_sub(reach) / stride
            }
            _ => {
                bail!("a window that reaches over {reach} positions does not fit into {padded} ones at stride {stride}")
            }
        };
        let before = match padding {
            Padding::Valid => 0,
            Padding::Explicit(before, _) => before,
            Padding::Same => {
                output.saturating_sub(1).saturating_mul(stride).saturating_add(reach).saturating_sub(input) / 2
            }
        };
        Ok(Axis { input, output, window, stride, dilation, before })
    }
}

impl Axis {
    /// The taps that lie inside the input for the output at `position`, and the input position of the first of them.
    #[inline]
    pub fn taps(&self, position: usize) -> (Range<usize>, usize) {
        let start = position * self.stride;
        let (left, right) = (self.before.saturating_sub(start), (self.input + self.before).saturating_sub(start));
        let (first, end) = match self.dilation {
            1 => (left, right),
            dilation => (left.div_ceil(dilation), right.div_ceil(dilation)),
        };
        let (first, end) = (first.min(self.window), end.min(self.window));
        (first..end.max(first), (start + first * self.dilation).saturating_sub(self.before))
    }

    /// Where the window of the output at `position` starts, 0 where that is before the input.
    #[inline]
    pub fn start(&self, position: usize) -> usize {
        (position * self.stride).saturating_sub(self.before)
    }

    /// The output that sees the input at `position` by `tap`.
    #[inline]
    pub fn output_at(&self, position: usize, tap: usize) -> Option<usize> {
        let start = (position + self.before).checked_sub(tap * self.dilation)?;
        let output = start / self.stride;
        (start.is_multiple_of(self.stride) && output < self.output).then_some(output)
    }

    /// The outputs that see an input by `tap`, and the input position that the first of them sees.
    pub fn outputs(&self, tap: usize) -> (Range<usize>, usize) {
        let at = tap * self.dilation;
        let first = self.before.saturating_sub(at).div_ceil(self.stride).min(self.output);
        let end = (self.input + self.before).saturating_sub(at).div_ceil(self.stride).min(self.output);
        (first..end.max(first), (first * self.stride + at).saturating_sub(self.before))
    }

    /// Whether every output sees exactly the input at its own position.
    pub fn is_identity(&self) -> bool {
        self.window == 1 && self.stride == 1 && self.before == 0 && self.output == self.input
    }
}

/// The extents of planes, rows and columns in a shape of rank 4 or 5 with two further axes, of which `before` come
/// first.
pub fn extents(shape: &[usize], before: usize) -> Option<[usize; 3]> {
    match *shape.get(before..)? {
        [rows, columns, ..] if shape.len() == 4 => Some([1, rows, columns]),
        [planes, rows, columns, ..] if shape.len() == 5 => Some([planes, rows, columns]),
        _ => None,
    }
}

/// The numbers for planes, rows and columns of `values`, which have one for each axis of the input.
pub fn spatial(op: &str, name: &str, values: &[i64]) -> Result<[usize; 3]> {
    let (batch, numbers, channels) = match *values {
        [batch, rows, columns, channels] => (batch, [1, rows, columns], channels),
        [batch, planes, rows, columns, channels] => (batch, [planes, rows, columns], channels),
        ref other => bail!("{name} of {op} must have a number for each axis of the input, it is {other:?}"),
    };
    if (batch, channels) != (1, 1) {
        return Err(Error::unimplemented(format!("{name} of {op} in the batch and channel dimensions must be 1")));
    }
    ensure!(numbers.iter().all(|&v| v > 0), "{name} of {op} must be > 0, it is {values:?}");
    let most = i32::MAX;
    ensure!(numbers.iter().all(|&v| v as u64 <= most as u64), "{name} of {op} must be <= {most}, it is {values:?}");
    Ok(numbers.map(|v| v as usize))
}

/// The padding of planes, rows and columns, of images or volumes whose axes are in `order`.
///
/// # Errors
/// `explicit_paddings` beside another padding than `EXPLICIT`, or malformed.
pub fn padding(attrs: &WindowAttrs<'_>, order: ChannelOrder) -> Result<[Padding; 3]> {
    let explicit = attrs.explicit_paddings;
    if attrs.padding == WindowPadding::Explicit {
        let (pairs, rest) = explicit.as_chunks::<2>();
        ensure!(rest.is_empty(), "explicit_paddings must come in pairs, they are {explicit:?}");
        return explicit_paddings(order.to_last(pairs).as_flattened());
    }
    ensure!(explicit.is_empty(), "explicit_paddings must be empty where padding is {}", attrs.padding);
    Ok([if attrs.padding == WindowPadding::Same { Padding::Same } else { Padding::Valid }; 3])
}

fn explicit_paddings(values: &[i64]) -> Result<[Padding; 3]> {
    let &[b0, b1, top, bottom, left, right, c0, c1] = values else {
        bail!("explicit_paddings must have 8 elements, they are {values:?}")
    };
    ensure!(values.iter().all(|&v| v >= 0), "explicit_paddings must be >= 0, they are {values:?}");
    ensure!([b0, b1, c0, c1] == [0; 4], "explicit_paddings of batch and channels must be 0, they are {values:?}");
    let pair = |before: i64, after: i64| Padding::Explicit(before as usize, after as usize);
    Ok([Padding::Valid, pair(top, bottom), pair(left, right)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn taps_are_those_inside_the_input() {
        for padding in [Padding::Same, Padding::Valid, Padding::Explicit(3, 1), Padding::Explicit(9, 9)] {
            for (input, window, stride, dilation) in
                [(7, 3, 1, 1), (8, 3, 2, 1), (9, 2, 3, 2), (5, 4, 1, 1), (4, 1, 2, 1)]
            {
                let attrs = Window { strides: [stride; 3], dilations: [dilation; 3], padding: [padding; 3] };
                check(&attrs.axes([input; 3], [window; 3]).unwrap()[0]);
            }
        }
    }

    /// Compares all positions with their definition.
    fn check(axis: &Axis) {
        let at = |position: usize, tap: usize| {
            let at = (position * axis.stride + tap * axis.dilation).checked_sub(axis.before);
            at.filter(|&at| at < axis.input)
        };
        for position in 0..axis.output {
            let inside: Vec<usize> = (0..axis.window).filter(|&tap| at(position, tap).is_some()).collect();
            let (taps, first) = axis.taps(position);
            assert_eq!(taps.clone().collect::<Vec<_>>(), inside, "{axis:?} at {position}");
            assert!(taps.is_empty() || at(position, taps.start) == Some(first), "{axis:?} at {position}");
        }
        for tap in 0..axis.window {
            let seeing: Vec<usize> = (0..axis.output).filter(|&output| at(output, tap).is_some()).collect();
            let (outputs, first) = axis.outputs(tap);
            assert_eq!(outputs.clone().collect::<Vec<_>>(), seeing, "{axis:?} at tap {tap}");
            assert!(outputs.is_empty() || at(outputs.start, tap) == Some(first), "{axis:?} at tap {tap}");
            for input in 0..axis.input {
                let output = (0..axis.output).find(|&output| at(output, tap) == Some(input));
                assert_eq!(axis.output_at(input, tap), output, "{axis:?} at {input} by tap {tap}");
            }
        }
    }
}
