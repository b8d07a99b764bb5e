"""Sparse tensors: indices, values and a dense shape."""
import numpy as np

from draw import given

from . import recipe


def sparse(d, dtype, shape, index="int64", ordered=True):
    """Some elements of a tensor of this shape: indices, values, the shape."""
    count = int(np.prod(shape))
    picked = d.random.permutation(count)[:d.integer(0, min(count, 8))]
    if ordered:
        picked.sort()
    rows = np.stack(np.unravel_index(picked, shape), -1) if count else np.zeros((0, len(shape)), int)
    if d.bad() and len(rows):
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
    return [*sparse(d, t["T"], shape), *sparse(d, t["T"], shape if not d.bad() else (*shape, 2)), d.tensor(t["Treal"], (), "positive")]


@recipe("SparseFillEmptyRows")
def fill_empty_rows(d, t):
    return [*sparse(d, t["T"], small(d, 2, 2)), d.tensor(t["T"], ())]


@recipe("SparseReduceSum", "SparseReduceMax")
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
