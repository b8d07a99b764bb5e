//! The string element of tensors, laid out as TensorFlow's `TF_TString`, so that string tensors cross
//! the C ABI without copying.
//!
//! 24 bytes; the low two bits of byte 0 are the type:
//! small (0): byte 0 is `len << 2`, up to 22 bytes and a NUL follow;
//! large (1): `len << 2 | 1`, capacity, pointer to a `malloc` block;
//! offset (2): `len << 2 | 2` (u32), offset of the bytes from the string itself (u32), count (u32);
//! view (3): `len << 2 | 3`, pointer to bytes that somebody else keeps alive.
//! Contract: a `TString` made here is small or large; an offset or view one can only come in over the
//! C ABI, whose caller vouches for its bytes and its place in memory.
#![allow(unsafe_code, reason = "room: TF_TString layout")]

use std::fmt;
use std::ptr;

const SMALL_CAPACITY: usize = 22;
const TYPE_MASK: u8 = 3;
const LARGE: u8 = 1;
const OFFSET: u8 = 2;
const VIEW: u8 = 3;

/// A byte string in TensorFlow's layout; the default is empty.
#[derive(Default)]
#[repr(C, align(8))]
pub struct TString {
    raw: [u8; 24],
}

const _: () = assert!(size_of::<TString>() == 24 && align_of::<TString>() == 8);

#[repr(C)]
#[derive(Clone, Copy)]
struct Large {
    size: usize,
    capacity: usize,
    data: *mut u8,
}

impl TString {
    /// A string of these bytes.
    pub fn new(bytes: impl AsRef<[u8]>) -> Self {
        let bytes = bytes.as_ref();
        if bytes.len() <= SMALL_CAPACITY { Self::small(bytes) } else { Self::large(bytes) }
    }

    fn small(bytes: &[u8]) -> Self {
        let mut raw = [0; 24];
        raw[0] = (bytes.len() as u8) << 2;
        raw[1..=bytes.len()].copy_from_slice(bytes);
        Self { raw }
    }

    fn large(bytes: &[u8]) -> Self {
        // SAFETY: malloc may be called with any size; a null result is handled before use.
        let data = unsafe { libc::malloc(bytes.len() + 1) }.cast::<u8>();
        if data.is_null() {
            std::alloc::handle_alloc_error(std::alloc::Layout::new::<u8>());
        }
        // SAFETY: `data` is a fresh block of len + 1 bytes, disjoint from `bytes`.
        unsafe {
            ptr::copy_nonoverlapping(bytes.as_ptr(), data, bytes.len());
            data.add(bytes.len()).write(0);
        }
        let large = Large { size: bytes.len() << 2 | LARGE as usize, capacity: bytes.len(), data };
        // SAFETY: both are 24 bytes of plain data.
        Self { raw: unsafe { std::mem::transmute::<Large, [u8; 24]>(large) } }
    }

    #[allow(clippy::cast_ptr_alignment, reason = "the type is 8-aligned")]
    fn as_large(&self) -> Large {
        // SAFETY: `raw` is 8-aligned and 24 bytes long; any bit pattern is a `Large` of raw words.
        unsafe { self.raw.as_ptr().cast::<Large>().read() }
    }

    /// The bytes.
    pub fn as_bytes(&self) -> &[u8] {
        let large = self.as_large();
        let (data, len) = match self.raw[0] & TYPE_MASK {
            LARGE => (large.data.cast_const(), large.size >> 2),
            VIEW => (large.capacity as *const u8, large.size >> 2),
            OFFSET => {
                let word =
                    |i: usize| u32::from_le_bytes([self.raw[i], self.raw[i + 1], self.raw[i + 2], self.raw[i + 3]]);
                // SAFETY: the maker of an offset string keeps its bytes at this distance from it.
                (unsafe { self.raw.as_ptr().add(word(4) as usize) }, (word(0) >> 2) as usize)
            }
            _ => return &self.raw[1..=usize::from(self.raw[0] >> 2).min(SMALL_CAPACITY)],
        };
        if len == 0 {
            return &[];
        }
        // SAFETY: the pointer and length were written together by `large` or vouched for by the C ABI's caller.
        unsafe { std::slice::from_raw_parts(data, len) }
    }

    /// The text, where the bytes are UTF-8.
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
        if self.raw[0] & TYPE_MASK == LARGE {
            // SAFETY: the block came from malloc, in `large` or in another user of the layout.
            unsafe { libc::free(self.as_large().data.cast()) }
        }
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
