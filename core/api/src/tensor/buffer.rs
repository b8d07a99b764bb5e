//! Reference-counted tensor memory.
//!
//! Contract: a `Buffer` owns `len` bytes at `ptr` for its whole life. Bytes of plain dtypes are initialised (zeroed or
//! written before); bytes of other dtypes hold `count` valid elements that `drop_elements` destroys. Whoever makes a
//! `&mut` into the bytes holds the only reference (checked by `Tensor`). A buffer of a device's memory has no bytes for
//! the host: `host_ptr` is `None`, and nothing else leads to a pointer that is read. A stored buffer's bytes are those
//! of a buffer of its own, which nobody else holds, once they were read.
#![allow(unsafe_code, reason = "room: tensor memory")]

use std::alloc::Layout;
use std::cell::UnsafeCell;
use std::mem::MaybeUninit;
use std::ptr::NonNull;
use std::sync::Arc;

use super::SharedBuffer;
use super::foreign::ForeignOwner;
use super::stored::Stored;
use crate::device::DeviceBlock;
use crate::resource::Variant;
use crate::{DType, Element, Error, ResourceHandle, Result, TString, memory};

/// Alignment of tensor memory that the runtime allocates, in bytes.
pub const ALIGNMENT: usize = 64;
/// Buffers of at most this many bytes live inside their reference count's block.
const INLINE_BYTES: usize = 64;
/// Elements that must be cleared are in the system's zero pages from this many bytes on: clearing a recycled block
/// takes longer than a step may overrun its deadline.
const CLEARED_BY_SYSTEM: usize = 64 << 20;
/// From this many bytes on a block of the system's is one of pages that are cleared when they are first used.
const IN_PAGES: usize = 1 << 20;
/// Blocks of pages that have whole huge pages start at one.
const HUGE_PAGE: usize = 2 << 20;
/// Pages of every system start at a multiple of this.
#[cfg(all(target_os = "linux", not(miri)))]
const PAGE_STEP: usize = 1 << 16;
/// Alignment that every block of the system's allocator has without asking; more makes small allocations several times
/// slower.
const BLOCK_ALIGNMENT: usize = 16;

/// Gives memory for tensors on the host.
///
/// # Safety
/// `allocate` returns a block of at least `bytes` initialised bytes, aligned to [`ALIGNMENT`], that stays valid
/// until `deallocate` gets the same pointer and size.
pub unsafe trait Allocator: Send + Sync {
    /// A block of `bytes` initialised bytes (stale contents are allowed); `None` where memory ran out.
    fn allocate(&self, bytes: usize) -> Option<NonNull<u8>>;
    /// Takes a block back.
    ///
    /// # Safety
    /// `ptr` came from `allocate(bytes)` of this allocator and is not used afterwards.
    unsafe fn deallocate(&self, ptr: NonNull<u8>, bytes: usize);
    /// Name, for messages and statistics.
    fn name(&self) -> &str;
}

/// Space for [`INLINE_BYTES`] at an aligned address, wherever the block lies. It must not move once it is written.
#[repr(align(16))]
struct Inline(UnsafeCell<MaybeUninit<[u8; INLINE_BYTES + ALIGNMENT - BLOCK_ALIGNMENT]>>);

impl Inline {
    const fn new() -> Self {
        Self(UnsafeCell::new(MaybeUninit::uninit()))
    }

    /// The first aligned byte.
    #[inline]
    fn ptr(&self) -> NonNull<u8> {
        let start = self.0.get().cast::<u8>();
        let offset = start.addr().wrapping_neg() % ALIGNMENT;
        // SAFETY: the room is aligned to `BLOCK_ALIGNMENT`, so that at most `ALIGNMENT - BLOCK_ALIGNMENT` bytes are
        // skipped.
        unsafe { NonNull::new_unchecked(start.add(offset)) }
    }
}

enum Owner {
    Inline,
    Device(Box<dyn DeviceBlock>),
    System,
    /// The block of the system's that the memory lies in, at an aligned address.
    SystemPages(NonNull<u8>),
    Allocator(Arc<dyn Allocator>),
    Foreign(#[allow(dead_code, reason = "held for its drop")] ForeignOwner),
    Stored(Box<Stored>),
}

/// Who may write foreign memory.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Access {
    /// Whoever holds the only reference.
    Unique,
    /// Nobody: others outside read it.
    ReadOnly,
}

/// What destroys a buffer's elements, and how many there are.
type ElementDrop = (unsafe fn(NonNull<u8>, usize), usize);

pub(crate) struct Buffer {
    inline: Inline,
    ptr: NonNull<u8>,
    len: usize,
    owner: Owner,
    access: Access,
    drop_elements: Option<ElementDrop>,
}

// SAFETY: elements are Send + Sync (a bound of Element), allocators and foreign owners too.
unsafe impl Send for Buffer {}
// SAFETY: shared access only reads; writers hold the only reference.
unsafe impl Sync for Buffer {}

unsafe fn drop_all<T: Element>(ptr: NonNull<u8>, count: usize) {
    // SAFETY: the caller passes the buffer's own elements, which nobody uses any more.
    unsafe { std::ptr::slice_from_raw_parts_mut(ptr.cast::<T>().as_ptr(), count).drop_in_place() }
}

fn element_drop(dtype: DType, count: usize) -> Option<ElementDrop> {
    match dtype {
        DType::String => Some((drop_all::<TString>, count)),
        DType::Resource => Some((drop_all::<ResourceHandle>, count)),
        DType::Variant => Some((drop_all::<Variant>, count)),
        _ => None,
    }
}

impl Buffer {
    /// Memory for `count` elements of `dtype`, each `size` bytes; not-plain elements start as their default.
    pub(crate) fn allocate(
        dtype: DType,
        count: usize,
        size: usize,
        allocator: Option<&Arc<dyn Allocator>>,
    ) -> Result<SharedBuffer> {
        let len = count.checked_mul(size).filter(|&n| isize::try_from(n).is_ok()).ok_or_else(|| {
            Error::resource_exhausted(format!("{count} elements of {dtype} exceed the address space"))
        })?;
        let drop_elements = element_drop(dtype, count);
        if len <= INLINE_BYTES {
            return Ok(Self::inline(len, drop_elements));
        }
        let plain = drop_elements.is_none() && dtype != DType::Bool;
        let of_allocator = allocator.filter(|_| plain || len < CLEARED_BY_SYSTEM);
        let (ptr, owner) = match of_allocator {
            Some(a) => (a.allocate(len), Owner::Allocator(a.clone())),
            None if len >= IN_PAGES => match system_pages(len) {
                Some((ptr, block)) => (Some(ptr), Owner::SystemPages(block)),
                None => (None, Owner::System),
            },
            None => (system_allocate(len), Owner::System),
        };
        let ptr = ptr.ok_or_else(|| {
            let reason = memory::exhausted(len);
            Error::resource_exhausted(format!("no memory for {count} elements of {dtype}: {}", reason.message()))
        })?;
        if !plain && matches!(owner, Owner::Allocator(_)) {
            // SAFETY: the block is len bytes; a zeroed element of a not-plain dtype is its default.
            unsafe { ptr.write_bytes(0, len) }
        }
        Ok(Self::shared(ptr, len, owner, Access::Unique, drop_elements))
    }

    /// One without bytes.
    pub(super) const fn empty() -> Self {
        let (ptr, owner, access) = (NonNull::dangling(), Owner::Inline, Access::Unique);
        Self { inline: Inline::new(), ptr, len: 0, owner, access, drop_elements: None }
    }

    #[inline]
    fn inline(len: usize, drop_elements: Option<ElementDrop>) -> SharedBuffer {
        let buffer = Self::shared(NonNull::dangling(), len, Owner::Inline, Access::Unique, drop_elements);
        // SAFETY: the room holds as many bytes, and nobody else has the buffer yet.
        unsafe { buffer.inline.ptr().write_bytes(0, INLINE_BYTES) }
        buffer
    }

    /// A buffer in its block, written there and not moved.
    #[inline]
    fn shared(
        ptr: NonNull<u8>,
        len: usize,
        owner: Owner,
        access: Access,
        drop_elements: Option<ElementDrop>,
    ) -> SharedBuffer {
        // Made in its place: a copy of a buffer that was just written would take as long as all else.
        let write = |place: *mut Self| {
            // SAFETY: the place is a new buffer's.
            unsafe { place.write(Self { inline: Inline::new(), ptr, len, owner, access, drop_elements }) }
        };
        // SAFETY: the function initialises the buffer.
        unsafe { SharedBuffer::new(write) }
    }

    /// Wraps memory that `owner` keeps alive.
    ///
    /// # Safety
    /// `ptr` is valid for reads, and for writes while the buffer is unshared, of `len` bytes that are initialised
    /// elements until `owner` is dropped; dropping `owner` destroys the elements too. With [`Access::ReadOnly`] there
    /// is no writing, and others may read.
    pub(crate) unsafe fn foreign(ptr: NonNull<u8>, len: usize, owner: ForeignOwner, access: Access) -> SharedBuffer {
        Self::shared(ptr, len, Owner::Foreign(owner), access, None)
    }

    /// Makes a buffer of foreign memory one of other memory of the same length and access; see
    /// [`foreign`](Self::foreign). The owner stays.
    ///
    /// # Safety
    /// As [`foreign`](Self::foreign), whatever the owner does.
    #[inline]
    pub(crate) unsafe fn move_foreign(&mut self, ptr: NonNull<u8>) {
        self.ptr = ptr;
    }

    /// A buffer of `len` bytes at the start of a device's block.
    pub(crate) fn on_device(block: Box<dyn DeviceBlock>, len: usize) -> SharedBuffer {
        Self::shared(NonNull::dangling(), len, Owner::Device(block), Access::Unique, None)
    }

    /// A buffer of `len` bytes that are read when they are first asked for.
    pub(super) fn stored(stored: Box<Stored>, len: usize) -> SharedBuffer {
        Self::shared(NonNull::dangling(), len, Owner::Stored(stored), Access::Unique, None)
    }

    /// Where the bytes are read from, and whether they were; `None` for buffers that are memory.
    #[inline]
    pub(super) fn as_stored(&self) -> Option<&Stored> {
        match &self.owner {
            Owner::Stored(stored) => Some(stored),
            _ => None,
        }
    }

    /// Advises the system that all of the memory will be used: it gives huge pages, and those beside them at once. For
    /// blocks that were not used yet.
    pub(crate) fn ask_for_pages(&self) {
        #[cfg(all(target_os = "linux", not(miri)))]
        if let Owner::SystemPages(_) = &self.owner {
            let whole = self.len / HUGE_PAGE * HUGE_PAGE;
            let rest = (self.ptr.addr().get() + whole).next_multiple_of(PAGE_STEP) - self.ptr.addr().get();
            let pages = self.len.saturating_sub(rest) / PAGE_STEP * PAGE_STEP;
            // SAFETY: the ranges lie within the block; the advice changes no contents, and its refusal no behaviour.
            unsafe {
                if whole > 0 {
                    libc::madvise(self.ptr.as_ptr().cast(), whole, libc::MADV_HUGEPAGE);
                }
                if pages > 0 {
                    libc::madvise(self.ptr.as_ptr().add(rest).cast(), pages, libc::MADV_POPULATE_WRITE);
                }
            }
        }
    }

    /// The device's block that the buffer is; `None` for host memory.
    #[inline]
    pub(crate) fn device_block(&self) -> Option<&dyn DeviceBlock> {
        match &self.owner {
            Owner::Device(block) => Some(&**block),
            _ => None,
        }
    }

    /// The bytes; `None` where the host cannot read them, or they are stored elsewhere and cannot be read.
    #[inline]
    pub(crate) fn host_ptr(&self) -> Option<NonNull<u8>> {
        match &self.owner {
            Owner::Inline => Some(self.inline.ptr()),
            Owner::Device(_) => None,
            Owner::Stored(stored) => stored.start(),
            _ => Some(self.ptr),
        }
    }

    /// Whether whoever holds the only reference may write.
    #[inline]
    pub(crate) fn is_writable(&self) -> bool {
        self.access == Access::Unique
    }

    /// Whether the memory was made elsewhere and is only lent.
    #[inline]
    pub(crate) fn is_foreign(&self) -> bool {
        matches!(self.owner, Owner::Foreign(_))
    }

    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.len
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        // What is stored elsewhere is plain, and not read for this.
        if let Some((drop_elements, count)) = self.drop_elements
            && let Some(ptr) = self.host_ptr()
        {
            // SAFETY: the last reference is going; the elements are the ones allocated.
            unsafe { drop_elements(ptr, count) }
        }
        match &self.owner {
            // SAFETY: allocated by system_allocate with the same length.
            Owner::System => unsafe { std::alloc::dealloc(self.ptr.as_ptr(), system_layout(self.len)) },
            Owner::SystemPages(block) => {
                if let Some(layout) = pages_layout(self.len) {
                    // SAFETY: allocated by system_pages with the same length.
                    unsafe { std::alloc::dealloc(block.as_ptr(), layout) }
                }
            }
            // SAFETY: allocated by this allocator with the same length.
            Owner::Allocator(allocator) => unsafe { allocator.deallocate(self.ptr, self.len) },
            Owner::Inline | Owner::Foreign(_) | Owner::Device(_) | Owner::Stored(_) => {}
        }
    }
}

fn system_layout(len: usize) -> Layout {
    Layout::from_size_align(len.max(1), ALIGNMENT).unwrap_or(Layout::new::<u8>())
}

/// The alignment of `len` bytes in pages.
fn pages_alignment(len: usize) -> usize {
    if len < HUGE_PAGE { ALIGNMENT } else { HUGE_PAGE }
}

/// The layout of a block that an aligned range of `len` bytes lies in. Its alignment is one that the system has without
/// asking, so that its zero pages are used untouched.
fn pages_layout(len: usize) -> Option<Layout> {
    Layout::from_size_align(len.checked_add(pages_alignment(len))?, BLOCK_ALIGNMENT).ok()
}

/// Zeroed memory in pages that the system clears when they are first used, and the block that it lies in.
fn system_pages(len: usize) -> Option<(NonNull<u8>, NonNull<u8>)> {
    memory::check(len).ok()?;
    // SAFETY: the layout's size is not zero.
    let block = NonNull::new(unsafe { std::alloc::alloc_zeroed(pages_layout(len)?) })?;
    let padding = block.as_ptr().addr().wrapping_neg() % pages_alignment(len);
    // SAFETY: padding is less than the alignment, by which the block is larger than `len`.
    Some((unsafe { block.add(padding) }, block))
}

fn system_allocate(len: usize) -> Option<NonNull<u8>> {
    memory::check(len).ok()?;
    let layout = Layout::from_size_align(len.max(1), ALIGNMENT).ok()?;
    // SAFETY: the layout's size is not zero.
    NonNull::new(unsafe { std::alloc::alloc_zeroed(layout) })
}
