"""How near oplink's numbers must come to TensorFlow's, by op and dtype, each with its reason.

`exact`: the same bits, apart from NaN, of which any is any other's equal. `ulps`: so many floating-point numbers between the
two; of a complex number, so many epsilons of its magnitude. `unit`: so many epsilons of the value, or of 1 where that is more. `scale`: so many epsilons of the largest finite magnitude among
the expected values and the inputs, which is what a sum in another order differs by. What no row names is exact.
"""
from dataclasses import dataclass

from dtypes import COMPLEX, FLOATS
from recipes.training import NAMES as TRAINING


@dataclass
class Policy:
    """A kind of comparison and its bound."""
    kind: str
    bound: float = 0
    reason: str = ""
    signed_zeros: bool = True


EXACT = Policy("exact", 0, "moves, comparisons, integers: the same bits")


def policy(op, dtype):
    """The policy for an output of an op, by the output's dtype."""
    if dtype not in FLOATS and dtype not in COMPLEX:
        return EXACT
    for ops, dtypes, found in ROWS:
        if op in ops and dtype in dtypes:
            return found
    return EXACT


SINGLE = ("float32", "float64")
HALVES = ("float16", "bfloat16")

FUNCTIONS = (
    "Acos", "Acosh", "Angle", "Asin", "Asinh", "Atan", "Atan2", "Atanh", "ComplexAbs", "Cos", "Cosh", "Exp", "Expm1", "Inv", "Log",
    "Log1p", "Pow", "Reciprocal", "Rsqrt", "Sigmoid", "Sin", "Sinh", "Softplus", "Sqrt", "Tan", "Tanh", "Xlog1py", "Xlogy")
GRADIENTS = ("InvGrad", "ReciprocalGrad", "RsqrtGrad", "SigmoidGrad", "SqrtGrad", "TanhGrad", "SoftplusGrad",
             "SoftsignGrad")
CANCELLING = ("Digamma", "Elu", "EluGrad", "Erfinv", "Lgamma", "Selu", "SeluGrad")
ARITHMETIC = ("Div", "DivNoNan", "LeakyRelu", "LeakyReluGrad", "RealDiv", "Sign", "Softsign", "SquaredDifference", "Xdivy")
SPARSE_SEGMENTS = tuple(f"SparseSegment{kind}{form}" for kind in ("Sum", "Mean", "SqrtN") for form in ("WithNumSegments", "Grad", "GradV2"))
SUMS = ("AccumulateNV2", "AddN", "AvgPool", "AvgPool3D", "AvgPoolGrad", "AvgPool3DGrad", "BiasAddGrad", "CumulativeLogsumexp", "Cumsum",
        "EuclideanNorm", "L2Loss", "Mean", "Prod", "Cumprod", "Sum", "SegmentSum", "SegmentMean", "SegmentProd", "SparseSegmentSum",
        "SparseSegmentMean", "SparseSegmentSqrtN", *SPARSE_SEGMENTS, "UnsortedSegmentSum", "UnsortedSegmentProd", "MaxPoolGrad", "MaxPoolGradV2", "MaxPool3DGrad", "MaxPoolGradWithArgmax",
        "MirrorPadGrad", "ResourceScatterAdd", "ScatterAdd", "ResourceScatterSub", "ScatterSub", "ScatterNd", "TensorScatterAdd", "TensorScatterSub",
        "ScatterNdNonAliasingAdd", "Dilation2DBackpropFilter", "Dilation2DBackpropInput", "Bincount", "DenseBincount", "SparseReduceSum",
        "SparseReduceSumSparse", "SparseAdd", "SparseFillEmptyRowsGrad", "RaggedFillEmptyRowsGrad", "SparseTensorDenseMatMul")
PRODUCTS = ("BatchMatMul", "BatchMatMulV2", "BatchMatMulV3", "Conv2D", "Conv2DBackpropFilter", "Conv2DBackpropInput", "Conv3D",
            "Conv", "Conv3DBackpropFilter", "Conv3DBackpropFilterV2", "Conv3DBackpropInput", "Conv3DBackpropInputV2", "DepthwiseConv2dNative", "DepthwiseConv2dNativeBackpropFilter",
            "DepthwiseConv2dNativeBackpropInput", "Einsum", "FusedPadConv2D", "FusedResizeAndPadConv2D", "MatMul", "_FusedConv2D", "_FusedDepthwiseConv2dNative", "_FusedMatMul", "_FusedSeparableConv2D")
LAYERS = ("FusedBatchNorm", "FusedBatchNormV2", "FusedBatchNormV3", "_FusedAttention", "_FusedBatchNormEx", "_FusedLayerNorm", "_FusedLayerNormGrad", "LogSoftmax", "Softmax", "SoftmaxCrossEntropyWithLogits", "SparseSoftmax", "SparseSoftmaxCrossEntropyWithLogits")

RECURRENT = ("_FusedLSTM", "LSTMBlockCell", "LSTMBlockCellGrad", "BlockLSTM", "BlockLSTMV2", "BlockLSTMGrad", "BlockLSTMGradV2", "GRUBlockCell", "GRUBlockCellGrad")

INTEGRALS = (*(f"Bessel{kind}" for kind in ("I0", "I1", "J0", "J1", "K0", "K0e", "K1", "K1e", "Y0", "Y1")), "Dawsn", "Expint", "FresnelCos",
             "FresnelSin", "Spence")

TRANSFORMS = tuple(f"{i}{r}FFT{n}" for i in ("", "I") for r in ("", "R") for n in ("", "2D", "3D"))

# What they encode is decoded, and compared as numbers from 0 to 1.
JPEGS = ("EncodeJpeg", "EncodeJpegVariableQuality")
# Of a pixel, in epsilons: one level of 255.
LEVEL = 1 / 255 / 2 ** -23

DECOMPOSITIONS = ("BatchCholesky", "BatchCholeskyGrad", "BatchMatrixDeterminant", "BatchMatrixInverse", "BatchMatrixSolve", "BatchMatrixSolveLs",
                  "BatchMatrixTriangularSolve", "BatchSelfAdjointEig", "BatchSelfAdjointEigV2", "BatchSvd", "MatrixExponential", "MatrixLogarithm", "SelfAdjointEig",
                  "BandedTriangularSolve", "Cholesky", "CholeskyGrad", "Eig", "LogMatrixDeterminant", "Lu", "MatrixDeterminant", "MatrixInverse",
                  "MatrixSolve", "MatrixSolveLs", "MatrixSquareRoot", "MatrixTriangularSolve", "Qr", "SelfAdjointEigV2", "Svd", "TridiagonalMatMul",
                  "TridiagonalSolve")

ROWS = [
    (("CTCBeamSearchDecoder", "CTCLoss"), ("float32",), Policy("scale", 64, "sums of logarithms in another order")),
    (("CTCBeamSearchDecoder", "CTCLoss"), ("float64",), Policy("scale", 2 ** 30, "TensorFlow adds logarithms in single precision")),
    (DECOMPOSITIONS, (*FLOATS, *COMPLEX), Policy("scale", 256, "sums and quotients in another order, and what the condition of a matrix makes of that")),
    (("EncodeJpeg", "EncodeJpegVariableQuality"), ("float32",), Policy("unit", 56 * LEVEL, "coefficients that are nearly between two steps are rounded to either: a step of a few of them")),
    (("ResizeBicubicGrad", "ResizeBilinearGrad"), SINGLE, Policy("scale", 16, "sums in another order")),
    (("Maximum", "Minimum", "SparseSparseMaximum", "SparseSparseMinimum"), FLOATS, Policy("ulps", 0, "which of two zeros wins depends on the place in TensorFlow's vectors", False)),
    (("ScatterDiv", "ResourceScatterDiv"), COMPLEX, Policy("ulps", 16, "real arithmetic in another order")),
    (TRAINING, COMPLEX, Policy("scale", 1024, "square roots and quotients of complex numbers that nearly cancel")),
    (TRAINING, FLOATS, Policy("scale", 32, "a step of several operations, each rounded, in another order")),
    (TRANSFORMS, (*FLOATS, *COMPLEX), Policy("scale", 32, "sums in another order")),
    (("Softplus",), FLOATS, Policy("ulps", 8, "TensorFlow takes exp(x) for log(1 + exp(x)) where x is below ln(epsilon) + 2: 4 epsilons off")),
    (("Sigmoid", "SigmoidGrad", "SquaredDifference", "TanhGrad", "EluGrad", "SeluGrad", "SoftplusGrad", "SoftsignGrad"), HALVES, Policy("unit", 4, "TensorFlow rounds every step to the dtype")),
    (("BesselI0e", "BesselI1e", "Ndtri", "Zeta"), SINGLE, Policy("ulps", 8, "the same series; roots, logarithms and quotients of TensorFlow's vectors are off by some ulps", False)),
    (("BesselI0e", "BesselI1e"), HALVES, Policy("ulps", 1, "as in single precision", False)),
    (INTEGRALS, SINGLE, Policy("unit", 32, "the same functions; in single precision TensorFlow's have other coefficients, and lose digits near zeros of the functions", False)),
    (INTEGRALS, HALVES, Policy("ulps", 1, "as in single precision", False)),
    (("IgammaGradA", "RandomGammaGrad"), SINGLE, Policy("unit", 2048, "differences of series, which large parameters make of large numbers", False)),
    (("StatelessRandomGammaV2", "StatelessRandomGammaV3"), FLOATS, Policy("ulps", 16, "the same transformed numbers, by other functions")),
    (("Betainc", "Igamma", "Igammac"), SINGLE, Policy("unit", 64, "the same series and fractions; large parameters magnify the last bit of a logarithm of the gamma function")),
    (("Polygamma",), SINGLE, Policy("ulps", 64, "the same series; the factorial is the exponential of a logarithm")),
    (("Xlog1py",), COMPLEX, Policy("scale", 64, "TensorFlow adds 1 first: small results lose digits")),
    (("Log1p",), COMPLEX, Policy("unit", 64, "TensorFlow adds 1 first: small results lose digits")),
    (("Log",), COMPLEX, Policy("unit", 4, "TensorFlow takes the logarithm of a rounded magnitude: small results lose digits")),
    (("Sigmoid", "Pow"), SINGLE, Policy("ulps", 8, "oplink is within 1 ulp of the exact value; TensorFlow's vectors are up to 7 off")),
    (("NthElement",), FLOATS, Policy("ulps", 0, "which of two zeros comes first is left open", False)),
    (("Erfinv",), FLOATS, Policy("unit", 64, "TensorFlow's steep function of a rounded intermediate")),
    (GRADIENTS, SINGLE, Policy("ulps", 4, "either side is within 2 ulps of the exact value; TensorFlow's vector division loses signs of zeros", False)),
    (("RsqrtGrad",), HALVES, Policy("ulps", 4, "TensorFlow rounds every one of four products to the dtype", False)),
    (GRADIENTS, HALVES, Policy("ulps", 1, "computed in single precision and rounded once", False)),
    (("Max", "Min", "Relu", "Relu6", "UnsortedSegmentMax", "UnsortedSegmentMin", "SegmentMax", "SegmentMin", "Xdivy"), FLOATS,
     Policy("ulps", 0, "which of two zeros wins depends on the place in TensorFlow's vectors", False)),
    (("Xlog1py", "Xlogy"), SINGLE, Policy("ulps", 4, "as other functions; a zero loses its sign in TensorFlow", False)),
    (("Xlog1py", "Xlogy"), HALVES, Policy("ulps", 1, "as other functions; a zero loses its sign in TensorFlow", False)),
    (FUNCTIONS, SINGLE, Policy("ulps", 4, "either side is within 2 ulps of the exact value")),
    (FUNCTIONS, HALVES, Policy("ulps", 1, "computed in single precision and rounded once")),
    (FUNCTIONS + GRADIENTS + ARITHMETIC, COMPLEX, Policy("ulps", 16, "real arithmetic in another order")),
    (("Erf", "Erfc"), SINGLE, Policy("ulps", 8, "other polynomials")),
    (CANCELLING, FLOATS, Policy("unit", 8, "TensorFlow subtracts numbers near 1: small results lose digits")),
    (ARITHMETIC, FLOATS, Policy("ulps", 1, "one rounding more or less")),
    (("FakeQuantWithMinMaxVarsGradient", "FakeQuantWithMinMaxVarsPerChannelGradient"), FLOATS, Policy("scale", 16, "sums in another order")),
    (SUMS, (*FLOATS, *COMPLEX), Policy("scale", 16, "sums in another order")),
    (PRODUCTS, (*FLOATS, *COMPLEX), Policy("scale", 16, "sums of products in another order")),
    (LAYERS, FLOATS, Policy("scale", 16, "sums in another order")),
    (("FusedBatchNormGrad", "FusedBatchNormGradV2", "FusedBatchNormGradV3"), FLOATS,
     Policy("scale", 64, "sums over all images of a batch, one by one in single precision in TensorFlow")),
    (RECURRENT, FLOATS, Policy("scale", 64, "sums of products in another order; TensorFlow rounds every step to 16 bits", False)),
    (("AdjustContrast", "BatchNormWithGlobalNormalization", "BatchNormWithGlobalNormalizationGrad"), FLOATS,
     Policy("scale", 64, "sums over all pixels of an image in another order; TensorFlow's root of a reciprocal is off by some ulps")),
    (("QuantizeDownAndShrinkRange", "RequantizationRange"), ("float32",), Policy("ulps", 1, "one rounding more or less")),
    (("QuantizedInstanceNorm",), ("float32",), Policy("ulps", 8, "sums of squares in another order; TensorFlow's root of a reciprocal is off by some ulps")),
    (("QuantizedResizeBilinear",), ("float32",), Policy("ulps", 1, "one rounding more or less")),
    (("SparseMatrixMatMul", "SparseMatrixSparseMatMul"), (*FLOATS, *COMPLEX), Policy("scale", 16, "sums of products in another order")),
    (("SparseMatrixSparseCholesky",), (*FLOATS, *COMPLEX), Policy("scale", 256, "as other decompositions")),
    (("SdcaOptimizer", "SdcaOptimizerV2"), ("float32",), Policy("scale", 32, "sums in another order")),
    (("LRN", "LRNGrad"), SINGLE, Policy("scale", 16, "sums of squares and powers in another order")),
    (("LRN", "LRNGrad"), HALVES, Policy("scale", 16, "TensorFlow rounds every step to 16 bits")),
    (("_FusedElementwise",), FLOATS, Policy("scale", 64, "several functions one after the other, each as near as those alone")),
]
