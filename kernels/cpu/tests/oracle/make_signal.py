"""Writes signal.txt: what TensorFlow 2.21 computes for cases of the Fourier transforms.

Run with the Python of an environment that has tensorflow-cpu 2.21: `python make_signal.py`.
A line is a case: `op|attrs|inputs|outputs|tolerance`. An attr is `name=kind:value`, a tensor is `dtype[shape]:values`;
both are separated by `;`. A case that TensorFlow refuses has `!Code` in place of its outputs. There are no lengths of 0 for
inputs with elements, at which TensorFlow aborts, nor other lengths for inputs without, for which it sets no output.
"""

import os
import pathlib

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"

import numpy as np
import tensorflow as tf
from tensorflow.python.framework import errors_impl

LINES = []
rng = np.random.default_rng(221)
# Of the largest magnitude: sums of many numbers differ in their order.
CLOSE = 4


def t(values, dtype="int32"):
    return tf.constant(values, dtype)


def signal(shape, dtype):
    values = rng.integers(-9, 10, shape) / 4
    if dtype.startswith("complex"):
        values = values + 1j * rng.integers(-9, 10, shape) / 4
    return t(values, dtype)


def number(x):
    if isinstance(x, (complex, np.complexfloating)):
        return f"{number(x.real)},{number(x.imag)}"
    if isinstance(x, (int, np.integer)):
        return str(int(x))
    return f"{float(x):.9g}" if isinstance(x, np.float32) else repr(float(x))


def tensor(x):
    dtype, x = x.dtype.name, np.asarray(x.numpy())
    return f"{dtype}[{','.join(map(str, x.shape))}]:{' '.join(number(v) for v in x.ravel())}"


def case(op, *inputs, **attrs):
    function = getattr(tf.raw_ops, op)
    try:
        outputs = tensor(function(**dict(zip(function.__signature__.parameters, inputs)), **attrs))
    except errors_impl.OpError as error:
        outputs = "!" + type(error).__name__.removesuffix("Error")
    attrs = ";".join(f"{k}=type:{v.name}" for k, v in attrs.items())
    LINES.append(f"{op}|{attrs}|{';'.join(map(tensor, inputs))}|{outputs}|{CLOSE}")


def complex_transforms():
    for dtype in ["complex64", "complex128"]:
        for inverse in ["", "I"]:
            for shape in [(1,), (2,), (3,), (4,), (5,), (8,), (12,), (17,), (30,), (64,), (97,), (2, 6), (3, 1), (2, 3, 4), (0,), (3, 0), (0, 3)]:
                case(f"{inverse}FFT", signal(shape, dtype))
            for shape in [(1, 1), (2, 2), (3, 5), (4, 8), (1, 7), (7, 1), (2, 3, 4), (10, 11), (2, 1, 3, 3), (0, 2), (2, 0), (2, 0, 3)]:
                case(f"{inverse}FFT2D", signal(shape, dtype))
            for shape in [(1, 1, 1), (2, 2, 2), (2, 3, 4), (3, 4, 5), (2, 1, 3, 2), (0, 2, 2), (2, 2, 0)]:
                case(f"{inverse}FFT3D", signal(shape, dtype))
        for op in ["FFT", "IFFT"]:
            case(op, signal((), dtype))
            case(op + "2D", signal((2,), dtype))
            case(op + "3D", signal((2, 2), dtype))


def real_transforms():
    for real, complex_ in [("float32", "complex64"), ("float64", "complex128")]:
        forward, inverse = {"Tcomplex": tf.as_dtype(complex_)}, {"Treal": tf.as_dtype(real)}
        for shape in [(1,), (2,), (3,), (4,), (7,), (8,), (2, 12), (15,), (3, 1), (2, 3, 4)]:
            for length in {1, 2, 3, shape[-1] - 1, shape[-1], shape[-1] + 1, 2 * shape[-1] - 1, 2 * shape[-1] - 2} - {0}:
                case("RFFT", signal(shape, real), t([length]), **forward)
                case("IRFFT", signal(shape, complex_), t([length]), **inverse)
        for shape, lengths in [((3, 4), (3, 4)), ((3, 4), (2, 3)), ((4, 3), (4, 4)), ((2, 5, 6), (5, 6)), ((2, 5, 6), (4, 5)), ((3, 4), (1, 1)), ((3, 4), (4, 4)), ((3, 4), (3, 7)), ((1, 1), (1, 1))]:
            case("RFFT2D", signal(shape, real), t(lengths), **forward)
            case("IRFFT2D", signal(shape, complex_), t(lengths), **inverse)
        for shape, lengths in [((2, 3, 4), (2, 3, 4)), ((2, 3, 4), (1, 2, 3)), ((2, 2, 3, 3), (2, 3, 3)), ((2, 3, 4), (2, 3, 6)), ((2, 3, 4), (3, 3, 4))]:
            case("RFFT3D", signal(shape, real), t(lengths), **forward)
            case("IRFFT3D", signal(shape, complex_), t(lengths), **inverse)
        for op, dtype, types in [("RFFT", real, forward), ("IRFFT", complex_, inverse)]:
            for lengths in [[-1], [2, 2], 2, []]:
                case(op, signal((3,), dtype), t(np.asarray(lengths, np.int32)), **types)
            case(op, signal((), dtype), t([1]), **types)
            case(op, signal((0, 3), dtype), t([2]), **types)
            case(op, signal((3, 0), dtype), t([0]), **types)
            case(op + "2D", signal((3,), dtype), t([1, 1]), **types)
            case(op + "2D", signal((3, 0, 4), dtype), t([0, 4]), **types)
    case("RFFT", signal((4,), "float32"), t([4]), Tcomplex=tf.complex128)
    case("RFFT", signal((4,), "float64"), t([4]), Tcomplex=tf.complex64)
    case("IRFFT", signal((4,), "complex64"), t([4]), Treal=tf.float64)
    case("IRFFT", signal((4,), "complex128"), t([4]), Treal=tf.float32)


for make in [complex_transforms, real_transforms]:
    make()
path = pathlib.Path(__file__).with_name("signal.txt")
path.write_text("\n".join(LINES) + "\n")
print(f"{len(LINES)} cases")
