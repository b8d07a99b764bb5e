//! The device of each node, where a session has one.

use oplink_api::{Code, Error, ErrorKind, NodeInfo, Result};
use oplink_core::DeviceName;

/// Where a session of one device runs nodes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Placement<'a> {
    /// Full name of the session's device.
    pub(crate) device: &'a str,
    /// Its type.
    pub(crate) device_type: &'a str,
    /// Whether nodes that ask for a device of another type or number run on it all the same.
    pub(crate) soft: bool,
}

impl Placement<'_> {
    /// Checks that the node may run on the session's device.
    ///
    /// # Errors
    /// The node asks for another device, or by a malformed name.
    pub(crate) fn check(&self, node: &NodeInfo) -> Result<()> {
        if node.device.is_empty() {
            return Ok(());
        }
        let of_node = |error: Error| error.context(format!("node `{}` (op {})", node.name, node.op.name));
        let wanted = DeviceName::parse(&node.device).map_err(of_node)?;
        let here = DeviceName::parse(self.device).unwrap_or_default();
        let is_here = wanted.matches(&here);
        if is_here || self.soft && wanted.softened().matches(&here) {
            return Ok(());
        }
        let way_out = if self.soft { "change" } else { "allow soft placement or change" };
        let message = format!(
            "the node asks for the device `{}`, the session runs on {}; {way_out} the node's device",
            node.device, self.device
        );
        Err(of_node(Error::new(Code::InvalidArgument, ErrorKind::InvalidArgument, message)))
    }
}
