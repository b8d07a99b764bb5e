//! Numbers of elements and of blocks, as programs take them.

use oplink::prelude::*;

/// Threads of a block of programs that go over elements one by one.
const THREADS: usize = 256;
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

/// Blocks of 256 threads, one for each element as far as blocks go.
pub(super) fn threads_for(elements: usize) -> [u32; 3] {
    [blocks(elements, THREADS), 1, 1]
}

/// How many blocks that take `each` of `count` there are, as far as blocks go in one direction.
pub(super) fn blocks(count: usize, each: usize) -> u32 {
    count.div_ceil(each).min(MAX_BLOCKS) as u32
}
