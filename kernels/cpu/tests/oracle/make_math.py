"""Writes math.txt: elementwise ops on values that matter, and what TensorFlow 2.21 makes of them.

Run with the Python of an environment that has tensorflow-cpu 2.21: `python make_math.py`. The format is that of
make_array.py; a tolerance `each:N` is in units of the dtype's epsilon relative to each element, not to the largest.
"""

import os
import pathlib

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"

import numpy as np
import tensorflow as tf

FLOATS = ["float16", "bfloat16", "float32", "float64"]
COMPLEX = ["complex64", "complex128"]
SIGNED = ["int8", "int16", "int32", "int64"]
UNSIGNED = ["uint8", "uint16", "uint32", "uint64"]
INTEGERS = SIGNED + UNSIGNED
NAN, INF = float("nan"), float("inf")

REALS = [0.0, -0.0, INF, -INF, NAN, 1, -1, 0.5, -0.5, 2, -2, 1e-3, -1e-3, 0.3, -0.7, 0.99, 1.01, 1.5, 2.5, -2.5, 3.7, -3.7, 7, 10.3,
         -10.3, 30, 80.25, -80.25, 1000.5, 6e4]
WIDE = REALS + [1e10, -1e10, 1e-10, 1e30, -1e-30]
INTS = [0, 1, -1, 2, 3, -5, 7, 10, 100, -100, 31, 63]


def values(dtype):
    if dtype == "bool":
        return tf.constant([True, False])
    dtype = tf.as_dtype(dtype)
    if dtype.is_complex:
        numbers = [0, 1, -0.5, 2j, -1.5j, 1 + 2j, 0.3 - 0.7j, -3.7 + 0.5j, -0.25 - 2j, 10.5 + 1j, 0.001 + 0.002j]
        return tf.constant(np.array(numbers, dtype.as_numpy_dtype))
    if dtype.is_floating:
        numbers = WIDE if dtype in (tf.float32, tf.float64) else REALS
        return tf.cast(tf.constant(numbers, tf.float64), dtype)
    limits = [dtype.min, dtype.max]
    return tf.constant([v for v in INTS if v >= dtype.min] + limits, dtype)


def pairs(dtype, left=None, right=None):
    left = values(dtype) if left is None else left
    right = left if right is None else right
    n, m = left.shape[0], right.shape[0]
    # Each value meets itself, its neighbours and the special values at the front.
    index = [(i, j) for i in range(n) for j in range(m) if (i * 3 + j) % 23 == 0 or (i < 5 and j < 5 and (i + j) % 2 == 0)]
    index += [(i, i) for i in range(0, min(n, m), 3)]
    return tf.gather(left, [i for i, _ in index]), tf.gather(right, [j for _, j in index])


def number(x):
    if isinstance(x, (complex, np.complexfloating)):
        return f"{number(x.real)},{number(x.imag)}"
    if isinstance(x, (bool, np.bool_, int, np.integer)):
        return str(int(x))
    if isinstance(x, np.float64):
        return repr(float(x)).replace("nan", "NaN").removesuffix(".0")
    return np.format_float_scientific(x, trim="-").replace("e+00", "").replace("nan", "NaN") if np.isfinite(x) else number(np.float64(x))


def text(tensor):
    values = tensor.numpy().ravel()
    # bfloat16 has no shortest form of its own.
    values = values.astype(np.float32) if tensor.dtype == tf.bfloat16 else values
    return f"{tensor.dtype.name}[{','.join(map(str, tensor.shape))}]:{' '.join(number(v) for v in values)}"


def tolerance(op, dtype):
    """Where TensorFlow itself is off, more than the few units that two good implementations differ by."""
    if dtype.is_complex:
        return 512 if op == "Log1p" else 64
    if op == "Erfinv":
        return 2048
    if op in ("TanhGrad", "SigmoidGrad") and dtype.size == 2:
        return 64
    if op in ("Lgamma", "Digamma", "Sinh", "Asinh", "Atanh", "Acosh"):
        return 64 if dtype.size > 2 else 2
    if op == "Pow" or dtype.size == 2:
        return 8 if dtype.size > 2 else 3
    return 6


LINES = []


def record(op, *inputs, **attrs):
    inputs = [tf.convert_to_tensor(x) for x in inputs]
    try:
        output = tf.raw_ops.__dict__[op](**arguments(op, inputs), **attrs)
        result, limit = text(output), tolerance(op, output.dtype)
    except tf.errors.OpError:
        result, limit = "!InvalidArgument", 0
    attrs = ";".join(f"{name}=type:{value.name}" for name, value in attrs.items())
    LINES.append(f"{op}|{attrs}|{';'.join(map(text, inputs))}|{result}|each:{limit}")


def arguments(op, inputs):
    if op == "AddN":
        return {"inputs": inputs}
    if op == "Select":
        return dict(zip(["condition", "x", "y"], inputs))
    names = [arg.name for arg in tf.raw_ops.__dict__[op].__signature__.parameters.values() if arg.name != "name"]
    return dict(zip(names, inputs))


UNARY = {
    "Abs Neg Sign": FLOATS + SIGNED,
    "Square": FLOATS + INTEGERS,
    "Sqrt Rsqrt Reciprocal Inv Exp Expm1 Log Log1p Sin Cos Tan Asin Acos Atan Sinh Cosh Tanh Asinh Acosh Atanh Sigmoid": FLOATS
    + COMPLEX,
    "Erf Erfc Ceil Floor Round IsNan IsInf IsFinite": FLOATS,
    "Erfinv Rint": ["float32", "float64"],
    "Lgamma Digamma": ["float16", "float32", "float64"],
    "LogicalNot": ["bool"],
    "Invert": INTEGERS,
    "Conj": COMPLEX,
}
BINARY = {
    "AddV2 Sub Mul": FLOATS + INTEGERS + COMPLEX,
    "Add": ["float32", "int32"],
    "Div": FLOATS + COMPLEX,
    "RealDiv DivNoNan MulNoNan Xdivy Xlogy Xlog1py": FLOATS + COMPLEX,
    "FloorDiv FloorMod TruncateDiv": FLOATS,
    "Mod TruncateMod": ["float32", "float64"],
    "Pow": FLOATS,
    "Maximum Minimum Less LessEqual Greater GreaterEqual": FLOATS + INTEGERS,
    "SquaredDifference": FLOATS + ["int32", "int64"] + COMPLEX,
    "Atan2": FLOATS,
    "BitwiseAnd BitwiseOr BitwiseXor LeftShift RightShift": INTEGERS,
    "LogicalAnd LogicalOr": ["bool"],
    "ApproximateEqual NextAfter": ["float32", "float64"],
    "Equal NotEqual": FLOATS + INTEGERS + COMPLEX + ["bool"],
    "SigmoidGrad TanhGrad SqrtGrad RsqrtGrad ReciprocalGrad InvGrad": FLOATS + COMPLEX,
}
SHAPES = [([], [3]), ([2, 3], [3]), ([3], [2, 3]), ([2, 3], [2, 1]), ([2, 1, 4], [3, 1]), ([1], [1, 1]), ([0, 3], [1, 3]), ([5, 70], [70]),
          ([5, 70], [5, 1]), ([3, 1, 5], [4, 1]), ([2, 1, 70], [1, 3, 1]), ([90, 7], [7]), ([7], [90, 7]), ([2, 2, 5], [2, 1, 1]), ([2], [3])]


def main():
    for names, dtypes in UNARY.items():
        for op in names.split():
            for dtype in dtypes:
                x = values(dtype)
                if (op, dtype) == ("Erf", "float64"):  # of infinity is NaN there
                    x = tf.boolean_mask(x, tf.math.is_finite(x))
                if op == "Erfinv":  # loses all digits near 0 there
                    x = tf.boolean_mask(x, (tf.abs(x) >= 1e-3) | (x == 0))
                record(op, x)
    for op in ["Real", "Imag", "ComplexAbs", "Angle"]:
        record(op, values("complex64"), Tout=tf.float32)
        record(op, values("complex128"), Tout=tf.float64)
    for names, dtypes in BINARY.items():
        for op in names.split():
            for dtype in dtypes:
                record(op, *pairs(dtype))
    for op in ["Div", "FloorDiv", "FloorMod", "TruncateDiv", "Mod", "TruncateMod"]:
        for dtype in ["int32", "int64"] if op.endswith("teMod") or op == "Mod" else INTEGERS:
            x = values(dtype)
            record(op, *pairs(dtype, x, tf.boolean_mask(x, x != 0)))
            record(op, *pairs(dtype))
    for dtype in SIGNED:
        x = values(dtype)
        record("Pow", *pairs(dtype, x, tf.boolean_mask(x, x >= 0)))
        record("Pow", *pairs(dtype))
    random = np.random.default_rng(1)
    for left, right in SHAPES:
        for dtype in ["float16", "int16"]:
            x, y = [tf.cast(random.integers(-60, 60, shape), dtype) for shape in (left, right)]
            record("Sub", x, y)
            record("Less", x, y)
        condition = random.integers(0, 2, left).astype(bool)
        record("SelectV2", condition, tf.cast(random.integers(0, 60, right), tf.int16), tf.constant(7, tf.int16))
    numbers = ["bool"] + FLOATS + INTEGERS + COMPLEX
    for source in numbers:
        x = values(source)
        if tf.as_dtype(source).is_floating:
            x = tf.boolean_mask(x, tf.math.abs(x) < 100)
        for destination in numbers:
            unsigned = destination in UNSIGNED
            kept = tf.boolean_mask(x, tf.math.real(x) >= 0) if unsigned and source not in INTEGERS + ["bool"] else x
            record("Cast", kept, DstT=tf.as_dtype(destination))
    for dtype in FLOATS + INTEGERS[:-2] + COMPLEX:
        x = values(dtype)
        record("AddN", x, x, tf.reverse(x, [0]))
        record("Select", [True, False], tf.stack([x, x]), tf.zeros([2] + x.shape, dtype))
        if dtype not in COMPLEX:
            record("ClipByValue", x, tf.constant(1, dtype), tf.constant(3, dtype))
            record("ClipByValue", x, x, tf.reverse(x, [0]))
    path = pathlib.Path(__file__).with_name("math.txt")
    path.write_text("\n".join(LINES) + "\n")
    print(len(LINES), "cases,", path.stat().st_size, "bytes")


main()
