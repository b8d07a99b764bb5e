//! Buffers, strings, and what tensors are made of.

use std::ffi::{c_char, c_int, c_uchar, c_void};

/// A dtype by its number, which is also its number in the protos.
pub type TF_DataType = c_int;

/// A boolean of one byte; anything but 0 is true.
pub type TF_Bool = c_uchar;

/// Frees a buffer's bytes.
pub type BufferDeallocator = Option<unsafe extern "C" fn(data: *mut c_void, length: usize)>;

/// Frees a tensor's memory; the last argument is the one given with the memory.
pub type TensorDeallocator = Option<unsafe extern "C" fn(data: *mut c_void, length: usize, arg: *mut c_void)>;

/// Bytes, most often a serialized message.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct TF_Buffer {
    /// The bytes; null where there are none.
    pub data: *const c_void,
    /// How many.
    pub length: usize,
    /// Frees the bytes; absent where nobody has to.
    pub data_deallocator: BufferDeallocator,
}

/// Bytes that somebody else owns; not terminated.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct TF_StringView {
    /// The bytes.
    pub data: *const c_char,
    /// How many.
    pub len: usize,
}

/// What is known of a file.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default)]
pub struct TF_FileStatistics {
    /// Length in bytes.
    pub length: i64,
    /// Time of the last change, in nanoseconds since the epoch.
    pub mtime_nsec: i64,
    /// Whether it is a directory.
    pub is_directory: bool,
}

/// What a new thread is like.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct TF_ThreadOptions {
    /// Bytes of its stack; 0 for the system's choice.
    pub stack_size: usize,
    /// Bytes guarded behind its stack; 0 for the system's choice.
    pub guard_size: usize,
    /// The memory node it shall run near; -1 for any.
    pub numa_node: c_int,
}

/// What a thread runs; the argument is the one given with it.
pub type ThreadFn = Option<unsafe extern "C" fn(*mut c_void)>;

/// The string element of tensors: 24 bytes, whose form the low two bits of the first declare; see [`tstring_type`].
#[repr(C, align(8))]
#[derive(Clone, Copy)]
pub struct TF_TString {
    /// The bytes, or where they are.
    pub u: TF_TString_Union,
}

/// The forms of a [`TF_TString`]. Only the fields of the form that a string has may be read, and `small.head`.
#[repr(C)]
#[derive(Clone, Copy)]
pub union TF_TString_Union {
    /// The bytes are in the string itself.
    pub small: TF_TString_Small,
    /// The string owns a block from `malloc`.
    pub large: TF_TString_Large,
    /// The bytes are at a distance from the string.
    pub offset: TF_TString_Offset,
    /// Somebody else owns the bytes.
    pub view: TF_TString_View,
}

impl TF_TString {
    /// The empty string; all its bytes are zero.
    pub const EMPTY: Self = Self { u: TF_TString_Union { small: TF_TString_Small { head: 0, bytes: [0; 23] } } };
}

/// A string of up to 22 bytes.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct TF_TString_Small {
    /// Number of bytes `<< 2`.
    pub head: u8,
    /// The bytes and a NUL.
    pub bytes: [u8; 23],
}

/// A string in a block of its own.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct TF_TString_Large {
    /// Number of bytes `<< 2 | 1`, little-endian.
    pub size: usize,
    /// Number of bytes that fit into the block.
    pub capacity: usize,
    /// The block.
    pub data: *mut c_char,
}

/// A string of bytes at a distance from itself.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct TF_TString_Offset {
    /// Number of bytes `<< 2 | 2`, little-endian.
    pub size: u32,
    /// Distance of the bytes from the string, little-endian.
    pub offset: u32,
    /// Unused.
    pub count: u32,
}

/// A string of bytes that somebody else owns.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct TF_TString_View {
    /// Number of bytes `<< 2 | 3`, little-endian.
    pub size: usize,
    /// The bytes.
    pub data: *const c_char,
}

/// The form of a [`TF_TString`].
pub type TF_TString_Type = c_int;

/// The values of [`TF_TString_Type`].
pub mod tstring_type {
    use super::TF_TString_Type;

    /// Up to 22 bytes in the string itself.
    pub const SMALL: TF_TString_Type = 0;
    /// A block from `malloc`.
    pub const LARGE: TF_TString_Type = 1;
    /// Bytes at an offset from the string itself.
    pub const OFFSET: TF_TString_Type = 2;
    /// Bytes that somebody else owns.
    pub const VIEW: TF_TString_Type = 3;
}

const _: () = assert!(size_of::<TF_Buffer>() == 24 && size_of::<TF_StringView>() == 16);
const _: () = assert!(size_of::<TF_TString>() == 24 && align_of::<TF_TString>() == 8);
