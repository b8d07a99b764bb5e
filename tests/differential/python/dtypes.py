"""Names of dtypes, as TensorFlow's Python has them, and the NumPy dtypes that hold their elements."""
import ml_dtypes
import numpy as np
from tensorflow.core.framework import types_pb2

FLOATS = ("float16", "bfloat16", "float32", "float64")
SIGNED = ("int8", "int16", "int32", "int64")
UNSIGNED = ("uint8", "uint16", "uint32", "uint64")
INTEGERS = SIGNED + UNSIGNED
COMPLEX = ("complex64", "complex128")
QUANTIZED = ("qint8", "quint8", "qint16", "quint16", "qint32")
NUMBERS = FLOATS + INTEGERS + COMPLEX
COMMON = NUMBERS + ("bool", "string")
HANDLES = ("resource", "variant")

HOLDERS = {name: np.dtype(name) for name in ("float16", "float32", "float64", *INTEGERS, *COMPLEX, "bool")}
HOLDERS |= {"bfloat16": np.dtype(ml_dtypes.bfloat16), "string": np.dtype(object)}
HOLDERS |= {name: np.dtype(name[1:]) for name in QUANTIZED}
HOLDERS |= {"float8_e5m2": np.dtype(ml_dtypes.float8_e5m2), "float8_e4m3fn": np.dtype(ml_dtypes.float8_e4m3fn)}
HOLDERS |= {"int4": np.dtype(ml_dtypes.int4), "uint4": np.dtype(ml_dtypes.uint4)}

# The names in this project's registry that differ from those of TensorFlow's Python.
_REGISTRY = {"float": "float32", "double": "float64", "half": "float16"}


_NUMBERS = {"float32": "DT_FLOAT", "float64": "DT_DOUBLE", "float16": "DT_HALF"}


def number(dtype):
    """The number of a dtype in messages."""
    return types_pb2.DataType.Value(_NUMBERS.get(dtype) or "DT_" + dtype.upper())


def from_registry(name):
    """TensorFlow's Python name of a dtype that the registry prints."""
    return _REGISTRY.get(name, name)


def finfo(dtype):
    """Limits of a float dtype; of the parts of a complex one."""
    part = {"complex64": "float32", "complex128": "float64"}.get(dtype, dtype)
    return ml_dtypes.finfo(HOLDERS[part])


def is_float(dtype):
    return dtype in FLOATS


def is_complex(dtype):
    return dtype in COMPLEX


def is_integer(dtype):
    return dtype in INTEGERS
