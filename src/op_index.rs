//! Ops by kernel family, a flat table that `cargo xtask index` writes from the kernels' sources.
#![allow(dead_code, reason = "a family's table serves builds without the family")]

/// Ops of the family `array`.
#[rustfmt::skip]
pub(crate) const ARRAY: &[&str] = &[
    "Assert",
    "Bitcast",
    "BroadcastArgs",
    "BroadcastTo",
    "Concat",
    "ConcatV2",
    "ConjugateTranspose",
    "Const",
    "DepthToSpace",
    "EnsureShape",
    "ExpandDims",
    "Fill",
    "Gather",
    "GatherNd",
    "GatherV2",
    "Identity",
    "IdentityN",
    "InvertPermutation",
    "LinSpace",
    "MatrixBandPart",
    "MatrixDiag",
    "MatrixDiagPart",
    "MirrorPad",
    "NoOp",
    "OneHot",
    "OnesLike",
    "Pack",
    "Pad",
    "PadV2",
    "Placeholder",
    "PlaceholderV2",
    "PlaceholderWithDefault",
    "PreventGradient",
    "Range",
    "Rank",
    "Reshape",
    "ReverseV2",
    "Shape",
    "ShapeN",
    "Size",
    "Slice",
    "Snapshot",
    "SpaceToDepth",
    "Split",
    "SplitV",
    "Squeeze",
    "StopGradient",
    "StridedSlice",
    "Tile",
    "Transpose",
    "Unpack",
    "Where",
    "ZerosLike",
];

/// Ops of the family `control_flow`.
#[rustfmt::skip]
pub(crate) const CONTROL_FLOW: &[&str] = &[
];

/// Ops of the family `image`.
#[rustfmt::skip]
pub(crate) const IMAGE: &[&str] = &[
];

/// Ops of the family `io`.
#[rustfmt::skip]
pub(crate) const IO: &[&str] = &[
];

/// Ops of the family `linalg`.
#[rustfmt::skip]
pub(crate) const LINALG: &[&str] = &[
    "BatchMatMul",
    "BatchMatMulV2",
    "MatMul",
];

/// Ops of the family `math`.
#[rustfmt::skip]
pub(crate) const MATH: &[&str] = &[
    "Abs",
    "AccumulateNV2",
    "Acos",
    "Acosh",
    "Add",
    "AddN",
    "AddV2",
    "Angle",
    "ApproximateEqual",
    "Asin",
    "Asinh",
    "Atan",
    "Atan2",
    "Atanh",
    "BitwiseAnd",
    "BitwiseOr",
    "BitwiseXor",
    "Cast",
    "Ceil",
    "ClipByValue",
    "ComplexAbs",
    "Conj",
    "Cos",
    "Cosh",
    "Digamma",
    "Div",
    "DivNoNan",
    "Equal",
    "Erf",
    "Erfc",
    "Erfinv",
    "Exp",
    "Expm1",
    "Floor",
    "FloorDiv",
    "FloorMod",
    "Greater",
    "GreaterEqual",
    "Imag",
    "Inv",
    "InvGrad",
    "Invert",
    "IsFinite",
    "IsInf",
    "IsNan",
    "LeftShift",
    "Less",
    "LessEqual",
    "Lgamma",
    "Log",
    "Log1p",
    "LogicalAnd",
    "LogicalNot",
    "LogicalOr",
    "Maximum",
    "Minimum",
    "Mod",
    "Mul",
    "MulNoNan",
    "Neg",
    "NextAfter",
    "NotEqual",
    "Pow",
    "Real",
    "RealDiv",
    "Reciprocal",
    "ReciprocalGrad",
    "RightShift",
    "Rint",
    "Round",
    "Rsqrt",
    "RsqrtGrad",
    "Select",
    "SelectV2",
    "Sigmoid",
    "SigmoidGrad",
    "Sign",
    "Sin",
    "Sinh",
    "Sqrt",
    "SqrtGrad",
    "Square",
    "SquaredDifference",
    "Sub",
    "Tan",
    "Tanh",
    "TanhGrad",
    "TruncateDiv",
    "TruncateMod",
    "Xdivy",
    "Xlog1py",
    "Xlogy",
];

/// Ops of the family `nn`.
#[rustfmt::skip]
pub(crate) const NN: &[&str] = &[
    "AvgPool",
    "BiasAdd",
    "BiasAddV1",
    "Conv2D",
    "DepthwiseConv2dNative",
    "Elu",
    "FusedBatchNorm",
    "FusedBatchNormV2",
    "FusedBatchNormV3",
    "InTopKV2",
    "L2Loss",
    "LeakyRelu",
    "LogSoftmax",
    "MaxPool",
    "Relu",
    "Relu6",
    "Relu6Grad",
    "ReluGrad",
    "Selu",
    "Softmax",
    "SoftmaxCrossEntropyWithLogits",
    "Softplus",
    "Softsign",
    "SparseSoftmaxCrossEntropyWithLogits",
];

/// Ops of the family `random`.
#[rustfmt::skip]
pub(crate) const RANDOM: &[&str] = &[
];

/// Ops of the family `reduction`.
#[rustfmt::skip]
pub(crate) const REDUCTION: &[&str] = &[
    "All",
    "Any",
    "ArgMax",
    "ArgMin",
    "Cumprod",
    "Cumsum",
    "CumulativeLogsumexp",
    "EuclideanNorm",
    "Max",
    "Mean",
    "Min",
    "Prod",
    "Sum",
    "TopKV2",
];

/// Ops of the family `signal`.
#[rustfmt::skip]
pub(crate) const SIGNAL: &[&str] = &[
];

/// Ops of the family `sparse`.
#[rustfmt::skip]
pub(crate) const SPARSE: &[&str] = &[
];

/// Ops of the family `state`.
#[rustfmt::skip]
pub(crate) const STATE: &[&str] = &[
];

/// Ops of the family `string`.
#[rustfmt::skip]
pub(crate) const STRING: &[&str] = &[
];

/// Ops of the family `training`.
#[rustfmt::skip]
pub(crate) const TRAINING: &[&str] = &[
];
