"""What the scripts that write cases of the nn and linalg kernels share.

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
from tensorflow.python.eager import context, execute
from tensorflow.python.framework import errors_impl

NAN, INF = float("nan"), float("inf")
LINES = []
FLOATS = ["float32", "float64", "float16", "bfloat16"]
INTS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
REALS = FLOATS + INTS
NUMBERS = REALS + ["complex64", "complex128"]


def t(values, dtype="float32", shape=None):
    value = np.array(values)
    if shape is not None:
        value = value.reshape(shape)
    return tf.cast(tf.constant(value), dtype) if dtype != "bool" else tf.constant(value, tf.bool)


rng = np.random.default_rng(20)


def draw(shape, dtype="float32", low=-4, high=4):
    """Values that every dtype holds exactly: quarters for floats, whole numbers for integers."""
    if dtype.startswith("uint"):
        low = 0
    whole = dtype.startswith(("int", "uint"))
    values = rng.integers(low, high + 1, shape) if whole else rng.integers(low * 4, high * 4 + 1, shape) / 4
    if dtype.startswith("complex"):
        values = values + 1j * rng.integers(low, high + 1, shape)
    return tf.constant(values.astype(tf.as_dtype(dtype).as_numpy_dtype))


def number(x):
    if isinstance(x, (complex, np.complexfloating)):
        return f"{number(x.real)},{number(x.imag)}"
    if isinstance(x, (bool, np.bool_)):
        return str(int(x))
    if isinstance(x, (int, np.integer)):
        return str(int(x))
    return repr(float(x)).replace("nan", "NaN")


def tensor(x):
    x = x.numpy() if hasattr(x, "numpy") else x
    x = np.asarray(x)
    name = tf.as_dtype(x.dtype).name
    shape = ",".join(map(str, x.shape))
    return f"{name}[{shape}]:{' '.join(number(v) for v in x.ravel())}"


def attr(name, value):
    if isinstance(value, bool):
        return f"{name}=bool:{int(value)}"
    if isinstance(value, int):
        return f"{name}=int:{value}"
    if isinstance(value, float):
        return f"{name}=float:{value!r}"
    if isinstance(value, str):
        return f"{name}=string:{value}"
    if isinstance(value, tf.DType):
        return f"{name}=type:{value.name}"
    if isinstance(value, list) and value and isinstance(value[0], str):
        return f"{name}=strings:{','.join(value)}"
    return f"{name}=ints:{','.join(map(str, value))}"


PYTHON_NAMES = {"reduction_indices": "axis"}


def case(op, inputs, tolerance=0, undefined=None, **attrs):
    """`inputs` by name. `undefined` gives our values for outputs that TensorFlow leaves as memory was."""
    function = getattr(tf.raw_ops, op)
    arguments = {PYTHON_NAMES.get(k, k): v for k, v in inputs.items()}
    try:
        outputs = function(**arguments, **attrs)
        outputs = list(outputs) if isinstance(outputs, (list, tuple)) else [outputs]
        for index, value in (undefined or {}).items():
            outputs[index] = value
        text = ";".join(tensor(o) for o in outputs)
    except errors_impl.OpError as error:
        code = type(error).__name__.removesuffix("Error")
        text = "!" + code
    texts = ";".join(attr(k, v) for k, v in attrs.items()), ";".join(tensor(v) for v in inputs.values())
    LINES.append(f"{op}|{texts[0]}|{texts[1]}|{text}|{tolerance}")


def internal_case(op, inputs, tolerance=0, types=None, **attrs):
    """As `case` for an op that TensorFlow has no Python function of. `types` are attrs that follow from the inputs."""
    given = {**attrs, **(types or {})}
    flat = [part for name, value in given.items() for part in (name, as_attr(value))]
    try:
        outputs = execute.execute(op, 1, inputs=inputs, attrs=tuple(flat), ctx=context.context())
        text = ";".join(tensor(o) for o in outputs)
    except errors_impl.OpError as error:
        text = "!" + type(error).__name__.removesuffix("Error")
    result(op, inputs, text, tolerance, **attrs)


def as_attr(value):
    if isinstance(value, list) and value and isinstance(value[0], tf.DType):
        return [dtype.as_datatype_enum for dtype in value]
    return value.as_datatype_enum if isinstance(value, tf.DType) else value


def result(op, inputs, text, tolerance=0, **attrs):
    """A case with outputs as text."""
    texts = ";".join(attr(k, v) for k, v in attrs.items()), ";".join(tensor(v) for v in inputs)
    LINES.append(f"{op}|{texts[0]}|{texts[1]}|{text}|{tolerance}")


def write(name):
    path = pathlib.Path(__file__).with_name(name)
    path.write_text("\n".join(LINES) + "\n")
    print(f"{len(LINES)} cases")
