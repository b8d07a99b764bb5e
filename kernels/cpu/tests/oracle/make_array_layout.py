"""Writes array_layout.txt: what TensorFlow 2.21 computes for array ops that put elements elsewhere.

Run with the Python of an environment that has tensorflow-cpu 2.21: `python make_array_layout.py`.
"""

import numpy as np
import tensorflow as tf

from cases import ALL, COMPLEX, INF, NAN, NUMBERS, REALS, WIDTHS, case, count, none, t, write

rng = np.random.default_rng(31)


def blocks():
    for dtype in REALS:
        case("SpaceToBatch", count((1, 2, 2, 1), dtype), [[0, 0], [0, 0]], block_size=2)
        case("BatchToSpace", count((4, 1, 1, 1), dtype), [[0, 0], [0, 0]], block_size=2)
        case("SpaceToBatchND", count((1, 4, 1), dtype), [2], [[1, 1]])
        case("BatchToSpaceND", count((2, 2, 1), dtype), [2], [[1, 1]])
    for borders in [[[0, 0], [0, 0]], [[1, 1], [2, 0]], [[0, 2], [1, 1]], [[1, 0], [0, 0]], [[-1, 1], [0, 0]], [[0, 0]], [[2, 2], [1, 3]]]:
        for shape in [(1, 4, 2, 1), (2, 2, 4, 3), (0, 2, 2, 1), (4, 2, 2), (1, 0, 2, 1)]:
            case("SpaceToBatch", count(shape), t(borders, "int64"), block_size=2)
            case("SpaceToBatchND", count(shape), t([2, 2], "int64"), t(borders))
            case("SpaceToBatchND", count(shape), [1, 3], t(borders))
        for shape in [(4, 1, 2, 2), (8, 2, 1, 1), (3, 2, 2, 1), (0, 1, 1, 1), (4, 2, 2)]:
            case("BatchToSpace", count(shape), t(borders, "int64"), block_size=2)
            case("BatchToSpaceND", count(shape), [2, 2], t(borders))
            case("BatchToSpaceND", count(shape), [4, 1], t(borders, "int64"))
    case("SpaceToBatchND", count((2, 3)), none(), none(shape=(0, 2)))
    case("BatchToSpaceND", count((2, 3)), none(), none(shape=(0, 2)))
    case("SpaceToBatchND", count((2, 3)), [0], [[0, 0]])
    case("SpaceToBatchND", count((2, 3)), 2, [[0, 0]])
    case("SpaceToBatchND", count((3,)), [2], [[0, 0]])
    case("SpaceToBatchND", count((1, 2, 3, 2)), [2, 3, 1], [[0, 0], [0, 0], [1, 0]])
    case("BatchToSpaceND", count((12, 2, 1, 3, 1)), [2, 1, 3], [[1, 1], [0, 0], [0, 4]])


def strided():
    for dtype in ALL:
        case("StridedSliceGrad", [3, 4], [0, -1], [3, 0], [2, -2], count((2, 2), dtype))
        case("TensorStridedSliceUpdate", count((3, 4), dtype), [0, -1], [3, 0], [2, -2], count((2, 2), dtype))
    for number in range(120):
        rank = int(rng.integers(1, 4))
        dims = rng.integers(0 if number % 9 == 0 else 1, 5, rank)
        spec = int(rng.integers(0, rank + 2))
        begin, end = rng.integers(-6, 7, spec), rng.integers(-6, 7, spec)
        strides = rng.choice([-3, -2, -1, 1, 1, 1, 2, 3], spec) if number % 13 else np.zeros(spec)
        bits = lambda odds: sum(1 << i for i in range(spec) if rng.random() < odds)
        ellipsis = 1 << int(rng.integers(0, spec)) if spec and rng.random() < 0.3 else 0
        masks = {"begin_mask": bits(0.3), "end_mask": bits(0.3), "ellipsis_mask": ellipsis, "new_axis_mask": bits(0.15), "shrink_axis_mask": bits(0.2)}
        masks = {k: v for k, v in masks.items() if v}
        kind = ["int32", "int64"][number % 2]
        spec = [t(v.astype(int), kind) for v in (begin, end, strides)]
        x = count(tuple(dims))
        try:
            part = tf.raw_ops.StridedSlice(input=x, begin=spec[0], end=spec[1], strides=spec[2], **masks)
        except tf.errors.OpError:
            part = count((2,))
        case("StridedSliceGrad", t(dims.astype(int), kind), *spec, part, **masks)
        case("TensorStridedSliceUpdate", x, *spec, part * 10, **masks)
        if part.shape.num_elements():
            case("TensorStridedSliceUpdate", x, *spec, tf.reshape(part, [-1])[:1] * 10, **masks)
    for value in [[9, 8], 9, [[9], [8]], [[1, 2, 3]], [[[1, 2]]]]:
        case("TensorStridedSliceUpdate", count((2, 3)), [0, 0], [2, 2], [1, 1], t(value))
        case("StridedSliceGrad", [2, 3], [0, 0], [2, 2], [1, 1], t(value))
    case("StridedSliceGrad", [[2]], [0], [1], [1], [1])
    case("StridedSliceGrad", [-1], [0], [1], [1], [1])


def diagonals():
    for dtype in NUMBERS + ["bool"]:
        case("Diag", count((2,), dtype))
        case("DiagPart", count((2, 2), dtype))
        case("MatrixDiagV2", count((2, 2), dtype), [0, 1], -1, -1, count((1,), dtype)[0])
        case("MatrixDiagV3", count((2, 2), dtype), [0, 1], 2, 3, count((1,), dtype)[0])
        case("MatrixDiagPartV2", count((2, 3), dtype), [-1, 0], count((1,), dtype)[0])
        case("MatrixDiagPartV3", count((2, 3), dtype), [-1, 2], count((1,), dtype)[0])
        case("MatrixSetDiag", count((2, 3), dtype), count((3,), dtype)[1:])
        case("MatrixSetDiagV2", count((2, 3), dtype), count((3,), dtype)[1:], 1)
        case("MatrixSetDiagV3", count((2, 3), dtype), count((2, 2), dtype), [-1, 0])
    for shape in [(1, 2), (), (0,), (2, 1, 2)]:
        case("Diag", count(shape))
    for shape in [(2, 3), (2,), (), (1, 2, 1, 2), (0, 0), (2, 1, 2, 2, 1, 2), (2, 2, 2)]:
        case("DiagPart", count(shape))
    bands = [0, 1, -1, 2, -2, 3, -3, 4, -4, [0], [0, 0], [-1, 1], [1, 2], [-2, -1], [-2, 3], [2, 1], [0, 1, 2], [[1]], [-3, 0], [0, 4]]
    for k in bands:
        for shape in [(3, 4), (2, 4, 3), (2, 0, 3), (3,)]:
            case("MatrixDiagPartV2", count(shape), t(k), 9)
            length = max(0, min(shape[-2] + min(np.max(k), 0), shape[-1] - max(np.min(k), 0))) if len(shape) > 1 else 1
            rows = int(np.max(k) - np.min(k) + 1)
            diagonal = shape[:-2] + ((rows,) if rows > 1 else ()) + (length,)
            if min(diagonal) >= 0:
                case("MatrixSetDiagV2", count(shape) * 0, count(diagonal), t(k))
        for align in ["LEFT_RIGHT", "RIGHT_LEFT", "LEFT_LEFT", "RIGHT_RIGHT"]:
            case("MatrixDiagPartV3", count((3, 4)), t(k), 9, align=align)
            rows = int(np.max(k) - np.min(k) + 1)
            for shape in [(3, 2)] if rows == 1 else [(rows, 3)] if rows > 0 else []:
                case("MatrixDiagV3", count(shape), t(k), -1, -1, 99, align=align)
                case("MatrixDiagV3", count((2,) + shape), t(k), -1, 6, 99, align=align)
            if rows in (1, 2, 3):
                length = max(0, min(3 + min(np.max(k), 0), 4 - max(np.min(k), 0)))
                case("MatrixSetDiagV3", count((3, 4)) * 0, count((rows, length) if rows > 1 else (length,)), t(k), align=align)
    for rows, columns in [(-1, -1), (3, 4), (2, 4), (2, 2), (-1, 5), (4, -1), (4, 5), (-2, -1), (1, -1), (3, 3)]:
        case("MatrixDiagV2", count((2,)), 1, rows, columns, 9)
        case("MatrixDiagV2", count((3, 2)), -1, rows, columns, 9)
    case("MatrixDiagV2", count((2, 2)), [0, 2], -1, -1, 9)
    case("MatrixDiagV2", count(()), 0, -1, -1, 9)
    case("MatrixDiagV2", count((2,)), 0, [-1], -1, 9)
    case("MatrixDiagV2", count((2, 0)), [0, 1], -1, -1, 9)
    case("MatrixDiagPartV2", count((3, 4)), 0, [9])
    case("MatrixDiagPartV2", count((3, 4)), 0, none())
    case("MatrixSetDiag", count((2, 3)), [8, 9, 7])
    case("MatrixSetDiag", count((2,)), [1])
    case("MatrixSetDiag", count((2, 2, 2)), [[7, 8], [9, 6]])
    case("MatrixSetDiagV2", count((2, 3)), [[8, 9]], 1)
    case("MatrixSetDiagV2", count((2, 2, 3)), [8, 9], 0)


def orders():
    for dtype in ALL:
        case("Reverse", count((2, 3), dtype), t([False, True], "bool"))
        case("ReverseSequence", count((2, 3), dtype), t([2, 3], "int64"), seq_dim=1)
        case("Roll", count((2, 3), dtype), [1, -1], [0, 1])
    for shape, dims in [((2, 3), [True, True]), ((2, 3), [True]), ((), []), ((0, 2), [True, True]), ((2, 3), [[True, False]]), ((1,) * 9, [True] * 9)]:
        case("Reverse", count(shape), t(dims, "bool"))
    for shape in [(2, 3), (2, 3, 2), (3, 2, 2), (2, 2, 3), (0, 3), (2, 0), ()]:
        for sequence, batch in [(0, 1), (1, 0), (2, 0), (0, 2), (1, 1), (-1, 0), (1, -1), (2, 1)]:
            length = shape[batch] if 0 <= batch < len(shape) else 1
            lengths = [(i * 7 + 2) % 4 for i in range(length)]
            for kind in ["int32", "int64"]:
                case("ReverseSequence", count(shape), t(lengths, kind), seq_dim=sequence, batch_dim=batch)
    case("ReverseSequence", count((2, 3)), t([-1, 2]), seq_dim=1)
    case("ReverseSequence", count((2, 3)), t([2]), seq_dim=1)
    case("ReverseSequence", count((2, 3)), t([[1, 2]]), seq_dim=1)
    for shift, axis in [(2, 0), ([1, 1], [1, -1]), (1, 2), (1, -3), ([1], 0), ([1, 2], [0]), ([[1]], [[0]]), (7, 1), (-7, 1), ([], []), (2**31 - 1, 1)]:
        for shape in [(2, 3), (0, 3), (), (4, 2, 3)]:
            case("Roll", count(shape), t(shift, "int32"), t(axis, "int64"))


def mirrored():
    for dtype in NUMBERS:
        case("MirrorPadGrad", count((5, 4), dtype), [[1, 1], [0, 1]], mode="REFLECT", tolerance=2)
    for mode in ["REFLECT", "SYMMETRIC"]:
        for shape, paddings in [((7,), [[2, 2]]), ((7,), [[3, 1]]), ((7,), [[2, 3]]), ((6,), [[3, 0]]), ((6,), [[0, 3]]), ((6,), [[4, 0]]), ((3,), [[-1, 1]]),
                                ((3,), [[2, 2]]), ((3,), [[1, 1, 1]]), ((3,), [[0, 0]]), ((2, 3), [[0, 0]]), ((2, 0), [[0, 0], [0, 0]]),
                                ((5, 2, 6), [[1, 2], [0, 0], [2, 1]]), ((4, 4, 4), [[1, 1], [1, 1], [1, 1]])]:
            case("MirrorPadGrad", count(shape), t(paddings), mode=mode)
            case("MirrorPadGrad", count(shape, "float32"), t(paddings, "int64"), mode=mode)
        case("MirrorPadGrad", count(()), none(shape=(0, 2)), mode=mode)


def patches():
    for dtype in NUMBERS:
        case("ExtractImagePatches", count((1, 3, 3, 2), dtype), ksizes=[1, 2, 2, 1], strides=[1, 1, 2, 1], rates=[1, 1, 1, 1], padding="SAME")
    for padding in ["SAME", "VALID"]:
        for sizes, strides, rates in [((2, 2), (1, 1), (1, 1)), ((2, 3), (2, 1), (1, 1)), ((2, 2), (1, 1), (2, 2)), ((4, 2), (1, 1), (1, 1)), ((5, 1), (1, 1), (1, 1)),
                                      ((1, 1), (3, 3), (1, 1)), ((3, 3), (2, 2), (1, 2)), ((1, 1), (0, 1), (1, 1)), ((0, 1), (1, 1), (1, 1)), ((2, 2), (1, 1), (0, 1))]:
            for shape in [(1, 3, 3, 1), (2, 4, 3, 2), (0, 3, 3, 1), (1, 3, 3, 0)]:
                attrs = {k: [1, *v, 1] for k, v in (("ksizes", sizes), ("strides", strides), ("rates", rates))}
                case("ExtractImagePatches", count(shape), **attrs, padding=padding)
    case("ExtractImagePatches", count((1, 3, 3, 1)), ksizes=[2, 1, 1, 1], strides=[1] * 4, rates=[1] * 4, padding="VALID")
    case("ExtractImagePatches", count((3, 3, 1)), ksizes=[1] * 4, strides=[1] * 4, rates=[1] * 4, padding="VALID")


def shapes():
    for a, b in [([1], [1]), ([2, 3], [2, 3]), ([2, 1], [1, 3]), ([1, 1], [1, 1, 1]), ([2, 1, 3], [3]), ([1], [2, 1]), ([], [1]), ([], []), ([2], [3]), ([0], [1]),
                 ([1], [0]), ([1, 2], [1, 1]), ([2, 1, 1, 3], [2, 4, 1, 3]), ([[1]], [1]), ([0], [2]), (1, [1])]:
        case("BroadcastGradientArgs", t(a, "int32"), t(b, "int32"))
        case("BroadcastGradientArgs", t(a, "int64"), t(b, "int64"))
    for axis in [0, 1, 2, -1, -3, 3, -4]:
        for kind in ["int32", "int64"]:
            case("ConcatOffset", axis, [t([2, 3, 4], kind), t([2, 5, 4], kind), t([2, 1, 4], kind)])
            case("ConcatOffset", axis, [t([2, 3, 4], kind)] * 2)
    case("ConcatOffset", 0, [t([2, 3]), t([2])])
    case("ConcatOffset", [0], [t([2]), t([2])])
    case("ConcatOffset", 0, [t(2), t(2)])
    for dtype in ALL:
        shape = tf.TensorShape([3, 2])
        case("ParallelConcat", [count((1, 2), dtype), count((1, 2), dtype), count((3, 2), dtype)[2:]], shape=shape, graph=True)
    for dtype in WIDTHS:
        case("GuaranteeConst", count((2, 2), dtype))
        case("DeepCopy", count((2, 2), dtype))


write(__file__, blocks, strided, diagonals, orders, mirrored, patches, shapes)
