"""Writes nn_gradients.txt: what TensorFlow 2.21 computes for gradients of the nn kernels and for convolutions of volumes.

Run with the Python of an environment that has tensorflow-cpu 2.21: `python make_nn_gradients.py`.
"""

from nn_cases import FLOATS, INF, NAN, NUMBERS, case, draw, t, write

ONE = [1, 1, 1, 1]
EXPLICIT = {"padding": "EXPLICIT", "explicit_paddings": [0, 0, 1, 2, 3, 0, 0, 0]}


def sizes(shape, dtype="int32"):
    return t(shape, dtype)


def out_size(size, window, stride, padding):
    if isinstance(padding, tuple):
        return (size + sum(padding) - window) // stride + 1
    return -(-size // stride) if padding == "SAME" else (size - window) // stride + 1


def activations():
    special = [NAN, -0.0, 0.0, -1, 7, 0.25, -20, 30, -3.5, 1e-3, -1e-3]
    for op, second in [("EluGrad", "outputs"), ("SeluGrad", "outputs"), ("LeakyReluGrad", "features"), ("SoftplusGrad", "features"), ("SoftsignGrad", "features")]:
        for dtype in FLOATS:
            gradients = draw((len(special),), dtype)
            case(op, {"gradients": gradients, second: t(special, dtype)}, 4 if dtype in ("float32", "float64") else 1)
        case(op, {"gradients": t([INF, NAN, 1, 1]), second: t([1, 1, INF, -INF])}, 4)
        case(op, {"gradients": draw((0, 2)), second: draw((0, 2))})
        case(op, {"gradients": t(2.0), second: t(-0.5)}, 2)
        case(op, {"gradients": t([1, 2]), second: t([1])})
    case("SeluGrad", {"gradients": t([1, 1e6], "float64"), "outputs": t([-1.7580993408473766, -1.75809934084], "float64")}, 4)
    case("LeakyReluGrad", {"gradients": t([1, 2]), "features": t([1, -1])}, 1, alpha=2.5)
    for dtype in NUMBERS:
        case("BiasAddGrad", {"out_backprop": draw((2, 3, 2), dtype, 0, 4)}, 1)
    case("BiasAddGrad", {"out_backprop": draw((2, 3, 2, 2))}, 2, data_format="NCHW")
    case("BiasAddGrad", {"out_backprop": draw((2, 3, 2))}, 2, data_format="NCHW")
    case("BiasAddGrad", {"out_backprop": draw((0, 3))}, 2)
    case("BiasAddGrad", {"out_backprop": draw((700, 2))}, 4)
    case("BiasAddGrad", {"out_backprop": draw((3,))}, 2)
    case("BiasAddGrad", {"out_backprop": t([[100], [100]], "int8")}, 0)


def images():
    for op in ["Conv2D", "DepthwiseConv2dNative"]:
        depthwise = op != "Conv2D"
        dtypes = FLOATS + ([] if depthwise else ["int32"])
        for dtype in dtypes:
            gradients(op, (2, 4, 5, 3), (3, 2, 3, 2), dtype)
            gradients(op, (1, 5, 4, 2), (3, 3, 2, 3), dtype, padding="SAME", strides=[1, 2, 2, 1])
        for padding in [{"padding": "SAME"}, {"padding": "VALID"}, EXPLICIT]:
            for strides in [ONE, [1, 2, 2, 1], [1, 3, 3, 1]] + ([] if depthwise else [[1, 3, 2, 1]]):
                gradients(op, (1, 7, 7, 2), (3, 2, 2, 2), strides=strides, **padding)
        gradients(op, (2, 3, 3, 5), (1, 1, 5, 4))
        gradients(op, (2, 3, 3, 5), (1, 1, 5, 1))
        gradients(op, (1, 5, 5, 3), (1, 1, 3, 2), strides=[1, 2, 2, 1], padding="SAME")
        gradients(op, (1, 2, 2, 2), (5, 5, 2, 1), padding="SAME")
        gradients(op, (0, 5, 5, 3), (3, 3, 3, 4))
    x, w, g = (1, 5, 5, 3), (3, 3, 3, 4), (1, 5, 5, 4)

    def backprop_input(input_sizes, w, g, padding="SAME", strides=ONE, op="Conv2D", **attrs):
        inputs = {"input_sizes": sizes(input_sizes), "filter": draw(w), "out_backprop": draw(g)}
        case(op + "BackpropInput", inputs, 4, strides=strides, padding=padding, **attrs)

    def backprop_filter(x, filter_sizes, g, padding="SAME", strides=ONE, op="Conv2D", **attrs):
        inputs = {"input": draw(x), "filter_sizes": sizes(filter_sizes), "out_backprop": draw(g)}
        case(op + "BackpropFilter", inputs, 4, strides=strides, padding=padding, **attrs)

    backprop_input((5, 5), w, g)
    for wrong in [(1, 4, 5, 4), (2, 5, 5, 4), (1, 5, 5, 5), (5, 5, 4)]:
        backprop_input(x, w, wrong)
        backprop_filter(x, w, wrong)
    backprop_input((5, 5, 3), w, g)
    backprop_input((1, 5, 5, -3), w, g)
    backprop_input(x, (3, 3, 3, 0), (1, 5, 5, 0))
    backprop_input((1, 5, 5, 0), (3, 3, 0, 4), g)
    backprop_filter(x, (3, 3, 4), g)
    backprop_filter(x, (3, 3, -3, 4), g)
    backprop_filter(x, (0, 3, 3, 4), g)
    backprop_filter(x, (3, 3, 3, 0), (1, 5, 5, 0))
    backprop_input(x, (3, 3, 3, 2), (1, 5, 5, 5), op="DepthwiseConv2dNative")
    backprop_input((5, 5), (3, 3, 3, 2), (1, 5, 5, 6), op="DepthwiseConv2dNative")
    backprop_filter(x, (3, 3, 2, 2), (1, 5, 5, 4), op="DepthwiseConv2dNative")


def gradients(op, x, w, dtype="float32", padding="VALID", strides=ONE, **attrs):
    """Both gradients of a convolution over images."""
    pads = [padding] * 2
    if padding == "EXPLICIT":
        numbers = attrs["explicit_paddings"]
        pads = [tuple(numbers[2:4]), tuple(numbers[4:6])]
    spatial = [out_size(x[a + 1], w[a], strides[a + 1], pads[a]) for a in range(2)]
    channels = w[3] if op == "Conv2D" else w[2] * w[3]
    g = draw((x[0], *spatial, channels), dtype)
    attrs = {"strides": strides, "padding": padding, **attrs}
    tolerance = 4 if dtype in ("float32", "float64", "int32") else 2
    case(op + "BackpropInput", {"input_sizes": sizes(x), "filter": draw(w, dtype), "out_backprop": g}, tolerance, **attrs)
    if dtype != "int32":
        inputs = {"input": draw(x, dtype), "filter_sizes": sizes(w), "out_backprop": g}
        empty = {0: t([0.0] * (w[0] * w[1] * w[2] * w[3]), shape=w)} if x[0] == 0 else None
        case(op + "BackpropFilter", inputs, tolerance, undefined=empty, **attrs)


def volumes():
    one = [1] * 5
    for dtype in FLOATS:
        volume((1, 3, 4, 3, 2), (2, 3, 2, 2, 3), dtype)
    for padding in ["SAME", "VALID"]:
        for strides in [one, [1, 2, 1, 2, 1], [1, 1, 3, 1, 1]]:
            volume((2, 4, 5, 4, 2), (2, 3, 2, 2, 2), strides=strides, padding=padding)
    volume((1, 2, 3, 3, 4), (1, 1, 1, 4, 2))
    volume((0, 2, 3, 3, 4), (1, 1, 1, 4, 2))
    volume((1, 2, 3, 3, 1), (3, 3, 3, 1, 2), padding="SAME")
    x, w = draw((1, 2, 3, 3, 2)), draw((2, 2, 2, 2, 2))
    case("Conv3D", {"input": x, "filter": w}, padding="SAME", strides=[1, 0, 1, 1, 1])
    case("Conv3D", {"input": x, "filter": draw((2, 2, 2, 3, 2))}, strides=one, padding="SAME")
    case("Conv3D", {"input": draw((2, 3, 3, 2)), "filter": w}, strides=one, padding="SAME")
    g = draw((1, 2, 3, 3, 2))
    inputs = {"input_sizes": sizes((1, 2, 3, 3, 2), "int64"), "filter": w, "out_backprop": g}
    case("Conv3DBackpropInputV2", inputs, 4, strides=one, padding="SAME")
    inputs["out_backprop"] = draw((1, 2, 3, 4, 2))
    case("Conv3DBackpropInputV2", inputs, 4, strides=one, padding="SAME")
    inputs = {"input": x, "filter_sizes": sizes((2, 2, 2, 2, 2)), "out_backprop": draw((1, 2, 3, 4, 2))}
    case("Conv3DBackpropFilterV2", inputs, 4, strides=one, padding="SAME")
    case("Conv3D", {"input": x, "filter": t([], shape=(1, 1, 1, 2, 0))}, strides=one, padding="SAME")


def volume(x, w, dtype="float32", strides=(1, 1, 1, 1, 1), padding="VALID"):
    """A convolution over volumes and its gradients."""
    spatial = [out_size(x[a + 1], w[a], strides[a + 1], padding) for a in range(3)]
    g = draw((x[0], *spatial, w[4]), dtype)
    attrs = {"strides": list(strides), "padding": padding}
    tolerance = 4 if dtype in ("float32", "float64") else 2
    case("Conv3D", {"input": draw(x, dtype), "filter": draw(w, dtype)}, tolerance, **attrs)
    inputs = {"input_sizes": sizes(x), "filter": draw(w, dtype), "out_backprop": g}
    case("Conv3DBackpropInputV2", inputs, tolerance, **attrs)
    inputs = {"input": draw(x, dtype), "filter_sizes": sizes(w), "out_backprop": g}
    case("Conv3DBackpropFilterV2", inputs, tolerance, **attrs)


def batch_norms():
    vectors = {"scale": t([1, 2]), "reserve_space_1": t([1, 2]), "reserve_space_2": t([1, 4])}

    def grad(op, shape, dtype="float32", tolerance=16, **attrs):
        extra = {"reserve_space_3": t([0.0])} if op.endswith("V3") else {}
        inputs = {"y_backprop": draw(shape, dtype), "x": draw(shape, dtype), **vectors, **extra}
        case(op, inputs, tolerance, **attrs)

    for version in ["", "V2", "V3"]:
        op = "FusedBatchNormGrad" + version
        for training in [True, False]:
            for dtype in ["float32", "float16", "bfloat16"] if version else ["float32"]:
                grad(op, (2, 2, 3, 2), dtype, is_training=training, epsilon=0.001)
        grad(op, (3, 2, 2, 2), data_format="NCHW")
        grad(op, (0, 3, 3, 2))
        inputs = {"y_backprop": draw((2, 2, 3, 2)), "x": draw((2, 2, 2, 2)), **vectors}
        case(op, inputs | ({"reserve_space_3": t([0.0])} if version == "V3" else {}))
        inputs = {"y_backprop": draw((2, 2, 3, 2)), "x": draw((2, 2, 3, 2)), **vectors, "scale": t([1, 2, 3])}
        case(op, inputs | ({"reserve_space_3": t([0.0])} if version == "V3" else {}))
    grad("FusedBatchNormGradV3", (1, 2, 2, 3, 2), data_format="NDHWC")
    grad("FusedBatchNormGradV3", (1, 2, 2, 2, 3), data_format="NCDHW")


for make in [activations, images, volumes, batch_norms]:
    make()
write("nn_gradients.txt")
