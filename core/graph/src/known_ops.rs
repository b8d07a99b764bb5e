//! The ops that the runtime itself knows: those whose meaning belongs to the graph format, and those that shape
//! inference and passes have rules for. No other file names an op. A registry's are found once, so that nodes compare a
//! value and no name.

use std::sync::Arc;

use oplink_api::OpId;
use oplink_core::Registry;
use oplink_spec::sorting::sort_by_key;

macro_rules! known_ops {
    ($($variant:ident = $name:literal,)*) => {
        /// An op that the runtime knows.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub(crate) enum KnownOp {
            /// Any other op.
            Other,
            $(#[doc = concat!("`", $name, "`.")] $variant,)*
        }

        /// All of them but `Other`.
        const ALL: &[KnownOp] = &[$(KnownOp::$variant),*];

        impl KnownOp {
            /// The op's name; empty for `Other`.
            pub(crate) const fn name(self) -> &'static str {
                match self {
                    Self::Other => "",
                    $(Self::$variant => $name,)*
                }
            }

            /// The op that a message names.
            pub(crate) fn named(name: &str) -> Self {
                let key = key(name);
                let found = KEYS.iter().zip(ALL).find(|&(&known, op)| known == key && op.name() == name);
                found.map_or(Self::Other, |(_, &op)| op)
            }
        }
    };
}

/// The length and the last byte of a name, which few names share.
const fn key(name: &str) -> [u8; 2] {
    match name.as_bytes() {
        [.., last] => [name.len() as u8, *last],
        [] => [0; 2],
    }
}

/// Those of the names of `ALL`: what is searched for a name before names are compared.
const KEYS: [[u8; 2]; ALL.len()] = {
    let mut keys = [[0; 2]; ALL.len()];
    let mut at = 0;
    while at < keys.len() {
        keys[at] = key(ALL[at].name());
        at += 1;
    }
    keys
};

known_ops! {
    Const = "Const",
    Placeholder = "Placeholder",
    PlaceholderV2 = "PlaceholderV2",
    PlaceholderWithDefault = "PlaceholderWithDefault",
    Identity = "Identity",
    IdentityN = "IdentityN",
    StopGradient = "StopGradient",
    PreventGradient = "PreventGradient",
    Snapshot = "Snapshot",
    RefIdentity = "RefIdentity",
    NoOp = "NoOp",
    ControlTrigger = "ControlTrigger",
    Switch = "Switch",
    RefSwitch = "RefSwitch",
    SwitchN = "_SwitchN",
    RefSelect = "RefSelect",
    Merge = "Merge",
    RefMerge = "RefMerge",
    Enter = "Enter",
    RefEnter = "RefEnter",
    Exit = "Exit",
    RefExit = "RefExit",
    NextIteration = "NextIteration",
    RefNextIteration = "RefNextIteration",
    LoopCond = "LoopCond",
    StatefulPartitionedCall = "StatefulPartitionedCall",
    PartitionedCall = "PartitionedCall",
    If = "If",
    StatelessIf = "StatelessIf",
    Case = "Case",
    StatelessCase = "StatelessCase",
    While = "While",
    StatelessWhile = "StatelessWhile",
    Shape = "Shape",
    ShapeN = "ShapeN",
    Rank = "Rank",
    Size = "Size",
    VariableShape = "VariableShape",
    Pack = "Pack",
    Concat = "Concat",
    ConcatV2 = "ConcatV2",
    StridedSlice = "StridedSlice",
    Cast = "Cast",
    Reshape = "Reshape",
    BroadcastTo = "BroadcastTo",
    Squeeze = "Squeeze",
    ExpandDims = "ExpandDims",
    Tile = "Tile",
    Pad = "Pad",
    PadV2 = "PadV2",
    Transpose = "Transpose",
    Add = "Add",
    AddV2 = "AddV2",
    AddN = "AddN",
    BiasAdd = "BiasAdd",
    Sub = "Sub",
    Mul = "Mul",
    Div = "Div",
    RealDiv = "RealDiv",
    DivNoNan = "DivNoNan",
    Pow = "Pow",
    Neg = "Neg",
    Mean = "Mean",
    Square = "Square",
    SquaredDifference = "SquaredDifference",
    Rsqrt = "Rsqrt",
    Sigmoid = "Sigmoid",
    Relu6 = "Relu6",
    Erf = "Erf",
    Erfc = "Erfc",
    Tanh = "Tanh",
    Softmax = "Softmax",
    MatMul = "MatMul",
    BatchMatMulV2 = "BatchMatMulV2",
    Einsum = "Einsum",
    Invert = "Invert",
    LogicalNot = "LogicalNot",
    Conj = "Conj",
    ZerosLike = "ZerosLike",
    OnesLike = "OnesLike",
    Greater = "Greater",
    Less = "Less",
    LogicalAnd = "LogicalAnd",
    Split = "Split",
    FakeParam = "FakeParam",
    EmptyTensorList = "EmptyTensorList",
    TensorListPushBack = "TensorListPushBack",
    TensorListPopBack = "TensorListPopBack",
    TensorListLength = "TensorListLength",
    TensorListElementShape = "TensorListElementShape",
    TensorListFromTensor = "TensorListFromTensor",
    TensorListReserve = "TensorListReserve",
    TensorListGetItem = "TensorListGetItem",
    TensorListSetItem = "TensorListSetItem",
    FusedBatchNorm = "FusedBatchNorm",
    FusedBatchNormV2 = "FusedBatchNormV2",
    FusedBatchNormV3 = "FusedBatchNormV3",
}

/// The name of the op of nodes that placement adds to copy values into another memory. No registry has it.
pub(crate) const DEVICE_COPY: &str = "_DeviceCopy";

impl KnownOp {
    /// The outputs exist only where they are fed.
    pub(crate) fn is_placeholder(self) -> bool {
        matches!(self, Self::Placeholder | Self::PlaceholderV2)
    }

    /// The only input is forwarded as the only output.
    pub(crate) fn is_identity(self) -> bool {
        use KnownOp as Op;
        matches!(
            self,
            Op::Identity | Op::StopGradient | Op::PreventGradient | Op::Snapshot | Op::PlaceholderWithDefault
        )
    }

    /// Whichever of the inputs there is becomes the output.
    pub(crate) fn is_merge(self) -> bool {
        matches!(self, Self::Merge | Self::RefMerge)
    }

    /// The input is forwarded to the next iteration of a loop: only the outputs of these ops may lead back.
    pub(crate) fn is_next_iteration(self) -> bool {
        matches!(self, Self::NextIteration | Self::RefNextIteration)
    }

    /// Values leave a loop here.
    pub(crate) fn is_exit(self) -> bool {
        matches!(self, Self::Exit | Self::RefExit)
    }

    /// The dataflow executor runs these ops itself, because they decide which nodes run and in which frame.
    pub(crate) fn is_control_flow(self) -> bool {
        use KnownOp as Op;
        self.is_merge()
            || self.is_next_iteration()
            || self.is_exit()
            || matches!(
                self,
                Op::Switch
                    | Op::RefSwitch
                    | Op::SwitchN
                    | Op::RefSelect
                    | Op::Enter
                    | Op::RefEnter
                    | Op::LoopCond
                    | Op::ControlTrigger
            )
    }

    /// The output tells of the inputs what is small, whatever they are.
    pub(crate) fn summarizes(self) -> bool {
        use KnownOp as Op;
        matches!(self, Op::Shape | Op::ShapeN | Op::Rank | Op::Size | Op::TensorListLength | Op::TensorListElementShape)
    }

    /// The attr that names the function of a node which does nothing but call it.
    pub(crate) fn call_attr(self) -> Option<&'static str> {
        matches!(self, Self::StatefulPartitionedCall | Self::PartitionedCall).then_some("f")
    }

    /// The inputs of a list of types are the arguments of the functions that are called, whose results are the outputs.
    pub(crate) fn passes_arguments(self) -> bool {
        use KnownOp as Op;
        let conditional = matches!(self, Op::If | Op::StatelessIf | Op::Case | Op::StatelessCase);
        conditional || matches!(self, Op::While | Op::StatelessWhile) || self.call_attr().is_some()
    }
}

/// The known ops of a registry, in the order of their declarations' identities.
#[derive(Debug)]
pub(crate) struct KnownOps(Vec<(OpId, KnownOp)>);

impl KnownOps {
    /// Those of this registry, found at its first use.
    pub(crate) fn of(registry: &Registry) -> Arc<Self> {
        registry.memoized(|registry| {
            let declared = |&op: &KnownOp| Some((registry.get_op(op.name())?.id(), op));
            let mut known: Vec<_> = ALL.iter().filter_map(declared).collect();
            sort_by_key(&mut known, |(id, _)| *id);
            Self(known)
        })
    }

    /// Which of them an op is.
    pub(crate) fn get(&self, op: OpId) -> KnownOp {
        self.0.binary_search_by_key(&op, |(id, _)| *id).map_or(KnownOp::Other, |found| self.0[found].1)
    }
}

#[cfg(test)]
mod tests {
    use super::{ALL, KnownOp};

    #[test]
    fn names_are_read_back() {
        assert!(ALL.iter().all(|&op| KnownOp::named(op.name()) == op));
        assert_eq!(KnownOp::named("Softsign"), KnownOp::Other);
    }
}
