"""Quantized ops that TensorFlow computes in graphs alone, with oneDNN: products with what follows them, and joins."""
import numpy as np

from cases import GraphBuilder
from draw import given

from . import graph_recipe
from .nn import convolution, paddings
from .reduction import moderate

QUANTIZED_CONVOLUTIONS = (
    "QuantizedConv2DAndRelu", "QuantizedConv2DAndReluAndRequantize", "QuantizedConv2DAndRequantize", "QuantizedConv2DPerChannel",
    "QuantizedConv2DWithBias", "QuantizedConv2DWithBiasAndRelu", "QuantizedConv2DWithBiasAndReluAndRequantize",
    "QuantizedConv2DWithBiasAndRequantize", "QuantizedConv2DWithBiasSignedSumAndReluAndRequantize", "QuantizedConv2DWithBiasSumAndRelu",
    "QuantizedConv2DWithBiasSumAndReluAndRequantize", "QuantizedDepthwiseConv2D", "QuantizedDepthwiseConv2DWithBias",
    "QuantizedDepthwiseConv2DWithBiasAndRelu", "QuantizedDepthwiseConv2DWithBiasAndReluAndRequantize")
QUANTIZED_PRODUCTS = (
    "QuantizedMatMulWithBias", "QuantizedMatMulWithBiasAndDequantize", "QuantizedMatMulWithBiasAndRelu",
    "QuantizedMatMulWithBiasAndReluAndRequantize", "QuantizedMatMulWithBiasAndRequantize")


def number(d, low, high):
    """A number of many digits, so that no product is halfway between two integers."""
    return np.float32(low + (high - low) * d.random.random())


def integers(d, dtype, shape):
    low = -128 if dtype == "qint8" else 0
    return given(dtype, d.random.integers(low, low + 256, shape))


def fed(d, g, tensor):
    """A placeholder that every step feeds with this value, often of known shape."""
    name = g.node("Placeholder", dtype=tensor.dtype, shape=list(tensor.shape) if d.chance(0.7) else None)
    g.feeds.append((name, tensor))
    return name


def ends(d, g, shape=()):
    """The ends of a range around 0, or of one for each entry."""
    make = lambda least, most: given("float32", least + (most - least) * d.random.random(shape))
    return [fed(d, g, make(-2.0, -0.1)), fed(d, g, make(0.3, 4.0))]


def in_output(d, sums, scale=1.0):
    """A range of the output that about as much of the sums fits in."""
    reach = sums * scale * (0.2 + d.random.random())
    return [given("float32", -reach * d.random.random()), given("float32", reach)]


def bias_of(d, t, count):
    if t.get("Tbias") == "qint32":
        return given("qint32", d.random.integers(-20000, 20000, count))
    return given("float32", (d.random.random(count) - 0.5) * 3)


def of_own_memory(d, g, tensor):
    """A tensor whose memory no other node has, which may become that of an output."""
    empty = given(tensor.dtype, np.zeros((0, *tensor.shape[1:])))
    names = [fed(d, g, tensor), g.constant(empty), g.constant(given("int32", 0))]
    return g.node("ConcatV2", names, T=tensor.dtype, N=2, Tidx="int32")


def case(g, op, inputs, attrs, dtype):
    name = g.node(op, inputs, **attrs)
    made = g.case(op, [f"{name}:{i}" for i in range(1 if "Dequantize" in op else 3)], dtype)
    made.one_dnn = True
    return made


@graph_recipe(*QUANTIZED_CONVOLUTIONS)
def fused_convolution(d, t, op):
    moderate(d)
    depthwise = "Depthwise" in op
    attrs, shape, filters, output = convolution(d, explicit=False, depthwise=depthwise, grouped=True)
    while shape[0] == 0 or 0 in output:
        # TensorFlow gives outputs without elements the shape of the input.
        attrs, shape, filters, output = convolution(d, explicit=False, depthwise=depthwise, grouped=True)
    if "Sum" not in op and op not in ("QuantizedConv2DPerChannel", "QuantizedDepthwiseConv2D", "QuantizedDepthwiseConv2DWithBias") and d.chance(0.3):
        attrs["padding_list"] = paddings(d, "NHWC", 2)
        if not any(attrs["padding_list"]):
            attrs["padding_list"][2] = 1
    if depthwise:
        filters = (*filters[:2], shape[-1] + filters[2] - 1, filters[-1])
    g = GraphBuilder()
    of_channels = op != "QuantizedConv2DAndRequantize" and d.chance(0.5)
    inputs = [fed(d, g, integers(d, t["Tinput"], shape)), g.constant(integers(d, "qint8", filters))]
    if "WithBias" in op:
        inputs.append(fed(d, g, bias_of(d, t, output[-1])))
    inputs += [*ends(d, g), *ends(d, g, (output[-1],) if of_channels else ())]
    reach = 3.0 * np.prod(filters[:2 if depthwise else 3]) ** 0.5
    if "Requantize" in op:
        inputs += [fed(d, g, end) for end in in_output(d, reach)]
    if "Sum" in op:
        dtype = t.get("Tsummand", "float32")
        summand = given("float32", (d.random.random(output) - 0.5) * reach) if dtype == "float32" else integers(d, dtype, output)
        inputs.append(of_own_memory(d, g, summand))
        if dtype != "float32":
            inputs += [fed(d, g, end) for end in in_output(d, reach)]
    return case(g, op, inputs, {**attrs, **t}, t["Tinput"])


@graph_recipe(*QUANTIZED_PRODUCTS)
def fused_product(d, t, op):
    rows, inner, columns = (d.integer(1, 9) for _ in range(3))
    if d.large:
        rows, inner, columns = 33, 129, 70
    g = GraphBuilder()
    # What is made constant changes nothing but how TensorFlow keeps it.
    right = integers(d, "qint8", (inner + (1 if d.bad() else 0), columns))
    inputs = [fed(d, g, integers(d, "quint8", (rows, inner))), g.constant(right) if d.chance(0.5) else fed(d, g, right)]
    inputs.append(fed(d, g, bias_of(d, t, columns)))
    # 0 is often the smaller end: then the column sums of the right matrix are added to no number.
    low = [fed(d, g, given("float32", 0.0 if d.chance(0.5) else -number(d, 0, 0.1))), fed(d, g, given("float32", number(d, 0.3, 4.0)))]
    inputs += [*low, *ends(d, g)]
    if "quantize" in op.removeprefix("Quantized"):
        inputs += [fed(d, g, end) for end in in_output(d, 3.0 * inner ** 0.5)]
    mode = d.one(["MIN_FIRST", "SCALED"])
    return case(g, op, inputs, {"input_quant_mode": mode, "transpose_a": False, "transpose_b": False, **t}, t["T1"])


@graph_recipe("QuantizedConcatV2")
def concat(d, t):
    shape, count = [d.integer(1, 3) for _ in range(d.one([1, 2, 3, 4, 4, 4]))], d.integer(2, 4)
    axis = d.integer(0, len(shape) - 1)
    g = GraphBuilder()
    values = []
    for _ in range(count):
        own = list(shape)
        own[axis] = d.integer(1, 3)
        if d.bad() and len(own) > 1:
            own[axis - 1] += 1
        values.append(integers(d, t["T"], own))
    same = [given("float32", -number(d, 0, 3)), given("float32", number(d, 0.3, 4))]
    ranges = [same if d.chance(0.5) else [given("float32", -number(d, 0, 3)), given("float32", number(d, 0.3, 4))] for _ in range(count)]
    if d.chance(0.3):
        ranges = [same] * count
    at = given("int32", axis - (len(shape) if d.chance(0.3) else 0))
    inputs = [*(fed(d, g, value) for value in values), g.constant(at), *(fed(d, g, r[0]) for r in ranges), *(fed(d, g, r[1]) for r in ranges)]
    # TensorFlow has no kernel for axes of 64 bits.
    return case(g, "QuantizedConcatV2", inputs, {**t, "N": count, "Tidx": "int32"}, t["T"])
