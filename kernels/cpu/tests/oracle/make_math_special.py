"""Writes math_special.txt: what TensorFlow 2.21 computes for special functions, cross products and bit counts.

Run with the Python of an environment that has tensorflow-cpu 2.21: `python make_math_special.py`. Its special functions are
good to the given tolerances only, in single precision and for large parameters in double, too.
"""

import numpy as np
import tensorflow as tf

from cases import FLOATS, INF, INTS, NAN, REALS, case, count, none, t, write

rng = np.random.default_rng(34)
PRECISIONS = ["float32", "float64"]


def bessel():
    values = [0.0, -0.0, 1e-6, -0.3, 1.0, -1.0, 2.5, 7.9, 8.1, -12.0, 19.9, 20.1, 50.0, 700.0, 1e4, INF, -INF, NAN]
    for op in ["BesselI0e", "BesselI1e"]:
        case(op, t(values, "float32"), tolerance="each:6")
        case(op, t(values, "float64"), tolerance="each:12")
        case(op, t(values[:12] + values[15:], "float16"), tolerance="each:2")
        case(op, t([[1.0]], "bfloat16"))
        case(op, none("float32", (0, 2)))


def normal():
    values = [0.0, 1.0, 0.5, -0.1, 1.1, NAN, 1e-30, 1e-10, 1e-3, 0.1, 0.24, 0.26, 0.3, 0.45, 0.6, 0.74, 0.76, 0.99, 0.999]
    case("Ndtri", t(values, "float32"), tolerance="each:40")
    case("Ndtri", t(values + [1e-300, 1e-100, 1 - 1e-10], "float64"), tolerance="each:40")
    case("Ndtri", t(0.25, "float64"), tolerance="each:40")


def gamma():
    edges_a = [0.0, 0.0, 1.0, 1.0, -1.0, 0.5, INF, 1.0, NAN, 1.0, INF, 0.0, INF]
    edges_x = [0.0, 1.0, 0.0, -1.0, 1.0, INF, 1.0, NAN, 1.0, INF, INF, INF, 0.0]
    for op in ["Igamma", "Igammac"]:
        for dtype, tolerance in [("float32", "each:400"), ("float64", "each:30000")]:
            case(op, t(edges_a, dtype), t(edges_x, dtype))
            for a in [0.01, 0.5, 1.0, 2.5, 10.0, 40.0]:
                for ratio in [0.3, 0.9, 1.1, 2.0]:
                    case(op, t([a], dtype), t([a * ratio], dtype), tolerance=tolerance)
        for a in [99.0, 101.0, 300.0]:
            case(op, t(a, "float64"), t([a * 0.8, a * 0.97, a, a * 1.1, a * 1.6], "float64"), tolerance="each:30000")
        case(op, t([[1.0], [2.0]], "float64"), t([0.5, 1.0, 3.0], "float64"), tolerance="each:300")
        case(op, t([1.0, 2.0], "float64"), t([0.5, 1.0, 3.0], "float64"))


def beta():
    a = [0.0, 1.0, 1.0, 1.0, -1.0, 1.0, INF, 1.0, NAN, 1.0, 1.0, 0.0, 1.0, 1.0]
    b = [1.0, 0.0, 1.0, 1.0, 1.0, -1.0, 1.0, INF, 1.0, NAN, 1.0, 0.0, 1.0, 1.0]
    x = [0.5, 0.5, 0.0, 1.0, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, NAN, 0.5, -0.1, 1.1]
    for dtype, tolerance in [("float32", "each:400"), ("float64", "each:30000")]:
        case("Betainc", t(a, dtype), t(b, dtype), t(x, dtype))
        for a1 in [0.1, 1.0, 3.0, 20.0]:
            for b1 in [0.5, 2.0, 15.0]:
                case("Betainc", t(a1, dtype), t(b1, dtype), t([0.05, 0.3, 0.5, 0.9], dtype), tolerance=tolerance)
    for a1, b1 in [(99.0, 120.0), (150.0, 110.0), (1000.0, 1000.0), (0.5, 1000.0)]:
        mean = a1 / (a1 + b1)
        case("Betainc", t(a1, "float64"), t(b1, "float64"), t([mean * 0.8, mean, (1 + mean) / 2], "float64"), tolerance="each:100000")
    for a1, b1, x1 in [([1.0, 2.0], 1.0, 0.5), ([1.0, 2.0], [1.0], 0.5), ([[1.0, 2.0]], [1.0, 2.0], 0.5), (2.0, 1.0, 0.5), (2.0, [[1.0]], [[0.5]]), (2.0, [], 0.5)]:
        case("Betainc", t(a1, "float32"), t(b1, "float32"), t(x1, "float32"), tolerance="each:8")


def zeta():
    x = [1.0, 0.5, 2.0, 2.0, 2.0, 3.0, 2.5, 2.0, 3.0, 2.0, 2.0, NAN, INF, 2.0, 30.0, 2.0, 1.0, 2.5, 3.0, 1.1, 5.0, 4.0, 3.0, 7.0]
    q = [1.0, 1.0, 0.0, -1.0, -1.5, -1.5, -1.5, 1.0, -1.0, INF, NAN, 1.0, 1.0, 1e9, 2.0, -0.5, -0.5, 0.0, 0.0, 0.3, 12.5, 100.0, -7.3, -2.25]
    n = [1.0, 2.0, 0.5, -1.0, 1.0, 1.0, 2.0, 3.0, 1.0, 2.0, 1.0, NAN, 1.0, 10.0, INF, 5.0, 3.0, 0.0, 0.0]
    p = [1.0, 1.0, 1.0, 1.0, 0.0, -1.0, -1.0, -0.5, -0.5, -0.5, INF, 1.0, NAN, 2.5, 1.0, 30.0, 0.01, 2.5, 0.0]
    for dtype, tolerance in [("float32", "each:60"), ("float64", "each:60")]:
        last = -2 if dtype == "float32" else None  # TensorFlow stops adding too early there.
        case("Zeta", t(x[:last], dtype), t(q[:last], dtype), tolerance=tolerance)
        case("Polygamma", t(n, dtype), t(p, dtype), tolerance=tolerance)
        case("Zeta", t([[2.0], [3.0]], dtype), t([1.0, 2.0], dtype), tolerance=tolerance)


def others():
    for dtype in REALS:
        case("Cross", count((2, 3), dtype), tf.reverse(count((2, 3), dtype), [1]))
        values = rng.normal(size=(2, 4, 3)) * 9 + (20 if "uint" in dtype else 0)
        case("Cross", t(values[0].astype(int) if dtype in INTS else values[0], dtype), t(values[1].astype(int) if dtype in INTS else values[1], dtype), tolerance=1)
    for a, b in [((2,), (2,)), ((3,), (1, 3)), ((), ()), ((0, 3), (0, 3)), ((3, 1), (3, 1)), ((2, 2, 3), (2, 2, 3))]:
        case("Cross", count(a, "float32"), count(b, "float32"))
    for dtype in INTS:
        case("PopulationCount", t([0, 1, 7, 100, 127] if dtype == "int8" or "uint" in dtype else [0, 1, -1, -7, 100], dtype))
        case("PopulationCount", t(tf.as_dtype(dtype).max, dtype))
        case("PopulationCount", t(tf.as_dtype(dtype).min, dtype))
    for dtype, out in [("float32", tf.complex64), ("float64", tf.complex128)]:
        for a, b in [([1.0, -0.0], [3.0, NAN]), ([1.0, 2.0], [[3.0], [4.0]]), (1.0, 2.0), ([1.0, 2.0], [1.0, 2.0, 3.0]), ([], [[1.0]])]:
            case("Complex", t(a, dtype), t(b, dtype), Tout=out)


write(__file__, bessel, normal, gamma, beta, zeta, others)
