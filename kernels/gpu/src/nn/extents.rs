//! Numbers of elements and of blocks, as programs take them.

use oplink::prelude::*;

/// Blocks that every device takes in one direction.
const MAX_BLOCKS: usize = 65_535;

/// A number of elements, which programs count in 32 bits.
///
/// # Errors
/// 2^31 or more (code Unimplemented).
pub(super) fn extent(elements: usize) -> Result<u32> {
    match i32::try_from(elements) {
        Ok(elements) => Ok(elements.unsigned_abs()),
        Err(_) => {
            Err(Error::unimplemented(format!("a kernel for GPUs over {elements} elements: 2147483647 is the most")))
        }
    }
}

/// How many blocks that take `each` of `count` there are, as far as blocks go in one direction.
pub(super) fn blocks(count: usize, each: usize) -> u32 {
    count.div_ceil(each).min(MAX_BLOCKS) as u32
}
