"""Writes `gradients.txt`: gradients of single ops as TensorFlow computes them, for `../it/single.rs`.

A line is a case: `op|attrs|inputs|xs|dys|gradients|tolerance`. `xs` are positions of the inputs that are differentiated by,
`dys` the gradients of the outputs (`-` for none), `gradients` what TensorFlow gives for each of `xs` (`-` for none).
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


def some(dtype, *shape, low=-2.0, high=2.0):
    values = RNG.uniform(low, high, shape)
    if dtype.startswith("complex"):
        values = values + 1j * RNG.uniform(low, high, shape)
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
        outputs = list(outputs) if isinstance(outputs, (list, tuple)) else [outputs]
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


for group in [unary, binary, products, reductions, movement, layers, quantization, images]:
    group()
(HERE / "gradients.txt").write_text("\n".join(LINES) + "\n")
print(len(LINES), "cases,", len({line.split("|")[0] for line in LINES}), "ops")
