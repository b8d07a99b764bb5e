//! Machinery shared by kernels: elementwise engines, moves by element width, vectorised functions, parallel loops,
//! names of files and their patterns, sounds as files, messages in wire form, features of examples, summaries and what
//! takes them, fingerprints of bytes, and a way to run one kernel in a test.
#![deny(unsafe_code)]
#![allow(clippy::inline_always, reason = "a loop is vectorised for an instruction set only with its body inlined")]
#![allow(clippy::return_self_not_must_use, reason = "arithmetic that nobody calls for an effect")]
#![cfg_attr(test, allow(clippy::approx_constant, reason = "tables hold what TensorFlow printed"))]

pub mod elementwise;
pub mod example;
pub mod fingerprint;
pub mod index_shuffle;
pub mod matching;
pub mod movement;
pub mod paths;
pub mod shown;
pub mod sparse;
pub mod stepping;
pub mod summary;
pub mod testing;
pub mod wav;
pub mod wire;

pub use oplink::parallel;
