//! The few ops whose meaning belongs to the graph format itself rather than to a kernel.

/// Its output is its attr `value`.
pub(crate) const CONST: &str = "Const";
/// Its output is fed.
pub(crate) const PLACEHOLDER: &str = "Placeholder";

/// Ops whose outputs exist only where they are fed.
pub(crate) fn is_placeholder(op: &str) -> bool {
    matches!(op, PLACEHOLDER | "PlaceholderV2")
}

/// Ops that hand their only input on as their only output.
pub(crate) fn is_identity(op: &str) -> bool {
    matches!(op, "Identity" | "StopGradient" | "PreventGradient" | "Snapshot" | "PlaceholderWithDefault")
}
