"""What the scripts that write cases for `../it/golden.rs` share: inputs, the text form of cases, and running TensorFlow.

A line is a case: `op|attrs|inputs|outputs|tolerance`. An attr is `name=kind:value`, a tensor is `dtype[shape]:values`;
both are separated by `;`. A case that TensorFlow refuses has `!Code` in place of its outputs.
"""

import os
import pathlib

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"

import numpy as np
import tensorflow as tf
from tensorflow.python.framework import errors_impl, op_def_registry

NAN, INF = float("nan"), float("inf")
FLOATS = ["float32", "float64", "float16", "bfloat16"]
INTS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
REALS = FLOATS + INTS
COMPLEX = ["complex64", "complex128"]
NUMBERS = REALS + COMPLEX
WIDTHS = ["int8", "float16", "float32", "int64", "complex128", "bool", "string"]
ALL = NUMBERS + ["bool", "string"]
LINES = []


def t(values, dtype="int32", shape=None):
    return tf.constant(values, dtype, shape)


def none(dtype="int32", shape=(0,)):
    return tf.zeros(shape, dtype)


def count(shape, dtype="int32"):
    """1, 2, 3, … in a shape; every third false for bool."""
    values = np.arange(1, int(np.prod(shape)) + 1).reshape(shape)
    if dtype == "string":
        # Every other one does not fit inside a string's head.
        return tf.constant([("s%d" % v) * (1 + v % 2 * 12) for v in values.ravel()], tf.string, shape)
    if dtype == "bool":
        return tf.constant(values % 3 != 0)
    if dtype.startswith("complex"):
        values = values + 1j * values[..., ::-1] if values.ndim else values + 2j
    return tf.constant(values.astype(tf.as_dtype(dtype).as_numpy_dtype))


def number(x):
    if isinstance(x, bytes):
        return "".join(chr(b) if 48 <= b < 58 or 65 <= b < 91 or 97 <= b < 123 else "%%%02x" % b for b in x) or "''"
    if isinstance(x, (complex, np.complexfloating)):
        return f"{number(x.real)},{number(x.imag)}"
    if isinstance(x, (bool, np.bool_, int, np.integer)):
        return str(int(x))
    return repr(float(x)).replace("nan", "NaN")


def tensor(x):
    dtype, x = x.dtype.name, np.asarray(x.numpy())
    if dtype.startswith("float8"):
        x = x.view("uint8")
    elif dtype.startswith(("q", "int4", "uint4")):
        x = x.view(dtype.replace("4", "8").lstrip("q")) if dtype[0] == "q" else x.astype("int32")
    return f"{dtype}[{','.join(map(str, x.shape))}]:{' '.join(number(v) for v in x.ravel())}"


def attr(op, name, value):
    kind = next(a.type for a in op_def_registry.get(op).attr if a.name == name)
    text = {"bool": lambda v: str(int(v)), "type": lambda v: v.name, "string": lambda v: number(v.encode()).replace("''", ""),
            "shape": lambda v: "*" if v.rank is None else ",".join("?" if d is None else str(d) for d in v)}
    if kind.startswith("list("):
        kind = kind[5:-1]
        return f"{name}={kind}s:" + ",".join(text.get(kind, str)(v) for v in value)
    return f"{name}={kind}:{text.get(kind, str)(value)}"


def run(op, inputs, attrs):
    """The outputs, or the text of an error; None where TensorFlow has no such kernel."""
    names = [arg.name for arg in op_def_registry.get(op).input_arg]
    try:
        out = getattr(tf.raw_ops, op)(**dict(zip(names, inputs)), **attrs)
    except errors_impl.OpError as error:
        if "Could not find device for node" in str(error):
            return None
        return "!" + type(error).__name__.removesuffix("Error")
    if isinstance(out, (list, tuple)):
        return [v for value in out for v in (value if isinstance(value, list) else [value])]
    return [out]


def case(op, *inputs, tolerance=0, graph=False, **attrs):
    """Adds the case of an op with its inputs in order, lists for arguments of several tensors."""
    several = lambda i: isinstance(i, list) and i and tf.is_tensor(i[0])
    inputs = [i if tf.is_tensor(i) or several(i) else t(i) for i in inputs]
    call = tf.function(lambda: run(op, inputs, attrs)) if graph else lambda: run(op, inputs, attrs)
    outputs = call()
    if outputs is None:
        return
    text = outputs if isinstance(outputs, str) else ";".join(tensor(output) for output in outputs)
    flat = [v for value in inputs for v in (value if isinstance(value, list) else [value])]
    line = f"{op}|{';'.join(attr(op, k, v) for k, v in attrs.items())}|{';'.join(tensor(v) for v in flat)}|{text}|{tolerance}"
    if line not in LINES:
        LINES.append(line)


def write(script, *makers):
    """Runs the makers and writes `name.txt` beside the script `make_name.py`."""
    for make in makers:
        make()
    path = pathlib.Path(script)
    path = path.with_name(path.stem.removeprefix("make_") + ".txt")
    path.write_text("\n".join(LINES) + "\n")
    print(f"{len(LINES)} cases, {path.stat().st_size} bytes")
