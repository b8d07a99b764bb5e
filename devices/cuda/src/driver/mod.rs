//! Calls into CUDA's driver and its compiler.
//!
//! Contract of this folder: a library is called only after it was found (a missing one is a panic in cudarc), and the
//! driver only where it is not too old for the functions that are used. Handles are those of owners that are alive, and
//! every call is made with the GPU's context current on the thread.
#![allow(unsafe_code, reason = "room: calls into the libraries of CUDA")]

mod copies;
mod errors;
mod function;
mod gpu;
mod nvrtc;
mod presence;
mod stream;

pub use copies::{Place, in_device, to_device, to_host};
pub use errors::error as driver_error;
pub use function::Function;
pub use gpu::{Facts, Gpu};
pub(crate) use nvrtc::Nvrtc;
pub use presence::{LIBRARY, count, is_present};
pub use stream::StreamRef;
pub(crate) use stream::{
    Entered, allocate, current_context, free, ordinal_of, set_current, stream_context, synchronize,
};
