"""Writes random.txt and random_runs.txt: what TensorFlow 2.21 draws for cases of the random kernels.

Run with the Python of an environment that has tensorflow-cpu 2.21: `python make_random.py`.
A line is a case: `op|attrs|inputs|outputs|tolerance`. An attr is `name=kind:value`, a tensor is `dtype[shape]:values`;
both are separated by `;`. A case that TensorFlow refuses has `!Code` in place of its outputs. In random_runs.txt the
outputs are those of successive runs of one session.
"""

import os
import pathlib

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"

import numpy as np
import tensorflow as tf
from tensorflow.python.framework import errors_impl

LINES, RUNS = [], []
FLOATS = ["float32", "float64", "float16", "bfloat16"]
# Functions of the standard library may differ in the last place.
CLOSE = "each:1"
# TensorFlow shares out rows of Multinomial among threads, which changes its numbers.
ONE_THREAD = tf.compat.v1.ConfigProto(intra_op_parallelism_threads=1, inter_op_parallelism_threads=1)


def t(values, dtype="int32"):
    return np.asarray(values, tf.as_dtype(dtype).as_numpy_dtype)


def number(x):
    if isinstance(x, bytes):
        return x.decode() or "''"
    if isinstance(x, (bool, np.bool_, int, np.integer)):
        return str(int(x))
    if isinstance(x, (complex, np.complexfloating)):
        return f"{number(x.real)},{number(x.imag)}"
    return repr(float(x)).replace("nan", "NaN")


def tensor(x):
    x = np.asarray(x)
    dtype = "string" if x.dtype == object else tf.as_dtype(x.dtype).name
    return f"{dtype}[{','.join(map(str, x.shape))}]:{' '.join(number(v) for v in x.ravel())}"


def attr(name, value):
    if isinstance(value, str):
        return f"{name}=type:{value}"
    return f"{name}=int:{value}"


def run(op, inputs, attrs, times):
    """The outputs of each run of a session; the graph's own seeds play no part in raw ops."""
    with tf.Graph().as_default(), tf.compat.v1.Session(config=ONE_THREAD) as session:
        function = getattr(tf.raw_ops, op)
        names = list(function.__signature__.parameters)
        feeds = [tf.compat.v1.placeholder(x.dtype, None) for x in inputs]
        typed = {k: tf.as_dtype(v) if isinstance(v, str) else v for k, v in attrs.items()}
        out = function(**dict(zip(names, feeds)), **typed)
        values = [session.run(out, dict(zip(feeds, inputs))) for _ in range(times)]
        return [list(v) if isinstance(v, tuple) else [v] for v in values]


def line(op, inputs, attrs, outputs, tolerance):
    attrs, inputs = ";".join(attr(k, v) for k, v in attrs.items()), ";".join(tensor(x) for x in inputs)
    return f"{op}|{attrs}|{inputs}|{outputs}|{tolerance}"


def case(op, *inputs, tolerance="0", **attrs):
    try:
        outputs = ";".join(tensor(x) for x in run(op, inputs, attrs, 1)[0])
    except (errors_impl.OpError, ValueError) as error:
        name = type(error).__name__.removesuffix("Error")
        outputs = "!" + ("InvalidArgument" if name == "Value" else name)
    LINES.append(line(op, inputs, attrs, outputs, tolerance))


def runs(op, *inputs, tolerance="0", **attrs):
    outputs = ";".join(tensor(x) for run_outputs in run(op, inputs, attrs, 3) for x in run_outputs)
    RUNS.append(line(op, inputs, attrs, outputs, tolerance.removeprefix("each:")))


def stateful():
    for dtype in FLOATS:
        for op, tolerance in [("RandomUniform", "0"), ("RandomStandardNormal", CLOSE), ("TruncatedNormal", CLOSE)]:
            for shape, seeds in [([7], (1, 2)), ([2, 3], (3, 0)), ([], (0, 5)), ([0, 2], (1, 1)), ([129], (87654321, -9))]:
                case(op, t(shape), tolerance=tolerance, seed=seeds[0], seed2=seeds[1], dtype=dtype)
            runs(op, t([5], "int64"), tolerance=tolerance, seed=11, seed2=-4, dtype=dtype)
            for shape in [3, [[2]], [-1]]:
                case(op, t(shape), seed=1, seed2=2, dtype=dtype)
    case("RandomStandardNormal", t([3000]), tolerance=CLOSE, seed=9, seed2=0, dtype="float32")
    case("RandomUniform", t([1001]), seed=2**62, seed2=-(2**63), dtype="float32")
    for dtype in ["int32", "int64"]:
        info = np.iinfo(dtype)
        for low, high in [(0, 6), (-3, 4), (info.min, info.max), (info.max - 1, info.max), (-1, info.max), (2, 2), (3, 2)]:
            case("RandomUniformInt", t([9]), t(low, dtype), t(high, dtype), seed=4, seed2=6)
        runs("RandomUniformInt", t([3, 2]), t(0, dtype), t(1000, dtype), seed=4, seed2=6)
        case("RandomUniformInt", t([0]), t(2, dtype), t(2, dtype), seed=4, seed2=6)
        case("RandomUniformInt", t([2]), t([2], dtype), t(3, dtype), seed=4, seed2=6)
    for dtype in ["float32", "float64", "float16"]:
        for alpha in [[0.5], [1.0, 3.5, 0.2, 100.0], 2.0, [[0.3, 30.0]]]:
            case("RandomGamma", t([40]), t(alpha, dtype), tolerance=CLOSE, seed=4, seed2=6)
        runs("RandomGamma", t([3]), t([0.7, 2.0], dtype), tolerance=CLOSE, seed=1, seed2=0)
        case("RandomGamma", t([0]), t([1.0], dtype), seed=1)
        case("RandomGamma", t([2]), t([], dtype), seed=1)
        case("RandomGamma", t(2), t([1.0], dtype), seed=1)


def multinomials():
    for dtype in FLOATS:
        for out in ["int32", "int64"]:
            for logits in [[[0.0, 1.0, 2.0]], [[0.0, -1.0], [3.0, 3.0], [-5.0, 1.0]], [[np.inf, 1.0, np.nan, 1.5]]]:
                for samples in [1, 5, 8, 21]:
                    args = t(logits, dtype), t(samples)
                    case("Multinomial", *args, seed=2, seed2=3, output_dtype=out)
                    case("StatelessMultinomial", *args, t([5, -6], "int64"), output_dtype=out)
        runs("Multinomial", t([[0.0, 1.0, 0.5], [1.0, 0.0, 2.0]], dtype), t(6), seed=2, seed2=3)
    x = t([[1.0, 2.0]], "float32")
    case("Multinomial", x, t(0), seed=2)
    case("Multinomial", x, t(-1), seed=2)
    case("Multinomial", x, t([1]), seed=2)
    case("Multinomial", x[0], t(1), seed=2)
    case("Multinomial", t(np.zeros([2, 0]), "float32"), t(1), seed=2)
    case("Multinomial", t(np.zeros([0, 2]), "float32"), t(1), seed=2)
    case("StatelessMultinomial", x, t(1), t([1, 2, 3]))


def shuffles():
    for dtype in FLOATS + ["int8", "uint8", "int16", "uint16", "int32", "int64", "uint32", "uint64", "complex64", "complex128"]:
        case("RandomShuffle", t(np.arange(9), dtype), seed=8, seed2=1)
        case("RandomShuffle", t(np.arange(10).reshape(5, 2), dtype), seed=8, seed2=1)
    case("RandomShuffle", np.asarray([b"a", b"bc", b"d" * 30, b"e"], object), seed=8, seed2=1)
    case("RandomShuffle", t([True, False, False, True, True, False], "bool"), seed=8, seed2=1)
    for shape in [(), (1,), (0,), (1, 4), (3, 0), (200,)]:
        case("RandomShuffle", t(np.arange(np.prod(shape)).reshape(shape)), seed=8, seed2=1)
    runs("RandomShuffle", t(np.arange(7)), seed=3, seed2=1)
    runs("RandomShuffle", t(np.arange(10).reshape(5, 2), "float32"), seed=3, seed2=1)


def stateless():
    seeds = [t([1, 2]), t([-5, 2**31 - 1]), t([2**63 - 1, -(2**62)], "int64")]
    keys = [(t([1], "uint64"), t([2, 3], "uint64")), (t([2**64 - 1], "uint64"), t([2**64 - 1, 2**64 - 1, 4], "uint64"))]
    for op, tolerance in [("RandomUniform", "0"), ("RandomNormal", CLOSE), ("TruncatedNormal", CLOSE)]:
        for dtype in FLOATS:
            for seed in seeds:
                case(f"Stateless{op}", t([2, 5], "int64"), seed, tolerance=tolerance, dtype=dtype)
            for key, counter in keys:
                for algorithm in [1, 3]:
                    case(f"Stateless{op}V2", t([11]), key, counter, t(algorithm), tolerance=tolerance, dtype=dtype)
        case(f"Stateless{op}", t(3), seeds[0], dtype="float32")
        case(f"Stateless{op}", t([3]), t([1, 2, 3]), dtype="float32")
        case(f"Stateless{op}", t([0, 3]), seeds[0], dtype="float32")
    for dtype in ["int32", "int64"]:
        info = np.iinfo(dtype)
        for low, high in [(0, 6), (-3, 4), (info.min, info.max), (2, 2)]:
            bounds = t(low, dtype), t(high, dtype)
            case("StatelessRandomUniformInt", t([7]), seeds[2], *bounds)
            case("StatelessRandomUniformIntV2", t([7]), *keys[1], t(1), *bounds)
            case("StatelessRandomUniformInt", t([0]), seeds[2], *bounds)
            case("StatelessRandomUniformIntV2", t([0]), *keys[1], t(1), *bounds)
    for dtype in ["int32", "int64", "uint32", "uint64"]:
        case("StatelessRandomUniformFullInt", t([7]), seeds[1], dtype=dtype)
        case("StatelessRandomUniformFullIntV2", t([7]), *keys[0], t(3), dtype=dtype)
        case("StatelessRandomUniformFullInt", t([2]), t([1, 2], "uint64"), dtype=dtype)
    key, counter = keys[0]
    for shape in [[2], [0]]:
        for algorithm in [0, 2, -1]:
            case("StatelessRandomUniformV2", t(shape), key, counter, t(algorithm), dtype="float32")
        case("StatelessRandomUniformV2", t(shape), counter, counter, t(1), dtype="float32")
        case("StatelessRandomUniformV2", t(shape), key, counter[None], t(1), dtype="float32")
        case("StatelessRandomUniformV2", t(shape), key, counter, t([1]), dtype="float32")
    for seed in seeds:
        case("StatelessRandomGetKeyCounter", seed)
        case("StatelessRandomGetKeyCounterAlg", seed)
    case("StatelessRandomGetKeyCounter", t([1, 2, 3]))
    case("StatelessRandomGetKeyCounter", t(1))
    case("StatelessRandomGetAlg")


for make in [stateful, multinomials, shuffles, stateless]:
    make()
folder = pathlib.Path(__file__).parent
(folder / "random.txt").write_text("\n".join(LINES) + "\n")
(folder / "random_runs.txt").write_text("\n".join(RUNS) + "\n")
print(f"{len(LINES)} cases, {len(RUNS)} of several runs")
