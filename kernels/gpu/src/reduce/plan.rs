//! How many threads share the work of a reduction.

use super::layout::Layout;

/// Threads of a block.
pub(crate) const THREADS: u32 = 256;
/// Neighbouring outputs that threads side by side should at least have, for their reads to be of neighbouring elements.
const COLUMNS: u32 = 32;
/// Outputs that keep a device busy with a thread for each.
const MANY_OUTPUTS: u32 = 1 << 16;
/// Blocks that keep a device busy.
const MANY_BLOCKS: u32 = 1024;
/// Elements of a thread from which on an output's elements are divided among blocks.
const LONG: u32 = 64;
/// Blocks that every device takes in one direction.
const MOST_BLOCKS: u32 = 65_535;

/// How a reduction is divided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Plan {
    /// Threads of each output, a power of two.
    pub(super) width: u32,
    /// Parts into which the elements of each output are divided.
    pub(super) parts: u32,
    /// Elements of a part.
    pub(super) chunk: u32,
    /// Blocks of each part.
    pub(super) blocks: u32,
}

impl Plan {
    /// For a reduction to at least one output; `divides` where parts are allowed.
    pub(super) fn new(layout: &Layout, divides: bool) -> Self {
        let wanted = layout.count.div_ceil(4).clamp(1, THREADS).next_power_of_two();
        let by_column = layout.extents[0] == 1;
        let width = match by_column {
            true if layout.outputs >= MANY_OUTPUTS => 1,
            true => wanted.min(THREADS / layout.outputs.next_power_of_two().min(COLUMNS)),
            false => wanted,
        };
        let blocks = layout.outputs.div_ceil(THREADS / width);
        let each = layout.count / width;
        let most = if divides && each >= LONG { MANY_BLOCKS.div_ceil(blocks).min(each / 16).max(1) } else { 1 };
        let chunk = layout.count.div_ceil(most).next_multiple_of(width).max(1);
        let parts = layout.count.div_ceil(chunk).max(1);
        Self { width, parts, chunk, blocks: blocks.min(MOST_BLOCKS) }
    }
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;

    use super::*;

    fn plan(shape: &[usize], axes: &[i32]) -> [u32; 4] {
        let layout = Layout::new(&Shape::new(shape), &Tensor::from_slice(axes), false).unwrap();
        let Plan { width, parts, chunk, blocks } = Plan::new(&layout, true);
        assert!(parts * chunk >= layout.count && (parts - 1) * chunk <= layout.count);
        [width, parts, chunk, blocks]
    }

    #[test]
    fn rows_columns_and_whole_tensors() {
        assert_eq!(plan(&[1000, 10], &[1]), [4, 1, 12, 16]);
        assert_eq!(plan(&[64, 1000], &[1]), [256, 1, 1024, 64]);
        assert_eq!(plan(&[1000, 64], &[0]), [8, 7, 144, 2]);
        assert_eq!(plan(&[8, 100_000], &[0]), [1, 1, 8, 391]);
        assert_eq!(plan(&[1 << 20], &[0]), [256, 256, 4096, 1]);
        assert_eq!(plan(&[0, 2], &[0]), [1, 1, 1, 1]);
    }
}
