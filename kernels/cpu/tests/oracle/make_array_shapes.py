"""Writes *_shapes.txt: what TensorFlow infers for the shapes of array ops, reductions over segments, einsum and special
functions; see Shapes in programs.py. Run with TensorFlow 2.21."""

import itertools

import programs
from programs import Shapes, Unknown, t, tf

F, I, L, B = tf.float32, tf.int32, tf.int64, tf.bool
DIMS = [None, (), (2,), (None,), (2, 3), (None, 3), (2, None), (2, 3, 4), (None, None, None), (4, 2, 2, 3), (None, 4, 4, 3)]


def x(dims, dtype=F):
    return Unknown(dtype, dims)


def ints(values, dtype="int32"):
    return t(values, dtype)


def one(op, *more, dtype=F, dims=DIMS, **attrs):
    p = Shapes(op)
    for shape in dims:
        p(op, x(shape, dtype), *more, **attrs)


FEW = [None, (), (2,), (None,), (2, 3), (2, None), (3, 3)]


def two(op, more, *rest, a=FEW, b=FEW, dtype=F, **attrs):
    p = Shapes(op)
    for first, second in itertools.product(a, b):
        p(op, x(first, dtype), x(second, more), *rest, **attrs)


def layout():
    for op, border in [("SpaceToBatch", "paddings"), ("BatchToSpace", "crops")]:
        p = Shapes(op)
        for dims in [None, (4, 2, 2, 3), (None, 4, 4, 3), (4, None, 2, None), (4, 2, 2), (3, 2, 2, 1)]:
            for value in [ints([[0, 0], [0, 0]]), ints([[1, 1], [0, 2]]), ints([[-1, 1], [0, 0]]), x((2, 2), I), x(None, I), x((3, 2), I), ints([[9, 9], [0, 0]])]:
                p(op, x(dims), value, block_size=2)
                for block in [ints([2, 2]), ints([2, 1]), x((2,), I), ints([0, 2]), x((None,), I), x(None, I)]:
                    p(op + "ND", x(dims), block, value)
        p(op + "ND", x((4, 2)), ints([]), x((0, 2), I))
    p = Shapes("strided")
    spec = [ints([0, 1]), ints([2, 3]), ints([1, 1])]
    for shape in [ints([3, 4]), x((2,), I), x((None,), I), x(None, I), ints([-1, 3])]:
        p("StridedSliceGrad", shape, *spec, x((2, 2)))
        p("StridedSliceGrad", shape, x((2,), I), x((2,), I), x((2,), I), x(None))
    for dims in DIMS:
        p("TensorStridedSliceUpdate", x(dims), *spec, x((2, 2)))
    for op in ["Diag", "DiagPart", "DeepCopy", "GuaranteeConst"]:
        one(op, dims=DIMS + [(2, 2), (None, 2), (2, 3, 2, 3), (2, 3, 2, None), (2, 3, 3, 2)])
    for rank in [(2,), (None,), None, (3,), ()]:
        one("Reverse", x(rank, B))
        one("ReverseSequence", x(rank, L), seq_dim=1, batch_dim=0)
        one("ReverseSequence", x(rank, L), seq_dim=0, batch_dim=2)
        one("Roll", x(rank, I), x(rank, I))
    for paddings in [ints([[1, 1], [0, 1]]), x((2, 2), I), x(None, I), x((None, 2), I), x((3, 2), I), x((2, 3), I), ints([[1, 1], [2, 2]])]:
        one("MirrorPadGrad", paddings, mode="REFLECT", dims=[None, (5, 4), (None, 4), (5,), (5, 4, 3)])
    for padding in ["SAME", "VALID"]:
        for size, stride, rate in [(2, 1, 1), (2, 2, 1), (2, 1, 2), (5, 1, 1)]:
            one("ExtractImagePatches", ksizes=[1, size, size, 1], strides=[1, stride, 1, 1], rates=[1, rate, rate, 1], padding=padding)
    p = Shapes("vectors")
    for a, b in itertools.product([None, (), (2,), (None,), (3,), (1, 1)], repeat=2):
        p("BroadcastGradientArgs", x(a, I), x(b, I))
        p("ConcatOffset", x((), I), [x(a, I), x(b, I)])
        p("ConcatOffset", x(a, I), [x(b, I), x(b, I)])
    for a, b in itertools.product([(1, 2), (1, None), None, (2, 2), (1,)], repeat=2):
        p("ParallelConcat", [x(a), x(b)], shape=tf.TensorShape([2, 2]))
    p("ParallelConcat", [x((1, 2))], shape=tf.TensorShape([None, 2]))


def bands():
    p = Shapes("diagonals")
    ks = [ints(0), ints(1), ints([-1, 1]), ints([1, 0]), ints([0, 1, 2]), ints(5), x((), I), x((2,), I), x(None, I), x((1, 1), I)]
    matrices = [None, (3, 4), (None, 4), (None, None), (2, 3, 4), (2, None, 4), (3,), (None, 3, 3)]
    for k, dims in itertools.product(ks, matrices):
        p("MatrixDiagPartV2", x(dims), k, x(()))
        p("MatrixDiagPartV3", x(dims), k, x(()))
    # TensorFlow takes an unknown number of diagonals for a wrong one, and unknown sides for 1: left out.
    for k, dims in itertools.product(ks, [None, (2,), (3, 2), (2, 3, 2), (), (2, 1, 2)]):
        for rows, columns in [(-1, -1), (3, -1), (9, 9)]:
            p("MatrixDiagV2", x(dims), k, ints(rows), ints(columns), x(()))
        p("MatrixDiagV3", x(dims), k, ints(-1), ints(-1), x((2,)))
    for k, dims, diagonal in itertools.product(ks, [None, (3, 4), (None, 3, 4), (2, 3, 3)], [None, (3,), (3, 3), (2, 2, 3), (None, 2), ()]):
        # TensorFlow refuses bands of matrices of which it knows a part only: left out.
        if dims != (None, 3, 4) or diagonal != (2, 2, 3):
            p("MatrixSetDiagV2", x(dims), x(diagonal), k)
        p("MatrixSetDiag", x(dims), x(diagonal))
    p("MatrixSetDiagV3", x((None, None)), x((None,)), ints(0))


def indices():
    two("DynamicPartition", I, num_partitions=2)
    p = Shapes("stitch")
    for a, b in itertools.product([ints([0, 2]), ints(1), x((2,), I), x(None, I), ints([[0, 1]])], repeat=2):
        for c, d in [((2, 3), (2, 3)), ((2, 3), (3,)), (None, (2, None)), ((1, 2), (2,)), ((2, 3), (2, 4))]:
            p("DynamicStitch", [a, b], [x(c), x(d)])
            p("ParallelDynamicStitch", [a, b], [x(c), x(d)])
    p = Shapes("scatter")
    places = [None, (), (2, 1), (2, 2), (None, 1), (2, None), (0, 1)]
    updates = [None, (), (2,), (2, 3), (None, 3), (0, 3)]
    for a, b in itertools.product(places, updates):
        for shape in [ints([4, 3]), x((2,), I), x(None, I), ints([0, 3]), ints([4])]:
            p("ScatterNd", x(a, I), x(b), shape)
        for dims in [(4, 3), None, (None, 3), (0, 3), (4,), ()]:
            p("TensorScatterUpdate", x(dims), x(a, I), x(b))
            p("ScatterNdNonAliasingAdd", x(dims), x(a, I), x(b))
    p = Shapes("unique")
    for dims in DIMS:
        p("Unique", x(dims))
        p("UniqueWithCounts", x(dims))
        for axis in [ints([0]), ints([-1]), ints([]), ints([0, 1]), ints(0), ints([5]), x((1,), I), x(None, I)]:
            p("UniqueV2", x(dims), axis)
            p("UniqueWithCountsV2", x(dims), axis)
    two("ListDiff", F)
    for a in [ints(5), ints(-1), x((), I), x((1,), I), x(None, I), ints(0)]:
        one("Bincount", a, x(None), dtype=I)
        one("DenseBincount", a, x(None), dtype=I)
        p = Shapes("histogram")
        for dims in [(2,), (None,), None, (3,), ()]:
            p("HistogramFixedWidth", x(None), x(dims), a)
    one("Bucketize", boundaries=[1.0])
    two("LowerBound", F)
    two("UpperBound", F)
    p = Shapes("ragged")
    for a, b, c in itertools.product([None, (), (2,), (None,), (3,), (1, 1)], repeat=3):
        p("RaggedRange", x(a), x(b), x(c))
    p = Shapes("distance")
    sides = [ints([2, 3], "int64"), ints([4, 2], "int64"), x((2,), L), x(None, L), ints([1, 2, 3], "int64"), ints([5], "int64")]
    for a, b in itertools.product(sides, repeat=2):
        p("EditDistance", x((5, 2), L), x((5,)), a, x(None, L), x((None,)), b)
    p("EditDistance", x((5,), L), x((5,)), sides[0], x(None, L), x((None,)), sides[1])
    p = Shapes("ragged tensor")
    for given in [ints([-1, -1]), ints([2, 3]), x((2,), I), x(None, I), ints(-1), ints([2, 3, 4]), x((), I)]:
        for dims in [None, (5,), (None,), (5, 4), (5, None)]:
            p("RaggedTensorToTensor", given, x(dims), x(()), [x((None,), L)], row_partition_types=["ROW_SPLITS"])
            p("RaggedTensorToTensor", given, x(dims), x(None), [x((), L), x((None,), L)], row_partition_types=["FIRST_DIM_SIZE", "VALUE_ROWIDS"])


def segments():
    for op in ["SegmentSum", "SegmentMean", "SegmentMax"]:
        two(op, I)
    p = Shapes("unsorted")
    for op in ["UnsortedSegmentSum", "UnsortedSegmentMin"]:
        for a, b in itertools.product(FEW + [(2, 3, 4)], [None, (), (2,), (None,), (2, 3), (3, 3)]):
            for n in [ints(5), ints(-1), x((), I), x((1,), I), x(None, I)]:
                p(op, x(a), x(b, I), n)
    p = Shapes("sparse")
    for op in ["SparseSegmentSum", "SparseSegmentMean", "SparseSegmentSqrtN"]:
        for a, b, c in itertools.product([None, (), (2,), (2, 3), (None, None)], [None, (2,), (None,), ()], [None, (2,), (3,), (1, 1)]):
            p(op, x(a), x(b, I), x(c, I))


def einsum():
    p = Shapes("einsum")
    for equation in ["ab,bc->ac", "...ab,bc->...ac", "...a,...a->...", "ab,b->", "aab,b->ba", "a...,...b->ab...", "ab,bc->ad", "ab->ba", "abc"]:
        for a, b in itertools.product([None, (2, 3), (None, 3), (2, 3, 3), (1, 3, 3), (3,)], [None, (3, 4), (3, None), (3,), (5, 3, 4)]):
            p("Einsum", [x(a), x(b)], equation=equation)
    for equation in ["ab->ba", "aa->a", "...a->a...", "...a->a", "a->aa", "ab,b->a", "ab->ab->a", "->"]:
        for a in DIMS:
            p("Einsum", [x(a)], equation=equation)


def math():
    p = Shapes("math")
    for a, b, c in itertools.product([None, (), (2,), (None,), (2, 3)], repeat=3):
        p("Betainc", x(a), x(b), x(c))
    for a, b in itertools.product([None, (), (3,), (None,), (2, 3), (2, None), (2, 4), (None, 3)], repeat=2):
        p("Cross", x(a), x(b))
        p("Complex", x(a), x(b))
        p("Igamma", x(a), x(b))
    one("PopulationCount", dtype=I)
    one("Ndtri")


for name, makers in [("array_shapes", [layout, bands, indices]), ("segments_shapes", [segments]), ("einsum_shapes", [einsum]), ("math_special_shapes", [math])]:
    programs.LINES.clear()
    for make in makers:
        make()
    programs.write(__file__, name + ".txt")
