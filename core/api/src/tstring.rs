//! The string element of tensors, laid out as TensorFlow's `TF_TString`, so that string tensors cross
//! the C ABI without copying.
//!
//! 24 bytes; the low two bits of byte 0 are the type:
//! small (0): byte 0 is `len << 2`, up to 22 bytes and a NUL follow;
//! large (1): `len << 2 | 1`, capacity, pointer to a `malloc` block;
//! offset (2): `len << 2 | 2` (u32), offset of the bytes from the string itself (u32), count (u32);
//! view (3): `len << 2 | 3`, pointer to bytes that somebody else keeps alive.
//! Contract: a `TString` made here is small or large; an offset or view one can only come in over the
//! C ABI, whose caller vouches for its bytes and its location in memory. The first word is little-endian on every
//! machine, so that byte 0 holds its low bits. Pointers are stored as pointers and keep their provenance when a string
//! moves; only an offset string, whose bytes belong to another allocation than the string, needs an exposed one.
#![allow(unsafe_code, reason = "room: TF_TString layout")]

use std::fmt;
use std::ptr;

use crate::memory;

const SMALL_CAPACITY: usize = 22;
const TYPE_MASK: u8 = 3;
const LARGE: u8 = 1;
const OFFSET: u8 = 2;
const VIEW: u8 = 3;

/// A byte string in TensorFlow's layout; the default is empty.
#[repr(C, align(8))]
pub struct TString(Repr);

/// The four forms. Byte 0 is part of each of them and initialised in each of them.
#[repr(C)]
union Repr {
    small: Small,
    large: Large,
    offset: Offset,
    view: View,
}

#[repr(C)]
#[derive(Clone, Copy)]
struct Small {
    head: u8,
    bytes: [u8; SMALL_CAPACITY + 1],
}

#[repr(C)]
#[derive(Clone, Copy)]
struct Large {
    size: usize,
    capacity: usize,
    data: *mut u8,
}

#[repr(C)]
#[derive(Clone, Copy)]
struct Offset {
    size: u32,
    offset: u32,
    count: u32,
}

#[repr(C)]
#[derive(Clone, Copy)]
struct View {
    size: usize,
    data: *const u8,
}

const _: () = assert!(size_of::<TString>() == 24 && align_of::<TString>() == 8);

impl TString {
    const EMPTY: Self = Self(Repr { small: Small { head: 0, bytes: [0; SMALL_CAPACITY + 1] } });

    /// A string of these bytes.
    ///
    /// # Panics
    /// Where the process would hold more than [`memory::limit`]; kernels give `ResourceExhausted` then.
    pub fn new(bytes: impl AsRef<[u8]>) -> Self {
        let bytes = bytes.as_ref();
        if bytes.len() <= SMALL_CAPACITY { Self::small(bytes) } else { Self::large(bytes) }
    }

    fn small(bytes: &[u8]) -> Self {
        let mut small = Small { head: (bytes.len() as u8) << 2, bytes: [0; SMALL_CAPACITY + 1] };
        small.bytes[..bytes.len()].copy_from_slice(bytes);
        Self(Repr { small })
    }

    fn large(bytes: &[u8]) -> Self {
        memory::check(bytes.len()).unwrap_or_else(|error| memory::out_of_memory(&error));
        // SAFETY: malloc may be called with any size; a null result is handled before use.
        let data = unsafe { libc::malloc(bytes.len() + 1) }.cast::<u8>();
        if data.is_null() {
            memory::out_of_memory(&memory::exhausted(bytes.len()));
        }
        // SAFETY: `data` is a fresh block of len + 1 bytes, disjoint from `bytes`.
        unsafe {
            ptr::copy_nonoverlapping(bytes.as_ptr(), data, bytes.len());
            data.add(bytes.len()).write(0);
        }
        let size = (bytes.len() << 2 | LARGE as usize).to_le();
        Self(Repr { large: Large { size, capacity: bytes.len(), data } })
    }

    /// Byte 0: the type, and for a small string its length.
    fn head(&self) -> u8 {
        // SAFETY: byte 0 is initialised in every form, and a byte has no invalid values.
        unsafe { self.0.small.head }
    }

    /// The bytes.
    pub fn as_bytes(&self) -> &[u8] {
        let (data, len) = match self.head() & TYPE_MASK {
            LARGE => {
                // SAFETY: the type is large, so that all three fields of `Large` were written.
                let large = unsafe { self.0.large };
                (large.data.cast_const(), usize::from_le(large.size) >> 2)
            }
            VIEW => {
                // SAFETY: the type is view, so that both fields of `View` were written.
                let view = unsafe { self.0.view };
                (view.data, usize::from_le(view.size) >> 2)
            }
            OFFSET => {
                // SAFETY: the type is offset, so that all three fields of `Offset` were written.
                let offset = unsafe { self.0.offset };
                let start = ptr::from_ref(self).addr() + u32::from_le(offset.offset) as usize;
                (ptr::with_exposed_provenance(start), (u32::from_le(offset.size) >> 2) as usize)
            }
            _ => {
                let data = ptr::from_ref(&self.0).cast::<u8>().wrapping_add(1);
                (data, usize::from(self.head() >> 2).min(SMALL_CAPACITY))
            }
        };
        if len == 0 {
            return &[];
        }
        // SAFETY: a small string's bytes lie within `self`, a large one's in the block that it owns, written together
        // with their length; those of a view or offset string are kept alive, unchanged and (offset) exposed by the
        // foreign code that made it.
        unsafe { std::slice::from_raw_parts(data, len) }
    }

    /// The text, where the bytes are UTF-8.
    ///
    /// # Errors
    /// The bytes are no UTF-8.
    pub fn to_str(&self) -> Result<&str, std::str::Utf8Error> {
        std::str::from_utf8(self.as_bytes())
    }
}

// SAFETY: a large string owns its block; nothing is shared or bound to a thread.
unsafe impl Send for TString {}
// SAFETY: shared access only reads.
unsafe impl Sync for TString {}

impl Drop for TString {
    fn drop(&mut self) {
        if self.head() & TYPE_MASK == LARGE {
            // SAFETY: the type is large; its block came from malloc, in `large` or in another user of the layout, and
            // this string is its only owner.
            unsafe { libc::free(self.0.large.data.cast()) }
        }
    }
}

impl Default for TString {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl Clone for TString {
    fn clone(&self) -> Self {
        Self::new(self.as_bytes())
    }
}

impl PartialEq for TString {
    fn eq(&self, other: &Self) -> bool {
        self.as_bytes() == other.as_bytes()
    }
}

impl Eq for TString {}

impl PartialOrd for TString {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for TString {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.as_bytes().cmp(other.as_bytes())
    }
}

impl std::hash::Hash for TString {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.as_bytes().hash(state);
    }
}

impl fmt::Debug for TString {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\"", self.as_bytes().escape_ascii())
    }
}

impl From<&str> for TString {
    fn from(text: &str) -> Self {
        Self::new(text)
    }
}

impl From<String> for TString {
    fn from(text: String) -> Self {
        Self::new(text)
    }
}

impl AsRef<[u8]> for TString {
    fn as_ref(&self) -> &[u8] {
        self.as_bytes()
    }
}
