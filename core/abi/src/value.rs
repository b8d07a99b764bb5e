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

/// The string element of tensors: 24 bytes, whose form is told by the low two bits of the first; see [`tstring_type`].
#[repr(C, align(8))]
#[derive(Debug, Clone, Copy)]
pub struct TF_TString {
    /// The bytes.
    pub raw: [u8; 24],
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
