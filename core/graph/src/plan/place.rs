//! The device of each node.

use oplink_api::{Code, Error, ErrorKind, NodeInfo, Result};

/// Where a session runs nodes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Placement<'a> {
    /// Full name of the session's device.
    pub(crate) device: &'a str,
    /// Its type.
    pub(crate) device_type: &'a str,
    /// Whether nodes that ask for a device of another type run on it all the same.
    pub(crate) soft: bool,
}

impl Placement<'_> {
    /// Checks that the node may run on the session's device.
    ///
    /// # Errors
    /// The node asks for a device of another type.
    pub(crate) fn check(&self, node: &NodeInfo) -> Result<()> {
        match requested_type(&node.device) {
            Some(wanted) if !self.soft && !wanted.eq_ignore_ascii_case(self.device_type) => {
                let message = format!(
                    "the node asks for the device `{}`, the session runs on {}; allow soft placement or change the node's device",
                    node.device, self.device
                );
                Err(Error::new(Code::InvalidArgument, ErrorKind::InvalidArgument, message)
                    .context(format!("node `{}` (op {})", node.name, node.op.name)))
            }
            _ => Ok(()),
        }
    }
}

/// The device type in a device name: `/job:a/task:0/device:GPU:1`, `/gpu:1`, `GPU`.
fn requested_type(device: &str) -> Option<&str> {
    let mut parts = device.rsplit('/').filter(|part| !part.is_empty());
    let of_device = |part: &&str| !["job:", "replica:", "task:"].iter().any(|prefix| part.starts_with(prefix));
    let part = parts.find(of_device)?;
    let part = part.strip_prefix("device:").unwrap_or(part);
    part.split(':').next().filter(|name| *name != "*")
}

#[cfg(test)]
mod tests {
    use super::requested_type;

    #[test]
    fn types_of_device_names() {
        assert_eq!(requested_type("/job:localhost/replica:0/task:0/device:GPU:1"), Some("GPU"));
        assert_eq!(requested_type("/gpu:0"), Some("gpu"));
        assert_eq!(requested_type("CPU"), Some("CPU"));
        assert_eq!(requested_type("/job:worker/task:3"), None);
        assert_eq!(requested_type("/device:*:*"), None);
        assert_eq!(requested_type(""), None);
    }
}
