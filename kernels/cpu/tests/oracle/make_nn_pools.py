"""Writes nn_pools.txt: what TensorFlow 2.21 computes for poolings with inputs for attrs, of volumes, and for gradients of poolings.

Run with the Python of an environment that has tensorflow-cpu 2.21: `python make_nn_pools.py`.
"""

from nn_cases import FLOATS, INF, NAN, REALS, case, draw, t, tf, write

WINDOWS = [([1, 1], [1, 1]), ([2, 2], [2, 2]), ([3, 2], [1, 2]), ([1, 1], [3, 3]), ([5, 5], [2, 2])]
UNORDERED = [NAN, 1, 2, NAN, 3, 3, 2, NAN, NAN, 3, 1, INF, 5, 5, 5, 5]


def four(numbers):
    return [1, *numbers, 1]


def images():
    for dtype in REALS:
        pooled(draw((2, 4, 5, 2), dtype, low=-9, high=9), [2, 3], [2, 1], "SAME", dtype)
    for padding in ["SAME", "VALID"]:
        for k, s in WINDOWS:
            pooled(draw((2, 5, 5, 2)), k, s, padding)
    pooled(t(UNORDERED, shape=(1, 4, 4, 1)), [2, 2], [2, 2], "VALID")
    pooled(t([NAN] * 4, shape=(1, 2, 2, 1)), [2, 2], [2, 2], "VALID")
    pooled(draw((1, 2, 2, 1)), [3, 3], [1, 1], "VALID")
    x, k = draw((1, 4, 4, 2)), [2, 2]
    explicit = {"padding": "EXPLICIT", "explicit_paddings": [0, 0, 1, 1, 1, 0, 0, 0]}
    y = tf.raw_ops.MaxPool(input=x, ksize=four(k), strides=four(k), **explicit)
    inputs = {"orig_input": x, "orig_output": y, "grad": draw(y.shape)}
    case("MaxPoolGrad", inputs, 2, ksize=four(k), strides=four(k), **explicit)
    attrs = {"ksize": four(k), "strides": four(k), "padding": "VALID"}
    wrong, right = draw((1, 3, 2, 2)), draw((1, 2, 2, 2))
    case("MaxPoolGrad", {"orig_input": x, "orig_output": wrong, "grad": right}, **attrs)
    case("MaxPoolGrad", {"orig_input": x, "orig_output": right, "grad": wrong}, **attrs)
    case("MaxPoolGradGrad", {"orig_input": x, "orig_output": right, "grad": right}, **attrs)
    case("MaxPoolGradGrad", {"orig_input": x, "orig_output": t([50.0] * 8, shape=(1, 2, 2, 2)), "grad": x}, **attrs)
    case("MaxPoolWithArgmax", {"input": draw((0, 4, 4, 2))}, **attrs)
    case("MaxPoolGrad", {"orig_input": x, "orig_output": draw((1, 4, 4, 1)), "grad": draw((1, 4, 4, 1))}, ksize=[1, 1, 1, 2], strides=[1, 1, 1, 2], padding="VALID")
    for k, s in [([1, 1, 1, 2], [1, 1, 1, 2]), ([1, 2, 2], [1, 2, 2, 1]), ([1, 0, 2, 1], four([1, 1])), ([2, 1, 1, 1], [2, 1, 1, 1])]:
        case("MaxPoolV2", {"input": x, "ksize": t(k, "int32"), "strides": t(s, "int32")}, padding="VALID")


def pooled(x, k, s, padding, dtype="float32"):
    """Poolings of an image and their gradients."""
    attrs = {"ksize": four(k), "strides": four(s), "padding": padding}
    inputs = {"ksize": t(four(k), "int32"), "strides": t(four(s), "int32")}
    tolerance = 2 if dtype in ("float32", "float64") else 1
    if dtype not in ("uint32", "uint64"):
        case("MaxPoolV2", {"input": x, **inputs}, padding=padding)
        try:
            y = tf.raw_ops.MaxPool(input=x, **attrs)
        except tf.errors.InvalidArgumentError:
            return
    else:
        y = tf.cast(tf.raw_ops.MaxPool(input=tf.cast(x, "float32"), **attrs), dtype)
    if 0 in y.shape:
        return
    grad = draw(y.shape, dtype, 0, 4)
    triple = {"orig_input": x, "orig_output": y, "grad": grad}
    case("MaxPoolGrad", triple, tolerance, **attrs)
    case("MaxPoolGradV2", {**triple, **inputs}, tolerance, padding=padding)
    triple["grad"] = draw(x.shape, dtype)
    case("MaxPoolGradGrad", triple, **attrs)
    case("MaxPoolGradGradV2", {**triple, **inputs}, padding=padding)
    argmax = {**attrs, "include_batch_in_index": padding == "SAME"}
    case("MaxPoolWithArgmax", {"input": x}, **argmax)
    case("MaxPoolWithArgmax", {"input": x}, Targmax=tf.int32, **attrs)
    positions = tf.raw_ops.MaxPoolWithArgmax(input=x, **argmax)[1]
    case("MaxPoolGradWithArgmax", {"input": x, "grad": grad, "argmax": positions}, tolerance, **argmax)
    if dtype in FLOATS:
        case("AvgPoolGrad", {"orig_input_shape": t(x.shape.as_list(), "int32"), "grad": grad}, tolerance, **attrs)


def volumes():
    for dtype in ["float32", "bfloat16"]:
        pooled3(draw((2, 3, 4, 3, 2), dtype), [2, 2, 3], [1, 2, 1], "SAME", dtype)
    for padding in ["SAME", "VALID"]:
        for k, s in [([1, 1, 1], [1, 1, 1]), ([2, 2, 2], [2, 2, 2]), ([3, 2, 2], [1, 1, 2])]:
            pooled3(draw((1, 4, 3, 5, 2)), k, s, padding)
    pooled3(t(UNORDERED, shape=(1, 1, 4, 4, 1)), [1, 2, 2], [1, 2, 2], "VALID")
    pooled3(draw((1, 2, 2, 2, 1)), [3, 3, 3], [1, 1, 1], "VALID")
    near = {"orig_input": t([1 - 9e-6, 1, 1 - 2e-5, 0], shape=(1, 1, 2, 2, 1)), "orig_output": t([1.0], shape=(1, 1, 1, 1, 1))}
    near["grad"] = t([5.0], shape=(1, 1, 1, 1, 1))
    case("MaxPool3DGrad", near, ksize=four([1, 2, 2]), strides=four([1, 2, 2]), padding="VALID")
    x = draw((1, 3, 3, 3, 2))
    for op in ["MaxPool3D", "AvgPool3D"]:
        for k in [[1, 1, 1, 1, 2], [2, 1, 1, 1, 1]]:
            case(op, {"input": x}, ksize=k, strides=k, padding="SAME")
        case(op, {"input": draw((3, 3, 3, 2))}, ksize=four([2, 2, 2]), strides=four([2, 2, 2]), padding="SAME")
        case(op, {"input": draw((0, 3, 3, 3, 2))}, ksize=four([2, 2, 2]), strides=four([2, 2, 2]), padding="SAME")
    wrong = {"orig_input": x, "orig_output": draw((1, 2, 2, 2, 2)), "grad": draw((1, 2, 3, 2, 2))}
    case("MaxPool3DGrad", wrong, ksize=four([2, 2, 2]), strides=four([2, 2, 2]), padding="SAME")


def pooled3(x, k, s, padding, dtype="float32"):
    """Poolings of a volume and their gradients."""
    attrs = {"ksize": four(k), "strides": four(s), "padding": padding}
    tolerance = 2 if dtype == "float32" else 1
    case("MaxPool3D", {"input": x}, **attrs)
    case("AvgPool3D", {"input": x}, tolerance, **attrs)
    try:
        y = tf.raw_ops.MaxPool3D(input=x, **attrs)
    except tf.errors.InvalidArgumentError:
        return
    if 0 in y.shape:
        return
    grad = draw(y.shape, dtype)
    case("MaxPool3DGrad", {"orig_input": x, "orig_output": y, "grad": grad}, tolerance, **attrs)
    case("MaxPool3DGradGrad", {"orig_input": x, "orig_output": y, "grad": draw(x.shape, dtype)}, **attrs)
    case("AvgPool3DGrad", {"orig_input_shape": t(x.shape.as_list(), "int32"), "grad": grad}, tolerance, **attrs)


for make in [images, volumes]:
    make()
write("nn_pools.txt")
