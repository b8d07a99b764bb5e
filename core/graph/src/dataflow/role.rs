//! The ops that the dataflow executor runs itself.

use crate::known_ops::KnownOp;

/// What the executor does for a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// Runs its kernel.
    Kernel,
    /// Forwards its input.
    Pass,
    /// Nothing but waiting.
    Nothing,
    /// Nothing but waiting, also for what is dead.
    Trigger,
    /// Forwards its first input to one of two outputs, as its second says.
    Switch,
    /// Forwards its first input to one of several outputs, as its second says.
    SwitchN,
    /// Forwards the input that its first one says.
    Select,
    /// Forwards whichever of its inputs there is.
    Merge,
    /// Forwards its input into a frame.
    Enter,
    /// Forwards its input out of a frame.
    Exit,
    /// Forwards its input into the next iteration.
    Next,
}

/// The role of an op's nodes.
pub(super) fn role(op: KnownOp) -> Role {
    use KnownOp as Op;
    match op {
        Op::RefIdentity | Op::LoopCond => Role::Pass,
        Op::NoOp => Role::Nothing,
        Op::ControlTrigger => Role::Trigger,
        Op::Switch | Op::RefSwitch => Role::Switch,
        Op::SwitchN => Role::SwitchN,
        Op::RefSelect => Role::Select,
        Op::Merge | Op::RefMerge => Role::Merge,
        Op::Enter | Op::RefEnter => Role::Enter,
        Op::Exit | Op::RefExit => Role::Exit,
        Op::NextIteration | Op::RefNextIteration => Role::Next,
        op if op.is_identity() => Role::Pass,
        _ => Role::Kernel,
    }
}
