"""Writes math_casts.txt: what TensorFlow 2.21 converts to and from quantized values, 8-bit floats and 4-bit integers.

Run with the Python of an environment that has tensorflow-cpu 2.21: `python make_math_casts.py`.
"""

import numpy as np
import tensorflow as tf
from tensorflow.python.framework import dtypes

from cases import COMPLEX, FLOATS, INF, INTS, NAN, NUMBERS, case, none, t, write

QUANTIZED = [tf.qint8, tf.quint8, tf.qint16, tf.quint16, tf.qint32]
SMALL = [dtypes.int4, dtypes.uint4]
FLOAT8 = [dtypes.float8_e5m2, dtypes.float8_e4m3fn]


def cast(x, to, **attrs):
    case("Cast", x, DstT=to, **attrs)


def to(x, dtype):
    return tf.raw_ops.Cast(x=x, DstT=dtype)


def numbers(dtype):
    if dtype == "bool":
        return t([True, False], dtype)
    if dtype in COMPLEX:
        return t([1.5 + 2j, -3.7 - 1j, 0, 200], dtype)
    if dtype in FLOATS:
        return t([1.7, -1.7, 0.0, -0.0, 300.0, -1000.5], dtype)
    return t([0, 1, 7, 8, 15, 16, 100, 127] + ([] if "uint" in dtype else [-1, -7, -8, -9, -128]), dtype)


def quantized():
    for dtype in NUMBERS + ["bool"]:
        for q in QUANTIZED:
            # What does not fit is some value in TensorFlow, which one depends on the loop's length.
            x = numbers(dtype) if dtype not in FLOATS + COMPLEX else t([1.7, -1.7, 0.0, 44.9], dtype)
            cast(x, q)
            cast(to(x, q), tf.as_dtype(dtype))
    for a in QUANTIZED:
        for b in QUANTIZED:
            cast(to(t([0, 5, -5, 300, 70000]), a), b)


def integers():
    for dtype in INTS:
        for small in SMALL:
            cast(numbers(dtype), small)
            cast(to(numbers(dtype), small), tf.as_dtype(dtype))
    for small in SMALL:
        for other in SMALL + QUANTIZED:
            cast(to(numbers("int32"), small), other)
            cast(to(numbers("int32"), other), small)
    cast(none(shape=(0, 2)), dtypes.int4)


def floats():
    values = [0.0, -0.0, 1.0, 1.1, 1.0625, 1.125, 1.1875, -3.3, 447.0, 448.0, 463.9, 464.0, 465.0, 480.0, 57343.0, 57344.0, 61439.0, 61440.0, 65536.0, 1e30, INF, -INF, NAN, 1e-3, 2.0**-9,
              2.0**-10, 2.0**-10 * 1.01, 2.0**-16, 2.0**-17, 2.0**-17 * 1.01, 1.5 * 2.0**-16, 0.013671875, 1.9, 1.99, -15.8]
    every = np.arange(256).astype(np.uint8)
    for small in FLOAT8:
        for dtype in FLOATS:
            for truncate in [False, True]:
                cast(t(values, dtype), small, Truncate=truncate)
            cast(to(t(values, dtype), small), tf.as_dtype(dtype))
        cast(t([1 + 2.0**-4 + 2.0**-40, 1 + 2.0**-3 + 2.0**-40], "float64"), small)
        bits = tf.constant(every.view(small.as_numpy_dtype))
        for other in ["float32", "bool", "complex64"]:
            cast(bits, tf.as_dtype(other))
        for other in FLOAT8:
            cast(bits, other)
        some = to(t([0.0, 1.0, 1.75, 7.0, 26.0, 104.0], "float32"), small)
        for other in NUMBERS:
            cast(some, tf.as_dtype(other))
        for other in QUANTIZED:
            cast(some, other)


write(__file__, quantized, integers, floats)
