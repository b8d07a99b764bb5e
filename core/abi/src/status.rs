//! Status codes.

use std::ffi::{c_char, c_int, c_void};

/// A status code; see [`code`].
pub type TF_Code = c_int;

/// The values of [`TF_Code`].
#[allow(missing_docs, reason = "the names are the canonical ones")]
pub mod code {
    use super::TF_Code;

    pub const OK: TF_Code = 0;
    pub const CANCELLED: TF_Code = 1;
    pub const UNKNOWN: TF_Code = 2;
    pub const INVALID_ARGUMENT: TF_Code = 3;
    pub const DEADLINE_EXCEEDED: TF_Code = 4;
    pub const NOT_FOUND: TF_Code = 5;
    pub const ALREADY_EXISTS: TF_Code = 6;
    pub const PERMISSION_DENIED: TF_Code = 7;
    pub const RESOURCE_EXHAUSTED: TF_Code = 8;
    pub const FAILED_PRECONDITION: TF_Code = 9;
    pub const ABORTED: TF_Code = 10;
    pub const OUT_OF_RANGE: TF_Code = 11;
    pub const UNIMPLEMENTED: TF_Code = 12;
    pub const INTERNAL: TF_Code = 13;
    pub const UNAVAILABLE: TF_Code = 14;
    pub const DATA_LOSS: TF_Code = 15;
    pub const UNAUTHENTICATED: TF_Code = 16;
}

/// Sees each payload of a status: key, value, and what the caller passed along.
pub type PayloadVisitor = Option<unsafe extern "C" fn(*const c_char, *const c_char, *mut c_void)>;
