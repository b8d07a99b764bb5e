"""Fake quantization, and quantized numbers with the ranges that they stand for."""
import numpy as np

from draw import given

from . import recipe
from .reduction import moderate


def bounds(d, shape=(), apart=1):
    """The ends of ranges, the larger ones at least `apart` above the others; seldom below them."""
    low = -d.random.integers(0, 7, shape).astype(np.float64)
    return low, low + d.random.integers(-2 if d.bad() else apart, 13, shape)


@recipe("FakeQuantWithMinMaxVarsPerChannel")
def per_channel(d, t):
    shape = d.shape(1)
    low, high = bounds(d, (shape[-1],))
    if d.chance(0.2) and len(low):
        low[0] = high[0] = 0
    return [d.tensor("float32", shape), given("float32", low), given("float32", high)], {"num_bits": d.integer(2, 16)}


@recipe("FakeQuantWithMinMaxArgsGradient")
def args_gradient(d, t):
    shape = d.shape()
    low = -float(d.integer(0, 6))
    attrs = {"num_bits": d.integer(2, 16), "min": low, "max": low + d.integer(0 if d.bad() else 1, 12)}
    return [d.tensor("float32", shape, "plain"), d.tensor("float32", (*shape, 2) if d.bad() else shape)], attrs


@recipe("FakeQuantWithMinMaxVarsGradient", "FakeQuantWithMinMaxVarsPerChannelGradient")
def vars_gradient(d, t, op):
    per_channel = op.endswith("PerChannelGradient")
    shape = d.shape(1, 4) if per_channel else d.shape()
    low, high = bounds(d, (shape[-1],) if per_channel else ())
    inputs = [d.tensor("float32", shape, "plain"), d.tensor("float32", (*shape, 2) if d.bad() else shape, "plain")]
    return inputs + [given("float32", low), given("float32", high)], {"num_bits": d.integer(2, 16)}


def sliced(d, shape):
    """An axis, or none, and the shape of the ranges along it."""
    axis = -1 if d.chance(0.6) else d.integer(0, len(shape) - 1)
    return axis, () if axis == -1 else (shape[axis],)


@recipe("QuantizeAndDequantizeV3", "QuantizeAndDequantizeV4")
def quantize_and_dequantize(d, t, op):
    low = -float(d.integer(0, 6))
    shape = d.shape(1)
    axis, limits = sliced(d, shape)
    bits = d.integer(2, 8)
    inputs = [d.tensor(t["T"], shape, "plain"), given(t["T"], np.full(limits, low)), given(t["T"], np.full(limits, low + d.integer(1, 12)))]
    if op == "QuantizeAndDequantizeV3":
        return [*inputs, given("int32", bits)], {"axis": axis}
    return inputs, {"axis": axis, "num_bits": bits}


@recipe("QuantizeAndDequantizeV4Grad")
def quantize_and_dequantize_grad(d, t):
    shape = d.shape(1)
    axis, limits = sliced(d, shape)
    low, high = bounds(d, limits)
    inputs = [d.tensor(t["T"], shape, "plain"), d.tensor(t["T"], shape, "plain")]
    return inputs + [given(t["T"], low), given(t["T"], high)], {"axis": axis}


@recipe("QuantizeV2")
def quantize(d, t):
    shape = d.shape(1)
    axis, limits = sliced(d, shape)
    low, high = bounds(d, limits, 0)
    mode = d.one(["MIN_COMBINED", "MIN_FIRST", "SCALED"])
    scaled = mode == "SCALED" or d.bad()
    attrs = {
        "axis": axis, "mode": mode, "narrow_range": scaled and d.chance(0.5),
        "round_mode": d.one(["HALF_AWAY_FROM_ZERO", "HALF_TO_EVEN"]) if scaled else "HALF_AWAY_FROM_ZERO"}
    return [d.tensor("float32", shape, "plain"), given("float32", low + 0.25), given("float32", high + 0.25)], attrs


@recipe("Dequantize")
def dequantize(d, t):
    shape = d.shape(1)
    axis, limits = sliced(d, shape)
    low, high = bounds(d, limits, 0)
    mode = "MIN_COMBINED" if t["dtype"] == "bfloat16" and not d.bad() else d.one(["MIN_COMBINED", "MIN_FIRST", "SCALED"])
    return [d.tensor(t["T"], shape), given("float32", low), given("float32", high)], {"axis": axis, "mode": mode}


def ends(d):
    """The ends of two ranges."""
    ranges = [bounds(d, apart=0 if d.bad() else 1) for _ in range(2)]
    return [given("float32", end + d.one([0, 0.5])) for pair in ranges for end in pair]


@recipe("QuantizedMatMul")
def quantized_matmul(d, t):
    rows, inner, columns = d.dim(), d.dim(), d.dim()
    if d.chance(0.1):
        rows, inner, columns = d.one([(13, 70, 33), (1, 300, 40), (30, 129, 5)])
    turned = [d.chance(0.5), d.chance(0.5)]
    other = inner + (1 if d.bad() else 0)
    a = d.tensor(t["T1"], (inner, rows) if turned[0] else (rows, inner))
    b = d.tensor(t["T2"], (columns, other) if turned[1] else (other, columns))
    return [a, b, *ends(d)], {"transpose_a": turned[0], "transpose_b": turned[1]}


@recipe("QuantizedConv2D")
def quantized_conv2d(d, t):
    moderate(d)
    stride = d.integer(1, 3)
    extents, windows = (d.integer(3, 9), d.integer(3, 9)), (d.integer(1, 3), d.integer(1, 3))
    depth, columns = d.integer(1, 5), d.one([1, 3, 33])
    image = d.tensor(t["Tinput"], (d.integer(1, 2), *extents, depth))
    kernel = d.tensor(t["Tfilter"], (*windows, depth + (1 if d.bad() else 0), columns))
    attrs = {"strides": [1, stride, stride + (1 if d.bad() else 0), 1], "padding": d.one(["SAME", "VALID"]), "dilations": [1, 1, 1, 1]}
    return [image, kernel, *ends(d)], attrs
