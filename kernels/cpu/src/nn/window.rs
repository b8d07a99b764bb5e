//! Windows that move over images: the attrs `strides`, `dilations`, `ksize`, `padding`, `explicit_paddings`,
//! `data_format`, and where a window meets the image.

use std::ops::Range;

use oplink::KernelConstruction;
use oplink::prelude::*;
use oplink::shape_fns::Padding;

/// How a window moves along rows and columns.
#[derive(Debug, Clone)]
pub(super) struct Window {
    strides: [i64; 2],
    dilations: [i64; 2],
    padding: [Padding; 2],
}

/// A window's positions along one axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Axis {
    /// Extent of the input.
    pub(super) input: usize,
    /// Extent of the output.
    pub(super) output: usize,
    /// Taps of the window.
    pub(super) window: usize,
    /// Input positions between neighbouring outputs.
    pub(super) stride: usize,
    /// Input positions between neighbouring taps.
    pub(super) dilation: usize,
    /// Padding before the first input position.
    pub(super) before: usize,
}

impl Window {
    /// From the attrs of an op over `NHWC` images. `dilations` is read where the op has it.
    ///
    /// # Errors
    /// Another data format (code Unimplemented); strides or dilations of batch or channels other than 1; malformed
    /// paddings.
    pub(super) fn new(construction: KernelConstruction<'_>) -> Result<Self> {
        let op = &construction.node().op.name;
        let format = construction.attr::<&str>("data_format")?;
        if format != "NHWC" {
            return Err(Error::unimplemented(format!(
                "{op} on the CPU takes images as NHWC only, data_format is {format}"
            )));
        }
        let dilations = match construction.attrs().get("dilations") {
            Some(_) => spatial(construction, "dilations")?,
            None => [1, 1],
        };
        Ok(Self { strides: spatial(construction, "strides")?, dilations, padding: padding(construction)? })
    }

    /// The padding along rows and columns.
    pub(super) fn padding(&self) -> [Padding; 2] {
        self.padding
    }

    /// The positions along rows (0) or columns (1), for an input and a window of these extents.
    ///
    /// # Errors
    /// The window, placed before the padded input's end by less than a stride, does not fit.
    pub(super) fn axis(&self, axis: usize, input: usize, window: usize) -> Result<Axis> {
        let (stride, dilation, padding) = (self.strides[axis], self.dilations[axis], self.padding[axis]);
        let (stride, dilation) = (stride as usize, dilation as usize);
        let reach = window.saturating_sub(1) * dilation + 1;
        let padded = match padding {
            Padding::Explicit(before, after) => input + before + after,
            Padding::Valid | Padding::Same => input,
        };
        let output = match padding {
            Padding::Same => input.div_ceil(stride),
            _ if padded + stride >= reach => (padded + stride - reach) / stride,
            _ => {
                bail!("a window that reaches over {reach} positions does not fit into {padded} ones at stride {stride}")
            }
        };
        let before = match padding {
            Padding::Valid => 0,
            Padding::Explicit(before, _) => before,
            Padding::Same => (output.saturating_sub(1) * stride + reach).saturating_sub(input) / 2,
        };
        Ok(Axis { input, output, window, stride, dilation, before })
    }
}

impl Axis {
    /// The taps that lie inside the input for the output at `position`, and the input position of the first of them.
    #[inline]
    pub(super) fn taps(&self, position: usize) -> (Range<usize>, usize) {
        let start = position * self.stride;
        let first = self.before.saturating_sub(start).div_ceil(self.dilation).min(self.window);
        let end = (self.input + self.before).saturating_sub(start).div_ceil(self.dilation).min(self.window);
        (first..end.max(first), (start + first * self.dilation).saturating_sub(self.before))
    }

    /// Whether every output sees exactly the input at its own position.
    pub(super) fn is_identity(&self) -> bool {
        self.window == 1 && self.stride == 1 && self.before == 0 && self.output == self.input
    }
}

/// A `list(int)` attr's numbers for rows and columns.
fn spatial(construction: KernelConstruction<'_>, name: &str) -> Result<[i64; 2]> {
    let op = &construction.node().op.name;
    match *construction.attr::<&[i64]>(name)? {
        [1, rows, columns, 1] if rows > 0 && columns > 0 => Ok([rows, columns]),
        [1, rows, columns, 1] => bail!("{name} of {op} must be > 0, rows have {rows}, columns {columns}"),
        [_, _, _, _] => {
            Err(Error::unimplemented(format!("{name} of {op} in the batch and channel dimensions must be 1")))
        }
        ref other => bail!("{name} of {op} must have 4 elements, it is {other:?}"),
    }
}

fn padding(construction: KernelConstruction<'_>) -> Result<[Padding; 2]> {
    let explicit = match construction.attrs().get("explicit_paddings") {
        Some(_) => construction.attr::<&[i64]>("explicit_paddings")?,
        None => &[],
    };
    match construction.attr::<&str>("padding")? {
        "EXPLICIT" => explicit_paddings(explicit),
        other if !explicit.is_empty() => bail!("explicit_paddings must be empty where padding is {other}"),
        "SAME" => Ok([Padding::Same; 2]),
        "VALID" => Ok([Padding::Valid; 2]),
        other => bail!("padding is {other}, must be SAME, VALID or EXPLICIT"),
    }
}

fn explicit_paddings(values: &[i64]) -> Result<[Padding; 2]> {
    let &[b0, b1, top, bottom, left, right, c0, c1] = values else {
        bail!("explicit_paddings must have 8 elements, they are {values:?}")
    };
    ensure!(values.iter().all(|&v| v >= 0), "explicit_paddings must be >= 0, they are {values:?}");
    ensure!([b0, b1, c0, c1] == [0; 4], "explicit_paddings of batch and channels must be 0, they are {values:?}");
    let pair = |before: i64, after: i64| Padding::Explicit(before as usize, after as usize);
    Ok([pair(top, bottom), pair(left, right)])
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
                let window_attrs = Window { strides: [stride; 2], dilations: [dilation; 2], padding: [padding; 2] };
                let axis = window_attrs.axis(0, input, window).unwrap();
                for position in 0..axis.output {
                    let at = |tap: usize| (position * axis.stride + tap * axis.dilation).checked_sub(axis.before);
                    let inside: Vec<usize> = (0..window).filter(|&t| at(t).is_some_and(|i| i < input)).collect();
                    let (taps, first) = axis.taps(position);
                    assert_eq!(taps.clone().collect::<Vec<_>>(), inside, "{axis:?} at {position}");
                    assert!(taps.is_empty() || at(taps.start) == Some(first), "{axis:?} at {position}");
                }
            }
        }
    }
}
