"""Sparse tensors: indices, values and a dense shape."""
import numpy as np

from draw import given

from . import recipe


def sparse(d, dtype, shape, index="int64", ordered=True, inside=False):
    """Some elements of a tensor of this shape: indices, values, the shape."""
    count = int(np.prod(shape))
    picked = d.random.permutation(count)[:d.integer(0, min(count, 8))]
    if ordered:
        picked.sort()
    rows = np.stack(np.unravel_index(picked, shape), -1) if count else np.zeros((0, len(shape)), int)
    if not inside and d.bad() and len(rows):
        rows[0, 0] = d.one([-1, shape[0]])
    return [given(index, rows), d.tensor(dtype, (len(rows),)), given("int64", shape)]


def small(d, low=1, high=3):
    return tuple(d.integer(1, 4) for _ in range(d.integer(low, high)))


@recipe("SparseToDense")
def to_dense(d, t):
    shape = small(d)
    indices, values, _ = sparse(d, t["T"], shape, t["Tindices"])
    if len(shape) == 1 and d.chance(0.5):
        indices = given(t["Tindices"], indices.array[:, 0])
    if d.chance(0.2):
        values = d.tensor(t["T"], ())
    return [indices, given(t["Tindices"], shape), values, d.tensor(t["T"], ())], {"validate_indices": d.chance(0.7)}


@recipe("SparseReorder")
def reorder(d, t):
    return sparse(d, t["T"], small(d), ordered=False)


@recipe("SparseReshape")
def reshape(d, t):
    shape = small(d)
    indices, _, dense = sparse(d, "float32", shape)
    target = list(d.random.permutation(shape)) + ([1] if d.chance(0.3) else [])
    if d.chance(0.4):
        target[0] = -1
    return [indices, dense, given("int64", target if not d.bad() else [*target, 5])]


@recipe("SparseConcat")
def concat(d, t):
    shape, axis = list(small(d)), 0
    axis = d.axis(len(shape))
    parts = []
    for _ in range(d.integer(2, 3)):
        if -len(shape) <= axis < len(shape):
            shape[axis] = d.integer(1, 4)
        parts.append(sparse(d, t["T"], tuple(shape)))
    return [list(column) for column in zip(*parts)], {"concat_dim": axis}


@recipe("SparseSlice")
def cut(d, t):
    shape = small(d)
    start = [d.integer(0, s) for s in shape]
    return [*sparse(d, t["T"], shape), given("int64", start), given("int64", [d.integer(0, s) for s in shape])]


@recipe("SparseAdd")
def add(d, t):
    shape = small(d)
    # TensorFlow takes the bits of a threshold of another dtype for one of this.
    real = {"complex64": "float32", "complex128": "float64"}.get(t["T"], t["T"])
    sides = [*sparse(d, t["T"], shape), *sparse(d, t["T"], shape if not d.bad() else (*shape, 2))]
    return [*sides, d.tensor(real, (), "positive")], {"Treal": real}


@recipe("SparseFillEmptyRows")
def fill_empty_rows(d, t):
    return [*sparse(d, t["T"], small(d, 2, 2)), d.tensor(t["T"], ())]


@recipe("SparseReduceSum", "SparseReduceMax", "SparseReduceSumSparse", "SparseReduceMaxSparse")
def reduce(d, t):
    shape = small(d)
    return [*sparse(d, t["T"], shape), given("int32", d.axes(len(shape)) if not d.bad() else [9])]


@recipe("SparseTensorDenseMatMul")
def mat_mul(d, t):
    rows, inner, columns = d.integer(1, 4), d.integer(1, 4), d.integer(1, 4)
    turned = {"adjoint_a": d.chance(0.5), "adjoint_b": d.chance(0.5)}
    d.style = "plain"
    a = sparse(d, t["T"], (inner, rows) if turned["adjoint_a"] else (rows, inner), t["Tindices"])
    other = inner + (1 if d.bad() else 0)
    return [*a, d.tensor(t["T"], (columns, other) if turned["adjoint_b"] else (other, columns))], turned


@recipe("SparseSplit")
def split(d, t):
    shape = small(d)
    axis = d.axis(len(shape))
    extent = shape[axis] if -len(shape) <= axis < len(shape) else 1
    parts = d.integer(1, extent + (1 if d.bad() else 0))
    return [given("int64", axis), *sparse(d, t["T"], shape)], {"num_split": parts}


@recipe("SparseSliceGrad")
def slice_gradient(d, t):
    shape = small(d)
    start = [d.integer(0, s - 1) for s in shape]
    indices = sparse(d, "float32", shape)[0].array
    inside = indices[np.all(indices >= start, -1)] - start
    if d.bad() and len(inside):
        inside = inside[::-1] + 1
    return [d.tensor(t["T"], (len(inside),)), given("int64", indices), given("int64", start), given("int64", inside)]


@recipe("SparseAddGrad")
def add_gradient(d, t):
    shape = small(d)
    a, b = (sparse(d, "float32", shape)[0] for _ in range(2))
    both = np.unique(np.concatenate([a.array, b.array]), axis=0)
    kept = both[d.random.random(len(both)) < 0.8]
    return [d.tensor(t["T"], (len(kept) + (1 if d.bad() else 0),)), a, b, given("int64", kept)]


@recipe("SparseTensorDenseAdd")
def dense_add(d, t):
    shape = small(d)
    indices, values, dense = sparse(d, t["T"], shape, t["Tindices"])
    return [indices, values, given(t["Tindices"], dense.array), d.tensor(t["T"], shape if not d.bad() else (*shape, 1))]


@recipe("SparseDenseCwiseAdd", "SparseDenseCwiseMul", "SparseDenseCwiseDiv")
def dense_cwise(d, t, op):
    shape = small(d)
    own = [1 if d.chance(0.3) else s for s in shape[d.integer(0, len(shape)):]]
    if d.bad() and own:
        own[0] += 1
    # A quotient of integers by 0 ends TensorFlow.
    divides = op.endswith("Div") and "int" in t["T"]
    return [*sparse(d, t["T"], shape), d.tensor(t["T"], tuple(own), "positive" if divides else None)]


@recipe("SparseSparseMaximum", "SparseSparseMinimum")
def extrema(d, t):
    shape = small(d)
    return [*sparse(d, t["T"], shape), *sparse(d, t["T"], shape if not d.bad() else (*shape[:-1], shape[-1] + 1))]


@recipe("SparseSoftmax")
def softmax(d, t):
    d.style = "plain"
    return sparse(d, t["T"], small(d, 2 if not d.bad() else 1), ordered=d.chance(0.8))


@recipe("SparseFillEmptyRowsGrad")
def fill_empty_rows_gradient(d, t):
    rows = d.integer(0, 8)
    kept = np.flatnonzero(d.random.random(rows) < 0.6)
    reverse = d.random.permutation(kept) + (5 if d.bad() else 0)
    return [given("int64", reverse), d.tensor(t["T"], (rows,))]


def members(d, dtype, shape):
    """Values of which some are equal."""
    if dtype == "string":
        return given(dtype, d.random.choice(np.array([b"", b"a", b"b", b"ab", b"\xff"], object), shape))
    return given(dtype, d.random.integers(-3 if dtype.startswith("int") else 0, 4, shape))


def sparse_set(d, dtype, shape):
    indices, _, dense = sparse(d, "float32", shape)
    if d.bad():
        indices = given("int64", indices.array[::-1])
    return [indices, members(d, dtype, (len(indices.array),)), dense]


@recipe("SetSize", "DenseToDenseSetOperation", "DenseToSparseSetOperation", "SparseToSparseSetOperation")
def sets(d, t, op):
    shape = small(d, 2)
    other = (*shape[:-1], d.integer(1, 4)) if not d.bad() else (shape[0] + 1, *shape[1:])
    attrs = {"validate_indices": d.chance(0.9)}
    if op == "SetSize":
        return sparse_set(d, t["T"], shape), attrs
    attrs["set_operation"] = d.one(["a-b", "B-A", "intersection", "union"]) if not d.bad() else "sum"
    sides = op.removesuffix("SetOperation").split("To")
    inputs = [[members(d, t["T"], s)] if side == "Dense" else sparse_set(d, t["T"], s) for side, s in zip(sides, (shape, other))]
    return [*inputs[0], *inputs[1]], attrs


@recipe("EditDistance")
def edit_distance(d, t):
    groups = d.integer(1, 3)
    ragged = lambda: [(g, k) for g in range(groups) for k in range(d.integer(0, 4))]
    sides = []
    for _ in range(2):
        rows = ragged()
        sides += [given("int64", np.reshape(rows, (-1, 2))), d.tensor(t["T"], (len(rows),), "small"), given("int64", [groups, 5])]
    return sides, {"normalize": d.chance(0.5)}


@recipe("RaggedTensorToTensor")
def ragged_to_tensor(d, t):
    lengths = [d.integer(0, 4) for _ in range(d.integer(0, 4))]
    splits = np.concatenate([[0], np.cumsum(lengths)]).astype(int)
    shape = given(t["Tshape"], d.one([[-1, -1], [len(lengths), 3], [-1, 2]]))
    return [shape, d.tensor(t["T"], (int(splits[-1]),)), d.tensor(t["T"], ()), [given(t["Tindex"], splits)]], {"row_partition_types": ["ROW_SPLITS"]}
