"""Layers of networks: convolutions, pools, normalisations, losses."""
import numpy as np

from draw import given

from . import recipe
from .beside import beside
from .reduction import moderate


@recipe("Softmax", "LogSoftmax")
def softmax(d, t):
    if d.style == "special":
        d.style = "lite"
    return [d.tensor(t["T"], d.shape(0 if d.bad() else 1))]


@recipe("BiasAdd")
def bias_add(d, t):
    rank = d.integer(1 if d.bad() else 2, 5)
    shape = d.shape(rank, rank)
    layout = d.one(["NHWC", "NCHW"])
    at = -1 if layout == "NHWC" else 1
    channels = shape[at] if rank > 1 else shape[-1]
    return [d.tensor(t["T"], shape), d.tensor(t["T"], (channels + (1 if d.bad() else 0),))], {"data_format": layout}


@recipe("BiasAddV1")
def bias_add_v1(d, t):
    shape = d.shape(1 if d.bad() else 2)
    return [d.tensor(t["T"], shape), d.tensor(t["T"], (shape[-1] + (1 if d.bad() else 0),))]


@recipe("BiasAddGrad")
def bias_add_grad(d, t):
    moderate(d)
    return [d.tensor(t["T"], d.shape(1 if d.bad() else 2))], {"data_format": d.one(["NHWC", "NCHW"])}


@recipe("SoftmaxCrossEntropyWithLogits")
def cross_entropy(d, t):
    if d.style == "special":
        d.style = "lite"
    rows, classes = d.dim(), d.dim()
    labels = (rows, classes) if d.chance(0.7) else d.one([(1, classes), (rows, 1), (rows, classes + 1)])
    return [d.tensor(t["T"], (rows, classes)), d.tensor(t["T"], labels, "unit" if d.chance(0.7) else None)]


@recipe("SparseSoftmaxCrossEntropyWithLogits")
def sparse_cross_entropy(d, t):
    if d.style == "special":
        d.style = "lite"
    rows, classes = d.dim(), d.integer(0 if d.bad() else 1, 7)
    labels = d.random.integers(0, max(classes, 1), rows + (1 if d.bad() else 0))
    if d.bad(0.06) and len(labels):
        labels[0] = d.one([-1, classes])
    return [d.tensor(t["T"], (rows, classes)), given(t["Tlabels"], labels)]


def window(d, size):
    """Extent and stride of a window along an axis of this size."""
    return d.integer(1, min(size, 3) + (1 if d.chance(0.1) else 0)), d.integer(1, 3)


def placed(d, layout, batch, spatial, channels):
    """Extents in the order of a layout such as NHWC or NCDHW."""
    return (batch, channels, *spatial) if layout[1] == "C" else (batch, *spatial, channels)


def paddings(d, layout, most):
    """Explicit paddings along the spatial axes."""
    pairs = [[d.integer(0, most), d.integer(0, most)] for _ in range(2)]
    rows = placed(d, layout, [0, 0], pairs, [0, 0])
    return [int(v) for row in rows for v in row]


def image(d, layout="NHWC", dimensions=2, channels=None):
    """Shape of a batch of images, its spatial extents and its channels."""
    spatial = [d.integer(1, 7) for _ in range(dimensions)]
    if d.large:
        spatial = [d.one([17, 24, 33])] * dimensions if dimensions == 2 else [9] * dimensions
    channels = channels or d.one([1, 2, 3, 4, 8])
    batch = d.one([1, 1, 2, 3]) if not d.chance(0.05) else 0
    return placed(d, layout, batch, spatial, channels), spatial, channels, batch


def convolution(d, dimensions=2, layouts=("NHWC",), explicit=True, dilated=True, depthwise=False, grouped=False):
    """Attrs of a convolution, the shapes of its input and filter, and that of its output."""
    layout = d.one(layouts)
    depth = 0
    shape, spatial, channels, batch = image(d, layout, dimensions)
    groups = channels if depthwise else d.one([g for g in (1, 1, 1, 2) if channels % g == 0])
    if not grouped:
        groups = 1
    windows = [window(d, size) for size in spatial]
    stride = windows[0][1]
    strides = [stride if depthwise else step for _, step in windows]
    dilations = [d.one([1, 1, 1, 2]) if dilated and max(strides) == 1 else 1 for _ in spatial]
    padding = d.one(["SAME", "VALID"] + (["EXPLICIT"] if explicit else []))
    depth = d.integer(1, 3) if depthwise else groups * d.integer(1, 4)
    filters = (*(extent for extent, _ in windows), channels // groups, depth)
    attrs = {"strides": list(placed(d, layout, 1, strides, 1)), "padding": padding, "data_format": layout}
    if dilated:
        attrs["dilations"] = list(placed(d, layout, 1, dilations, 1))
    pads = [(0, 0)] * dimensions
    if explicit:
        attrs["explicit_paddings"] = paddings(d, layout, 2) if padding == "EXPLICIT" else []
        if padding == "EXPLICIT":
            rows = np.reshape(attrs["explicit_paddings"], (-1, 2)).tolist()
            pads = rows[2:] if layout[1] == "C" else rows[1:-1]
    sizes = []
    for size, (extent, _), step, dilation, (before, after) in zip(spatial, windows, strides, dilations, pads):
        reach = (extent - 1) * dilation + 1
        sizes.append(-(-size // step) if padding == "SAME" else (size + before + after - reach) // step + 1)
    output = placed(d, layout, batch, [max(s, 0) for s in sizes], channels * depth if depthwise else depth)
    if d.bad():
        filters = (*filters[:-2], filters[-2] + 1, filters[-1])
    return attrs, shape, filters, output


@recipe("Conv2D")
def conv2d(d, t):
    moderate(d)
    attrs, shape, filters, _ = convolution(d, grouped=True)
    return [d.tensor(t["T"], shape), d.tensor(t["T"], filters)], {**attrs, "use_cudnn_on_gpu": True}


@recipe("Conv2DBackpropInput", "Conv2DBackpropFilter")
def conv2d_backprop(d, t, op):
    return backprop(d, t["T"], op.endswith("Input"), "int32", {"use_cudnn_on_gpu": True}, convolution(d))


def dilated(d, op, dtype, attrs, shape, filters):
    """A dilated convolution, which TensorFlow's CPU kernels leave out, beside one by a filter with zeros between its elements."""
    rates = attrs["dilations"][1:-1]
    d.style = "plain"
    image, filter = d.tensor(dtype, shape), d.tensor(dtype, filters)
    spread = np.zeros((*((size - 1) * rate + 1 for size, rate in zip(filters, rates)), *filters[-2:]), filter.array.dtype)
    spread[tuple(slice(None, None, rate) for rate in rates)] = filter.array
    node = lambda g, inputs, **more: [g.node(op, inputs, **{"T": dtype, **attrs, **more})]
    plain = lambda g, names: node(g, [names[0], names[2]], dilations=[1] * len(shape))
    return beside(op, dtype, [image, filter, given(dtype, spread)], lambda g, names: node(g, names[:2]), plain)


@recipe("DepthwiseConv2dNative")
def depthwise(d, t):
    moderate(d)
    attrs, shape, filters, _ = convolution(d, depthwise=True)
    if max(attrs["dilations"]) > 1 and d.chance(0.7):
        return dilated(d, "DepthwiseConv2dNative", t["T"], attrs, shape, filters)
    return [d.tensor(t["T"], shape), d.tensor(t["T"], filters)], attrs


@recipe("DepthwiseConv2dNativeBackpropInput", "DepthwiseConv2dNativeBackpropFilter")
def depthwise_backprop(d, t, op):
    return backprop(d, t["T"], op.endswith("Input"), "int32", {}, convolution(d, depthwise=True, dilated=False))


@recipe("Conv3D")
def conv3d(d, t):
    moderate(d)
    attrs, shape, filters, _ = convolution(d, 3, ("NDHWC",), explicit=False)
    if max(attrs["dilations"]) > 1 and d.chance(0.7):
        return dilated(d, "Conv3D", t["T"], attrs, shape, filters)
    return [d.tensor(t["T"], shape), d.tensor(t["T"], filters)], attrs


@recipe("Conv3DBackpropInputV2", "Conv3DBackpropFilterV2")
def conv3d_backprop(d, t, op):
    return backprop(d, t["T"], "Input" in op, t.get("Tshape", "int32"), {}, convolution(d, 3, ("NDHWC",), explicit=False, dilated=False))


@recipe("Conv3DBackpropInput", "Conv3DBackpropFilter")
def conv3d_backprop_of_tensors(d, t):
    moderate(d)
    output = (0,)
    while 0 in output:  # on which TensorFlow's process ends
        attrs, shape, filters, output = convolution(d, 3, ("NDHWC",), explicit=False, dilated=False)
    del attrs["data_format"]
    gradient = output if not d.bad() else (*output[:-1], output[-1] + 1)
    return [d.tensor(t["T"], shape), d.tensor(t["T"], filters), d.tensor(t["T"], gradient)], {**attrs, "dilations": [1] * 5}


@recipe("Conv")
def conv(d, t):
    moderate(d)
    volumes = d.chance(0.3)
    attrs, shape, filters, _ = convolution(d, 3, ("NDHWC",), explicit=False, dilated=False) if volumes else convolution(d)
    attrs.pop("data_format")
    batch_dims = d.integer(0, 3)
    batches = [d.integer(1, 2) for _ in range(batch_dims)]
    dilations = attrs.get("dilations", []) if d.chance(0.7) or max(attrs.get("dilations", [1])) > 1 else []
    attrs = {"explicit_paddings": [], **attrs, "dilations": dilations, "batch_dims": batch_dims, "groups": 1, "data_format": "CHANNELS_LAST"}
    return [d.tensor(t["T"], (*batches, *shape[1:])), d.tensor(t["T"], filters)], attrs


@recipe("FusedPadConv2D", "FusedResizeAndPadConv2D")
def fused_image_conv(d, t, op):
    moderate(d)
    # TensorFlow convolves the first image of a batch for all.
    extents, depth = [d.integer(1, 7), d.integer(1, 7)], d.integer(1, 4)
    mode = d.one(["REFLECT", "SYMMETRIC"])
    size = [d.integer(1, 9), d.integer(1, 9)] if op == "FusedResizeAndPadConv2D" else extents
    most = [max(extent - (mode == "REFLECT"), 0) for extent in size]
    rows = [[0, 0], *([d.integer(0, min(m, 2)), d.integer(0, min(m, 2)) + (2 * m + 1 if d.bad() else 0)] for m in most), [0, 0]]
    padded = [extent + sum(row) for extent, row in zip(size, rows[1:3])]
    windows = [d.integer(1, min(extent, 3)) for extent in padded]
    image = d.tensor(t["T"], (1, *extents, depth), "plain")
    filter = d.tensor(t["T"], (*windows, depth + (1 if d.bad() else 0), d.integer(1, 4)), "plain")
    attrs = {"mode": mode, "strides": [1, d.integer(1, 4), d.integer(1, 4), 1], "padding": d.one(["SAME", "VALID"])}
    if op == "FusedPadConv2D":
        return [image, given("int32", rows), filter], attrs
    return [image, given("int32", size), given("int32", rows), filter], {**attrs, "resize_align_corners": d.chance(0.5)}


def backprop(d, dtype, to_input, index, more, made):
    """A gradient of a convolution, to its input or its filter."""
    moderate(d)
    attrs, shape, filters, output = made
    wanted, other = (shape, filters) if to_input else (filters, shape)
    sizes = given(index, wanted)
    gradient = d.tensor(dtype, output if not d.bad() else (*output[:-1], output[-1] + 1))
    other = d.tensor(dtype, other)
    return ([sizes, other, gradient] if to_input else [other, sizes, gradient]), {**attrs, **more}


def pooling(d, dimensions=2, layouts=("NHWC",), explicit=False):
    """Attrs of a pool, the shapes of its input and of its output."""
    layout = d.one(layouts)
    shape, spatial, channels, batch = image(d, layout, dimensions)
    windows = [window(d, size) for size in spatial]
    padding = d.one(["SAME", "VALID"] + (["EXPLICIT"] if explicit else []))
    attrs = {"ksize": list(placed(d, layout, 1, [k for k, _ in windows], 1)),
             "strides": list(placed(d, layout, 1, [s for _, s in windows], 1)), "padding": padding, "data_format": layout}
    pads = [(0, 0)] * dimensions
    if explicit:
        attrs["explicit_paddings"] = paddings(d, layout, 1) if padding == "EXPLICIT" else []
        if padding == "EXPLICIT":
            rows = np.reshape(attrs["explicit_paddings"], (-1, 2)).tolist()
            pads = rows[2:] if layout[1] == "C" else rows[1:-1]
    sizes = [-(-size // step) if padding == "SAME" else (size + sum(pad) - extent) // step + 1
             for size, (extent, step), pad in zip(spatial, windows, pads)]
    return attrs, shape, placed(d, layout, batch, [max(s, 0) for s in sizes], channels)


@recipe("AvgPool")
def avg_pool(d, t):
    moderate(d)
    attrs, shape, _ = pooling(d)
    return [d.tensor(t["T"], shape)], attrs


@recipe("MaxPool")
def max_pool(d, t):
    attrs, shape, _ = pooling(d, explicit=True)
    return [d.tensor(t["T"], shape)], attrs


@recipe("MaxPoolV2")
def max_pool_v2(d, t):
    attrs, shape, _ = pooling(d)
    return [d.tensor(t["T"], shape), given("int32", attrs.pop("ksize")), given("int32", attrs.pop("strides"))], attrs


@recipe("MaxPoolWithArgmax")
def max_pool_with_argmax(d, t):
    attrs, shape, _ = pooling(d)
    attrs.pop("data_format")
    return [d.tensor(t["T"], shape)], attrs


@recipe("AvgPool3D", "MaxPool3D")
def pool3d(d, t):
    moderate(d)
    attrs, shape, _ = pooling(d, 3, ("NDHWC",))
    return [d.tensor(t["T"], shape)], attrs


@recipe("AvgPoolGrad")
def avg_pool_grad(d, t):
    moderate(d)
    attrs, shape, output = pooling(d)
    return [given("int32", shape), d.tensor(t["T"], output)], attrs


@recipe("AvgPool3DGrad")
def avg_pool3d_grad(d, t):
    moderate(d)
    attrs, shape, output = pooling(d, 3, ("NDHWC",))
    return [given("int32", shape), d.tensor(t["T"], output)], attrs


def pooled(d, dtype, attrs, shape, output):
    """An input without equal elements and its maxima; the recipe of a gradient needs both to fit."""
    count = int(np.prod(shape))
    values = given(dtype, d.random.permutation(count).reshape(shape) % 120)
    result = np.zeros(output, values.array.dtype)
    spatial = range(1, len(shape) - 1)
    befores = {}
    for axis in spatial:
        extent, step = attrs["ksize"][axis], attrs["strides"][axis]
        total = max((output[axis] - 1) * step + extent - shape[axis], 0)
        befores[axis] = total // 2 if attrs["padding"] == "SAME" else 0
    for place in np.ndindex(*output[1:-1]):
        cut = [slice(None)]
        for axis, at in zip(spatial, place):
            start = at * attrs["strides"][axis] - befores[axis]
            cut.append(slice(max(start, 0), max(start + attrs["ksize"][axis], 0)))
        part = values.array[tuple(cut)]
        if 0 not in part.shape:
            result[(slice(None), *place)] = part.max(axis=tuple(spatial))
    return values, given(dtype, result)


@recipe("MaxPoolGrad", "MaxPool3DGrad", "MaxPoolGradGrad", "MaxPoolGradV2", "MaxPoolGradGradV2", "MaxPool3DGradGrad")
def max_pool_grad(d, t, op):
    deep = "3D" in op
    attrs, shape, output = pooling(d, 3 if deep else 2, ("NDHWC",) if deep else ("NHWC",))
    dtype = t.get("TInput") or t["T"]
    values, result = pooled(d, dtype, attrs, shape, output)
    grad = d.tensor(t["T"], shape if "GradGrad" in op else output, "plain")
    inputs = [values, result, grad]
    if op.endswith("V2"):
        inputs += [given("int32", attrs.pop("ksize")), given("int32", attrs.pop("strides"))]
    elif op == "MaxPoolGrad":
        attrs["explicit_paddings"] = []
    return inputs, attrs


@recipe("MaxPoolGradWithArgmax", "MaxPoolGradGradWithArgmax")
def max_pool_grad_with_argmax(d, t, op):
    attrs, shape, output = pooling(d)
    attrs.pop("data_format")
    whole = attrs.get("include_batch_in_index", False)
    size = int(np.prod(shape[1:]))
    places = d.random.integers(0, max(size, 1), output)
    grad = d.tensor(t["T"], shape if "GradGrad" in op else output, "plain")
    return [d.tensor(t["T"], shape, "plain"), grad, given(t["Targmax"], places)], {**attrs, "include_batch_in_index": whole}


@recipe("FusedBatchNorm", "FusedBatchNormV2", "FusedBatchNormV3")
def batch_norm(d, t, op):
    moderate(d)
    layout = "NHWC" if d.chance(0.8) else "NDHWC" if op.endswith("V3") else "NHWC"
    shape, _, channels, _ = image(d, layout, len(layout) - 2)
    scale = t.get("U", t["T"])
    training = d.chance(0.5)
    factor = d.one([1.0, 1.0, 0.5]) if training else 1.0
    given_size = 0 if training and factor == 1.0 and d.chance(0.8) else channels
    row = lambda style, size=channels: d.tensor(scale, (size + (1 if d.bad(0.01) else 0),), style)
    inputs = [d.tensor(t["T"], shape, "plain"), row("plain"), row("plain"), row("plain", given_size), row("positive", given_size)]
    return inputs, {"is_training": training, "data_format": layout, "epsilon": d.one([1e-4, 1e-3, 0.1]), "exponential_avg_factor": factor}


@recipe("FusedBatchNormGrad", "FusedBatchNormGradV2", "FusedBatchNormGradV3")
def batch_norm_grad(d, t, op):
    layout = "NHWC" if d.chance(0.8) else "NDHWC" if op.endswith("V3") else "NHWC"
    shape, _, channels, _ = image(d, layout, len(layout) - 2)
    row = lambda dtype, style: d.tensor(dtype, (channels,), style)
    saved = t.get("U", t["T"])
    scale = "float32" if op != "FusedBatchNormGrad" else t["T"]
    inputs = [d.tensor(t["T"], shape, "plain"), d.tensor(t["T"], shape, "plain"), row(scale, "plain"), row(saved, "plain"), row(saved, "positive")]
    if op.endswith("V3"):
        inputs.append(d.tensor(saved, (0,)))
    return inputs, {"is_training": d.chance(0.5), "data_format": layout, "epsilon": d.one([1e-4, 1e-3, 0.1])}


@recipe("LRN")
def lrn(d, t):
    return [d.tensor(t["T"], image(d)[0], "plain")], {"depth_radius": d.integer(0, 3), "bias": d.one([1.0, 2.0]), "alpha": 0.5, "beta": d.one([0.5, 0.75])}


@recipe("LRNGrad")
def lrn_grad(d, t):
    shape = image(d)[0]
    return [d.tensor(t["T"], shape, "plain") for _ in range(3)], {"depth_radius": d.integer(0, 3), "bias": 2.0, "alpha": 0.5, "beta": 0.75}


def dilation(d):
    shape, spatial, channels, batch = image(d)
    windows = [window(d, size) for size in spatial]
    rates = [d.one([1, 1, 2]) for _ in spatial]
    strides = [step for _, step in windows]
    padding = d.one(["SAME", "VALID"])
    sizes = [-(-size // step) if padding == "SAME" else (size - (extent - 1) * rate - 1) // step + 1
             for size, (extent, step), rate in zip(spatial, windows, rates)]
    attrs = {"strides": [1, *strides, 1], "rates": [1, *rates, 1], "padding": padding}
    return attrs, shape, (*(extent for extent, _ in windows), channels), (batch, *(max(s, 0) for s in sizes), channels)


@recipe("Dilation2D", "Dilation2DBackpropInput", "Dilation2DBackpropFilter")
def dilation2d(d, t, op):
    moderate(d)
    attrs, shape, filters, output = dilation(d)
    inputs = [d.tensor(t["T"], shape, "plain"), d.tensor(t["T"], filters, "plain")]
    return inputs + ([d.tensor(t["T"], output, "plain")] if op != "Dilation2D" else []), attrs


@recipe("FakeQuantWithMinMaxVars")
def fake_quant(d, t):
    low = -float(d.integer(0, 6))
    return [d.tensor("float32", d.shape()), given("float32", low), given("float32", low + d.integer(0 if d.bad() else 1, 12))], {"num_bits": d.integer(2, 16)}


@recipe("FakeQuantWithMinMaxArgs")
def fake_quant_args(d, t):
    low = -float(d.integer(0, 6))
    return [d.tensor("float32", d.shape())], {"num_bits": d.integer(2, 16), "min": low, "max": low + d.integer(1, 12)}


@recipe("QuantizeAndDequantizeV2")
def quantize_and_dequantize(d, t):
    low = -float(d.integer(0, 6))
    shape = d.shape(1)
    axis = -1 if d.chance(0.6) else d.integer(0, len(shape) - 1)
    limits = () if axis == -1 else (shape[axis],)
    inputs = [d.tensor(t["T"], shape, "plain"), given(t["T"], np.full(limits, low)), given(t["T"], np.full(limits, low + d.integer(1, 12)))]
    return inputs, {"axis": axis, "num_bits": d.integer(2, 8)}
