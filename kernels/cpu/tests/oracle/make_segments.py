"""Writes segments.txt: what TensorFlow 2.21 computes for reductions over segments.

Run with the Python of an environment that has tensorflow-cpu 2.21: `python make_segments.py`.
"""

import numpy as np
import tensorflow as tf

from cases import FLOATS, INF, NAN, NUMBERS, case, count, none, t, write

rng = np.random.default_rng(33)
SORTED = ["SegmentSum", "SegmentMean", "SegmentProd", "SegmentMin", "SegmentMax"]
UNSORTED = ["UnsortedSegmentSum", "UnsortedSegmentProd", "UnsortedSegmentMin", "UnsortedSegmentMax"]
SPARSE = ["SparseSegmentSum", "SparseSegmentMean", "SparseSegmentSqrtN"]


def small(shape, dtype):
    values = rng.integers(1 if "uint" in dtype else -4, 5, shape)
    return t(values + 1j * rng.integers(-2, 3, shape) if "complex" in dtype else values, dtype)


def dtypes():
    for dtype in NUMBERS:
        for kind in ["int32", "int64"]:
            for op in SORTED:
                case(op, small((5, 2), dtype), t([0, 0, 2, 2, 2], kind), tolerance=2)
            for op in UNSORTED:
                case(op, small((5, 2), dtype), t([2, 0, -1, 2, 2], kind), 4, tolerance=2)
            for op in SPARSE:
                case(op, small((5, 2), dtype), t([4, 0, 3, 3], kind), t([1, 1, 1, 2], kind), tolerance=2)
    for op in UNSORTED:
        if op == "UnsortedSegmentSum":
            case(op, small((5,), "float32"), t([1, 0, 1, 0, 0], "int16"), t(2, "int64"))
        case(op, small((5,), "float32"), t([1, 0, 1, 0, 0]), t(2, "int64"))


def wrong():
    for op in SORTED:
        for data, ids in [((2,), [1, 0]), ((2,), [-1, 0]), ((2,), [0]), ((2,), [[0, 1]]), ((), [0]), ((0, 2), []), ((2, 0), [0, 1]), ((1,), [4]), ((2, 1, 3), [0, 1])]:
            case(op, count(data), t(ids, "int32"))
            case(op, count(data, "float32"), t(ids, "int64"))
    for op in UNSORTED:
        for data, ids, n in [((2,), [0, 2], 2), ((2, 2), [[0, 1], [1, 1]], 3), ((2,), [0], 2), ((2,), [0, 1], -1), ((2,), [0, 1], [2]), ((), 1, 2), ((2,), 1, 2), ((0, 2), [], 2),
                             ((2,), [0, 5], 0), ((2, 0), [0, 1], 2), ((2,), [-1, -1], 0), ((2, 2), [[0, 1]], 2), ((2, 1, 3), [1, 0], 3)]:
            case(op, count(data), t(ids, "int32"), t(n))
            case(op, count(data, "float32"), t(ids, "int64"), t(n))
    for op in SPARSE:
        for data, rows, ids in [((3, 2), [0, 3], [0, 0]), ((3, 2), [0, -1], [0, 0]), ((3, 2), [0, 1], [1, 0]), ((3, 2), [0, 1], [0]), ((3, 2), [], []), ((3, 2), [0], [-1]), ((), [0], [0]),
                                ((3, 2), [[0]], [0]), ((3, 2), [0], [[0]]), ((0, 2), [], []), ((2, 0), [0], [1]), ((2,), [0, 1, 0], [0, 0, 1]), ((3, 2), [0, 1], [2, 2])]:
            case(op, count(data, "float32"), t(rows, "int32"), t(ids, "int64"), tolerance=1)


def special():
    rows = [[NAN, 1, 2, NAN], [INF, -INF, NAN, 3], [-INF, -INF, INF, INF], [NAN, NAN, -0.0, 0.0]]
    for dtype in FLOATS:
        for values in rows:
            for op in SORTED:
                case(op, t(values, dtype), [0, 0, 1, 1])
            for op in UNSORTED:
                case(op, t(values, dtype), [1, 1, 0, 0], 3)
            for op in SPARSE:
                case(op, t(values, dtype), [3, 2, 1, 0], [0, 0, 1, 1])
    for op in SORTED[:3]:
        case(op, t([100] * 5, "int8"), [0, 0, 0, 1, 1])
        case(op, t([200] * 5, "uint8"), [0, 0, 0, 1, 1])
    case("SegmentMean", t([-5, -4, 7, -8], "int32"), [0, 0, 1, 1])
    for dtype, large in [("bfloat16", 256), ("float16", 2048)]:
        case("UnsortedSegmentSum", t([large, 1, 1, 1, 1, large], dtype), [0, 0, 0, 1, 1, 1], 2)


def random():
    for dtype in FLOATS:
        tolerance = 8 if dtype in ("float32", "float64") else 12
        data = t(rng.normal(size=(24, 5)), dtype)
        ids = np.sort(rng.integers(0, 6, 24))
        for op in SORTED:
            case(op, data, t(ids), tolerance=tolerance)
        for op in UNSORTED:
            case(op, data, t(rng.permutation(ids) - 1), 6, tolerance=tolerance)
        for op in SPARSE:
            case(op, data, t(rng.integers(0, 24, 24)), t(ids), tolerance=tolerance)


write(__file__, dtypes, wrong, special, random)
