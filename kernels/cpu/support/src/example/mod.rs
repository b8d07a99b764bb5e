//! The features of `Example` messages, and the tensors that come of them.

mod columns;
mod message;

pub use columns::{Column, collect, splits_tensor};
pub use message::{FEATURE_LISTS, FEATURES, Values, features, messages};
