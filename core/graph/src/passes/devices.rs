//! On which type of device a node will run, as far as passes can tell: they ask that device's kernels what they take.

use oplink_core::{KernelRef, kernel_label};

use super::Rewrite;
use crate::graph::Node;

/// The device type that the node asks for, or else the first of the session's that has a kernel for it, with that
/// kernel.
pub(super) fn kernel_of<'r>(rewrite: &'r Rewrite, node: &Node) -> Option<(&'r str, KernelRef)> {
    let info = node.info();
    let asked = asked_type(node.device());
    let mut types =
        rewrite.options.device_types.iter().filter(|known| asked.is_none_or(|asked| known.eq_ignore_ascii_case(asked)));
    types.find_map(|device_type| {
        let kernel = rewrite.graph.registry().get_kernel(&info.op.name, device_type, kernel_label(info), info)?;
        Some((device_type.as_str(), kernel))
    })
}

/// The device type in a device's name: `GPU` of `/job:a/replica:0/task:0/device:GPU:1`, of `/gpu:1` and of `GPU:1`.
fn asked_type(device: &str) -> Option<&str> {
    let part = device.split('/').rfind(|part| !part.is_empty())?;
    let part = part.strip_prefix("device:").unwrap_or(part);
    let kind = part.split(':').next()?;
    (!matches!(kind, "job" | "replica" | "task" | "*" | "")).then_some(kind)
}

#[cfg(test)]
mod tests {
    use super::asked_type;

    #[test]
    fn types_in_names_of_devices() {
        assert_eq!(asked_type("/job:localhost/replica:0/task:0/device:GPU:1"), Some("GPU"));
        assert_eq!(asked_type("/gpu:1"), Some("gpu"));
        assert_eq!(asked_type("CPU:0"), Some("CPU"));
        assert_eq!(asked_type("/job:localhost/replica:0/task:0"), None);
        assert_eq!(asked_type(""), None);
    }
}
