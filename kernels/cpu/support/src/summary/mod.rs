//! Summaries: what training writes for people to look at, as the bytes of `Summary` messages, and what takes them.
//!
//! A summary is a list of values, each with a tag or the name of a node.

mod histogram;
mod writer;

pub use histogram::Histogram;
pub use writer::{EventLog, SUMMARY, SummaryWriter};

use crate::wire::Message;

/// The field of a value with its tag.
pub const TAG: u32 = 1;
/// The field of a value that is a number.
pub const SIMPLE_VALUE: u32 = 2;
/// The field of a value that is a picture.
pub const IMAGE: u32 = 4;
/// The field of a value that is a histogram.
pub const HISTOGRAM: u32 = 5;
/// The field of a value that is a sound.
pub const AUDIO: u32 = 6;
/// The field of a value with the name of its node.
pub const NODE_NAME: u32 = 7;
/// The field of a value that is a tensor.
pub const TENSOR: u32 = 8;
/// The field of a value with what is known of it.
pub const METADATA: u32 = 9;

/// Adds a value to a summary.
#[must_use]
pub fn add_value(summary: Message, value: Message) -> Message {
    summary.bytes(1, &value.into_bytes())
}

/// A value of a number, in single precision.
pub fn scalar_value(tag: &[u8], number: f32) -> Message {
    Message::default().bytes_unless_empty(TAG, tag).single(SIMPLE_VALUE, number)
}

/// A value of a histogram.
pub fn histogram_value(tag: &[u8], histogram: &Histogram) -> Message {
    Message::default().bytes_unless_empty(TAG, tag).bytes(HISTOGRAM, &histogram.message().into_bytes())
}
