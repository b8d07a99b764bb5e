//! The ops that the dataflow executor runs itself.

/// Marks the condition of a loop, which it hands on.
pub(super) const LOOP_COND: &str = "LoopCond";

/// What the executor does for a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// Runs its kernel.
    Kernel,
    /// Hands its input on.
    Pass,
    /// Nothing but waiting.
    Nothing,
    /// Nothing but waiting, also for what is dead.
    Trigger,
    /// Hands its first input on to one of two outputs, as its second says.
    Switch,
    /// Hands its first input on to one of several outputs, as its second says.
    SwitchN,
    /// Hands on the input that its first one says.
    Select,
    /// Hands on whichever of its inputs there is.
    Merge,
    /// Hands its input on into a frame.
    Enter,
    /// Hands its input on out of a frame.
    Exit,
    /// Hands its input on into the next iteration.
    Next,
}

/// The role of an op's nodes.
pub(super) fn role(op: &str) -> Role {
    match op {
        "Identity"
        | "StopGradient"
        | "PreventGradient"
        | "Snapshot"
        | "PlaceholderWithDefault"
        | "RefIdentity"
        | LOOP_COND => Role::Pass,
        "NoOp" => Role::Nothing,
        "ControlTrigger" => Role::Trigger,
        "Switch" | "RefSwitch" => Role::Switch,
        "_SwitchN" => Role::SwitchN,
        "RefSelect" => Role::Select,
        "Merge" | "RefMerge" => Role::Merge,
        "Enter" | "RefEnter" => Role::Enter,
        "Exit" | "RefExit" => Role::Exit,
        "NextIteration" | "RefNextIteration" => Role::Next,
        _ => Role::Kernel,
    }
}
