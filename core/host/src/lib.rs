//! The C functions that a plugin calls, on the host's side: statuses, buffers, tensors, and the registration of ops and
//! kernels.
//!
//! Every exported function is one guard around an ordinary one: a panic becomes a status where the function has one,
//! and an answer that says "nothing" where it has none. Pointers are checked for null; beyond that a caller vouches for
//! its pointers, as in any C API: an object lives from its `New` to its `Delete`, and what a function lends lives as long
//! as the object that it came from.
#![deny(unsafe_code)]

pub mod buffer;
pub mod guard;
pub mod status;
pub mod tensor;
