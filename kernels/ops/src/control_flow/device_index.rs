//! `DeviceIndex`: which of some types of devices runs the node.

use oplink::prelude::*;

/// The position of the type of the node's device in the attr `device_names`; their number where it is not among them.
#[op("DeviceIndex",
     output = "index: int32",
     attr = "device_names: list(string)",
     stateful,
     shape = shape_fns::scalar)]
pub struct DeviceIndex;
