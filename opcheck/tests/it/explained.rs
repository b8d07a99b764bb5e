//! What is found of built-in ops and is meant, and why.

use oplink_opcheck::Check::{self, *};

/// Ops of which checks find something, for one reason.
type Row = (&'static [Check], &'static [&'static str]);

pub(crate) const EXPLAINED: &[Row] = &[
    // TensorFlow's shape functions look at more, or less, than its kernels do.
    (
        &[Shape, Empty, Extremes],
        &[
            "AccumulateNV2",
            "BatchToSpaceND",
            "DenseBincount",
            "DepthwiseConv2dNative",
            "Dilation2D",
            "MatrixSetDiagV3",
            "ParallelConcat",
            "ResizeBicubicGrad",
            "ResizeBilinearGrad",
            "ResourceConditionalAccumulator",
            "SpaceToBatchND",
            "StackV2",
            "TensorArrayV3",
        ],
    ),
    // Each call has a number of its own.
    (&[Aliasing, Determinism, Threads, NonFinite], &["Batch"]),
    // Vectors are those of either sign.
    (
        &[Dtypes],
        &["BatchSelfAdjointEig", "BatchSelfAdjointEigV2", "Eig", "Qr", "SelfAdjointEig", "SelfAdjointEigV2", "Svd"],
    ),
    // Whole numbers of another dtype have other ends, and ranges made of ends of another dtype.
    (&[Dtypes], &["QuantizeV2", "StochasticCastToInt"]),
    // No sample lies between bounds that are NaN, which is TensorFlow's error of the same kind.
    (&[NonFinite], &["ParameterizedTruncatedNormal", "StatelessParameterizedTruncatedNormal"]),
    // TensorFlow differentiates by some of the inputs, or through some of the outputs only.
    (
        &[Gradient, SecondGradient],
        &[
            "Betainc",
            "FusedBatchNorm",
            "FusedBatchNormGrad",
            "FusedBatchNormGradV2",
            "FusedBatchNormGradV3",
            "FusedBatchNormV2",
            "FusedBatchNormV3",
            "MatrixDiagPartV2",
            "MatrixDiagPartV3",
            "MatrixDiagV2",
            "MatrixDiagV3",
            "MatrixSolveLs",
            "MaxPoolGradGrad",
            "SoftmaxCrossEntropyWithLogits",
            "StatelessParameterizedTruncatedNormal",
            "Zeta",
        ],
    ),
    // What is rounded is passed through.
    (
        &[Gradient, SecondGradient],
        &[
            "FakeQuantWithMinMaxArgs",
            "FakeQuantWithMinMaxVars",
            "FakeQuantWithMinMaxVarsPerChannel",
            "QuantizeAndDequantizeV2",
            "QuantizeAndDequantizeV3",
            "QuantizeAndDequantizeV4",
        ],
    ),
    // The last of several that are written to one place, or several that are equal, get what one gets.
    (
        &[Gradient, SecondGradient],
        &[
            "DynamicStitch",
            "NthElement",
            "ParallelDynamicStitch",
            "TensorScatterUpdate",
            "UnsortedSegmentMax",
            "UnsortedSegmentMin",
        ],
    ),
    // Products beside zeros are not differentiated twice, running ones not once.
    (&[Gradient, SecondGradient], &["Cumprod", "Prod"]),
    // The triangle that is not read gets half of the gradient.
    (&[Gradient, SecondGradient], &["Cholesky"]),
    // Drawn values that mean nothing: ends that are turned, colours beyond 0 and 1, matrices that have no root, places
    // that are none, maxima of something else.
    (
        &[Gradient, SecondGradient],
        &[
            "ClipByValue",
            "MatrixSquareRoot",
            "MaxPoolGrad",
            "RGBToHSV",
            "SparseReduceSum",
            "SparseSoftmax",
            "TensorStridedSliceUpdate",
        ],
    ),
    // TensorFlow has no gradient of these forms either.
    (&[Gradient], &["GatherNd", "MaxPoolWithArgmax", "PreventGradient", "Qr", "ScaleAndTranslate", "StridedSlice"]),
];

/// Whether it is meant that a check finds something.
pub(crate) fn is_explained(op: &str, check: Check) -> bool {
    EXPLAINED.iter().any(|(checks, ops)| checks.contains(&check) && ops.contains(&op))
}
