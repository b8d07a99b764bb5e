"""Writes array_indices.txt: what TensorFlow 2.21 computes for array ops that go by indices, counts and comparisons.

Run with the Python of an environment that has tensorflow-cpu 2.21: `python make_array_indices.py`.
"""

import numpy as np
import tensorflow as tf

from cases import ALL, COMPLEX, FLOATS, INF, INTS, NAN, NUMBERS, REALS, WIDTHS, case, count, none, t, write

rng = np.random.default_rng(32)


def scatters():
    at = [[2], [0], [2]]
    for dtype in ALL:
        case("ScatterNd", at, count((3,), dtype), [4])
        case("ScatterNdNonAliasingAdd", count((4,), dtype), at, count((3,), dtype))
        for kind in ["Add", "Sub", "Max", "Min", "Update"]:
            case("TensorScatter" + kind, count((4,), dtype), t(at, "int64"), count((3,), dtype))
    for values in [[1.0, NAN, -INF, 0.0], [NAN, 2.0, INF, -0.0]]:
        for kind in ["Max", "Min"]:
            case("TensorScatter" + kind, t([1.0, NAN, 3.0, -INF], "float32"), [[0], [1], [2], [3]], t(values, "float32"))
    for dtype in ["float16", "bfloat16", "float32"]:
        for op in ["ScatterNd", "TensorScatterAdd"]:
            values = t(rng.normal(size=40), dtype)
            if op == "ScatterNd":
                case(op, t(rng.integers(0, 3, (40, 1))), values, [3])
            else:
                case(op, t([1, 2, 3], dtype), t(rng.integers(0, 3, (40, 1))), values)
    shapes = [
        ([[0], [2], [0]], (3,), [4]), ([[0], [5]], (2,), [4]), ([[-1]], (1,), [4]), ([0, 1], (), [4]), ([0, 1], (), [4, 4]), (0, (), [4]), ([[0], [1]], (2, 2), [4, 2]),
        ([[0], [1]], (2, 2), [4, 3]), ([[0, 0, 0]], (1,), [4, 3]), ([[0]], (1, 1), [0, 1]), ([[0]], (1,), [-4]), ([[[0]], [[1]]], (2, 1), [4]), ([[0], [1]], (3,), [4]),
        ([[0]], (1,), []), ([[1, -1]], (1,), [2, 2]), ([[1, 1], [0, 1]], (2,), [2, 2]), ([[1, 1], [0, 1]], (2, 3), [2, 2, 3]), ([[0], [1]], (2, 1, 2), [2, 2]), ([[0]], (1, 0), [2, 0])]
    for indices, updates, shape in shapes:
        for policy in ["", "IGNORE"]:
            case("ScatterNd", t(indices), count(updates), t(shape, "int32"), bad_indices_policy=policy)
            if min(shape, default=0) >= 0:
                case("TensorScatterUpdate", count(shape), t(indices), count(updates), bad_indices_policy=policy)
                case("TensorScatterAdd", count(shape), t(indices, "int64"), count(updates), bad_indices_policy=policy)
                case("ScatterNdNonAliasingAdd", count(shape), t(indices), count(updates), bad_indices_policy=policy)
    case("ScatterNd", none(shape=(0, 1)), none(), [0, 1])
    case("ScatterNd", none(shape=(0, 1)), none(shape=(0, 3)), [2, 3])
    case("ScatterNd", none(shape=(2, 0)), [1, 2], none())
    case("ScatterNd", [[0]], [1], [[4]])
    case("ScatterNd", [[0]], [1], [4], bad_indices_policy="X")
    case("TensorScatterUpdate", [1, 2], none(shape=(0, 1)), none())
    case("TensorScatterAdd", 1, none(shape=(2, 0)), [5, 6])


def partitions():
    for dtype in ALL:
        case("DynamicPartition", count((3, 2), dtype), [2, 0, 2], num_partitions=3)
        case("DynamicStitch", [t([2, 0]), t(1)], [count((2, 2), dtype), count((2, 2), dtype)[1]])
        case("ParallelDynamicStitch", [t([1, 0])], [count((2,), dtype)])
    for data, partition, parts in [((4,), [0, 1, 0, 2], 3), ((2, 2), [1, 0], 2), ((2, 2), [[1, 0], [0, 0]], 2), ((4,), [0, 3, 0, 0], 3), ((4,), [0, -1, 0, 0], 3), ((3,), [0, 1], 2), ((), 1, 2),
                                   ((2, 2), 1, 2), ((0, 2), [], 2), ((2, 0), [1, 1], 2), ((2,), [[0, 0]], 1)]:
        case("DynamicPartition", count(data), t(partition, "int32"), num_partitions=parts)
    for indices, data in [([6, [4, 1], [[5, 2], [0, 3]]], [(2,), (2, 2), (2, 2, 2)]), ([[0, 0]], [(2,)]), ([[-1]], [(1,)]), ([[0, 1]], [(1,)]), ([0, [1]], [(2,), (1, 1)]), ([0], [()]),
                          ([[0], 1], [(1,), (1,)]), ([[0], 1], [(1,), ()]), ([[1, 0]], [(2, 0)])]:
        for op in ["DynamicStitch", "ParallelDynamicStitch"]:
            case(op, [t(i) for i in indices], [count(d) for d in data])
    case("DynamicStitch", [none()], [none(shape=(0, 3))])


def uniques():
    versions = [("Unique", None), ("UniqueWithCounts", None), ("UniqueV2", []), ("UniqueWithCountsV2", [])]
    for dtype in REALS + ["bool", "string"]:
        for op, axis in versions:
            x = tf.gather(count((4,), dtype), [2, 0, 2, 3, 0])
            case(op, x, *([] if axis is None else [t(axis, "int32")]), out_idx=tf.int64)
        case("UniqueV2", tf.gather(count((3, 2), dtype), [2, 0, 2]), t([0], "int64"))
        case("ListDiff", count((5,), dtype), tf.gather(count((5,), dtype), [3, 1]))
    for x in [[1.0, NAN, NAN, -0.0, 0.0], [INF, -INF, INF]]:
        for dtype in FLOATS:
            case("UniqueWithCounts", t(x, dtype))
            case("ListDiff", t(x, dtype), t(x[2:], dtype), out_idx=tf.int64)
    for op in ["UniqueV2", "UniqueWithCountsV2"]:
        for axis in [[0], [1], [2], [-1], [-2], [-3], [], [0, 1], 0, [[0]]]:
            for x in [t([[1, 1, 2], [3, 3, 4]]), t([1, 2, 1]), t(1), none(shape=(0, 2)), none(shape=(2, 0)), t([[[1, 2], [3, 4]], [[1, 2], [3, 4]]]), t([[1.0, NAN], [1.0, NAN]], "float32")]:
                case(op, x, t(axis, "int32"))
        case(op, t(rng.integers(0, 2, (40, 3))), [0])
        case(op, t(rng.integers(0, 2, (3, 40))), t([1], "int64"))
    for x in [none(), t([[1]]), t(1), t(rng.integers(0, 30, 80))]:
        for op in ["Unique", "UniqueWithCounts"]:
            case(op, x)
        case("ListDiff", x, [1, 5, 7])
        case("ListDiff", [1, 5, 7], x, out_idx=tf.int64)


def counts():
    for dtype in ["int32", "int64", "float32", "float64"]:
        weights = count((3,), dtype)
        for w in [none(dtype), weights, weights[:2], none(dtype, (0, 2)), none(dtype, (3, 0)), tf.reshape(weights, (3, 1)), tf.reshape(weights, (1, 3))]:
            for size in [4, 2, 0, -1, [3]]:
                case("Bincount", [1, 3, 1], size, w)
                for kind in ["int32", "int64"]:
                    for binary in [False, True]:
                        case("DenseBincount", t([1, 3, 1], kind), t(size, kind), w, binary_output=binary)
                        case("DenseBincount", t([[1, 3, 1]], kind), t(size, kind), w, binary_output=binary)
    for x in [[[1], [2]], [-1, 1], 1, [], [[[1]]], [[1, -1]], [[0, 1], [1, 1], [9, 1]]]:
        case("Bincount", t(x, "int32"), 3, none("float32"))
        case("DenseBincount", t(x, "int32"), 3, none("float32"))
    case("DenseBincount", none(shape=(2, 0)), 2, none())
    case("Bincount", 1, 2, 5)
    for boundaries in [[0.0, 1.0, 10.0], [], [1.0, 1.0], [2.0, 1.0], [-INF, INF]]:
        for x in [t([-5, 0, 1, 10, NAN, INF], "float32"), t([-5, 0, 1, 10, NAN, INF], "float64"), t([[0], [1]]), t([0, 10, 2**40], "int64"), t(1.0, "float32"), none("float32")]:
            case("Bucketize", x, boundaries=boundaries)
    case("Bucketize", [16777217, 2147483647], boundaries=[16777216.0, 2147483648.0])
    case("Bucketize", t([0.1], "float64"), boundaries=[0.1])
    for dtype in ["int32", "int64", "float32", "float64"]:
        for low, high in [(0, 5), (-3, 7), (5, 5), (6, 5)]:
            for bins in [1, 5, 7, 0, -1]:
                case("HistogramFixedWidth", t([-1, 0, 1, 2, 5, 15, 3, 3], dtype), t([low, high], dtype), bins, dtype=tf.int64 if bins == 7 else tf.int32)
        case("HistogramFixedWidth", t([[1, 2], [3, 9]], dtype), t([0, 10], dtype), 5)
        case("HistogramFixedWidth", t([1], dtype), t([[0, 10]], dtype), 5)
        case("HistogramFixedWidth", t([1], dtype), t([0, 10, 11], dtype), 5)
        case("HistogramFixedWidth", t([1], dtype), t([0, 10], dtype), [5])
        case("HistogramFixedWidth", none(dtype), t([0, 10], dtype), 3)
    for dtype in ["float32", "float64"]:
        for values, span in [([NAN], [0, 1]), ([INF, -INF, 0.3], [0, 1]), ([1.0], [0, INF]), ([1.0], [NAN, 1])]:
            case("HistogramFixedWidth", t(values, dtype), t(span, dtype), 5)
        case("HistogramFixedWidth", t(rng.normal(size=60), dtype), t([-1.5, 1.7], dtype), 9)
    case("HistogramFixedWidth", [2147483647, -2147483648], [-2147483648, 2147483647], 5)
    for op in ["LowerBound", "UpperBound"]:
        for dtype in REALS:
            case(op, t([[1, 2, 2, 3], [3, 4, 4, 9]], dtype), t([[2, 0, 9], [4, 3, 10]], dtype))
        for dtype in FLOATS:
            case(op, t([[-INF, -0.0, 2, INF]], dtype), t([[0.0, -0.0, NAN, INF, -INF]], dtype), out_type=tf.int64)
        for a, b in [([[1, 2]], [[2], [3]]), ([1, 2], [2]), ([[[1]]], [[[1]]]), ([[1]], [1])]:
            case(op, t(a), t(b))
        case(op, none(shape=(1, 0)), [[1]])
        case(op, none(shape=(0, 2)), none(shape=(0, 1)))
        case(op, [[1, 2]], none(shape=(1, 0)))


def distances():
    def sparse(indices, values, shape, rank):
        return [t(np.array(indices).reshape(-1, rank), "int64"), values, t(shape, "int64")]

    def both(h, s, rank=2):
        for normalize in [True, False]:
            case("EditDistance", *sparse(*h, rank), *sparse(*s, rank), normalize=normalize)

    for dtype in ALL:
        values = count((6,), dtype)
        both(([[0, 0], [0, 1], [1, 0]], tf.gather(values, [0, 1, 2]), [2, 2]), ([[0, 0], [0, 1], [1, 0], [1, 1]], tf.gather(values, [0, 4, 2, 3]), [2, 2]))
    empty = ([], none(), [1, 1])
    one = ([[0, 0]], t([1]), [1, 1])
    for h, s in [(empty, one), (one, empty), (empty, empty), (one, one), (([[0, 0]], t([1]), [3, 1]), ([[1, 0]], t([1]), [2, 4])), (([[0, 0]], t([1, 2]), [1, 1]), one),
                 (([[0, 0]], t([1]), [0, 1]), ([[0, 0]], t([1]), [0, 1])), (([[0, 0]], t([1]), [1]), one), (([[0, 0]], t([1]), [1, 1, 1]), one), (([[0, 5]], t([1]), [1, 1]), one)]:
        both(h, s)
    for dtype in FLOATS:
        both(([[0, 0], [0, 1], [0, 2]], t([0.0, NAN, 1.0], dtype), [1, 3]), ([[0, 0], [0, 1], [0, 2]], t([-0.0, NAN, 1.0], dtype), [1, 3]))
    for _ in range(12):
        h, s = rng.integers(0, 3, rng.integers(1, 9)), rng.integers(0, 3, rng.integers(1, 9))
        both(([[0, 1, i] for i in range(len(h))], t(h), [1, 2, 9]), ([[0, 1, i] for i in range(len(s))], t(s), [1, 2, 9]), 3)
    both(([[0]], t([1]), [1]), ([[0]], t([1]), [1]), 1)


def ragged():
    for dtype in ["float32", "float64", "int32", "int64"]:
        for starts, limits, deltas in [([0, 5, 8], [3, 5, 12], [1, 1, 2]), (0, [3, 2], 1), ([0, 1], 5, [1]), ([0], [5], [0]), ([5], [0], [-2]), ([5], [0], [2]), (0, 5, 1), ([0, 1, 2], [1, 2], 1),
                                       ([[0]], [1], [1]), ([0], 5, []), ([], [], []), ([-7], [9], [3])]:
            for splits in [tf.int32, tf.int64]:
                case("RaggedRange", t(starts, dtype), t(limits, dtype), t(deltas, dtype), Tsplits=splits)
    for dtype in ["float32", "float64"]:
        for values in [([0.0, 0.5], [1.0, 2.0], [0.3, 0.5]), ([0.1], [7.0], [0.1]), ([1.0], [-1.0], [-0.07]), ([0.0], [NAN], [1.0]), ([0.0], [INF], [1.0]), ([NAN], [1.0], [1.0]), ([0.0], [1.0], [NAN]),
                       ([INF], [1.0], [1.0]), ([0.0], [1.0], [INF]), ([-0.0], [1e-3], [1e-4])]:
            case("RaggedRange", *[t(v, dtype) for v in values])
    case("RaggedRange", [-2147483648], [2147483647], [2147483647])

    def dense(shape, values, default, **partitions):
        tensors = [t(p, "int64") for p in partitions.values()]
        kinds = [name.rstrip("0123456789").upper() for name in partitions]
        case("RaggedTensorToTensor", t(shape, "int32"), values, default, tensors, row_partition_types=kinds)

    for dtype in ALL:
        values = count((5,), dtype)
        dense([-1, -1], values, values[3], row_splits=[0, 2, 2, 5])
    five, three = count((5,)), count((3,))
    for shape in [[-1, -1], [2, 4], [4, 2], -1, [0, 2], [-1, 2], [5, -1], [-1], [], 2, [-1, -1, -1], [3, 0]]:
        dense(shape, five, 9, row_splits=[0, 2, 2, 5])
        dense(shape, count((4, 2)), [8, 9], row_splits=[0, 1, 1, 4])
        dense(shape, count((4,)), 0, row_splits1=[0, 1, 3], row_splits2=[0, 2, 2, 4])
        dense(shape, count((4,)), 0, first_dim_size=3, value_rowids1=[0, 1, 1], value_rowids2=[0, 0, 2, 2])
    for default in [7, [7], [8, 9], [[8], [9]], [[1, 2]]]:
        dense([-1, -1, 2], count((2, 2)), t(default), row_splits=[0, 1, 1, 2])
        dense([-1, -1, 2, 2], count((1, 2, 2)), t(default), row_splits=[0, 1])
    dense([-1, -1], three, 0, first_dim_size=4, value_rowids=[0, 2, 2])
    dense([-1, -1], three, 0, first_dim_size=2, value_rowids=[0, 2, 2])
    dense([-1, -1], three, 0, first_dim_size=[4], value_rowids=[0, 2, 2])
    dense([-1, -1], three, 0, value_rowids=[0, 2, 2])
    for splits in [[0, 2, 1, 3], [0, 2], [1, 3], [], [0, 3], [0]]:
        dense([-1, -1], three, 0, row_splits=splits)
    dense([-1, -1], three, 0, row_lengths=[1, 2])
    dense([-1, -1], three, 0, foo=[1, 2])
    dense([-1, -1], none(), 0, row_splits=[0])
    dense([-1], five, 0, first_dim_size=5)
    dense([7], five, 0, first_dim_size=5)


write(__file__, scatters, partitions, uniques, counts, distances, ragged)
