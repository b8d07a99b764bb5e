//! A tensor as lines along one axis.

use oplink::prelude::*;
use oplink::shape_inference::{int_values, normalize_axis};

use crate::reduce::MOST_ELEMENTS;

/// Where the elements along one axis stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Along {
    /// The axis, counted from the front.
    pub(super) axis: usize,
    /// Lines: positions of all other axes.
    pub(super) lines: u32,
    /// Elements of a line.
    pub(super) extent: u32,
    /// Elements from one of a line to the next; as many neighbouring lines start side by side.
    pub(super) inner: u32,
}

impl Along {
    /// Along the axis in the scalar `axis`, negative counted from the end, which is in host memory and has this name.
    ///
    /// # Errors
    /// `axis` is no scalar, the axis does not exist, or there are more elements than a GPU takes.
    pub(super) fn new(shape: &Shape, axis: &Tensor, name: &str) -> Result<Self> {
        ensure!(axis.rank() == 0, "{name} must be a scalar, its shape is {}", axis.shape());
        let axis =
            normalize_axis(int_values(axis)?[0], shape.rank()).map_err(|e| e.context(format!("reading {name}")))?;
        let (outer, inner): (usize, usize) = (shape[..axis].iter().product(), shape[axis + 1..].iter().product());
        let most = shape.num_elements().max(outer * inner);
        ensure!(most <= MOST_ELEMENTS, "a GPU takes at most {MOST_ELEMENTS} elements at once, the shape is {shape}");
        Ok(Self { axis, lines: (outer * inner) as u32, extent: shape[axis] as u32, inner: inner as u32 })
    }

    /// Threads of a block that share a line, a power of two.
    pub(super) fn width(&self) -> u32 {
        let wanted = self.extent.div_ceil(4).clamp(1, 256).next_power_of_two();
        if self.inner == 1 { wanted } else { wanted.min(256 / self.lines.next_power_of_two().min(32)) }
    }
}
