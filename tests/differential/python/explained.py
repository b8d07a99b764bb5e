"""Differences from TensorFlow that are meant, each with its reason.

An entry names its ops, or `*`, and tells from a case and both outcomes whether it is the one. A full run in which an entry
explains nothing fails, so that none outlives its cause; `rare` ones need not occur.
"""
from dataclasses import dataclass
from typing import Callable

import numpy as np
import tensorflow as tf
from tensorflow.core.framework import summary_pb2
from tensorflow.core.util import event_pb2

from draw import Tensor
from dtypes import COMPLEX, FLOATS, finfo
from outcome import Failure
from recipes.one_dnn import QUANTIZED_CONVOLUTIONS
from recipes.training import NAMES as TRAINING
from recipes.writers import WRITERS
from tolerances import JPEGS


@dataclass
class Difference:
    """A known difference: a short name, the ops, the reason, and the test for it."""
    name: str
    ops: tuple
    reason: str
    applies: Callable
    rare: bool = False


@dataclass
class Seen:
    """A case that disagrees: TensorFlow's outcome, oplink's, and the verdict on them."""
    case: object
    expected: object
    actual: object
    verdict: object
    graph: object = None

    def inputs(self):
        return self.case.flat_inputs() if hasattr(self.case, "flat_inputs") else [t for s in self.case.steps for _, t in s.feeds]

    def empty_variable(self):
        """Whether the graph has a variable without elements."""
        return any(n.op == "VariableV2" and any(d.size == 0 for d in n.attr["shape"].shape.dim) for n in self.case.graph.node)

    def attr(self, name):
        return getattr(self.case, "attrs", {}).get(name)


def has_denormals(tensor):
    """Whether a float tensor has numbers below the smallest normal one."""
    if tensor.dtype not in FLOATS and tensor.dtype not in COMPLEX:
        return False
    parts = (tensor.array.real, tensor.array.imag) if tensor.dtype in COMPLEX else (tensor.array.astype(np.float64),)
    tiny = float(finfo(tensor.dtype).tiny)
    return any(bool(np.any((np.abs(p) < tiny) & (p != 0))) for p in parts)


def of_all_steps(outcome):
    """What the steps of a graph, or an op, gave; nothing of a failure."""
    return [t for o in outcome for t in (o if isinstance(o, list) else [o])] if isinstance(outcome, list) else []


def denormals(seen):
    """TensorFlow's threads read denormals as zero and write zero in their place."""
    tensors = [t for o in (seen.expected, seen.actual) for t in of_all_steps(o) if hasattr(t, "array")]
    return seen.verdict.kind == "value" and any(map(has_denormals, [*seen.inputs(), *tensors]))


def near_one(seen):
    """Only where the input's magnitude is near 1, and by less than what the steepness there makes of a rounding."""
    if seen.verdict.kind != "value":
        return False
    x, want, have = (t.array.astype(np.float64) for t in (seen.inputs()[0], seen.expected[0], seen.actual[0]))
    with np.errstate(all="ignore"):
        eps = float(finfo(seen.case.dtype()).eps)
        steep = eps / np.maximum(1 - np.abs(x), eps) * np.abs(want)
        near = np.abs(want - have) <= np.maximum(steep, 64 * eps * np.maximum(np.abs(want), 1))
    return bool(np.all(near | (want == have) | np.isnan(want) & np.isnan(have)))


def gaps(seen):
    """Indices that leave places of a list out."""
    indices = [t.array for t in seen.inputs() if t.dtype == "int32" and t.array.ndim == 1]
    return seen.verdict.kind == "value" and any(bool(np.any(np.diff(np.sort(i)) > 1)) for i in indices)


def in_another_order(seen):
    """The same elements, each once."""
    want, have = ([np.sort(t.array, axis=None) for t in of_all_steps(o) if hasattr(t, "array")] for o in (seen.expected, seen.actual))
    return seen.verdict.kind == "value" and len(want) == len(have) and all(map(np.array_equal, want, have))


def extreme(seen):
    """As `denormals`, of quotients below the smallest normal number."""
    largest = max((float(np.nanmax(np.abs(t.array.astype(np.float64)), initial=0.0, where=np.isfinite(t.array))) for t in seen.inputs()
                   if t.dtype in FLOATS), default=0.0)
    dtype = seen.case.dtype()
    return dtype in FLOATS and seen.verdict.kind == "value" and largest > float(finfo(dtype).max) / 8


def on_cut(seen):
    """A negative number with an imaginary part of zero."""
    return seen.verdict.kind == "value" and any(t.dtype in COMPLEX and bool(np.any((t.array.real < 0) & (t.array.imag == 0))) for t in seen.inputs())


def half_products(seen):
    """As `half_overflows`, of a product of many numbers."""
    outcomes = [t for t in seen.expected if hasattr(t, "array")] if isinstance(seen.expected, list) else []
    return seen.verdict.kind == "value" and any(t.dtype in ("float16", "bfloat16") and not bool(np.all(np.isfinite(t.array))) for t in outcomes)


def after_failure(seen):
    """A value read after a step that failed on both sides."""
    return seen.verdict.kind == "value" and isinstance(seen.expected, list) and any(isinstance(o, Failure) for o in seen.expected)


def has_nan(seen):
    return seen.verdict.kind == "value" and any(t.dtype in FLOATS and bool(np.any(np.isnan(t.array))) for t in seen.inputs())


def has_infinity(seen):
    return seen.verdict.kind == "value" and any(t.dtype in FLOATS and not bool(np.all(np.isfinite(t.array))) for t in seen.inputs())


def stalled_sums(seen):
    """A long sum in 16 bits that stands still, where each number is less than half of the sum's last digit."""
    rows = max((len(t.array) for t in seen.inputs() if t.dtype in ("float16", "bfloat16") and t.array.ndim), default=0)
    if seen.verdict.kind != "value" or rows <= 256:
        return False
    want, have = (np.abs(outcome[0].array.astype(np.float64)) for outcome in (seen.expected, seen.actual))
    return bool(np.all(have >= want))


def half_overflows(seen):
    """A step of TensorFlow's in 16 bits overflows where one in single precision does not."""
    dtype = seen.case.dtype()
    if seen.verdict.kind != "value" or dtype not in ("float16", "bfloat16"):
        return False
    return any(bool(np.any(np.abs(t.array.astype(np.float64)) > float(finfo(dtype).max) ** 0.5)) for t in seen.inputs() if t.dtype == dtype)


def complex_infinity(seen):
    """A complex number with a part that is no finite number."""
    return seen.verdict.kind == "value" and any(t.dtype in COMPLEX and not bool(np.all(np.isfinite(t.array))) for t in seen.inputs())


def over_one_column(seen):
    """A convolution with unlike strides whose output has one column."""
    if seen.verdict.kind != "value":
        return False
    strides = next(n.attr["strides"].list.i for n in seen.case.graph.node if n.op == seen.case.op)
    return strides[1] != strides[2] and seen.expected[0][0].shape[2] == 1


def refused_by(text):
    """TensorFlow refuses with these words what oplink computes."""
    return lambda seen: seen.verdict.kind in ("only_tensorflow_fails", "shape_function") and text in seen.verdict.detail


def neighbours(seen):
    """Bytes that differ by 1, few of them and nothing else."""
    if seen.verdict.kind != "value":
        return False
    pairs = [(e.array, a.array) for e, a in zip(seen.expected, seen.actual)]
    steps = np.concatenate([np.abs(e.astype(np.int64) - a.astype(np.int64)).reshape(-1) for e, a in pairs if e.dtype == np.uint8] or [np.zeros(0, np.int64)])
    others = all(np.array_equal(e, a) for e, a in pairs if e.dtype != np.uint8)
    return others and steps.max(initial=0) == 1 and np.count_nonzero(steps) <= max(1, steps.size // 20)


def wide_strides(seen):
    """A stride that exceeds its window by more than 1, with padding SAME."""
    sizes = seen.attr("ksize") or [1, *seen.inputs()[1].shape[:3], 1]
    return seen.verdict.kind == "value" and seen.attr("padding") == "SAME" and any(s > k + 1 for s, k in zip(seen.attr("strides"), sizes))


def nothing_expected(seen):
    """Only oplink fails, and TensorFlow's values have no elements."""
    outcomes = of_all_steps(seen.expected)
    return seen.verdict.kind == "only_oplink_fails" and all(getattr(t, "array", None) is not None and t.array.size == 0 for t in outcomes)


def without_elements(seen):
    """Only oplink takes a variable without elements for uninitialised."""
    return seen.verdict.kind == "only_oplink_fails" and "has no value yet" in seen.verdict.detail and seen.empty_variable()


def denormal_entries(seen):
    """Only oplink tells the values of one key apart, of which some are denormal."""
    return seen.verdict.kind == "only_oplink_fails" and "different values for one key" in seen.verdict.detail and any(map(has_denormals, seen.inputs()))


def large_exponent(seen):
    """A complex power that is as near as a logarithm of its size, rounded, lets it be."""
    if seen.verdict.kind != "value" or seen.case.dtype() not in COMPLEX:
        return False
    base, exponent = (t.array.astype(np.complex128) for t in seen.inputs())
    want, have = (o[0].array.astype(np.complex128) for o in (seen.expected, seen.actual))
    with np.errstate(all="ignore"):
        size = np.maximum(np.abs(exponent * np.log(base)), 16)
        near = np.abs(want - have) <= 4 * float(finfo(seen.case.dtype()).eps) * size * np.abs(want)
    return bool(np.all(near | (want == have) | ~np.isfinite(want) & ~np.isfinite(have)))


def large_power(seen):
    """A real power that is as near as the product of exponent and logarithm, rounded, lets it be."""
    if seen.verdict.kind != "value" or seen.case.dtype() not in ("float32", "float64"):
        return False
    base, exponent = (t.array.astype(np.float64) for t in seen.inputs())
    want, have = (o[0].array.astype(np.float64) for o in (seen.expected, seen.actual))
    with np.errstate(all="ignore"):
        size = np.abs(exponent * np.log(np.abs(base)))
        near = np.abs(want - have) <= float(finfo(seen.case.dtype()).eps) * np.maximum(size / 8, 8) * np.abs(want)
    return bool(np.all(near | (want == have) | np.isnan(want) & np.isnan(have)))


def beside_pole(seen):
    """Large values of a complex sigmoid, as near as the rounded sum of 1 and an exponential lets them be."""
    if seen.verdict.kind != "value" or seen.case.dtype() not in COMPLEX:
        return False
    want, have = (o[0].array.astype(np.complex128) for o in (seen.expected, seen.actual))
    with np.errstate(all="ignore"):
        near = np.abs(want - have) <= 16 * float(finfo(seen.case.dtype()).eps) * np.abs(want) * np.maximum(np.abs(want), 1)
    return bool(np.all(near | (want == have) | ~np.isfinite(want) & ~np.isfinite(have)))


def left_of_zero(seen):
    """The second of two inputs has negative numbers."""
    return seen.verdict.kind == "value" and bool(np.any(seen.inputs()[1].array < 0))


def shape_of(condition):
    return lambda seen: seen.verdict.kind == "shape_function" and condition(seen)


def unknown_split_axis(seen):
    """The axis of a SplitV is a placeholder."""
    return any(n.name == "i2" and n.op == "Placeholder" for n in seen.graph.node)


def unknown_extents(node):
    """Whether a placeholder has extents that are not known."""
    return node.op == "Placeholder" and any(d.size < 0 for d in node.attr["shape"].shape.dim)


DIVISIONS = ("Div", "FloorDiv", "RealDiv", "TruncateDiv", "FloorMod", "Mod", "TruncateMod", "Xdivy", "DivNoNan")

CONVOLUTIONS = ("Conv", "Conv3D", "DepthwiseConv2dNative", "_FusedDepthwiseConv2dNative", "_FusedSeparableConv2D", *(f"{c}Backprop{to}" for c, to in (
    ("Conv2D", "Filter"), ("Conv2D", "Input"), ("Conv3D", "Filter"), ("Conv3D", "FilterV2"), ("Conv3D", "Input"), ("Conv3D", "InputV2"), ("DepthwiseConv2dNative", "Filter"),
    ("DepthwiseConv2dNative", "Input"))))
COMPLEX_ARITHMETIC = ("Div", "DivNoNan", "Inv", "InvGrad", "Mul", "MulNoNan", "Pow", "RealDiv", "Reciprocal", "ReciprocalGrad", "RsqrtGrad",
                      "Sigmoid", "SigmoidGrad", "SqrtGrad", "Square", "TanhGrad", "Xdivy", "Xlog1py", "Xlogy", "Cumprod", "Prod")

SCATTERS = tuple(f"{r}Scatter{how}" for r in ("", "Resource") for how in ("Add", "Sub", "Update", "Mul", "Div", "Max", "Min", "NdAdd", "NdSub", "NdUpdate", "NdMax", "NdMin"))
SPARSE_STEPS = tuple(name for name in TRAINING if "Sparse" in name)

TABLE = [
    Difference("denormals", ("*",), "TensorFlow's threads treat denormal numbers as zero; oplink computes with them", denormals),
    Difference("denormal quotients", DIVISIONS, "as `denormals`, of quotients that are denormal before they are rounded", extreme, rare=True),
    Difference("16-bit steps", ("ReciprocalGrad", "InvGrad", "TanhGrad", "SigmoidGrad", "SqrtGrad", "RsqrtGrad", "SquaredDifference", "SoftsignGrad"),
               "TensorFlow rounds every step to 16 bits, so that squares overflow; oplink rounds once", half_overflows),
    Difference("long sums in 16 bits", ("SegmentSum",),
        "TensorFlow adds in 16 bits: from 256 on, bfloat16 takes no further ones; oplink adds in single precision", stalled_sums, rare=True),
    Difference("16-bit products", ("Prod", "Cumprod", "SegmentProd", "UnsortedSegmentProd"),
               "products overflow where TensorFlow rounds each to 16 bits; infinity times 0 is NaN", half_products, rare=True),
    Difference("rows before a wrong index", SPARSE_STEPS + SCATTERS, "TensorFlow has already changed the rows before a wrong index; oplink looks at all indices first",
               after_failure),
    Difference("cuts of fractional pools", ("FractionalAvgPool", "FractionalMaxPool"),
               "TensorFlow infers as many cuts as there are windows, and gives one more", lambda s: s.verdict.kind == "shape_function"),
    Difference("count of NaN", ("DebugNanCount",), "TensorFlow infers a scalar, and gives a vector of one element", lambda s: s.verdict.kind == "shape_function"),
    Difference("patches of what has no rank", ("ExtractVolumePatches",), "TensorFlow infers four axes of five where the input's rank is unknown",
               lambda s: s.verdict.kind == "shape_function"),
    Difference("largest of what has no rank", ("ApproxTopK",), "TensorFlow refuses inputs whose rank is unknown", refused_by("Must be within the range of [1, -2]")),
    Difference("largest of extents that are not known", ("ApproxTopK",), "TensorFlow refuses inputs whose extent is unknown", refused_by("input must have last dimension >= k")),
    Difference("quantized tensors without elements", ("QuantizedConcat",), "TensorFlow leaves them out, and gives the others their ranges",
               lambda s: s.verdict.kind == "value" and any(t.array.size == 0 for t in s.inputs())),
    Difference("steps of empty rows", SPARSE_STEPS, "TensorFlow refuses variables of rows without elements", refused_by("Inner dimension should be greater than zero")),
    Difference("ArgMax axis of int16", ("ArgMax", "ArgMin"), "TensorFlow reads four bytes of an axis of two",
               lambda s: s.verdict.kind in ("only_tensorflow_fails", "shape_function") and s.inputs()[1].dtype == "int16"),
    Difference("Erf of infinity", ("Erf",), "TensorFlow's polynomial gives NaN for doubles whose squares are infinite; the value is 1 or -1",
               lambda s: s.verdict.kind == "value" and any(bool(np.any(np.abs(t.array) > 1e154)) for t in s.inputs())),
    Difference("Round of integers", ("Round",), "TensorFlow's division by 2 rounds odd integers down; oplink leaves integers as they are",
               lambda s: s.verdict.kind == "value" and s.case.dtype().startswith("int")),
    Difference("CumulativeLogsumexp of NaN", ("CumulativeLogsumexp",), "TensorFlow compares with NaN and drops it; oplink hands it on", has_nan),
    Difference("zeros times infinity", CONVOLUTIONS, "TensorFlow multiplies the zeros of paddings and between strides; oplink leaves them out",
               has_infinity),
    Difference("Polygamma left of 0", ("Polygamma",), "TensorFlow's recurrence loses digits near the poles at negative whole numbers",
               lambda s: s.verdict.kind == "value" and bool(np.any(s.inputs()[1].array < 0))),
    Difference("Zeta left of 0", ("Zeta",), "TensorFlow's sum in single precision ends after nine terms, where the rest's series does not hold yet",
               lambda s: s.case.dtype() == "float32" and left_of_zero(s), rare=True),
    Difference("complex powers", ("Pow",), "TensorFlow rounds the product of exponent and logarithm, which a large exponent makes large", large_exponent, rare=True),
    Difference("large powers", ("Pow",), "as `complex powers`, of real numbers", large_power, rare=True),
    Difference("Erfinv near 1", ("Erfinv",), "TensorFlow takes the logarithm of a rounded 1 - x * x, which is steep where x is near 1", near_one, rare=True),
    Difference("comparisons of qint32", ("Equal", "NotEqual"), "TensorFlow compares them in single precision, in which large neighbours are equal",
               lambda s: s.verdict.kind == "value" and s.case.dtype() == "qint32", rare=True),
    Difference("beside poles", ("Sigmoid",), "1 + exp(-x) nearly cancels, and what is left is the rounding of the exponential", beside_pole, rare=True),
    Difference("elements of empty variables", ("*",), "as `empty variables`: TensorFlow reads what was never initialised", without_elements, rare=True),
    Difference("copies of quantized variables", tuple(f"Resource{how}" for how in ("Gather", "GatherNd", "StridedSliceAssign", "ScatterUpdate", "ScatterNdUpdate")),
               "TensorFlow cannot copy a variable of quantized numbers, as it does before the next change", refused_by("Unsupported dtype: q"), rare=True),
    Difference("zeros of arrays", ("TensorArray", *(f"TensorArray{how}{form}" for how in ("Concat", "Gather", "Pack", "Read") for form in ("", "V2"))),
               "TensorFlow has no zeros of quantized numbers and strings for elements that nobody wrote", refused_by("TensorSetZero type not supported"), rare=True),
    Difference("gaps in lists that are joined", ("TensorListConcat",), "TensorFlow joins lists with elements that nobody wrote by the second form of the op alone",
               refused_by("lists with uninitialized tensors is not supported"), rare=True),
    Difference("cuts counted as elements", ("FractionalMaxPoolGrad",), "TensorFlow refuses small inputs: it holds the number of cuts, one more than windows, against that of elements",
               refused_by("Pooling region has more elements"), rare=True),
    Difference("streams that are cut off", ("DecodeCompressed", "RecordInput"), "TensorFlow takes what comes before the cut, or before damage, for the whole; oplink says that it is none",
               lambda s: s.verdict.kind == "only_oplink_fails" and "deflate stream" in s.verdict.detail, rare=True),
    Difference("sounds of four axes", WRITERS, "TensorFlow does not look at the rank of sounds: without elements it writes nothing, otherwise its process ends",
               lambda s: s.verdict.kind == "only_oplink_fails" and "tensor must be of rank 2 or 3" in s.verdict.detail, rare=True),
    Difference("indices below 0", ("DenseToSparseSetOperation",), "without validate_indices TensorFlow takes negative numbers as they are; oplink refuses them",
               lambda s: s.verdict.kind == "only_oplink_fails" and "is outside of the shape" in s.verdict.detail and s.attr("validate_indices") is False, rare=True),
    Difference("steps between two numbers", ("QuantizeDownAndShrinkRange",), "what lies nearly between two steps is rounded to either, of few bytes",
               neighbours, rare=True),
    Difference("blended pictures", ("DecodeWebP",), "colours that are blended are rounded otherwise: one level of 255, of few bytes", neighbours, rare=True),
    Difference("gaps in lists", ("TensorListScatterIntoExistingList",), "TensorFlow fills the places between the end and a new element with empty vectors, which fit no other element",
               refused_by("during merge"), rare=True),
    Difference("stacks of lists with gaps", ("TensorListScatterIntoExistingList",), "as `gaps in lists`: TensorFlow leaves the places after the other elements of the stack as they were in memory",
               gaps, rare=True),
    Difference("denormal entries", ("*",), "as `denormals`, of different values of one key", denormal_entries, rare=True),
    Difference("averages of NaN", ("AvgPool3D",), "TensorFlow's vectors take NaN for padding", has_nan),
    Difference("extrema of NaN", ("SegmentMax", "SegmentMin", "UnsortedSegmentMax", "UnsortedSegmentMin", "MaxPool3D", "MaxPool3DGrad", "MaxPool3DGradGrad", "MaxPoolGrad", "MaxPoolGradGrad", "MaxPoolV2", "MaxPoolWithArgmax"),
               "which of NaN and a number is the larger depends on their order in TensorFlow; oplink hands NaN on", has_nan),
    Difference("dilations of volumes", ("Conv3D",), "TensorFlow's shape function takes the dilations of rows for those of columns; its kernel has none",
               shape_of(lambda s: s.attr("dilations")[2] != s.attr("dilations")[3]), rare=True),
    Difference("gradients of empty volumes", ("FusedBatchNormGradV3",), "TensorFlow gives an empty gradient without its first spatial axis",
               lambda s: s.verdict.kind == "shape" and len(s.inputs()[0].shape) == 5 and s.inputs()[0].array.size == 0, rare=True),
    Difference("biases that do not fit", ("_FusedConv2D", "_FusedMatMul"), "TensorFlow does not look at the length of a bias, and reads as much of it as it needs",
               lambda s: s.verdict.kind == "only_oplink_fails" and "bias or statistics must be vectors" in s.verdict.detail),
    Difference("denormals counted", ("Unique", "UniqueV2", "UniqueWithCounts", "UniqueWithCountsV2", "Where"), "as `denormals`: other numbers of elements are zero",
               lambda s: s.verdict.kind == "shape" and any(map(has_denormals, s.inputs())), rare=True),
    Difference("order of NaN", ("NthElement",), "TensorFlow's order is none where NaN is compared", has_nan),
    Difference("squares in 16 bits", ("L2Loss",), "TensorFlow squares in 16 bits, which overflows; oplink in single precision", half_overflows, rare=True),
    Difference("strides beyond windows", ("AvgPool3D", "Conv", "Conv3D", "MaxPool3D"),
               "TensorFlow moves windows over volumes by a negative padding where strides exceed them by more than 1", wide_strides),
    Difference("order of factors", ("SigmoidGrad", "TanhGrad"), "a product of three overflows in one order and not in the other", extreme, rare=True),
    Difference("extents beside 1", ("SoftmaxCrossEntropyWithLogits",),
               "TensorFlow takes an extent that is not known yet for 1 where the other input has 1 there, which it would broadcast",
               lambda s: s.verdict.kind == "shape_function"),
    Difference("empty variables", ("IsVariableInitialized",), "TensorFlow takes every variable without elements for initialised",
               lambda s: s.verdict.kind == "value" and s.empty_variable()),
    Difference("gradients of empty pools", ("MaxPool3DGradGrad",), "TensorFlow refuses empty outputs", refused_by("received empty tensor")),
    Difference("indices of nothing", ("Gather", "GatherV2", "TensorListGather"), "TensorFlow does not look at indices where the elements are empty", nothing_expected),
    Difference("Substr of unknown rank", ("Substr",), "TensorFlow's shape function refuses `len` of unknown rank beside a known `pos`",
               refused_by("pos and len shapes must match")),
    Difference("TopKV2 of NaN", ("TopKV2", "TopK"), "TensorFlow's order is none where NaN is compared; oplink takes NaN for the largest", has_nan),
    Difference("side of the cut", ("Rsqrt", "Sqrt"), "TensorFlow's vectors drop the sign of an imaginary zero, which says on which side of the cut a number is",
               on_cut, rare=True),
    Difference("complex infinities", COMPLEX_ARITHMETIC, "TensorFlow multiplies and divides by the school formulas, which make NaN of infinities",
               complex_infinity),
    Difference("GatherNd of int16", ("GatherNd",), "TensorFlow refuses params with more elements than indices can count",
               refused_by("too large for int16 indexing"), rare=True),
    Difference("empty quantized products", ("QuantizedMatMul",), "TensorFlow leaves the memory of the output as it was where no number is summed", lambda s: s.verdict.kind == "value" and 0 in s.inputs()[0].shape, rare=True),
    Difference("groups in oneDNN", QUANTIZED_CONVOLUTIONS, "oneDNN has no convolution of groups of channels with a range for each channel",
               refused_by("could not create a primitive descriptor"), rare=True),
    Difference("strides over one column", QUANTIZED_CONVOLUTIONS, "oneDNN moves windows down rows by the stride of columns where the output has one column",
               over_one_column, rare=True),
    Difference("padding_list of channelwise convolutions", QUANTIZED_CONVOLUTIONS, "TensorFlow's shape function ignores padding_list, its kernel does not",
               shape_of(lambda s: any("Depthwise" in n.op and any(n.attr["padding_list"].list.i) for n in s.graph.node))),
    Difference("QuantizeV2 of one slice", ("QuantizeV2",), "TensorFlow's shape function gives the range of a single slice along an axis as a vector, its kernel gives a scalar; oplink's shape function leaves it open",
               shape_of(lambda s: s.attr("axis") >= 0)),
    Difference("empty outputs of batches", ("Conv",), "TensorFlow gives an empty output one batch axis, whatever batch_dims is",
               lambda s: s.verdict.kind == "shape" and s.expected[0].array.size == 0, rare=True),
    Difference("borders of unknown size", ("FusedPadConv2D", "FusedResizeAndPadConv2D"), "TensorFlow's shape function refuses paddings of unknown shape",
               refused_by("Shape must be rank -1"), rare=True),
    Difference("EnsureShape of unknown rank", ("EnsureShape",), "TensorFlow's shape function refuses the shape that allows any", refused_by("Shape must be rank -1")),
    Difference("SplitV along an unknown axis", ("SplitV",), "TensorFlow's shape function takes an unknown axis for the last", shape_of(unknown_split_axis)),
    Difference("MatrixDiag of unknown size", ("MatrixDiagV2", "MatrixDiagV3"), "TensorFlow's shape function takes unknown numbers of rows or columns for 0",
               shape_of(lambda s: any(unknown_extents(n) or n.name in ("i1", "i2", "i3") and n.op == "Placeholder" for n in s.graph.node)), rare=True),
    Difference("MatrixSetDiag of unknown size", ("MatrixSetDiagV2", "MatrixSetDiagV3"), "TensorFlow's shape function takes the diagonals of a band for a single one where the input has unknown extents", refused_by("Shapes must be equal rank"), rare=True),
    Difference("GatherV2 with negative batch_dims", ("GatherV2",), "TensorFlow's shape function subtracts the negative number",
               shape_of(lambda s: s.attr("batch_dims") < 0)),
    Difference("surrogates in the place of malformed text", ("UnicodeTranscode",), "TensorFlow writes the replacement character though it is a surrogate, which is no text; oplink writes U+FFFD",
               lambda s: s.verdict.kind == "value" and 0xD800 <= s.attr("replacement_char") <= 0xDFFF, rare=True),
    Difference("sizes of recurrent layers", ("BlockLSTMGrad", "BlockLSTMGradV2"), "TensorFlow's kernel does not compare all sizes, and reads beside its inputs",
               lambda s: s.verdict.kind == "only_oplink_fails" and "must have the shape" in s.verdict.detail, rare=True),
    Difference("sound of unknown length", ("AudioMicrofrontend",), "TensorFlow's shape function takes an unknown number of samples for 0", lambda s: s.verdict.kind == "shape_function"),
    Difference("sound without samples", ("EncodeWav",), "TensorFlow refuses it where the empty tensor has no memory, and writes a header where it has",
               lambda s: s.verdict.kind == "only_oplink_fails" and s.inputs()[0].array.size == 0, rare=True),
    Difference("half quotients of zero", ("SparseDenseCwiseDiv",), "TensorFlow refuses zeros of float16 and bfloat16, and not of the other floats",
               lambda s: s.verdict.kind == "only_tensorflow_fails" and "divide by zero" in s.verdict.detail, rare=True),
    Difference("the largest of NaN", ("SparseReduceMax", "SparseReduceMaxSparse"), "which value TensorFlow keeps beside NaN depends on their order; oplink keeps NaN", has_nan, rare=True),
    Difference("empty banded equations", ("BandedTriangularSolve",), "TensorFlow refuses empty tensors", refused_by("must not be an empty tensor")),
    Difference("turns of old interleaving", ("ParallelInterleaveDataset", "ExperimentalParallelInterleaveDataset", "LegacyParallelInterleaveDatasetV2"),
               "towards the end TensorFlow's order depends on which of its threads is ready; oplink's is that of threads that always are", in_another_order, rare=True),
    Difference("left out", ("*",), "TensorFlow's CPU kernel says that it leaves this out; oplink computes it", lambda s: False),
]


@dataclass
class Unspecified:
    """Outputs of which dtype and shape alone are compared."""
    ops: tuple
    outputs: tuple
    reason: str
    applies: Callable


UNSPECIFIED = [
    Unspecified(("FusedBatchNorm", "FusedBatchNormV2", "FusedBatchNormV3"), (3, 4),
                "TensorFlow leaves what it saves for the gradient unwritten outside training, and of an empty batch",
                lambda case: not case.attrs.get("is_training", True) or case.inputs[0].array.size == 0),
    Unspecified(("Fingerprint",), (0,), "TensorFlow leaves what it says of rows without strings unwritten",
                lambda case: case.inputs[0].dtype == "string" and case.inputs[0].array.size == 0),
    Unspecified(("DepthwiseConv2dNativeBackpropFilter",), (0,), "TensorFlow leaves the gradient of an empty batch unwritten",
                lambda case: case.inputs[0].array.size == 0),
    Unspecified(("Conv2DBackpropFilter", "Conv3DBackpropFilterV2"), (0,), "TensorFlow leaves the gradient of an empty output unwritten",
                lambda case: case.inputs[2].array.size == 0),
    Unspecified(("MaxPoolGrad", "MaxPoolGradV2"), (0,), "TensorFlow leaves the gradient of an empty output unwritten",
                lambda case: case.inputs[1].array.size == 0),
]


def compared(case, outputs):
    """The outputs whose values are compared; those of `None` are not."""
    hidden = {i for row in UNSPECIFIED if case.op in row.ops and row.applies(case) for i in row.outputs}
    return [i not in hidden for i in range(len(outputs))]


def pixels(encoded):
    """The elements of an encoded picture, as bytes."""
    return tf.io.decode_image(encoded, expand_animations=False).numpy().tobytes()


def pictures_of(summary):
    """A summary with pictures decoded."""
    message = summary_pb2.Summary.FromString(summary)
    for value in message.value:
        value.image.encoded_image_string = pixels(value.image.encoded_image_string)
    return message.SerializeToString(deterministic=True)


def events_of(event):
    """An event without its time, with pictures decoded."""
    message = event_pb2.Event.FromString(b"\x09" + bytes(8) + event)
    for value in message.summary.value:
        if value.image.encoded_image_string:
            value.image.encoded_image_string = pixels(value.image.encoded_image_string)
    return message.SerializeToString(deterministic=True)


def _adjoint(matrix):
    return np.conj(np.swapaxes(matrix, -1, -2))


def of_singular_vectors(s, u, v):
    """What the factors multiply to, and the products of the vectors of either side: unique where they are not."""
    if u.array.ndim < 2:
        return [s]
    count = s.shape[-1]
    product = (u.array[..., :count] * s.array[..., None, :]) @ _adjoint(v.array[..., :count])
    return [s, *(Tensor(s.dtype, x) for x in (product, _adjoint(u.array) @ u.array, _adjoint(v.array) @ v.array))]


def of_hermitian_vectors(e, v):
    """As `of_singular_vectors`, of eigenvectors of Hermitian matrices."""
    if v.array.ndim < 2:
        return [e]
    return [e, Tensor(e.dtype, (v.array * e.array[..., None, :]) @ _adjoint(v.array)), Tensor(e.dtype, _adjoint(v.array) @ v.array)]


def _in_one_order(values):
    """Complex numbers in the order of their real parts, and, where these are within a thousandth, of their imaginary parts."""
    ordered = values[np.argsort(values.real, kind="stable")]
    near = np.split(ordered, np.flatnonzero(np.diff(ordered.real) > 1e-3) + 1)
    return np.concatenate([part[np.argsort(part.imag, kind="stable")] for part in near])


def of_eigenvectors(e, v):
    """The eigenvalues in one order, what the factors multiply to, and the lengths of the vectors."""
    values = e.array.copy()
    for at in np.ndindex(*e.shape[:-1]):
        values[at] = _in_one_order(values[at])
    values = Tensor(e.dtype, values)
    if v.array.ndim < 2:
        return [values]
    product = (v.array * e.array[..., None, :]) @ np.linalg.inv(v.array)
    lengths = np.linalg.norm(v.array, axis=-2).astype(e.array.dtype)
    return [values, Tensor(e.dtype, product.astype(e.array.dtype)), Tensor(e.dtype, lengths)]


def of_triangular(q, r):
    """The factors with a diagonal of `r` that is not negative, and the products of the columns of `q`."""
    count = min(r.shape[-2:])
    diagonal = np.diagonal(r.array, axis1=-2, axis2=-1)
    with np.errstate(all="ignore"):
        phase = np.where(diagonal == 0, 1, diagonal / np.abs(diagonal))
    first, upper = q.array[..., :count] * phase[..., None, :], r.array[..., :count, :] * np.conj(phase)[..., None]
    return [Tensor(q.dtype, x.astype(q.array.dtype)) for x in (first, upper, _adjoint(q.array) @ q.array)]


def of_values_and_vectors(output):
    """As `of_hermitian_vectors`, of eigenvalues as the first row and eigenvectors below."""
    part = lambda rows: Tensor(output.dtype, output.array[..., rows, :])
    return of_hermitian_vectors(Tensor(output.dtype, output.array[..., 0, :]), part(slice(1, None)))


# Ops of graphs whose outputs are compared as `arranged` makes them.
ARRANGED = ("CloseSummaryWriter", "CreateSummaryFileWriter", "FlushSummaryWriter", "SummaryWriter", *WRITERS)

# Ops whose outputs are not unique, and functions of the outputs that are.
UNIQUE = {"Qr": of_triangular, "Svd": of_singular_vectors, "SelfAdjointEigV2": of_hermitian_vectors, "Eig": of_eigenvectors,
          "BatchSvd": of_singular_vectors, "BatchSelfAdjointEigV2": of_hermitian_vectors, "SelfAdjointEig": of_values_and_vectors,
          "BatchSelfAdjointEig": of_values_and_vectors}


def arranged(case, outputs):
    """The outputs with what has no order in one order, and with encoded pictures decoded: the values that an unsorted TopKV2
    finds are sorted by their index."""
    if case.op in UNIQUE:
        return UNIQUE[case.op](*outputs)
    if case.op in JPEGS:
        pixels_of = tf.io.decode_jpeg(outputs[0].array[()], dct_method="INTEGER_ACCURATE").numpy()
        return [Tensor("float32", pixels_of.astype(np.float32) / 255)]
    decode = events_of if case.op in ARRANGED else {"ImageSummary": pictures_of, "EncodePng": pixels}.get(case.op)
    if decode:
        return [Tensor(t.dtype, np.array([decode(s) for s in t.array.reshape(-1)] + [None], object)[:-1].reshape(t.shape)) for t in outputs]
    if case.op not in ("TopK", "TopKV2") or case.attrs.get("sorted", True) or len(outputs) != 2:
        return outputs
    order = np.argsort(outputs[1].array, axis=-1, kind="stable")
    return [Tensor(t.dtype, np.take_along_axis(t.array, order, axis=-1)) for t in outputs]


def find(seen):
    """The entry that explains a disagreement; `None` where none does."""
    for entry in TABLE:
        if ("*" in entry.ops or seen.case.op in entry.ops) and entry.applies(seen):
            return entry
    return None
