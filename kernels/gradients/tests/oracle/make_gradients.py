"""Writes `gradients.txt`: gradients of single ops as TensorFlow computes them, for `../it/single.rs`; and `second.txt`: the
gradients of those.

A line is a case: `op|attrs|inputs|xs|dys|gradients|tolerance`. `xs` are positions of the inputs that are differentiated by,
`dys` the gradients of the outputs (`-` for none), `gradients` what TensorFlow gives for each of `xs` (`-` for none).

A line of `second.txt` belongs to the same line of the other: `weights|by xs|by dys`, the gradients of the sum of
`gradients`, each times its weight; or `!` where TensorFlow has none.
"""

import inspect
import pathlib
import sys

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parents[2] / "cpu/tests/oracle"))

from cases import *

# Attrs that Python calls otherwise.
RENAMED = {("Squeeze", "axis"): "squeeze_dims"}
RNG = np.random.default_rng(7)
WEIGHTS = np.random.default_rng(8)
SECOND = []


def some(dtype, *shape, low=-2.0, high=2.0, rng=RNG):
    values = rng.uniform(low, high, shape)
    if dtype.startswith("complex"):
        values = values + 1j * rng.uniform(low, high, shape)
    return tf.constant(values.round(3), dtype)


def ints(*values, dtype="int32"):
    return tf.constant(list(values), dtype)


def differentiable(x):
    return x.dtype.is_floating or x.dtype.is_complex


def text(x):
    """As `tensor`, floats with the digits of their own dtype."""
    if x.dtype not in (tf.float32, tf.float16):
        return tensor(x)
    return f"{x.dtype.name}[{','.join(map(str, x.shape))}]:{' '.join(str(v) for v in x.numpy().ravel())}"


def add(op, inputs, tolerance=16, seeds=None, **attrs):
    """A case; `inputs` are tensors and lists of tensors, `seeds` the outputs that are differentiated (all by default)."""
    function = getattr(tf.raw_ops, op)
    arguments = dict(zip(inspect.signature(function).parameters, inputs))
    flat = [x for arg in inputs for x in (arg if isinstance(arg, list) else [arg])]
    xs = [i for i, x in enumerate(flat) if differentiable(x)]
    with tf.GradientTape(persistent=True) as tape:
        tape.watch([flat[i] for i in xs])
        outputs = function(**arguments, **attrs)
        outputs = tf.nest.flatten(outputs)
    seeded = [i for i, y in enumerate(outputs) if differentiable(y) and (seeds is None or i in seeds)]
    dys = {i: some(outputs[i].dtype.name, *outputs[i].shape) for i in seeded}
    found = tape.gradient([outputs[i] for i in seeded], [flat[i] for i in xs], [dys[i] for i in seeded])
    found = [None if g is None else tf.convert_to_tensor(g) for g in found]
    texts = [
        op,
        ";".join(attr(op, RENAMED.get((op, name), name), value) for name, value in attrs.items()),
        ";".join(text(x) for x in flat),
        ";".join(map(str, xs)),
        ";".join(text(dys[i]) if i in dys else "-" for i in range(len(outputs))),
        ";".join("-" if g is None else text(g) for g in found),
        str(tolerance),
    ]
    LINES.append("|".join(texts))
    SECOND.append(second(lambda: tf.nest.flatten(function(**arguments, **attrs)), [flat[i] for i in xs], dys))


def second(outputs, xs, dys):
    """A line of `second.txt`."""
    written = lambda gs: ";".join("-" if g is None else text(tf.convert_to_tensor(g)) for g in gs)
    try:
        with tf.GradientTape(persistent=True) as outer:
            outer.watch([*xs, *dys.values()])
            with tf.GradientTape() as tape:
                tape.watch(xs)
                ys = outputs()
            found = tape.gradient([ys[i] for i in dys], xs, list(dys.values()))
            found = [None if g is None else tf.convert_to_tensor(g) for g in found]
        weights = [None if g is None else some(g.dtype.name, *g.shape, rng=WEIGHTS) for g in found]
        kept = [(g, w) for g, w in zip(found, weights) if g is not None]
        twice = outer.gradient([g for g, _ in kept], [*xs, *dys.values()], [w for _, w in kept])
    except (LookupError, NotImplementedError, TypeError, ValueError, tf.errors.OpError) as error:
        return f"!{type(error).__name__}"
    return "|".join([written(weights), written(twice[:len(xs)]), written(twice[len(xs):])])


F, D, C, H = "float32", "float64", "complex64", "float16"


def unary():
    anything = ["Neg", "Square", "Exp", "Expm1", "Sigmoid", "Tanh", "Sin", "Cos", "Sinh", "Cosh", "Atan", "Asinh", "Abs", "Sign", "Rint",
                "Erf", "Erfc", "Relu", "Relu6", "Elu", "Selu", "Softplus", "Softsign", "Identity", "L2Loss"]
    for op in anything:
        add(op, [some(F, 2, 3)])
        if op not in ["Relu6"]:
            add(op, [some(D, 7, low=-3, high=3)])
    for op in ["Inv", "Reciprocal", "Sqrt", "Rsqrt", "Log", "Log1p", "Lgamma", "Digamma"]:
        add(op, [some(F, 2, 3, low=0.1, high=4)], tolerance=64)
        add(op, [some(D, 5, low=0.1, high=4)], tolerance=64)
    for op in ["Asin", "Acos", "Atanh", "Tan", "Erfinv"]:
        add(op, [some(F, 2, 3, low=-0.9, high=0.9)], tolerance=64)
    add("Acosh", [some(F, 6, low=1.1, high=3)], tolerance=64)
    add("Ndtri", [some(F, 6, low=0.1, high=0.9)], tolerance=64)
    for op in ["Neg", "Square", "Exp", "Expm1", "Sigmoid", "Tanh", "Sin", "Cos", "Sinh", "Cosh", "Reciprocal", "Sqrt", "Rsqrt", "Log", "Log1p", "Tan",
               "Asin", "Acos", "Atan", "Asinh", "Atanh", "Identity", "Conj"]:
        add(op, [some(C, 2, 3, low=0.2, high=0.8)], tolerance=64)
    for op in ["Square", "Exp", "Tanh", "Sqrt"]:
        add(op, [some(H, 4, low=0.5, high=2)])
    for op in ["Real", "Imag"]:
        add(op, [some(C, 2, 3)], Tout=tf.float32)
    add("ComplexAbs", [some(C, 2, 3)], Tout=tf.float32)
    add("Complex", [some(F, 2, 3), some(F, 3)], Tout=tf.complex64)
    for to in [D, H]:
        add("Cast", [some(F, 5)], DstT=tf.as_dtype(to))
    add("LeakyRelu", [some(F, 8)], alpha=0.3)
    for op in ["Softmax", "LogSoftmax"]:
        add(op, [some(F, 3, 5)])
        add(op, [some(D, 2, 3, 4)])
    for op in ["ReciprocalGrad", "InvGrad", "SigmoidGrad", "TanhGrad"]:
        add(op, [some(F, 4), some(F, 4)])
        add(op, [some(C, 4), some(C, 4)])
    for dtype in [F, C]:
        for op in ["SqrtGrad", "RsqrtGrad"]:
            add(op, [some(dtype, 4, low=0.3, high=2), some(dtype, 4)], tolerance=64)
    for op in ["EluGrad", "SeluGrad", "SoftplusGrad"]:
        add(op, [some(F, 6), some(F, 6)], tolerance=64)
    for op in ["ReluGrad", "Relu6Grad"]:
        add(op, [some(F, 6), some(F, 6, low=-8, high=8)])
    add("LeakyReluGrad", [some(F, 6), some(F, 6)], alpha=0.1)
    add("CheckNumerics", [some(F, 3)], message="no")
    add("EnsureShape", [some(F, 3)], shape=tf.TensorShape([3]))
    add("PlaceholderWithDefault", [some(F, 3)], shape=tf.TensorShape([3]))
    add("IdentityN", [[some(F, 3), some(D, 2)]])
    add("StopGradient", [some(F, 3)])
    add("Floor", [some(F, 3)])


def binary():
    shapes = [((2, 3), (2, 3)), ((2, 3), (3,)), ((2, 1), (4, 1, 3)), ((), (2, 2))]
    for op in ["Add", "AddV2", "Sub", "Mul", "Div", "RealDiv", "Maximum", "Minimum", "SquaredDifference", "DivNoNan", "MulNoNan", "FloorMod"]:
        for a, b in shapes:
            add(op, [some(F, *a), some(F, *b)], tolerance=64)
    for op in ["Add", "AddV2", "Sub", "Mul", "Div", "RealDiv", "SquaredDifference"]:
        add(op, [some(C, 2, 3), some(C, 3)], tolerance=64)
    for op in ["Xlogy", "Xlog1py", "Xdivy"]:
        add(op, [tf.constant([0.0, 1.5, 2.0]), some(F, 2, 3, low=0.2, high=3)], tolerance=64)
    for a, b in shapes:
        add("Pow", [some(F, *a, low=0.2, high=2), some(F, *b)], tolerance=64)
    add("Pow", [tf.constant([-1.5, 0.0, 2.0]), tf.constant([2.0, 3.0, 3.0])], tolerance=64)
    add("Pow", [some(C, 4), some(C, 4)], tolerance=256)
    add("Atan2", [some(F, 2, 3), some(F, 3)], tolerance=64)
    add("Maximum", [tf.constant([1.0, 2.0, 3.0]), tf.constant([1.0, 3.0, 2.0])])
    add("Minimum", [tf.constant([1.0, 2.0, 3.0]), tf.constant([1.0, 3.0, 2.0])])
    add("AddN", [[some(F, 3), some(F, 3), some(F, 3)]])
    choice = tf.constant([True, False, True])
    add("Select", [choice, some(F, 3), some(F, 3)])
    add("SelectV2", [choice, some(F, 2, 3), some(F, 1)])
    add("SelectV2", [choice, some(F), some(F, 2, 3)])
    add("ClipByValue", [some(F, 8), tf.constant(-0.5), tf.constant(0.7)])
    add("Cross", [some(F, 2, 3), some(F, 2, 3)])
    add("BiasAdd", [some(F, 2, 3, 4), some(F, 4)])
    add("BiasAdd", [some(F, 2, 3, 4, 5), some(F, 3)], data_format="NCHW")
    add("BiasAddV1", [some(F, 2, 3, 4), some(F, 4)])
    add("BiasAddGrad", [some(F, 2, 3)])


def products():
    for ta in [False, True]:
        for tb in [False, True]:
            a, b = ((3, 2) if ta else (2, 3)), ((4, 3) if tb else (3, 4))
            for dtype in [F, C]:
                add("MatMul", [some(dtype, *a), some(dtype, *b)], transpose_a=ta, transpose_b=tb, tolerance=64)
                add("BatchMatMulV2", [some(dtype, 2, 1, *a), some(dtype, 3, *b)], adj_x=ta, adj_y=tb, tolerance=64)
            add("BatchMatMul", [some(D, 2, *a), some(D, 2, *b)], adj_x=ta, adj_y=tb, tolerance=64)
            add("BatchMatMulV3", [some(F, 2, *a), some(F, *b)], Tout=tf.float32, adj_x=ta, adj_y=tb, tolerance=64)


def reductions():
    for op in ["Sum", "Mean", "Prod", "Max", "Min", "EuclideanNorm"]:
        for axes in [[0], [1], [-1], [0, 2], [0, 1, 2], []]:
            add(op, [some(F, 2, 3, 4), tf.constant(axes, "int32")], tolerance=64)
        add(op, [some(D, 2, 3), tf.constant([1], "int64")], keep_dims=True, tolerance=64)
        add(op, [some(D, 2, 3), tf.constant(1)], tolerance=64)
    add("Prod", [tf.constant([[0.0, 2.0, 3.0], [0.0, 0.0, 1.0]]), ints(1)])
    add("Max", [tf.constant([[1.0, 2.0, 2.0], [3.0, 3.0, 3.0]]), ints(1)])
    for exclusive in [False, True]:
        for reverse in [False, True]:
            add("Cumsum", [some(F, 3, 4), tf.constant(1)], exclusive=exclusive, reverse=reverse, tolerance=64)
            add("Cumprod", [some(F, 3, 4), tf.constant(0)], exclusive=exclusive, reverse=reverse, tolerance=64)
    add("SegmentSum", [some(F, 4, 2), ints(0, 0, 1, 3)])
    add("SparseSegmentSum", [some(F, 4, 2), ints(3, 0, 3), ints(0, 0, 1)])
    for rows in [(5,), (2, 5), (2, 3, 4)]:
        add("TopKV2", [some(F, *rows), tf.constant(2)])
    add("UnsortedSegmentSum", [some(F, 4, 2), ints(2, 0, -1, 2), tf.constant(3)])


def movement():
    add("Reshape", [some(F, 2, 6), ints(3, -1)])
    add("ExpandDims", [some(F, 2, 3), tf.constant(1)])
    add("Squeeze", [some(F, 2, 1, 3, 1)], axis=[1])
    add("Transpose", [some(F, 2, 3, 4), ints(2, 0, 1)])
    add("ConjugateTranspose", [some(C, 2, 3), ints(1, 0)])
    for axis in [0, 1, -1]:
        add("Pack", [[some(F, 2, 3), some(F, 2, 3)]], axis=axis)
        add("Unpack", [some(F, 2, 2)], num=2, axis=axis)
        add("ConcatV2", [[some(F, 2, 3), some(F, 2, 3)], tf.constant(axis)])
        add("Split", [tf.constant(axis), some(F, 2, 4)], num_split=2)
    add("Unpack", [some(F, 3, 2)], num=3, seeds=[1])
    add("ConcatV2", [[some(F, 2, 3), some(F, 1, 3), some(F, 4, 3)], tf.constant(0, "int64")])
    add("Concat", [tf.constant(1), [some(F, 2, 3), some(F, 2, 1)]])
    add("SplitV", [some(F, 5, 2), ints(1, 4), tf.constant(0)], num_split=2)
    for dtype in ["int32", "int64"]:
        add("Slice", [some(F, 4, 5), ints(1, 2, dtype=dtype), ints(2, -1, dtype=dtype)])
        add("Pad", [some(F, 2, 3), tf.constant([[1, 2], [0, 3]], dtype)])
        add("PadV2", [some(F, 2, 3), tf.constant([[1, 2], [0, 3]], dtype), tf.constant(1.5)])
        add("Tile", [some(F, 2, 3), ints(3, 2, dtype=dtype)], tolerance=64)
        add("BroadcastTo", [some(F, 2, 1), ints(3, 2, 4, dtype=dtype)], tolerance=64)
        add("Fill", [ints(2, 3, dtype=dtype), tf.constant(1.5)], tolerance=64)
        add("Roll", [some(F, 5), tf.constant(2, dtype), tf.constant(0)])
        add("StridedSlice", [some(F, 4, 5), ints(0, 1, dtype=dtype), ints(4, 5, dtype=dtype), ints(2, 2, dtype=dtype)])
    masks = dict(begin_mask=1, end_mask=2, ellipsis_mask=0, new_axis_mask=0, shrink_axis_mask=1)
    add("StridedSlice", [some(F, 4, 5), ints(2, 1), ints(3, 5), ints(1, 2)], **masks)
    add("StridedSlice", [some(F, 4), ints(3), ints(0), ints(-1)])
    add("StridedSliceGrad", [ints(4), ints(1), ints(3), ints(1), some(F, 2)])
    for mode in ["REFLECT", "SYMMETRIC"]:
        add("MirrorPad", [some(F, 3, 4), tf.constant([[1, 2], [0, 1]])], mode=mode)
    add("Reverse", [some(F, 2, 3), tf.constant([True, False])])
    add("ReverseV2", [some(F, 2, 3), ints(1)])
    add("ReverseSequence", [some(F, 2, 4), ints(3, 2)], seq_dim=1, batch_dim=0)
    add("Gather", [some(F, 4, 2), ints(0, 3, 3)])
    for axis in [0, 1, -1]:
        add("GatherV2", [some(F, 2, 3, 4), tf.constant([[0, 1], [1, 1]]), tf.constant(axis)])
    add("GatherV2", [some(F, 4), tf.constant(2), tf.constant(0)])
    add("GatherNd", [some(F, 3, 4), tf.constant([[0, 1], [2, 2], [0, 1]])])
    add("ScatterNd", [tf.constant([[1], [3]]), some(F, 2, 2), ints(5, 2)])
    add("DynamicStitch", [[ints(0, 2), ints(1, 3)], [some(F, 2, 2), some(F, 2, 2)]])
    add("ParallelDynamicStitch", [[ints(0, 2), ints(1, 3)], [some(F, 2, 2), some(F, 2, 2)]])
    add("DynamicPartition", [some(F, 4, 2), ints(0, 1, 1, 0)], num_partitions=2)
    for op in ["TensorScatterAdd", "TensorScatterSub", "TensorScatterUpdate"]:
        add(op, [some(F, 4, 2), tf.constant([[1], [3]]), some(F, 2, 2)])
    add("SpaceToDepth", [some(F, 1, 4, 4, 2)], block_size=2)
    add("DepthToSpace", [some(F, 1, 2, 2, 8)], block_size=2)
    add("SpaceToBatch", [some(F, 1, 4, 4, 1), tf.constant([[0, 0], [0, 0]])], block_size=2)
    add("BatchToSpace", [some(F, 4, 2, 2, 1), tf.constant([[0, 0], [0, 1]])], block_size=2)
    add("SpaceToBatchND", [some(F, 1, 4, 2), ints(2), tf.constant([[0, 0]])])
    add("BatchToSpaceND", [some(F, 2, 2, 2), ints(2), tf.constant([[1, 0]])])
    add("Diag", [some(F, 3)])
    add("DiagPart", [some(F, 3, 3)])
    add("MatrixDiag", [some(F, 2, 3)])
    add("MatrixBandPart", [some(F, 3, 4), tf.constant(1), tf.constant(-1)])
    add("MatrixDiagPartV3", [some(F, 2, 3, 4), ints(-1, 1), tf.constant(0.0)])
    add("MatrixDiagV3", [some(F, 2, 3), tf.constant(1), tf.constant(-1), tf.constant(-1), tf.constant(0.0)], tolerance=64)


def layers():
    for padding in ["SAME", "VALID"]:
        add("Conv2D", [some(F, 2, 5, 6, 3), some(F, 3, 2, 3, 4)], strides=[1, 2, 2, 1], padding=padding, tolerance=128)
        add("DepthwiseConv2dNative", [some(F, 1, 5, 5, 2), some(F, 3, 3, 2, 2)], strides=[1, 1, 1, 1], padding=padding, tolerance=128)
        add("Conv3D", [some(F, 1, 3, 4, 4, 2), some(F, 2, 2, 2, 2, 3)], strides=[1, 1, 1, 1, 1], padding=padding, tolerance=128)
        window = dict(ksize=[1, 2, 2, 1], strides=[1, 2, 2, 1], padding=padding)
        add("MaxPool", [some(F, 2, 5, 5, 2)], **window)
        add("AvgPool", [some(F, 2, 5, 5, 2)], **window)
        add("MaxPoolV2", [some(F, 2, 5, 5, 2), ints(1, 2, 2, 1), ints(1, 2, 2, 1)], padding=padding)
        add("MaxPoolWithArgmax", [some(F, 1, 4, 4, 2)], **window)
        volume = dict(ksize=[1, 2, 2, 2, 1], strides=[1, 2, 2, 2, 1], padding=padding)
        add("MaxPool3D", [some(F, 1, 4, 4, 4, 2)], **volume)
        add("AvgPool3D", [some(F, 1, 4, 4, 4, 2)], **volume)
        add("AvgPoolGrad", [ints(1, 4, 4, 1), some(F, 1, 2, 2, 1)], **window)
        add("Dilation2D", [some(F, 1, 5, 5, 2), some(F, 2, 2, 2)], strides=[1, 1, 1, 1], rates=[1, 1, 1, 1], padding=padding)
    add("Conv2D", [some(F, 1, 6, 6, 2), some(F, 2, 2, 2, 2)], strides=[1, 1, 1, 1], padding="EXPLICIT", explicit_paddings=[0, 0, 1, 0, 0, 2, 0, 0],
        tolerance=128)
    sizes = ints(1, 5, 5, 2)
    add("Conv2DBackpropInput", [sizes, some(F, 2, 2, 2, 3), some(F, 1, 4, 4, 3)], strides=[1, 1, 1, 1], padding="VALID", tolerance=128)
    add("Conv2DBackpropFilter", [some(F, 1, 5, 5, 2), ints(2, 2, 2, 3), some(F, 1, 4, 4, 3)], strides=[1, 1, 1, 1], padding="VALID", tolerance=128)
    add("LRN", [some(F, 1, 2, 2, 7)], depth_radius=2, tolerance=64)
    labels = tf.nn.softmax(some(F, 3, 5))
    add("SoftmaxCrossEntropyWithLogits", [some(F, 3, 5), labels], seeds=[0], tolerance=64)
    add("SparseSoftmaxCrossEntropyWithLogits", [some(F, 3, 5), ints(0, 4, 2)], seeds=[0], tolerance=64)
    x, scale, offset = some(F, 2, 3, 3, 4), some(F, 4), some(F, 4)
    for op in ["FusedBatchNorm", "FusedBatchNormV2", "FusedBatchNormV3"]:
        add(op, [x, scale, offset, none(F), none(F)], seeds=[0], is_training=True, epsilon=0.01, tolerance=256)
        given = [x, scale, offset, some(F, 4), some(F, 4, low=0.5, high=2)]
        add(op, given, seeds=[0], is_training=False, epsilon=0.01, tolerance=256)


def quantization():
    def ends(dtype, *shape):
        return [some(dtype, *shape, low=-2, high=-0.5), some(dtype, *shape, low=0.5, high=2)]

    add("FakeQuantWithMinMaxArgs", [some(F, 2, 5, low=-3, high=3)], min=-1.0, max=2.0, num_bits=4)
    add("FakeQuantWithMinMaxVars", [some(F, 2, 5, low=-3, high=3), *ends(F)], narrow_range=True)
    add("FakeQuantWithMinMaxVarsPerChannel", [some(F, 4, 3, low=-3, high=3), *ends(F, 3)], num_bits=5)
    for dtype in [F, D]:
        add("QuantizeAndDequantizeV2", [some(dtype, 2, 5, low=-3, high=3), *ends(dtype)], range_given=True)
        add("QuantizeAndDequantizeV3", [some(dtype, 2, 5, low=-3, high=3), *ends(dtype), tf.constant(7)])
        add("QuantizeAndDequantizeV4", [some(dtype, 2, 5, low=-3, high=3), *ends(dtype)], range_given=True)


def images():
    for how in [{}, {"align_corners": True}, {"half_pixel_centers": True}]:
        for op in ["ResizeBilinear", "ResizeBicubic", "ResizeNearestNeighbor"]:
            add(op, [some(F, 2, 3, 4, 2), ints(5, 3)], tolerance=64, **how)
    add("ResizeBilinear", [some(H, 1, 3, 3, 1), ints(2, 4)], half_pixel_centers=True)
    for kernel in ["lanczos3", "triangle"]:
        numbers = [tf.constant([1.5, 0.7]), tf.constant([0.3, -0.2])]
        add("ScaleAndTranslate", [some(F, 1, 4, 3, 2), ints(5, 3), *numbers], tolerance=128, seeds=[0], kernel_type=kernel)
    boxes = tf.constant([[0.1, 0.2, 0.8, 0.9], [0.5, -0.1, 0.2, 1.1], [0.0, 0.0, 1.0, 1.0]])
    for size in [(3, 4), (1, 1)]:
        add("CropAndResize", [some(F, 2, 4, 5, 2), boxes, ints(0, 1, 1), ints(*size)], tolerance=128)
    add("CropAndResize", [some(F, 2, 4, 5, 2), boxes, ints(0, 1, 1), ints(2, 2)], tolerance=128, method="nearest")
    add("RGBToHSV", [some(D, 4, 5, 3, low=0.05, high=1)], tolerance=4096)
    moved = [some(F, 1, 4, 5, 2), tf.constant([[1.1, 0.2, -0.7, 0.1, 0.9, 0.3, 0.01, -0.02]]), ints(3, 4)]
    add("ImageProjectiveTransformV2", moved, seeds=[0], tolerance=4096, interpolation="BILINEAR")
    add("ImageProjectiveTransformV3", [*moved, tf.constant(0.5)], seeds=[0], tolerance=4096, interpolation="BILINEAR")


def square(dtype, *shape):
    """Matrices far from singular."""
    return some(dtype, *shape) + 6 * tf.eye(shape[-1], dtype=dtype)


def decompositions():
    for dtype in [D, "complex128"]:
        m = square(dtype, 2, 3, 3)
        add("Cholesky", [tf.linalg.matmul(m, m, adjoint_b=True)], tolerance=512)
        add("MatrixDeterminant", [m], tolerance=512)
        add("LogMatrixDeterminant", [m], tolerance=512, seeds=[1])
        for adjoint in [False, True]:
            add("MatrixInverse", [m], tolerance=512, adjoint=adjoint)
            add("MatrixSolve", [m, some(dtype, 2, 3, 2)], tolerance=512, adjoint=adjoint)
            for lower in [False, True]:
                add("MatrixTriangularSolve", [m, some(dtype, 2, 3, 2)], tolerance=512, lower=lower, adjoint=adjoint)
    add("MatrixTriangularSolve", [square(D, 3, 3), some(D, 2, 3, 2)], tolerance=512)


def equations():
    for dtype in [F, D, "complex128"]:
        add("Einsum", [[some(dtype, 2, 3), some(dtype, 3, 4)]], tolerance=64, equation="ab,bc->ac")
    for equation, x, y in [
            ("ab,bc->ca", (2, 3), (3, 4)), ("ab,cd->ad", (2, 3), (3, 2)), ("aab,bc->c", (2, 2, 3), (3, 4)), ("ab,b->", (2, 3), (3,)),
            ("ab,ab->aab", (2, 3), (2, 3)), ("...ab,...bc->...ac", (2, 1, 2, 3), (3, 3, 4)), ("a...b,bc->...ac", (2, 5, 4, 3), (3, 2)),
            ("ab...,bc->a...c", (2, 3, 2), (3, 4)), ("...ab,cb->...ac", (2, 2, 3), (4, 3)), ("a...,...->a...", (2, 3), (3,)),
            ("bhqd,bhkd->bhqk", (2, 2, 3, 4), (2, 2, 5, 4)), ("...ad,...bd->...b", (2, 3, 4), (1, 2, 4))]:
        add("Einsum", [[some(D, *x), some(D, *y)]], tolerance=64, equation=equation)
    for equation, x in [("ab->ba", (2, 3)), ("abc->b", (2, 3, 4)), ("aab->b", (2, 2, 3)), ("abb->ab", (2, 3, 3)), ("ab->", (2, 3)), ("a->aa", (3,)),
                        ("aab->", (2, 2, 3)), ("...ab->...b", (2, 3, 4)), ("a...b->b...", (2, 3, 4)), ("aa->", (3, 3)), ("abc->ca", (2, 3, 4))]:
        add("Einsum", [[some(D, *x)]], tolerance=64, equation=equation)
    add("Einsum", [[some("complex128", 2, 3, 3)]], tolerance=64, equation="abb->a")


def factors():
    for dtype in [D, "complex128"]:
        for rows, columns in [(3, 3), (4, 3), (2, 4)]:
            m = some(dtype, 2, rows, columns)
            # Vectors have other signs in other implementations: `it/factors.rs` tests gradients by them.
            add("Svd", [m], tolerance=1 << 14, compute_uv=False, seeds=[0])
            if dtype == D:
                add("Qr", [m], tolerance=1 << 14)
                add("Svd", [m], tolerance=1 << 14, seeds=[0])
    add("Qr", [some(D, 2, 2, 4)], tolerance=1 << 14, full_matrices=True)
    for dtype in [D, "complex128"]:
        m = square(dtype, 2, 3, 3)
        m = m + tf.linalg.adjoint(m)
        add("SelfAdjointEigV2", [m], tolerance=1 << 14, seeds=[0])
        add("SelfAdjointEigV2", [m], tolerance=1 << 14, compute_v=False, seeds=[0])
    add("MatrixSquareRoot", [square(D, 2, 3, 3)], tolerance=1 << 14)


def segments():
    data, zeros = some(D, 6, 2), tf.constant([[0.0, 1], [2, 0], [3, 0], [0, 4], [5, 6], [0, 7]], D)
    ids, negative = ints(0, 0, 1, 1, 1, 3), ints(2, 0, -1, 2, 0, 3)
    for op in ["SegmentMax", "SegmentMin", "SegmentMean", "SegmentProd"]:
        add(op, [data, ids])
        add(op, [tf.constant([2.0, 2, 1, 3, 3, 1], F), ids])
    add("SegmentProd", [zeros, ints(0, 0, 1, 1, 1, 2)])
    for op in ["UnsortedSegmentMax", "UnsortedSegmentMin", "UnsortedSegmentProd"]:
        add(op, [data, negative, tf.constant(4)])
        add(op, [some(D, 2, 3, 2), tf.constant([[0, 2, -1], [2, 0, 0]]), tf.constant(4)])
        add(op, [tf.constant([2.0, 2, 1, 3, 2, 1], F), ints(0, 0, 1, 1, 0, 3), tf.constant(4)])
    add("UnsortedSegmentProd", [zeros, ints(0, 0, 1, 1, 1, 2), tf.constant(3)])
    for exclusive in [False, True]:
        for reverse in [False, True]:
            add("CumulativeLogsumexp", [some(D, 3, 4), tf.constant(1)], tolerance=64, exclusive=exclusive, reverse=reverse)


def transforms():
    for dtype in ["complex64", "complex128"]:
        for axes in [1, 2, 3]:
            name = f"FFT{axes}D" if axes > 1 else "FFT"
            for op in [name, f"I{name}"]:
                add(op, [some(dtype, 2, 3, 4, 5)[:, :, :, :3 + axes]], tolerance=64)
    for real, dtype in [(F, "complex64"), (D, "complex128")]:
        for length in [5, 6]:
            add("RFFT", [some(real, 2, length), ints(length)], tolerance=64, Tcomplex=tf.as_dtype(dtype))
            add("RFFT2D", [some(real, 2, 3, length), ints(3, length)], tolerance=64, Tcomplex=tf.as_dtype(dtype))
            add("IRFFT", [some(dtype, 2, length // 2 + 1), ints(length)], tolerance=64, Treal=tf.as_dtype(real))
            add("IRFFT2D", [some(dtype, 2, 3, length // 2 + 1), ints(3, length)], tolerance=64, Treal=tf.as_dtype(real))


def diagonals():
    m = some(D, 2, 3, 4)
    add("MatrixDiagPart", [m])
    add("MatrixDiagPart", [some(F, 3, 3)])
    add("MatrixDiagPartV2", [m, tf.constant(1), tf.constant(0.0, D)])
    add("MatrixDiagV2", [some(D, 2, 3), tf.constant(1), tf.constant(4), tf.constant(4), tf.constant(0.0, D)])
    add("MatrixSetDiag", [m, some(D, 2, 3)])
    add("MatrixSetDiagV2", [m, some(D, 2, 3), tf.constant(1)])
    for align in ["LEFT_RIGHT", "RIGHT_LEFT", "LEFT_LEFT", "RIGHT_RIGHT"]:
        add("MatrixSetDiagV3", [m, some(D, 2, 3, 3), ints(-1, 1)], align=align)


def backprops():
    for padding in ["SAME", "VALID"]:
        size = 5 if padding == "SAME" else 3
        flat = {"strides": [1, 1, 1, 1], "padding": padding}
        deep = {"strides": [1, 1, 1, 1, 1], "padding": padding}
        add("DepthwiseConv2dNativeBackpropInput", [ints(1, 5, 5, 2), some(F, 3, 3, 2, 2), some(F, 1, size, size, 4)], tolerance=64, **flat)
        add("DepthwiseConv2dNativeBackpropFilter", [some(F, 1, 5, 5, 2), ints(3, 3, 2, 2), some(F, 1, size, size, 4)], tolerance=64, **flat)
        add("Conv3DBackpropInputV2", [ints(1, 5, 5, 5, 2), some(F, 3, 3, 3, 2, 2), some(F, 1, size, size, size, 2)], tolerance=64, **deep)
        add("Conv3DBackpropFilterV2", [some(F, 1, 5, 5, 5, 2), ints(3, 3, 3, 2, 2), some(F, 1, size, size, size, 2)], tolerance=64, **deep)
        add("ExtractImagePatches", [some(F, 2, 5, 6, 2)], ksizes=[1, 2, 3, 1], strides=[1, 2, 1, 1], rates=[1, 1, 2, 1], padding=padding)
    window = {"ksize": [1, 2, 2, 1], "strides": [1, 2, 2, 1], "padding": "VALID"}
    x, dy = some(F, 1, 4, 4, 2), some(F, 1, 2, 2, 2)
    y = tf.nn.max_pool2d(x, 2, 2, "VALID")
    add("MaxPoolGradGrad", [x, y, some(F, 1, 4, 4, 2)], **window)
    add("MaxPoolGradV2", [x, y, dy, ints(1, 2, 2, 1), ints(1, 2, 2, 1)], padding="VALID")
    window = {"ksize": [1, 2, 2, 2, 1], "strides": [1, 2, 2, 2, 1], "padding": "VALID"}
    x, dy = some(F, 1, 4, 4, 4, 2), some(F, 1, 2, 2, 2, 2)
    y = tf.nn.max_pool3d(x, 2, 2, "VALID")
    add("MaxPool3DGrad", [x, y, dy], **window)
    add("MaxPool3DGradGrad", [x, y, some(F, 1, 4, 4, 4, 2)], **window)
    add("AvgPool3DGrad", [ints(1, 4, 4, 4, 2), dy], **window)


def others():
    for op in ["BesselI0e", "BesselI1e"]:
        add(op, [some(F, 7)], tolerance=64)
        add(op, [tf.constant([0.0, 0.5, -3], D)], tolerance=64)
    for op in ["BesselI0", "BesselI1", "BesselJ0", "BesselJ1"]:
        add(op, [tf.constant([0.0, 0.5, -3, 7], D)], tolerance=256)
    for op in ["BesselK0", "BesselK0e", "BesselK1", "BesselK1e", "BesselY0", "BesselY1", "Expint"]:
        add(op, [tf.constant([0.5, 3, 7], D)], tolerance=256)
    for op in ["Dawsn", "FresnelCos", "FresnelSin"]:
        add(op, [tf.constant([0.0, 0.5, -3], D)], tolerance=256)
    add("Spence", [tf.constant([0.5, 1, 3], D)], tolerance=64)
    for op in ["Igamma", "Igammac"]:
        add(op, [some(D, 2, 1, low=0.5, high=4), some(D, 2, 3, low=0.1, high=4)], tolerance=4096)
    add("NextAfter", [some(D, 2, 3), some(D, 3)])
    alpha = some(D, 3, low=0.5, high=4)
    add("RandomGamma", [ints(2), alpha], tolerance=1 << 16, seed=3, seed2=5)
    add("StatelessRandomGammaV2", [ints(2, 3), ints(4, 5), alpha], tolerance=1 << 16)
    add("StatelessRandomGammaV3", [ints(2, 3), tf.constant([3], "uint64"), tf.constant([4, 5], "uint64"), tf.constant(1), alpha], tolerance=1 << 16)
    add("Zeta", [some(D, 2, 3, low=1.5, high=4), some(D, 3, low=1, high=4)], tolerance=512)
    add("Polygamma", [tf.constant([[1.0], [2]], D), some(D, 2, 3, low=1, high=4)], tolerance=512)
    add("Betainc", [some(D, 2, 3, low=0.5, high=4), some(D, 2, 3, low=0.5, high=4), some(D, 2, 3, low=0.1, high=0.9)], tolerance=512)
    at = tf.constant([[0], [2], [0]])
    for op in ["TensorScatterMax", "TensorScatterMin"]:
        add(op, [some(D, 4, 2), at, some(D, 3, 2)])
        add(op, [tf.constant([1.0, 2, 3]), at, tf.constant([1.0, 3, 1])])
    add("ScatterNdNonAliasingAdd", [some(D, 4, 2), at, some(D, 3, 2)])
    add("TensorStridedSliceUpdate", [some(D, 4, 5), ints(0, 1), ints(4, 5), ints(2, 2), some(D, 2, 2)])
    add("TensorStridedSliceUpdate", [some(D, 4, 5), ints(0, 1), ints(4, 5), ints(2, 2), some(D, 1, 2)])
    add("CheckNumericsV2", [some(D, 3)], message="it")
    for op in ["SparseSegmentMean", "SparseSegmentSqrtN"]:
        add(op, [some(D, 4, 3), ints(3, 0, 0, 1), ints(0, 0, 0, 2)])
        add(op, [some(F, 4), ints(3, 0, 2), ints(0, 1, 1)])
    for op in ["SparseSegmentSum", "SparseSegmentMean", "SparseSegmentSqrtN"]:
        add(f"{op}WithNumSegments", [some(D, 4, 3), ints(3, 0, 0, 1), ints(0, 0, 0, 2), tf.constant(5)])
    for shape in [(2, 3, 2), (3, 2)]:
        add("BandedTriangularSolve", [some(D, *shape[:-1], 4, low=0.5), some(D, *shape[:-2], 4, 2)], tolerance=1 << 10)
    for lower in [False, True]:
        add("BandedTriangularSolve", [some(D, 2, 4, low=0.5), some(D, 2, 4, 2)], lower=lower, adjoint=True, tolerance=1 << 10)
    for a, b in [((4, 3), (4, 2)), ((3, 4), (3, 2)), ((2, 3, 3), (2, 3, 1))]:
        for weight in [0.0, 0.3]:
            add("MatrixSolveLs", [some(D, *a), some(D, *b), tf.constant(weight, D)], tolerance=1 << 16)
    for dtype in [D, "complex128"]:
        add("TridiagonalMatMul", [*(some(dtype, 2, 1, 4) for _ in range(3)), some(dtype, 2, 4, 3)], tolerance=64)
    for pivoting in [False, True]:
        add("TridiagonalSolve", [some(D, 2, 3, 4) + [[[0], [4], [0]]], some(D, 2, 4, 3)], partial_pivoting=pivoting, tolerance=1 << 10)
    splits = tf.constant([0, 2, 2, 5], "int64")
    for default in [some(D), some(D, 2)]:
        add("RaggedTensorToTensor", [tf.constant([-1, 2, -1], "int64"), some(D, 5, 2), default, [splits]], row_partition_types=["ROW_SPLITS"])
    add("Angle", [some("complex128", 4)], Tout=tf.float64, tolerance=64)
    for training in [False, True]:
        for op, extra in [("FusedBatchNormGradV2", []), ("FusedBatchNormGradV3", [some(F, 0)])]:
            inputs = [some(F, 2, 3, 2, 3), some(F, 2, 3, 2, 3), some(F, 3), some(F, 3), some(F, 3, low=0.5)]
            add(op, [*inputs, *extra], seeds=[0, 1, 2], epsilon=0.01, is_training=training, tolerance=1 << 10)
    weights = [some(F, 5, 12), some(F, 3), some(F, 3), some(F, 3), some(F, 12)]
    # TensorFlow takes the gradient of BlockLSTMV2 by BlockLSTMGrad, whose gates are in another order: no case is of it.
    for peephole in [False, True]:
        add("BlockLSTM", [tf.constant(3, "int64"), some(F, 3, 2, 2), some(F, 2, 3), some(F, 2, 3), *weights], use_peephole=peephole,
            cell_clip=0.0, seeds=[1, 6], tolerance=1 << 10)
    add("NthElement", [some(D, 2, 5), tf.constant(1)])
    add("NthElement", [tf.constant([2.0, 1, 2, 3]), tf.constant(1)], reverse=True)
    for batch_dims, axis in [(1, 1), (1, 2), (-1, 1), (1, -1)]:
        add("GatherV2", [some(D, 2, 3, 4), ints(0, 2, 2, 1)[None] % 3 * tf.ones([2, 1], "int32"), tf.constant(axis)], batch_dims=batch_dims)
    add("GatherV2", [some(D, 2, 3, 4), tf.constant([[[0], [1]], [[1], [1]]], "int64"), tf.constant(2)], batch_dims=1)
    add("GatherV2", [some(D, 2, 0, 4), tf.zeros([2, 0], "int32"), tf.constant(1)], batch_dims=1)


def sparse():
    def long(*values):
        return tf.constant(values, "int64")

    at = tf.constant([[0, 1], [1, 0], [1, 2]], "int64")
    shape = long(2, 3)
    unordered = tf.gather(at, [2, 0, 1])
    for dtype in [F, D]:
        add("SparseReorder", [unordered, some(dtype, 3), shape])
        add("SparseTensorDenseAdd", [at, some(dtype, 3), shape, some(dtype, 2, 3)])
        for op in ["SparseDenseCwiseMul", "SparseDenseCwiseDiv"]:
            for dense in [(2, 3), (2, 1), (3,)]:
                add(op, [at, some(dtype, 3), shape, some(dtype, *dense, low=0.5)], tolerance=64)
        add("SparseSoftmax", [at, some(dtype, 3), shape], tolerance=64)
        add("SparseFillEmptyRows", [tf.gather(at, [2, 1]), some(dtype, 2), long(4, 3), some(dtype)])
        add("SparseToDense", [at, shape, some(dtype, 3), some(dtype)])
        add("SparseSlice", [at, some(dtype, 3), shape, long(0, 1), long(2, 2)])
        other = tf.constant([[0, 0], [1, 0]], "int64")
        add("SparseAdd", [at, some(dtype, 3), shape, other, some(dtype, 2), shape, tf.constant(0, dtype)])
        for axes in [ints(0), ints(-1), ints(0, 1)]:
            for keep in [False, True]:
                add("SparseReduceSum", [at, some(dtype, 3), shape, axes], keep_dims=keep)
    for dtype in [F, C]:
        for a in [False, True]:
            for b in [False, True]:
                inner = 2 if a else 3
                dense = some(dtype, 4, inner) if b else some(dtype, inner, 4)
                add("SparseTensorDenseMatMul", [at, some(dtype, 3), shape, dense], adjoint_a=a, adjoint_b=b, tolerance=64)
    labels = tf.constant([[0, 0], [0, 1], [1, 0]], "int64")
    # TensorFlow's values carry the error of single precision, whatever the dtype.
    add("CTCLoss", [some(D, 4, 2, 3), labels, ints(0, 1, 1), ints(4, 3)], seeds=[0], tolerance=1 << 29)


def ragged():
    outer, inner = tf.constant([0, 2, 3], "int64"), tf.constant([0, 1, 1, 3], "int64")
    for dtype in [F, D]:
        add("RaggedGather", [[outer], some(dtype, 3, 2), ints(1, 0, 1)], OUTPUT_RAGGED_RANK=1)
        add("RaggedGather", [[outer, inner], some(dtype, 3), tf.constant([[1, 0], [1, 1]], "int64")], OUTPUT_RAGGED_RANK=3)
        add("RaggedGather", [[tf.cast(outer, "int32")], some(dtype, 3), tf.constant(0)], OUTPUT_RAGGED_RANK=0)
        add("RaggedTensorToSparse", [[outer, inner], some(dtype, 3, 2)])
        add("RaggedFillEmptyRows", [tf.constant([3, 0, 3], "int64"), some(dtype, 3), tf.constant(4, "int64"), some(dtype)])


def former():
    for dtype in [F, D]:
        for overlapping in [False, True]:
            window = {"pooling_ratio": [1.0, 1.4, 1.6, 1.0], "overlapping": overlapping, "deterministic": True, "seed": 3, "seed2": 4}
            add("FractionalMaxPool", [some(dtype, 1, 5, 6, 2)], **window)
            add("FractionalAvgPool", [some(dtype, 1, 5, 6, 2)], **window)
    add("ApproxTopK", [some(F, 2, 5)], k=2)
    for ta in [False, True]:
        for tb in [False, True]:
            a, b = ((3, 2) if ta else (2, 3)), ((4, 3) if tb else (3, 4))
            add("SparseMatMul", [some(F, *a), some(F, *b)], transpose_a=ta, transpose_b=tb, tolerance=64)


def latest():
    for padding in ["SAME", "VALID"]:
        windows = {"ksizes": [1, 2, 3, 2, 1], "strides": [1, 2, 1, 1, 1], "padding": padding}
        add("ExtractVolumePatches", [some(F, 2, 4, 4, 3, 2)], **windows)
        add("ExtractVolumePatches", [some(D, 1, 3, 3, 2, 1)], **windows)
    for dtype in [F, D]:
        add("IsotonicRegression", [some(dtype, 3, 6)], output_dtype=tf.as_dtype(dtype), seeds=[0])
    for dtype in [F, D]:
        for shapes in [((), (), (), ()), ((3,), (), (3,), (1,)), ((2, 1), (3,), (1, 3), ())]:
            mean, deviation, lower, upper = [some(dtype, *shape, low=0.2, high=1.0) for shape in shapes]
            add("StatelessParameterizedTruncatedNormal", [ints(4, 2, 3), ints(3, 5), mean, deviation, lower - 2.0, upper + 1.0],
                tolerance=1 << 10)
    add("Split", [tf.constant(0), some(F, 2, 4)], num_split=1)
    add("SplitV", [some(F, 2, 4), ints(4), tf.constant(1)], num_split=1)
    add("UnsortedSegmentSum", [some(F, 4, 2), tf.constant([2, 0, -1, 2], tf.int16), tf.constant(3)])


for group in [unary, binary, products, reductions, movement, layers, quantization, images, decompositions, equations, factors, segments, transforms, diagonals, backprops, others, sparse, ragged, former, latest]:
    group()
(HERE / "gradients.txt").write_text("\n".join(LINES) + "\n")
(HERE / "second.txt").write_text("\n".join(SECOND) + "\n")
print(len(LINES), "cases,", len({line.split("|")[0] for line in LINES}), "ops")
