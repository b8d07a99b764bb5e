"""Writes nn.txt: what TensorFlow 2.21 computes for cases of the nn and linalg kernels.

Run with the Python of an environment that has tensorflow-cpu 2.21: `python make_nn.py`.
"""

from nn_cases import FLOATS, INF, NAN, NUMBERS, REALS, case, draw, t, write


def matrices():
    for dtype in ["float32", "float64", "float16", "bfloat16", "int32", "int64", "complex64", "complex128"]:
        for ta in [False, True]:
            for tb in [False, True]:
                a, b = draw((4, 3) if ta else (3, 4), dtype), draw((5, 4) if tb else (4, 5), dtype)
                case("MatMul", {"a": a, "b": b}, 1, transpose_a=ta, transpose_b=tb)
                x, y = draw((2, 4, 3) if ta else (2, 3, 4), dtype), draw((2, 5, 4) if tb else (2, 4, 5), dtype)
                case("BatchMatMul", {"x": x, "y": y}, 1, adj_x=ta, adj_y=tb)
        case("BatchMatMulV2", {"x": draw((2, 1, 2, 3), dtype), "y": draw((3, 3, 2), dtype)}, 1)
    case("BatchMatMulV2", {"x": draw((2, 2), "int16"), "y": draw((2, 2), "int16")})
    case("BatchMatMulV2", {"x": draw((1, 2, 3)), "y": draw((4, 5, 3, 1))}, 1)
    case("BatchMatMulV2", {"x": draw((0, 2, 3)), "y": draw((1, 3, 1))})
    case("BatchMatMulV2", {"x": draw((2, 2, 0)), "y": draw((2, 0, 3))})
    case("BatchMatMulV2", {"x": draw((2, 2, 3)), "y": draw((3, 3, 2))})
    case("BatchMatMulV2", {"x": draw((3,)), "y": draw((3, 2))})
    case("BatchMatMul", {"x": draw((2, 2, 3)), "y": draw((1, 3, 2))})
    case("MatMul", {"a": draw((2, 0)), "b": draw((0, 3))})
    case("MatMul", {"a": draw((0, 2)), "b": draw((2, 3))})
    case("MatMul", {"a": draw((2, 3)), "b": draw((2, 3))})
    case("MatMul", {"a": draw((3,)), "b": draw((3, 2))})
    case("MatMul", {"a": t([[0, NAN]]), "b": t([[0], [0]])})
    case("MatMul", {"a": t([[2**30, 2**30]], "int32"), "b": t([[4], [3]], "int32")})
    case("MatMul", {"a": draw((1, 40)), "b": draw((40, 70))}, 1)
    case("MatMul", {"a": draw((9, 21)), "b": draw((21, 11))}, 1)


def activations():
    special = [NAN, -0.0, 0.0, -1, INF, -INF, 7, 0.25, -20, 30, -3.5, 1e-3, -1e-3]
    for op in ["Relu", "Relu6"]:
        for dtype in REALS:
            case(op, {"features": t(special if dtype in FLOATS else [0, 3, 9, 100], dtype)})
        case(op, {"features": t([[-3, 5], [-128, 127]], "int8")})
    for op in ["Elu", "Selu", "Softplus", "Softsign", "LeakyRelu"]:
        for dtype in FLOATS:
            case(op, {"features": t(special, dtype)}, 4 if dtype in ("float32", "float64") else 1)
    case("LeakyRelu", {"features": t(special)}, 1, alpha=1.5)
    case("Relu", {"features": t(-3.0)})
    case("Relu", {"features": draw((0, 2))})
    for op in ["ReluGrad", "Relu6Grad"]:
        for dtype in ["float32", "float16", "int32", "uint8"]:
            gradients, features = ([1, 2, 3, 4, 5, 6, 7], [0, 1, 6, 5, 7, 0, 3])
            case(op, {"gradients": t(gradients, dtype), "features": t(features, dtype)})
        case(op, {"gradients": t([1, NAN, 3, 4, 5]), "features": t([NAN, 1, 0, -0.0, 2])})
        case(op, {"gradients": t([1, 2]), "features": t([1])})
    for op in ["Softmax", "LogSoftmax"]:
        for dtype in FLOATS:
            case(op, {"logits": draw((3, 5), dtype)}, 8)
        case(op, {"logits": draw((2, 2, 2, 3))}, 8)
        case(op, {"logits": draw((1, 37), low=-30, high=30)}, 8)
        case(op, {"logits": t([NAN, 1, 2])})
        case(op, {"logits": t([INF, 1, 2])})
        case(op, {"logits": t([-INF, 1, 2])}, 4)
        case(op, {"logits": t([-INF, -INF])})
        case(op, {"logits": t([1000.0, 0, -1000])}, 4)
        case(op, {"logits": draw((2, 0))})
        case(op, {"logits": t(1.0)})
    case("L2Loss", {"t": draw((3, 5))}, 2)
    case("L2Loss", {"t": draw((0,))})
    case("L2Loss", {"t": draw((40, 50), "float64")}, 8)
    case("L2Loss", {"t": draw((7,), "bfloat16")}, 1)
    for dtype in NUMBERS:
        case("BiasAdd", {"value": draw((2, 3), dtype), "bias": draw((3,), dtype)})
        case("BiasAdd", {"value": draw((2, 3, 2, 1), dtype), "bias": draw((3,), dtype)}, data_format="NCHW")
    case("BiasAddV1", {"value": draw((2, 2, 3)), "bias": draw((3,))})
    case("BiasAdd", {"value": draw((0, 3)), "bias": draw((3,))})
    case("BiasAdd", {"value": draw((2, 3)), "bias": draw((2,))})
    case("BiasAdd", {"value": draw((3,)), "bias": draw((3,))})
    case("BiasAdd", {"value": t([[127, -128]], "int8"), "bias": t([1, -1], "int8")})


def losses():
    for dtype in FLOATS:
        features = draw((3, 4), dtype)
        case("SoftmaxCrossEntropyWithLogits", {"features": features, "labels": t([[0, 0, 1, 0], [0.5, 0.5, 0, 0], [1, 0, 0, 0]], dtype)}, 8)
        for labels in ["int32", "int64"]:
            case("SparseSoftmaxCrossEntropyWithLogits", {"features": features, "labels": t([2, 0, 3], labels)}, 8)
    op = "SoftmaxCrossEntropyWithLogits"
    case(op, {"features": draw((2, 3)), "labels": t([[0, 0, 1]])}, 8)
    case(op, {"features": draw((1, 3)), "labels": t([[0, 0, 1], [1, 0, 0]])}, 8)
    case(op, {"features": draw((2, 3)), "labels": t([0, 1, 0])}, 8)
    case(op, {"features": draw((2, 3)), "labels": t([[1]])}, 8)
    case(op, {"features": draw((0, 3)), "labels": draw((0, 3))})
    case(op, {"features": draw((2, 0)), "labels": draw((2, 0))})
    case(op, {"features": draw((3,)), "labels": draw((3,))})
    case(op, {"features": draw((2, 3)), "labels": draw((2, 2))})
    case(op, {"features": t([[INF, 2, 3], [NAN, 1, 1], [-INF, 2, 3]]), "labels": t([[0, 0, 1]] * 3)})
    op = "SparseSoftmaxCrossEntropyWithLogits"
    case(op, {"features": draw((2, 3)), "labels": t([3, 0], "int32")})
    case(op, {"features": draw((2, 3)), "labels": t([-1, 0], "int64")})
    case(op, {"features": draw((2, 3)), "labels": t([1], "int64")})
    case(op, {"features": draw((2, 3)), "labels": t([[1], [0]], "int64")})
    case(op, {"features": draw((3,)), "labels": t(1, "int64")})
    case(op, {"features": draw((0, 3)), "labels": t([], "int64")})
    case(op, {"features": draw((2, 0)), "labels": t([0, 0], "int64")})
    op = "InTopKV2"
    p = t([[0.1, 0.3, 0.2], [0.5, 0.5, 0.1]])
    for k in [-1, 0, 1, 2, 10]:
        case(op, {"predictions": p, "targets": t([2, 1], "int32"), "k": t(k, "int32")})
    case(op, {"predictions": p, "targets": t([3, -1], "int64"), "k": t(2, "int64")})
    q = t([[NAN, 1, 2], [1, 2, INF], [1, NAN, 3], [4, 5, 6]])
    case(op, {"predictions": q, "targets": t([0, 1, 0, 0], "int32"), "k": t(3, "int32")})
    case(op, {"predictions": p, "targets": t([1], "int32"), "k": t(2, "int32")})
    case(op, {"predictions": p, "targets": t([1, 1], "int32"), "k": t([2], "int32")})


def convolutions():
    one = [1, 1, 1, 1]

    def conv(x, w, tolerance=2, strides=one, padding="VALID", op="Conv2D", **attrs):
        case(op, {"input": x, "filter": w}, tolerance, strides=strides, padding=padding, **attrs)

    for dtype in ["float32", "float64", "float16", "bfloat16", "int32"]:
        conv(draw((2, 4, 5, 3), dtype), draw((3, 2, 3, 2), dtype))
        conv(draw((1, 5, 4, 2), dtype), draw((3, 3, 2, 3), dtype), padding="SAME", strides=[1, 2, 2, 1])
    explicit = {"padding": "EXPLICIT", "explicit_paddings": [0, 0, 1, 2, 3, 0, 0, 0]}
    for padding in [{"padding": "SAME"}, {"padding": "VALID"}, explicit]:
        for strides in [one, [1, 2, 1, 1], [1, 3, 2, 1]]:
            for dilations in [one, [1, 2, 1, 1], [1, 1, 3, 1]]:
                conv(draw((1, 7, 7, 2)), draw((3, 2, 2, 2)), strides=strides, dilations=dilations, **padding)
    conv(draw((2, 3, 3, 5)), draw((1, 1, 5, 4)))
    conv(draw((1, 5, 5, 3)), draw((1, 1, 3, 2)), strides=[1, 2, 2, 1], padding="SAME")
    conv(draw((1, 3, 4, 6)), draw((2, 2, 2, 9)), padding="SAME")
    conv(draw((1, 3, 4, 4)), draw((1, 1, 1, 4)))
    conv(draw((1, 2, 2, 1)), draw((3, 3, 1, 2)))
    conv(draw((1, 1, 1, 3)), draw((3, 3, 3, 4)))
    conv(draw((0, 5, 5, 3)), draw((3, 3, 3, 4)))
    conv(draw((1, 5, 5, 3)), draw((3, 3, 3, 0)))
    conv(draw((1, 2, 2, 2)), draw((5, 5, 2, 1)), padding="SAME")
    for x, w, attrs in [
        ((1, 3, 3, 3), (1, 1, 2, 4), {}),
        ((1, 3, 3, 4), (1, 1, 2, 5), {}),
        ((1, 3, 3, 3), (1, 1, 3, 4), {"data_format": "NCHW"}),
        ((1, 3, 3, 3), (1, 1, 3, 4), {"strides": [2, 1, 1, 1]}),
        ((1, 3, 3, 3), (1, 1, 3, 4), {"strides": [1, 0, 1, 1]}),
        ((1, 3, 3, 3), (1, 1, 3, 4), {"strides": [1, 1, 1]}),
        ((1, 3, 3, 3), (1, 1, 3, 4), {"dilations": [1, 1, 1, 2]}),
        ((1, 3, 3, 0), (1, 1, 0, 4), {}),
        ((1, 3, 3, 3), (0, 1, 3, 4), {}),
        ((3, 3, 3), (1, 1, 3, 4), {}),
        ((1, 3, 3, 3), (1, 3, 4), {}),
        ((1, 3, 3, 3), (1, 1, 3, 4), {"padding": "EXPLICIT", "explicit_paddings": [1, 1, 1, 1]}),
        ((1, 3, 3, 3), (1, 1, 3, 4), {"padding": "EXPLICIT", "explicit_paddings": [1, 0, 0, 0, 0, 0, 0, 0]}),
        ((1, 3, 3, 3), (1, 1, 3, 4), {"padding": "EXPLICIT", "explicit_paddings": [0, 0, -1, 0, 0, 0, 0, 0]}),
        ((1, 3, 3, 3), (1, 1, 3, 4), {"padding": "SAME", "explicit_paddings": [0, 0, 1, 0, 0, 0, 0, 0]}),
    ]:
        conv(draw(x), draw(w), **attrs)

    def depthwise(x, w, tolerance=2, **attrs):
        conv(x, w, tolerance, op="DepthwiseConv2dNative", **attrs)

    for dtype in FLOATS:
        depthwise(draw((2, 4, 5, 3), dtype), draw((3, 2, 3, 1), dtype))
        depthwise(draw((1, 5, 4, 2), dtype), draw((2, 3, 2, 3), dtype), padding="SAME", strides=[1, 2, 2, 1])
    for padding in [{"padding": "SAME"}, {"padding": "VALID"}, explicit]:
        for strides in [one, [1, 2, 2, 1], [1, 3, 3, 1]]:
            depthwise(draw((1, 6, 7, 2)), draw((3, 2, 2, 1)), strides=strides, **padding)
    depthwise(draw((1, 3, 3, 45)), draw((3, 3, 45, 1)), padding="SAME")
    depthwise(draw((0, 5, 5, 3)), draw((3, 3, 3, 2)))
    depthwise(draw((1, 3, 3, 3)), draw((1, 1, 2, 4)))
    depthwise(draw((1, 3, 3, 3)), draw((1, 1, 3, 4)), data_format="NCHW")


def pools():
    def pool(op, x, k, s, padding="VALID", tolerance=2, **attrs):
        name = "input" if op == "MaxPool" else "value"
        case(op, {name: x}, tolerance, ksize=[1, *k, 1], strides=[1, *s, 1], padding=padding, **attrs)

    for op in ["MaxPool", "AvgPool"]:
        for dtype in FLOATS + (["int8", "int16", "int32", "int64", "uint8", "uint16"] if op == "MaxPool" else []):
            pool(op, draw((1, 4, 5, 2), dtype, low=-9, high=9), [2, 3], [2, 1], "SAME")
        for padding in ["SAME", "VALID"]:
            for k, s in [([1, 1], [1, 1]), ([2, 2], [2, 2]), ([3, 2], [1, 2]), ([1, 1], [3, 3]), ([5, 5], [2, 2])]:
                pool(op, draw((2, 5, 5, 2)), k, s, padding)
        pool(op, t([NAN, 1, 2, 3, 4, 5, 6, 7, NAN], shape=(1, 3, 3, 1)), [2, 2], [2, 2], "SAME")
        pool(op, t([-INF] * 4, shape=(1, 2, 2, 1)), [2, 2], [2, 2])
        pool(op, draw((0, 4, 4, 1)), [2, 2], [2, 2])
        pool(op, draw((1, 4, 4, 0)), [2, 2], [2, 2])
        pool(op, draw((1, 2, 2, 1)), [3, 3], [1, 1])
        pool(op, draw((1, 4, 4, 1)), [0, 2], [1, 1])
        pool(op, draw((1, 4, 4, 1)), [2, 2], [1, 0])
        pool(op, draw((4, 4, 1)), [2, 2], [1, 1])
    for k, s in [([1, 1, 1, 2], [1, 1, 1, 2]), ([1, 1, 1, 3], [1, 1, 1, 3]), ([1, 1, 2, 2], [1, 1, 2, 2]), ([2, 1, 1, 1], [2, 1, 1, 1])]:
        case("MaxPool", {"input": draw((2, 2, 2, 4))}, ksize=k, strides=s, padding="VALID")
    for paddings in [[0, 0, 1, 1, 1, 0, 0, 0], [0, 0, 2, 1, 1, 0, 0, 0]]:
        pool("MaxPool", draw((1, 3, 3, 1), low=-9, high=0), [2, 2], [2, 2], "EXPLICIT", explicit_paddings=paddings)


def batch_norms():
    nan = t([NAN, NAN])
    given, unknown = {3: t([1, 2]), 4: t([1, 4])}, {3: nan, 4: nan}
    vectors = {"scale": t([1, 2]), "offset": t([0.5, 1]), "mean": t([1, 2]), "variance": t([1, 4])}
    for dtype in ["float32", "float16", "bfloat16"]:
        x = draw((2, 2, 3, 2), dtype)
        case("FusedBatchNormV3", {"x": x, **vectors}, 4, undefined=given, is_training=False)
        case("FusedBatchNormV3", {"x": x, **vectors}, 4, is_training=True)
        case("FusedBatchNormV2", {"x": x, **vectors}, 4, undefined=given, is_training=False, epsilon=0.001)
    x = draw((2, 2, 3, 2))
    nchw = draw((3, 2, 2, 2))
    case("FusedBatchNorm", {"x": x, **vectors}, 4, is_training=True, exponential_avg_factor=0.25)
    case("FusedBatchNormV3", {"x": nchw, **vectors}, 4, undefined=given, is_training=False, data_format="NCHW")
    case("FusedBatchNormV3", {"x": nchw, **vectors}, 4, is_training=True, data_format="NCHW")
    case("FusedBatchNormV3", {"x": draw((1, 2, 2, 3, 2)), **vectors}, 4, is_training=True, data_format="NDHWC")
    none = {**vectors, "mean": t([]), "variance": t([])}
    case("FusedBatchNormV3", {"x": x, **none}, 4, is_training=True)
    case("FusedBatchNormV3", {"x": x[:1, :1, :1], **none}, 4, is_training=True)
    case("FusedBatchNormV3", {"x": x, **none}, is_training=False)
    case("FusedBatchNormV3", {"x": x, **{**vectors, "scale": t([1, 2, 3])}}, is_training=False)
    case("FusedBatchNormV3", {"x": x[:0], **vectors}, undefined=given, is_training=False)
    case("FusedBatchNormV3", {"x": x[:0], **vectors}, undefined=unknown, is_training=True)


for make in [matrices, activations, losses, convolutions, pools, batch_norms]:
    make()
write("nn.txt")
