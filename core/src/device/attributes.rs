//! What a device tells of itself.

use std::hash::{BuildHasher, Hasher, RandomState};

/// What a device tells of itself; the same at each call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeviceAttributes {
    /// Full name.
    pub name: String,
    /// The type that kernels are declared for.
    pub device_type: String,
    /// Bytes that its tensors may take.
    pub memory_limit: u64,
    /// The NUMA node it is attached to; 0 where that is not known.
    pub locality: i32,
    /// What hardware it is, for people; empty for the host.
    pub description: String,
    /// A number, not 0, that tells this device from others that had its name.
    pub incarnation: u64,
}

impl DeviceAttributes {
    /// Attributes with a new incarnation, without locality and description.
    pub fn new(name: &str, device_type: &str, memory_limit: u64) -> Self {
        let incarnation = RandomState::new().build_hasher().finish().max(1);
        let (name, device_type) = (name.to_owned(), device_type.to_owned());
        Self { name, device_type, memory_limit, locality: 0, description: String::new(), incarnation }
    }
}
