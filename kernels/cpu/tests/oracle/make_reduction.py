"""Writes reduction.txt: what TensorFlow 2.21 computes for cases of the reduction kernels.

Run with the Python of an environment that has tensorflow-cpu 2.21: `python make_reduction.py`.
A line is a case: `op|attrs|inputs|outputs|tolerance`. An attr is `name=kind:value`, a tensor is `dtype[shape]:values`;
both are separated by `;`. A case that TensorFlow refuses has `!Code` in place of its outputs. The tolerance is in units
of the dtype's epsilon, relative to the largest magnitude of the output.
"""

import os
import pathlib

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
os.environ["TF_ENABLE_ONEDNN_OPTS"] = "0"

import numpy as np
import tensorflow as tf
from tensorflow.python.framework import errors_impl

NAN, INF = float("nan"), float("inf")
LINES = []
rng = np.random.default_rng(21)
FLOATS = ["float32", "float64", "float16", "bfloat16"]
INTS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
REALS = FLOATS + INTS
NUMBERS = REALS + ["complex64", "complex128"]


def t(values, dtype="float32"):
    return tf.constant(values, dtype)


def draw(shape, dtype="float32", low=-3, high=3):
    """Values that every dtype holds exactly: halves for floats, whole numbers for integers."""
    if dtype == "bool":
        return tf.constant(rng.integers(0, 2, shape) == 1)
    low = 0 if dtype.startswith("uint") else low
    values = rng.integers(low, high + 1, shape)
    if not dtype.startswith(("int", "uint")):
        values = values + rng.integers(0, 2, shape) / 2
    if dtype.startswith("complex"):
        values = values + 1j * rng.integers(low, high + 1, shape)
    return tf.constant(values.astype(tf.as_dtype(dtype).as_numpy_dtype))


def number(x):
    if isinstance(x, (complex, np.complexfloating)):
        return f"{number(x.real)},{number(x.imag)}"
    if isinstance(x, (bool, np.bool_, int, np.integer)):
        return str(int(x))
    return repr(float(x)).replace("nan", "NaN")


def tensor(x):
    x = np.asarray(x.numpy())
    return f"{tf.as_dtype(x.dtype).name}[{','.join(map(str, x.shape))}]:{' '.join(number(v) for v in x.ravel())}"


def attr(name, value):
    if isinstance(value, bool):
        return f"{name}=bool:{int(value)}"
    return f"{name}=type:{value.name}"


def case(op, inputs, tolerance=0, **attrs):
    inputs = {name: tf.convert_to_tensor(value) for name, value in inputs.items()}
    try:
        outputs = getattr(tf.raw_ops, op)(**inputs, **attrs)
        outputs = list(outputs) if isinstance(outputs, (list, tuple)) else [outputs]
        text = ";".join(tensor(output) for output in outputs)
    except errors_impl.OpError as error:
        text = "!" + type(error).__name__.removesuffix("Error")
    texts = ";".join(attr(k, v) for k, v in attrs.items()), ";".join(tensor(v) for v in inputs.values())
    LINES.append(f"{op}|{texts[0]}|{texts[1]}|{text}|{tolerance}")


REDUCTIONS = {"Sum": NUMBERS, "Prod": NUMBERS, "Mean": NUMBERS, "EuclideanNorm": NUMBERS, "Max": REALS, "Min": REALS}
REDUCTIONS |= {"All": ["bool"], "Any": ["bool"]}


def reductions():
    for op, dtypes in REDUCTIONS.items():
        for dtype in dtypes:
            for axes in [[0], [2], [0, -1]]:
                case(op, {"input": draw((2, 3, 2), dtype), "axis": t(axes, "int32")}, 2)
            case(op, {"input": draw((3, 2), dtype), "axis": t(-1, "int64")}, 2, keep_dims=True)
            case(op, {"input": tf.zeros((0, 2), dtype), "axis": t([0], "int32")})
        dtype = dtypes[0]
        matrix = draw((2, 3), dtype)
        for axes in [[], [0, 1], [-2], [2], [-3], [0, 0], [1, -1]]:
            case(op, {"input": matrix, "axis": t(axes, "int32")}, 2)
            case(op, {"input": matrix, "axis": t(axes, "int64")}, 2, keep_dims=True)
        case(op, {"input": matrix[0, 0], "axis": t([], "int32")})
        case(op, {"input": matrix[0, 0], "axis": t([0], "int32")})
        case(op, {"input": tf.zeros((2, 0), dtype), "axis": t([0], "int32")})
        case(op, {"input": tf.zeros((2, 0, 3), dtype), "axis": t([1, 2], "int32")}, keep_dims=True)
        case(op, {"input": draw((2, 1, 3, 1, 2, 2), dtype), "axis": t([1, 2, 5], "int32")}, 2)
        case(op, {"input": draw((1, 1), dtype), "axis": t([0], "int32")}, 2)


def values():
    for op in ["Sum", "Mean", "EuclideanNorm"]:
        for dtype in ["float32", "float64"]:
            x = tf.constant(rng.uniform(-1, 3, (5, 67)).astype("float32"), dtype)
            case(op, {"input": x, "axis": t([0], "int32")}, 4)
            case(op, {"input": x, "axis": t([1], "int32")}, 4)
            case(op, {"input": x, "axis": t([0, 1], "int32")}, 4)
    for dtype, x in {
        "int8": [100, 100, 27],
        "uint8": [200, 200, 255],
        "int16": [30000] * 3,
        "int32": [2**31 - 1, 2**31 - 1],
        "int64": [2**63 - 1, 2**63 - 1],
        "uint64": [2**64 - 1, 2**64 - 1],
    }.items():
        for op in ["Sum", "Prod", "Mean", "EuclideanNorm"]:
            case(op, {"input": tf.constant(np.array(x, dtype)), "axis": t([0], "int32")})
    for op in ["Max", "Min", "Sum", "Mean"]:
        for x in [[1, NAN, 2], [NAN, -INF], [INF, -INF], [-INF, -INF]]:
            for dtype in FLOATS:
                case(op, {"input": t(x, dtype), "axis": t([0], "int32")})
                case(op, {"input": t([[v, 1] for v in x], dtype), "axis": t([0], "int32")})


def positions():
    for op in ["ArgMax", "ArgMin"]:
        outputs = [tf.int64, tf.int32] + ([tf.int16, tf.uint16] if op == "ArgMax" else [])
        for dtype in REALS + ["bool"]:
            x = draw((3, 4, 2), dtype)
            for index, axis in enumerate([0, 1, 2, -1]):
                kind = outputs[index % len(outputs)]
                case(op, {"input": x, "dimension": t(axis, ["int32", "int64"][index % 2])}, output_type=kind)
        for x in [[1, NAN, 2], [NAN, 1, 0], [NAN, NAN], [-INF, NAN], [INF, NAN], [INF, -INF, INF], [0.0, -0.0], [NAN, -1, -2]]:
            for dtype in FLOATS:
                case(op, {"input": t(x, dtype), "dimension": t(0, "int32")})
                case(op, {"input": t([[v, v] for v in x], dtype), "dimension": t(0, "int32")})
        for dtype in FLOATS + ["int32", "int8"]:
            case(op, {"input": draw((70,), dtype), "dimension": t(0, "int32")})
        for shape, axis in [((0,), 0), ((0, 2), 0), ((0, 2), 1), ((2, 0), 0), ((0, 0), 1), ((), 0), ((2,), 1), ((2,), -2)]:
            case(op, {"input": tf.zeros(shape), "dimension": t(axis, "int32")})
        case(op, {"input": tf.zeros((2, 3)), "dimension": t([0], "int32")})


def scans():
    for op in ["Cumsum", "Cumprod", "CumulativeLogsumexp"]:
        for dtype in FLOATS if op == "CumulativeLogsumexp" else NUMBERS:
            for exclusive in [False, True]:
                for reverse in [False, True]:
                    axis = t(int(rng.integers(-3, 3)), ["int32", "int64"][int(reverse)])
                    high = 1 if op == "Cumprod" else 3
                    x = draw((2, 3, 2), dtype, -high, high)
                    case(op, {"x": x, "axis": axis}, 4, exclusive=exclusive, reverse=reverse)
        case(op, {"x": draw((9,)), "axis": t(0, "int32")}, 4)
        for shape, axis in [((0, 2), 0), ((2, 0), 0), ((), 0), ((), -1), ((3,), 1), ((3,), [0])]:
            case(op, {"x": tf.zeros(shape), "axis": t(axis, "int32")}, 4)
    case("CumulativeLogsumexp", {"x": t([-INF, -INF, 1, INF, 2]), "axis": t(0, "int32")}, 4)
    case("CumulativeLogsumexp", {"x": t([1000, -1000, 1000, 88]), "axis": t(0, "int32")}, 4)
    for x in [[1, NAN, 2], [INF, 1, -INF], [0, 1, 2]]:
        case("Cumsum", {"x": t(x), "axis": t(0, "int32")})
        case("Cumprod", {"x": t(x), "axis": t(0, "int32")})


def largest():
    def top(x, k, **attrs):
        case("TopKV2", {"input": x, "k": t(k, "int32") if isinstance(k, (int, list)) else k}, **attrs)

    for dtype in REALS:
        for k in [1, 3, 6]:
            top(draw((2, 6), dtype), k)
    top(draw((2, 2, 5)), t(2, "int64"), index_type=tf.int64)
    top(draw((7,)), t(2, "int16"), index_type=tf.int16)
    top(draw((40,)), 30)
    top(t([-INF, INF, 0, -0.0, 0]), 5)
    for shape, k in [((2, 3), 0), ((2, 3), 4), ((2, 3), -1), ((0, 3), 2), ((2, 0), 0), ((), 1), ((2,), [1])]:
        top(tf.ones(shape), k)


for make in [reductions, values, positions, scans, largest]:
    make()
path = pathlib.Path(__file__).with_name("reduction.txt")
path.write_text("\n".join(LINES) + "\n")
print(f"{len(LINES)} cases")
