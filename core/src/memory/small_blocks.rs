//! Small blocks of the system's memory, kept by each thread for its next requests: the system takes longer to find an
//! aligned block of a few kilobytes, and to clear it, than a kernel to fill it.
#![allow(
    unsafe_code,
    reason = "room: the system's allocator, and lists of free blocks that are linked in the blocks themselves"
)]

use std::alloc::Layout;
use std::cell::RefCell;
use std::ptr::NonNull;

use oplink_api::tensor::ALIGNMENT;

/// The smallest block.
const LEAST: usize = 64;
/// Blocks are smaller than this.
pub(super) const LIMIT: usize = 1 << 14;
/// Bytes that a thread keeps at most.
const KEPT: usize = 1 << 17;
/// Four sizes for each power of two from the smallest block to the limit, and the smallest.
const SIZES: usize = 1 + 4 * (LIMIT.ilog2() - LEAST.ilog2()) as usize;

/// The number of the size that serves a request, and that size: less than a quarter larger than the request.
fn size(bytes: usize) -> (usize, usize) {
    if bytes <= LEAST {
        return (0, LEAST);
    }
    let last = bytes - 1;
    let quarter = last.ilog2() - 2;
    let quarters = last >> quarter;
    let power = (last.ilog2() - LEAST.ilog2()) as usize;
    (1 + 4 * power + (quarters - 4), (quarters + 1) << quarter)
}

fn layout(size: usize) -> Option<Layout> {
    Layout::from_size_align(size, ALIGNMENT).ok()
}

/// Free blocks of each size; a block holds the pointer to the next one.
struct FreeBlocks {
    first: [Option<NonNull<u8>>; SIZES],
    bytes: usize,
}

thread_local! {
    static FREE: RefCell<FreeBlocks> = const { RefCell::new(FreeBlocks { first: [None; SIZES], bytes: 0 }) };
}

impl FreeBlocks {
    fn pop(&mut self, (number, size): (usize, usize)) -> Option<NonNull<u8>> {
        let block = self.first[number]?;
        let next = block.cast::<Option<NonNull<u8>>>();
        // SAFETY: `push` wrote the pointer to a block that is nobody else's, aligned and large enough for it. Tensors
        // get no pointer to see.
        self.first[number] = unsafe { next.replace(None) };
        self.bytes -= size;
        Some(block)
    }

    /// Keeps a block, or returns false.
    fn push(&mut self, (number, size): (usize, usize), block: NonNull<u8>) -> bool {
        if self.bytes + size > KEPT {
            return false;
        }
        // SAFETY: the block is free, has 64 bytes at least, and is aligned to 64.
        unsafe { block.cast().write(self.first[number]) };
        self.first[number] = Some(block);
        self.bytes += size;
        true
    }

    /// Gives all blocks back to the system.
    fn release(&mut self) {
        for number in 0..SIZES {
            let size = size_of_number(number);
            while let Some(block) = self.pop((number, size)) {
                // SAFETY: blocks of this number came from `allocate` with this size.
                unsafe { to_system(block, size) };
            }
        }
    }
}

impl Drop for FreeBlocks {
    fn drop(&mut self) {
        self.release();
    }
}

/// The size with a number.
fn size_of_number(number: usize) -> usize {
    match number.checked_sub(1) {
        None => LEAST,
        Some(above) => (above % 4 + 5) << (LEAST.ilog2() as usize + above / 4 - 2),
    }
}

/// A block for a request below [`LIMIT`], with arbitrary but initialised contents, and whether the system was asked for
/// it.
pub(super) fn allocate(bytes: usize) -> Option<(NonNull<u8>, bool)> {
    let size = size(bytes);
    // A thread that ends has no free blocks any more.
    if let Ok(Some(block)) = FREE.try_with(|free| free.borrow_mut().pop(size)) {
        return Some((block, false));
    }
    // SAFETY: the layout's size is not zero.
    NonNull::new(unsafe { std::alloc::alloc_zeroed(layout(size.1)?) }).map(|block| (block, true))
}

/// Gives the blocks that the calling thread keeps back to the system.
pub(super) fn release_unused() {
    // A thread that ends has given them back.
    let _ = FREE.try_with(|free| free.borrow_mut().release());
}

/// Takes a block back.
///
/// # Safety
/// The block is from [`allocate`] with as many bytes, and nobody uses it any more.
pub(super) unsafe fn deallocate(block: NonNull<u8>, bytes: usize) {
    let size = size(bytes);
    if !FREE.try_with(|free| free.borrow_mut().push(size, block)).unwrap_or(false) {
        // SAFETY: the block is free, and `allocate` made it of this size.
        unsafe { to_system(block, size.1) };
    }
}

/// # Safety
/// The block is free, and was made by `allocate` with this size.
unsafe fn to_system(block: NonNull<u8>, size: usize) {
    if let Some(layout) = layout(size) {
        // SAFETY: the caller's block has this layout.
        unsafe { std::alloc::dealloc(block.as_ptr(), layout) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_request_has_a_size_that_holds_it_and_no_gap_to_the_next() {
        let mut before = (0, LEAST);
        for bytes in 0..LIMIT {
            let (number, of_number) = size(bytes);
            assert!(of_number >= bytes.max(LEAST), "{bytes}");
            assert!(of_number == LEAST || of_number - bytes < of_number.div_ceil(4), "{bytes}: {of_number}");
            assert_eq!(of_number, size_of_number(number), "{bytes}");
            assert!(number == before.0 || (number == before.0 + 1 && of_number > before.1), "{bytes}");
            before = (number, of_number);
        }
        assert_eq!(before, (SIZES - 1, LIMIT));
    }

    #[test]
    fn a_thread_gets_its_own_block_again_and_keeps_few() {
        let blocks: Vec<_> = (0..100).map(|_| allocate(5000).unwrap().0).collect();
        for &block in blocks.iter().rev() {
            // SAFETY: the blocks are from `allocate` with as many bytes; nobody uses them.
            unsafe { deallocate(block, 5000) };
        }
        FREE.with_borrow(|free| assert!(free.bytes <= KEPT && free.bytes + 5120 > KEPT, "{}", free.bytes));
        let (again, is_fresh) = allocate(4900).unwrap();
        assert!(!is_fresh);
        assert!(blocks.contains(&again) && again != blocks[0], "{again:?}");
        // SAFETY: `again` is from `allocate` with as many bytes, and nobody uses it.
        unsafe { deallocate(again, 4900) };
        release_unused();
        FREE.with_borrow(|free| assert!(free.bytes == 0 && free.first.iter().all(Option::is_none)));
    }
}
