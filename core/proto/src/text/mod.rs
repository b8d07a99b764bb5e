//! The text format, as TensorFlow reads and writes `.pbtxt` files.
//!
//! Reading is `prost-reflect`'s, behind a check of the nesting depth; writing is ours, because the order of a map's
//! entries has to be the same each time.

mod error;
mod float;
mod nesting;
mod read;
mod write;

pub use error::TextError;
pub use read::{dynamic_from_text, from_text};
pub use write::to_text;

use prost::Name;
use prost_reflect::{DescriptorPool, MessageDescriptor};
use std::sync::LazyLock;

/// The descriptors of every message in this crate.
static POOL: LazyLock<DescriptorPool> = LazyLock::new(|| {
    let bytes: &[u8] = include_bytes!("../generated/descriptors.binpb");
    DescriptorPool::decode(bytes).expect("a test holds the checked-in descriptors against their source")
});

/// The descriptors of every message in this crate.
pub fn descriptor_pool() -> &'static DescriptorPool {
    &POOL
}

/// The descriptor of a message type; an error for a type of another crate.
fn descriptor<M: Name>() -> Result<MessageDescriptor, TextError> {
    let name = M::full_name();
    POOL.get_message_by_name(&name)
        .ok_or_else(|| TextError::plain(&name, "the type is not one of this crate's messages"))
}
