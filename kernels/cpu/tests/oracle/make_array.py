"""Writes array.txt: what TensorFlow 2.21 computes for cases of the array kernels.

Run with the Python of an environment that has tensorflow-cpu 2.21: `python make_array.py`.
A line is a case: `op|attrs|inputs|outputs|tolerance`. An attr is `name=kind:value`, a tensor is `dtype[shape]:values`;
both are separated by `;`. A case that TensorFlow refuses has `!Code` in place of its outputs.
"""

import os
import pathlib

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"

import numpy as np
import tensorflow as tf
from tensorflow.python.framework import errors_impl

NAN, INF = float("nan"), float("inf")
LINES = []
rng = np.random.default_rng(22)
FLOATS = ["float32", "float64", "float16", "bfloat16"]
INTS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
NUMBERS = FLOATS + INTS + ["complex64", "complex128"]
ALL = NUMBERS + ["bool", "string"]
WIDTHS = ["int8", "float16", "float32", "int64", "complex128", "bool", "string"]


def t(values, dtype="int32"):
    return tf.constant(values, dtype)


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
        return x.decode() or "''"
    if isinstance(x, (complex, np.complexfloating)):
        return f"{number(x.real)},{number(x.imag)}"
    if isinstance(x, (bool, np.bool_, int, np.integer)):
        return str(int(x))
    return repr(float(x)).replace("nan", "NaN")


def tensor(x):
    dtype, x = x.dtype.name, np.asarray(x.numpy())
    return f"{dtype}[{','.join(map(str, x.shape))}]:{' '.join(number(v) for v in x.ravel())}"


def attr(name, value):
    if isinstance(value, bool):
        return f"{name}=bool:{int(value)}"
    if isinstance(value, int):
        return f"{name}=int:{value}"
    if isinstance(value, str):
        return f"{name}=string:{value}"
    if isinstance(value, list):
        return f"{name}=ints:{','.join(map(str, value))}"
    return f"{name}=type:{value.name}"


def case(op, *inputs, **attrs):
    names = {"Where": ["condition"], "ExpandDims": ["input", "axis"], "Squeeze": ["input"], "Unpack": ["value"], "Pack": ["values"],
             "Split": ["axis", "value"], "SplitV": ["value", "size_splits", "axis"]}
    function = getattr(tf.raw_ops, op)
    arguments = names.get(op) or list(function.__signature__.parameters)
    rename = {"squeeze_dims": "axis"} if op == "Squeeze" else {}
    flat = [v for value in inputs for v in (value if isinstance(value, list) else [value])]
    try:
        out = function(**dict(zip(arguments, inputs)), **{rename.get(k, k): v for k, v in attrs.items()})
        outputs = list(out) if isinstance(out, (list, tuple)) else [out]
        text = ";".join(tensor(output) for output in outputs)
    except errors_impl.UnimplementedError:
        return  # A dtype that TensorFlow lacks.
    except errors_impl.OpError as error:
        text = "!" + type(error).__name__.removesuffix("Error")
    line = f"{op}|{';'.join(attr(k, v) for k, v in attrs.items())}|{';'.join(tensor(v) for v in flat)}|{text}|0"
    if line not in LINES:
        LINES.append(line)


def shapes():
    for x in [count((2, 3)), count(()), count((0, 2)), count((2, 2), "string")]:
        for kind in [tf.int32, tf.int64]:
            case("Shape", x, out_type=kind)
            case("Size", x, out_type=kind)
        case("Rank", x)
        case("ZerosLike", x)
        for axis in [0, 1, -1, -2, 2, 3, -3, -4]:
            case("ExpandDims", x, t(axis, "int64"))
    case("ExpandDims", count((2,)), t([0]))
    case("ExpandDims", count((2,)), t([0, 1]))
    for dtype in NUMBERS + ["bool"]:
        case("ZerosLike", count((2,), dtype))
        case("OnesLike", count((2,), dtype))
    for sizes in [[6], [-1], [3, -1], [-1, 2], [2, 3, 1], [-1, -1], [4, -1], [5], [-2, 3], [0, -1], [], [2, 3, 0]]:
        case("Reshape", count((2, 3)), t(sizes))
        case("Reshape", count((0, 3)), t(sizes, "int64"))
        case("Reshape", count(()), t(sizes))
    case("Reshape", count((2, 3)), t(6))
    case("Reshape", count((2, 3)), t(-1))
    case("Reshape", count((2, 3)), t([[2, 3]]))
    for dims in [[0], [-1], [0, 2], [0, 0], [1], [4], [-5], [2, -2]]:
        case("Squeeze", count((1, 2, 1, 1)), squeeze_dims=dims)
    case("Squeeze", count((1, 2, 1, 1)))
    case("Squeeze", count((2, 0)))
    case("Squeeze", count(()))
    for a, b in [([3, 1], [2, 1, 4]), ([], [2]), ([0], [1]), ([1], [0]), ([3], [2]), ([2, 3], [3]), ([1, 1], [1])]:
        case("BroadcastArgs", t(a), t(b))
        case("BroadcastArgs", t(a, "int64"), t(b, "int64"))
    case("BroadcastArgs", t(1), t([2]))


def orders():
    for dtype in ALL:
        case("Transpose", count((2, 3), dtype), t([1, 0]))
        case("ReverseV2", count((2, 3), dtype), t([1]))
    for dtype in ["complex64", "complex128", "float32"]:
        case("ConjugateTranspose", count((2, 3), dtype), t([1, 0]))
    for perm in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0], [-1, 0, 1], [0, 0, 1], [0, 1], [0, 1, 3], [-4, 0, 1]]:
        for shape in [(2, 3, 4), (1, 3, 2), (2, 1, 3), (0, 2, 1)]:
            case("Transpose", count(shape), t(perm, "int64"))
    for perm in [[3, 0, 2, 1], [0, 3, 1, 2], [0, 2, 3, 1], [0, 2, 1, 3], [1, 0, 3, 2]]:
        case("Transpose", count((2, 3, 1, 4), "int8"), t(perm))
    case("Transpose", count(()), t([], "int32"))
    case("Transpose", count((2,)), t(0))
    case("Transpose", count((20, 18)), t([1, 0]))
    for axes in [[0], [1], [2], [-1], [0, 1], [0, 2], [1, 2], [0, 1, 2], [], [3], [0, -3], [0, 0]]:
        case("ReverseV2", count((2, 3, 2)), t(axes, "int64"))
    case("ReverseV2", count(()), t([], "int32"))
    case("ReverseV2", count((0, 2)), t([0, 1]))
    case("ReverseV2", count((2,)), t(0))
    for x in [[0], [2, 0, 1], [1, 1], [0, 2], [-1, 0], []]:
        case("InvertPermutation", t(x))
        case("InvertPermutation", t(x, "int64"))
    case("InvertPermutation", t(0))
    for dtype in WIDTHS:
        case("DepthToSpace", count((1, 2, 1, 8), dtype), block_size=2)
        case("SpaceToDepth", count((2, 2, 4, 1), dtype), block_size=2)
    case("DepthToSpace", count((1, 1, 2, 9)), block_size=3)
    case("SpaceToDepth", count((1, 3, 6, 2)), block_size=3)
    case("DepthToSpace", count((1, 2, 2, 6)), block_size=2)
    case("SpaceToDepth", count((1, 3, 2, 1)), block_size=2)
    case("SpaceToDepth", count((0, 2, 2, 1)), block_size=2)
    case("DepthToSpace", count((2, 2, 4)), block_size=2)


def joins():
    for dtype in ALL:
        a, b = count((2, 1), dtype), count((2, 2), dtype)
        case("ConcatV2", [a, b], t(1))
        case("Pack", [a, a], axis=1)
        case("Unpack", b, num=2, axis=1)
        case("Split", t(1), b, num_split=2)
    for axis in [0, 1, 2, -1, -2, -3, 3, -4]:
        x, y = count((2, 3, 2)), count((2, 1, 2))
        case("ConcatV2", [x, x], t(axis, "int64"))
        case("ConcatV2", [x, y, x], t(axis))
        case("Concat", t(axis), [y, x])
        case("Pack", [x, x, x], axis=axis)
        case("Unpack", x, num=2, axis=axis)
        case("Unpack", x, num=3, axis=axis)
        case("Split", t(axis), x, num_split=1)
        case("Split", t(axis), x, num_split=2)
        case("Split", t(axis), x, num_split=3)
        for kind, sizes in [("int32", [1, 1]), ("int64", [1, 2]), ("int8", [2, 0]), ("int32", [-1, 1]), ("int32", [-1, 3]), ("int64", [-1, -1]),
                            ("int64", [4, -1]), ("int64", [-2, 4]), ("int32", [2])]:
            case("SplitV", x, t(sizes, kind), t(axis), num_split=len(sizes))
    case("SplitV", count((3,)), t([1, 1, 1]), t(0), num_split=2)
    case("ConcatV2", [count((0, 2)), count((3, 2))], t(0))
    case("ConcatV2", [count((0, 2)), count((0, 2))], t(1))
    case("ConcatV2", [count(()), count(())], t(0))
    case("ConcatV2", [count((2,)), count((2, 1))], t(0))
    case("Pack", [count(()), count(())])
    case("Pack", [count((0,)), count((0,))], axis=1)
    case("Pack", [count((2,)), count((3,))])
    case("Unpack", count(()), num=1)
    case("Unpack", count((2, 0)), num=2)
    case("Split", t(0), count((0, 2)), num_split=2)


def slices():
    for dtype in ALL:
        case("Slice", count((3, 4), dtype), t([1, 1]), t([2, -1]))
        case("StridedSlice", count((3, 4), dtype), t([0, -1]), t([3, 0]), t([2, -2]))
    for begin, size in [([0, 0], [3, 4]), ([1, 0], [1, 4]), ([0, 2], [-1, 2]), ([3, 0], [0, 4]), ([3, 4], [-1, -1]), ([0, 0], [4, 1]), ([-1, 0], [1, 1]),
                        ([0, 5], [1, -1]), ([0, 0], [1, -2]), ([0], [1]), ([0, 0], [1])]:
        case("Slice", count((3, 4)), t(begin), t(size))
        case("Slice", count((3, 4)), t(begin, "int64"), t(size, "int64"))
    case("Slice", count(()), t([], "int32"), t([], "int32"))
    for number_of_case in range(220):
        rank = int(rng.integers(1, 4))
        dims = rng.integers(0 if number_of_case % 9 == 0 else 1, 5, rank)
        spec = int(rng.integers(0, rank + 2))
        begin, end = rng.integers(-6, 7, spec), rng.integers(-6, 7, spec)
        strides = rng.choice([-3, -2, -1, 1, 1, 1, 2, 3], spec) if number_of_case % 13 else np.zeros(spec)
        bits = lambda odds: sum(1 << i for i in range(spec) if rng.random() < odds)
        ellipsis = 1 << int(rng.integers(0, spec)) if spec and rng.random() < 0.3 else 0
        masks = {"begin_mask": bits(0.3), "end_mask": bits(0.3), "ellipsis_mask": ellipsis, "new_axis_mask": bits(0.15), "shrink_axis_mask": bits(0.2)}
        kind = ["int32", "int64", "int16"][number_of_case % 3]
        case("StridedSlice", count(tuple(dims)), t(begin.astype(int), kind), t(end.astype(int), kind), t(strides.astype(int), kind),
             **{k: v for k, v in masks.items() if v})
    case("StridedSlice", count((3,)), t([0]), t([1, 2]), t([1]))
    case("StridedSlice", count((3,)), t(0), t(1), t(1))
    case("StridedSlice", count((3, 2)), t([0, 0]), t([0, 0]), t([1, 1]), ellipsis_mask=3)


def enlarged():
    for dtype in ALL:
        case("Pad", count((2, 2), dtype), t([[1, 0], [0, 2]]))
        case("MirrorPad", count((2, 3), dtype), t([[1, 0], [0, 2]]), mode="REFLECT")
        case("Tile", count((1, 2), dtype), t([2, 2]))
        case("BroadcastTo", count((2, 1), dtype), t([2, 2, 2]))
        case("Fill", t([2, 1]), count((), dtype))
    for paddings in [[[0, 0], [0, 0], [0, 0]], [[1, 2], [0, 0], [0, 0]], [[0, 0], [1, 0], [0, 0]], [[0, 0], [0, 0], [2, 1]], [[1, 1], [1, 1], [1, 1]],
                     [[0, 1], [0, 0], [1, 0]], [[-1, 1], [0, 0], [0, 0]], [[1, 1]], [[0, 0, 0]] * 3]:
        for shape in [(2, 1, 3), (0, 2, 1)]:
            case("Pad", count(shape), t(paddings))
            case("PadV2", count(shape), t(paddings, "int64"), t(9))
    case("PadV2", count((2,)), t([[1, 1]]), t([9]))
    case("PadV2", count((2,)), t([[1, 1]]), t([9, 9]))
    case("Pad", count(()), tf.zeros((0, 2), "int32"))
    for mode in ["REFLECT", "SYMMETRIC"]:
        for paddings in [[[0, 0], [0, 0]], [[1, 1], [2, 2]], [[2, 0], [0, 3]], [[1, 2], [3, 0]], [[3, 0], [0, 0]], [[0, 0], [0, 4]], [[-1, 0], [0, 0]], [[1, 1]]]:
            case("MirrorPad", count((2, 3)), t(paddings), mode=mode)
            case("MirrorPad", count((2, 3)), t(paddings, "int64"), mode=mode)
    case("MirrorPad", count(()), tf.zeros((0, 2), "int32"), mode="REFLECT")
    case("MirrorPad", count((0, 2)), t([[0, 0], [1, 1]]), mode="SYMMETRIC")
    for multiples in [[1, 1, 1], [2, 1, 1], [1, 2, 1], [1, 1, 3], [2, 3, 1], [1, 3, 2], [2, 2, 2], [0, 1, 1], [1, 1], [-1, 1, 1]]:
        case("Tile", count((2, 1, 3)), t(multiples, "int64"))
    case("Tile", count(()), t([], "int32"))
    case("Tile", count((0, 2)), t([2, 2]))
    for shape in [[2, 1, 3], [4, 2, 2, 3], [2, 5, 3], [2, 0, 3], [3], [2, 1, 4], [2, 1, -1], []]:
        case("BroadcastTo", count((2, 1, 3)), t(shape))
        case("BroadcastTo", count((1,)), t(shape, "int64"))
        case("BroadcastTo", count(()), t(shape))
    case("BroadcastTo", count((0,)), t([2, 0]))
    case("Fill", t([2, 0]), t(1))
    case("Fill", t([], "int32"), t(1))
    case("Fill", t([-1]), t(1))
    case("Fill", t(2), t(1))
    case("Fill", t([2]), t([1]))
    case("Fill", t([2]), t([1, 2]))
    case("Fill", t([[2]]), t(1))


def sequences():
    for dtype in FLOATS + ["int32", "int64"]:
        for start, limit, delta in [(0, 5, 1), (3, 18, 3), (3, 1, -1), (5, 5, 2), (0, 7, 2), (7, 0, -3), (0, 5, 0), (0, 5, -1), (5, 0, 1), (-3, 4, 2)]:
            case("Range", t(start, dtype), t(limit, dtype), t(delta, dtype))
    for dtype in FLOATS:
        for start, limit, delta in [(0, 1, 0.1), (0, 0.3, 0.1), (1, 0, -0.07), (0.5, 3, 0.3), (0, NAN, 1), (0, 1, NAN), (0, INF, 1)]:
            case("Range", t(start, dtype), t(limit, dtype), t(delta, dtype))
    case("Range", t([0]), t(3), t(1))
    for dtype in ["float32", "float64"]:
        for start, stop, n in [(0, 1, 5), (10, 12, 3), (1, 0, 7), (2, 3, 1), (0.1, 3.7, 11), (0, 1, 0), (0, 1, -1), (3, 3, 2)]:
            case("LinSpace", t(start, dtype), t(stop, dtype), t(n))


def gathers():
    for dtype in ALL:
        case("GatherV2", count((3, 2), dtype), t([2, 0, 2]), t(0))
        case("GatherNd", count((2, 2), dtype), t([[1, 1], [0, 1]]))
        case("OneHot", t([0, 2, 1]), t(2), count((2,), dtype)[0], count((3,), dtype)[2])
    for kind in ["int16", "int32", "int64"]:
        for axis in [0, 1, 2, -1, -2, -3, 3, -4]:
            for indices in [[1, 0], 1, [[1, 0], [0, 1]], [], [2], [-1]]:
                case("GatherV2", count((2, 3, 2)), t(indices, kind), t(axis, "int64"))
        case("GatherNd", count((2, 3)), t([[0], [1]], kind))
    for indices in [[1, 0], [5], []]:
        case("Gather", count((3, 2)), t(indices))
    case("Gather", count(()), t([0]))
    case("GatherV2", count((0, 2)), t([0]), t(0))
    case("GatherV2", count((2, 0)), t([1, 0]), t(0))
    case("GatherV2", count((2, 2)), t([0]), t([0]))
    for batch in [0, 1, 2, -1, -2, -3, 3]:
        for axis in [0, 1, 2, -1]:
            case("GatherV2", count((2, 3, 4)), t(rng.integers(0, 2, (2, 3, 2))), t(axis), batch_dims=batch)
            case("GatherV2", count((2, 3, 4)), t(rng.integers(0, 3, (2, 2))), t(axis), batch_dims=batch)
    for indices in [[[0, 0]], [[1, 2], [0, 1]], [[0], [1]], [[[1], [0]]], [0, 1], [[2, 0]], [[0, -1]], [[0, 0, 0]], [1]]:
        case("GatherNd", count((2, 3)), t(indices))
        case("GatherNd", count((2, 3, 2)), t(indices, "int64"))
    case("GatherNd", count((2, 3)), tf.zeros((2, 0), "int32"))
    case("GatherNd", count((2, 3)), tf.zeros((0, 2), "int32"))
    case("GatherNd", count((0, 3)), t([[0]]))
    case("GatherNd", count((2, 3)), t(0))
    case("GatherNd", count(()), t([[0]]))
    for kind in ["uint8", "int8", "int32", "int64"]:
        for axis in [-1, 0, 1]:
            case("OneHot", t([0, 3, 1, 2], kind), t(3), t(5), t(-1), axis=axis)
    for axis in [-1, 0, 1, 2, 3, -2]:
        case("OneHot", t([[0, 2], [-1, 1]]), t(3), t(5.0, "float32"), t(-1.0, "float32"), axis=axis)
    case("OneHot", t(1), t(3), t(1), t(0))
    case("OneHot", t([0, 1]), t(0), t(1), t(0))
    case("OneHot", t([0, 1]), t(-1), t(1), t(0))
    case("OneHot", t([0, 1]), t([2]), t(1), t(0))
    case("OneHot", t([0, 1]), t(2), t([1]), t(0))
    case("OneHot", tf.zeros((0, 2), "int32"), t(2), t(1), t(0))
    for dtype in NUMBERS + ["bool"]:
        case("Where", tf.constant([[0, 1, 0], [2, 0, 3]], "int32") > 0 if dtype == "bool" else tf.constant(np.array([[0, 1, 0], [2, 0, 3]]).astype(tf.as_dtype(dtype).as_numpy_dtype)))
    case("Where", t([0.0, -0.0, NAN, INF], "float32"))
    case("Where", tf.zeros((2, 0), "bool"))
    case("Where", count((2, 2, 2), "bool"))


def bits():
    for x in [t([1.5, -2.0], "float32"), t([[1, 2]], "int32"), t(7, "int32"), t([1, 2, 3, 4], "uint8"), t([1, 2], "uint8"), t(1.0, "float64"),
              tf.zeros((0, 4), "uint8"), t([1 + 2j], "complex64")]:
        for to in [tf.int32, tf.uint8, tf.float32, tf.float64, tf.int16, tf.complex64, tf.uint64]:
            case("Bitcast", x, type=to)
    for dtype in NUMBERS + ["bool"]:
        case("MatrixBandPart", count((3, 4), dtype), t(1, "int64"), t(0, "int64"))
        case("MatrixDiag", count((2,), dtype))
        case("MatrixDiagPart", count((2, 2), dtype))
    for lower, upper in [(0, 0), (1, 0), (0, 1), (-1, 0), (0, -1), (-1, -1), (2, 2), (3, 4), (4, 0), (0, 5), (-5, 1)]:
        case("MatrixBandPart", count((2, 3, 4)), t(lower, "int64"), t(upper, "int64"))
        case("MatrixBandPart", count((4, 3)), t(lower, "int32"), t(upper, "int32"))
    case("MatrixBandPart", count((4,)), t(0), t(0))
    case("MatrixBandPart", count((0, 3)), t(0), t(0))
    case("MatrixBandPart", count((2, 2)), t([0]), t(0))
    case("MatrixDiag", count((2, 3)))
    case("MatrixDiag", count((0,)))
    case("MatrixDiagPart", count((2, 3, 2)))
    case("MatrixDiagPart", count((2, 2, 3)))
    case("MatrixDiagPart", count((3, 0)))


for make in [shapes, orders, joins, slices, enlarged, sequences, gathers, bits]:
    make()
path = pathlib.Path(__file__).with_name("array.txt")
path.write_text("\n".join(LINES) + "\n")
print(f"{len(LINES)} cases")
