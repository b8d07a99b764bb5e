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

/// Ops that hand on whichever of their inputs there is.
pub(crate) fn is_merge(op: &str) -> bool {
    matches!(op, "Merge" | "RefMerge")
}

/// Ops that hand their input on to the next iteration of a loop: the only ones whose output may lead back.
pub(crate) fn is_next_iteration(op: &str) -> bool {
    matches!(op, "NextIteration" | "RefNextIteration")
}

/// Ops that the dataflow executor runs itself, because they decide which nodes run and in which frame.
pub(crate) fn is_control_flow(op: &str) -> bool {
    is_merge(op)
        || is_next_iteration(op)
        || matches!(
            op,
            "Switch"
                | "RefSwitch"
                | "_SwitchN"
                | "RefSelect"
                | "Enter"
                | "RefEnter"
                | "Exit"
                | "RefExit"
                | "LoopCond"
                | "ControlTrigger"
        )
}

/// The op of nodes that a plan adds to bring values into another memory.
pub(crate) const DEVICE_COPY: &str = "_DeviceCopy";

/// Ops at which values leave a loop.
pub(crate) fn is_exit(op: &str) -> bool {
    matches!(op, "Exit" | "RefExit")
}

/// What a sum of gradients, and gradients of nothing and of the outputs themselves, are made of.
pub(crate) const ADD_N: &str = "AddN";
pub(crate) const ZEROS_LIKE: &str = "ZerosLike";
pub(crate) const ONES_LIKE: &str = "OnesLike";

/// The op that runs a function's body in place of the node.
pub(crate) const CALL: &str = "StatefulPartitionedCall";

/// The attr that names the function of a node which does nothing but call it.
pub(crate) fn call_attr(op: &str) -> Option<&'static str> {
    matches!(op, CALL | "PartitionedCall").then_some("f")
}

/// Ops that hand their inputs of a list of types to the functions they call, and the functions' results out, as they are.
pub(crate) fn passes_arguments(op: &str) -> bool {
    let conditional = matches!(op, "If" | "StatelessIf" | "Case" | "StatelessCase");
    conditional || matches!(op, "While" | "StatelessWhile") || call_attr(op).is_some()
}
