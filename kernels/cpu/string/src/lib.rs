//! Strings: bytes joined, split, matched, hashed, converted.
#![deny(unsafe_code)]
#![allow(clippy::inline_always, reason = "a loop is vectorised for an instruction set only with its body inlined")]
#![allow(clippy::return_self_not_must_use, reason = "arithmetic that nobody calls for an effect")]
#![cfg_attr(test, allow(clippy::approx_constant, reason = "tables hold what TensorFlow printed"))]

pub mod as_string;
pub mod base64;
pub mod characters;
pub mod decode_compressed;
pub mod decode_csv;
pub mod decode_raw;
pub mod example;
pub mod feature_cross;
pub mod fingerprint_rows;
pub mod join;
pub mod print;
mod printf;
pub mod proto;
mod regex;
pub mod regex_full_match;
pub mod regex_replace;
pub mod sdca_fprint;
pub mod segment_join;
pub mod serialize_sparse;
pub mod string_format;
pub mod string_n_grams;
pub mod string_split_v2;
pub mod string_to_hash_bucket;
pub mod string_to_number;
mod strings;
pub mod substr;
mod summarize;
pub mod summary;
pub mod tensor_proto;
mod unicode;
pub mod unicode_decode;
pub mod unicode_encode;
pub mod unicode_script;
pub mod unicode_transcode;

pub use as_string::*;
pub use base64::*;
pub use characters::*;
pub use decode_compressed::*;
pub use decode_csv::*;
pub use decode_raw::*;
pub use example::*;
pub use feature_cross::*;
pub use fingerprint_rows::*;
pub use join::*;
pub use print::*;
pub use proto::*;
pub use regex_full_match::*;
pub use regex_replace::*;
pub use sdca_fprint::*;
pub use segment_join::*;
pub use serialize_sparse::*;
pub use string_format::*;
pub use string_n_grams::*;
pub use string_split_v2::*;
pub use string_to_hash_bucket::*;
pub use string_to_number::*;
pub use substr::*;
pub use summary::*;
pub use tensor_proto::*;
pub use unicode_decode::*;
pub use unicode_encode::*;
pub use unicode_script::*;
pub use unicode_transcode::*;

oplink::anchor!(ops = 0, kernels = 76);
