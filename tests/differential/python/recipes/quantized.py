"""Quantized numbers between ranges, their sums, products and pools; uniformly quantized tensors."""
import numpy as np

from draw import given

from . import recipe
from .quantization import bounds
from .reduction import moderate


def ranged(d, bad=0.03):
    """The ends of a range, as two scalars; seldom an empty or a turned one."""
    low, high = bounds(d, apart=0 if d.bad(bad) else 1)
    return [given("float32", low), given("float32", high)]


def wide(d, shape):
    """32-bit numbers, of all sizes."""
    bits = d.integer(4, 31)
    return given("qint32", d.random.integers(-2 ** bits, 2 ** bits, shape))


@recipe("Requantize", "QuantizeDownAndShrinkRange", "RequantizationRange")
def requantize(d, t, op):
    shape = d.shape(1)
    # Sums of products are symmetric about 0.
    low = float(d.integer(1, 9))
    inputs = [wide(d, shape), given("float32", -low), given("float32", low)]
    if op != "Requantize":
        return inputs
    return [*inputs, given("float32", -float(d.integer(0, 4)) if not d.bad() else 1.0), given("float32", float(d.integer(1, 9)) / 2)]


@recipe("RequantizePerChannel", "RequantizationRangePerChannel")
def per_channel(d, t, op):
    shape = (d.integer(1, 3), d.integer(1, 3), d.integer(1, 3), d.one([1, 3, 8]))
    ends = d.random.integers(1, 9, shape[-1]).astype(np.float64)
    inputs = [wide(d, shape), given("float32", -ends), given("float32", ends)]
    if d.bad():
        inputs[1] = given("float32", np.append(-ends, 0.0))
    if op == "RequantizationRangePerChannel":
        return inputs, {"clip_value_max": float(d.one([6.0, 1.0, 1e9]))}
    return [*inputs, given("float32", -float(d.integer(0, 4))), given("float32", float(d.integer(1, 9)) / 2)]


@recipe("QuantizedAdd", "QuantizedMul")
def arithmetic(d, t, op):
    shape = d.shape(0, 3)
    other = d.one([shape, shape, (), shape[-1:], (1,)])
    x, y = d.tensor(t["T1"], shape), d.tensor(t["T2"], other)
    pairs = [ranged(d), ranged(d)]
    if d.chance(0.5):
        x, y = y, x
    return [x, y, *pairs[0], *pairs[1]]


@recipe("QuantizedBiasAdd")
def bias_add(d, t):
    shape = d.shape(2, 4)
    bias = d.tensor(t["T2"], (shape[-1] + (1 if d.bad() else 0),))
    return [d.tensor(t["T1"], shape), bias, *ranged(d, 0), *ranged(d, 0)]


@recipe("QuantizedRelu", "QuantizedRelu6")
def relu(d, t):
    return [d.tensor(t["Tinput"], d.shape()), *ranged(d)]


@recipe("QuantizedReshape")
def reshape(d, t):
    shape = d.shape(1, 3)
    wanted = d.one([(-1,), (int(np.prod(shape)),), (*shape, 1), (1, *shape)])
    if d.bad():
        wanted = (7, 11)
    return [d.tensor(t["T"], shape), given(t["Tshape"], wanted), *ranged(d)]


@recipe("QuantizedConcat")
def concat(d, t):
    shape, count = list(d.shape(1, 3)), d.integer(2, 4)
    axis = d.integer(0, len(shape) - 1)
    values = []
    for _ in range(count):
        own = list(shape)
        own[axis] = d.integer(0 if d.bad() else 1, 3)
        values.append(d.tensor(t["T"], own))
    same = ranged(d, 0) if d.chance(0.3) else None
    ends = [same or ranged(d, 0) for _ in range(count)]
    return [given("int32", axis if not d.bad() else 5), values, [e[0] for e in ends], [e[1] for e in ends]]


@recipe("QuantizedMaxPool", "QuantizedAvgPool")
def pool(d, t):
    moderate(d)
    image = d.tensor(t["T"], (d.integer(1, 2), d.integer(3, 7), d.integer(3, 7), d.integer(1, 4)))
    attrs = {"ksize": [1, d.integer(1, 3), d.integer(1, 3), 1], "strides": [1, d.integer(1, 3), d.integer(1, 3), 1], "padding": d.one(["SAME", "VALID"])}
    return [image, *ranged(d, 0)], attrs


@recipe("QuantizeAndDequantize")
def quantize_and_dequantize(d, t):
    low = -float(d.integer(0, 6))
    attrs = {"range_given": d.chance(0.5), "num_bits": d.integer(2, 8), "input_min": low, "input_max": low + d.integer(1 if not d.bad() else -2, 12)}
    return [d.tensor(t["T"], d.shape(), "plain")], attrs


def uniform(d, shape, axis):
    """Scales and zero points, for all elements or for each slice."""
    count = () if axis == -1 else (shape[axis] + (1 if d.bad() else 0),)
    return [given("float32", d.random.integers(1, 9, count) / 8), given("int32", d.random.integers(-20, 20, count))]


ENDS = {"": (-100, 120), "input_": (-128, 127), "output_": (-100, 120), "lhs_": (-128, 127), "rhs_": (-128, 127)}


def ends(*sides):
    return {f"{side}quantization_{end}_val": ENDS[side][end == "max"] for side in sides for end in ("min", "max")}


def chosen_axis(d, shape):
    return -1 if d.chance(0.5) or not shape else d.integer(0, len(shape) - 1)


@recipe("UniformQuantize", "UniformDequantize")
def uniform_quantize(d, t, op):
    shape = d.shape(0, 3)
    axis = chosen_axis(d, shape)
    tensor = d.tensor(t["Tin"], shape, "plain")
    return [tensor, *uniform(d, shape, axis)], {"quantization_axis": axis, **ends("")}


@recipe("UniformRequantize")
def uniform_requantize(d, t):
    shape = d.shape(0, 3)
    axis = chosen_axis(d, shape)
    axes = [d.one([axis, -1]), d.one([axis, -1])]
    tensor = d.tensor(t["Tin"], shape, "plain")
    attrs = {"input_quantization_axis": axes[0], "output_quantization_axis": axes[1], **ends("input_", "output_")}
    return [tensor, *uniform(d, shape, axes[0]), *uniform(d, shape, axes[1])], attrs


@recipe("UniformQuantizedClipByValue")
def uniform_clip(d, t):
    shape = d.shape(0, 3)
    axis = chosen_axis(d, shape)
    quantization = uniform(d, shape, axis)
    limits = [given("qint32", d.random.integers(-50, 50, quantization[0].shape)) for _ in range(2)]
    return [d.tensor("qint32", shape, "plain"), *limits, *quantization], {"quantization_axis": axis, **ends("")}


@recipe("UniformQuantizedAdd")
def uniform_add(d, t):
    shapes = d.broadcast(2, 0, 3)
    tensors = [given("qint32", d.random.integers(-9999, 9999, shape)) for shape in shapes]
    quantizations = [q for _ in range(3) for q in uniform(d, (), -1)]
    axes = {f"{side}quantization_axis": -1 for side in ("lhs_", "rhs_", "output_")}
    return [*tensors, *quantizations], {**axes, **ends("lhs_", "rhs_", "output_")}


@recipe("UniformQuantizedDot")
def uniform_dot(d, t):
    rows, inner, columns = d.dim(), d.dim(), d.dim()
    lhs = d.tensor("qint8", (rows, inner), "plain")
    rhs = d.tensor("qint8", (inner + (1 if d.bad() else 0), columns), "plain")
    axis = d.one([-1, 1])
    out = d.one([-1, axis])
    quantizations = [*uniform(d, (), -1), *uniform(d, (inner, columns), axis), *uniform(d, (rows, columns), out)]
    attrs = {"lhs_quantization_axis": -1, "rhs_quantization_axis": axis, "output_quantization_axis": out, **ends("lhs_", "rhs_", "output_")}
    return [lhs, rhs, *quantizations], attrs


@recipe("UniformQuantizedDotHybrid")
def uniform_dot_hybrid(d, t):
    rows, inner, columns = d.dim(), d.dim(), d.dim()
    lhs = d.tensor("float32", (rows, inner), "plain")
    rhs = d.tensor("qint8", (inner + (1 if d.bad() else 0), columns), "plain")
    axis = d.one([-1, 1])
    return [lhs, rhs, *uniform(d, (inner, columns), axis)], {"rhs_quantization_axis": axis, **ends("rhs_")}


def dimension_numbers(d, rank):
    """The order of the axes of input, filter and output, and the message that names it; seldom the usual one without."""
    orders = [[int(axis) for axis in d.random.permutation(rank)] for _ in range(3)]
    if d.chance(0.4):
        return [list(range(rank))] * 3, b""
    (lhs, rhs, output), bytes_of = orders, lambda field, values: bytes([field << 3 | 2, len(values), *values])
    parts = []
    for first, order in zip((1, 4, 7), (lhs, [rhs[1], rhs[0], *rhs[2:]], output)):
        parts += [bytes([first << 3, order[0], (first + 1) << 3, order[1]]), bytes_of(first + 2, order[2:])]
    return orders, b"".join(parts)


def uniform_windows(d):
    """Shapes of input and filter, the orders of the axes and the attrs of a convolution."""
    count = d.integer(1, 3)
    feature_groups, batch_groups = d.one([(1, 1), (1, 1), (2, 1), (1, 2)])
    depth, out_depth, batch = d.integer(1, 3), 2 * d.integer(1, 2), batch_groups * d.integer(1, 2)
    windows = [d.integer(1, 2) for _ in range(count)]
    dilations = [d.one([1, 1, 2]) for _ in range(count)]
    extents = [(window - 1) * dilation + d.integer(1, 4) for window, dilation in zip(windows, dilations)]
    orders, message = dimension_numbers(d, count + 2)
    padding = d.one(["SAME", "VALID", "EXPLICIT"])
    attrs = {
        "padding": padding, "explicit_padding": [d.integer(0, 2) for _ in range(2 * count)] if padding == "EXPLICIT" else [],
        "window_strides": [d.integer(1, 3) for _ in range(count)] if d.chance(0.7) else [],
        "lhs_dilation": [d.integer(1, 2) for _ in range(count)] if d.chance(0.3) else [],
        "rhs_dilation": dilations, "feature_group_count": feature_groups, "batch_group_count": batch_groups,
        "dimension_numbers": message}
    lhs, rhs = [0] * (count + 2), [0] * (count + 2)
    for axis, extent in zip(orders[0], [batch, depth * feature_groups + (1 if d.bad() else 0), *extents]):
        lhs[axis] = extent
    for axis, extent in zip(orders[1], [out_depth, depth, *windows]):
        rhs[axis] = extent
    return lhs, rhs, out_depth, orders, attrs


def by_feature(d, features, axis):
    """Scales and zero points for all elements, or for each output feature."""
    return uniform(d, (features,), -1 if axis == -1 else 0)


@recipe("UniformQuantizedConvolution")
def uniform_convolution(d, t):
    lhs, rhs, features, orders, attrs = uniform_windows(d)
    axis = d.one([-1, orders[1][0]])
    out = d.one([-1, orders[2][1]]) if axis != -1 else -1
    quantizations = [*uniform(d, (), -1), *by_feature(d, features, axis), *by_feature(d, features, out)]
    attrs.update({"lhs_quantization_axis": -1, "rhs_quantization_axis": axis, "output_quantization_axis": out, **ends("lhs_", "rhs_", "output_")})
    return [d.tensor("qint8", lhs, "plain"), d.tensor("qint8", rhs, "plain"), *quantizations], attrs


@recipe("UniformQuantizedConvolutionHybrid")
def uniform_convolution_hybrid(d, t):
    lhs, rhs, features, orders, attrs = uniform_windows(d)
    axis = d.one([-1, orders[1][0]])
    inputs = [d.tensor("float32", lhs, "plain"), d.tensor("qint8", rhs, "plain"), *by_feature(d, features, axis)]
    return inputs, {**attrs, "rhs_quantization_axis": axis, **ends("rhs_")}


@recipe("QuantizedInstanceNorm")
def instance_norm(d, t):
    moderate(d)
    image = d.tensor(t["T"], tuple(d.integer(1, 5) for _ in range(4)))
    low = -float(d.integer(0, 4))
    attrs = {"output_range_given": d.chance(0.3), "given_y_min": low, "given_y_max": low + d.integer(1 if not d.bad() else -2, 5),
             "variance_epsilon": d.one([1e-5, 1e-3, 1.0]), "min_separation": d.one([1e-3, 1.0, 10.0])}
    return [image, *ranged(d)], attrs


@recipe("QuantizedBatchNormWithGlobalNormalization")
def global_batch_norm(d, t):
    moderate(d)
    # TensorFlow refuses a single channel.
    shape = (d.integer(1, 2), d.integer(1, 4), d.integer(1, 4), d.integer(2, 5))
    inputs = [d.tensor(t["Tinput"], shape), *ranged(d)]
    for at in range(4):
        channels = shape[-1] + (1 if d.bad(0.01) else 0)
        inputs += [d.tensor(t["Tinput"], (channels,)), *([given("float32", 0.0), given("float32", float(d.integer(1, 5)))] if at == 1 else ranged(d))]
    return inputs, {"variance_epsilon": d.one([1e-3, 1.0]), "scale_after_normalization": d.chance(0.5)}
