"""Sparse tensors: indices, values and a dense shape."""
import numpy as np

from cases import GraphBuilder
from draw import given

from . import graph_recipe, recipe


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


def row_splits(d, rows=None, low=0, high=4):
    """Where rows of random lengths start, and the end."""
    lengths = [d.integer(low, high) for _ in range(d.integer(0, 4) if rows is None else rows)]
    return np.concatenate([[0], np.cumsum(lengths)]).astype(int)


def nested_splits(d, levels):
    """Row splits from the outermost axis inwards, and the number of values."""
    splits = [row_splits(d)]
    while len(splits) < levels:
        splits.append(row_splits(d, int(splits[-1][-1]), high=2))
    return splits, int(splits[-1][-1])


@recipe("RaggedGather")
def ragged_gather(d, t):
    splits, count = nested_splits(d, d.integer(1, 3))
    rows = len(splits[0]) - 1
    shape = d.shape(0, 3, 8) if rows else (0,)
    low = -1 if d.bad() else 0
    indices = given(t["Tindices"], d.random.integers(low, max(rows, 1) if not d.bad() else rows + 2, shape))
    values = d.tensor(t["Tvalues"], (count - (1 if d.bad() and count else 0), *d.shape(0, 2, 6)))
    return [[given(t["Tsplits"], s) for s in splits], values, indices], {"OUTPUT_RAGGED_RANK": len(splits) + len(shape) - 1}


@recipe("RaggedTensorToSparse")
def ragged_to_sparse(d, t):
    splits, count = nested_splits(d, d.integer(1, 3))
    if d.bad():
        splits[0] = splits[0] + 1
    return [[given(t["Tsplits"], s) for s in splits], d.tensor(t["T"], (count + (1 if d.bad() else 0), *d.shape(0, 2, 6)))]


@recipe("RaggedFillEmptyRows")
def ragged_fill_empty_rows(d, t):
    rows, count = d.integer(1, 5), d.integer(0, 6)
    ids = d.random.integers(0, rows, count)
    ids = np.sort(ids) if d.chance(0.7) else ids
    if d.bad() and count:
        ids[0] = d.one([-1, rows])
    nrows = given("int64", rows if not d.bad() else -1)
    return [given("int64", ids), d.tensor(t["T"], (count + (1 if d.bad() else 0),)), nrows, d.tensor(t["T"], ())]


@recipe("RaggedFillEmptyRowsGrad")
def ragged_fill_empty_rows_gradient(d, t):
    return fill_empty_rows_gradient(d, t)


@graph_recipe("RaggedTensorToVariant", "RaggedTensorFromVariant", "RaggedTensorToVariantGradient")
def ragged_variants(d, t, op):
    g, dtype, index = GraphBuilder(), t["Tvalues"], t["Tsplits"]
    batched = d.chance(0.6)
    splits, count = nested_splits(d, d.integer(1 if batched else 0, 3)) if batched or d.chance(0.8) else ([], d.integer(0, 3))
    values = d.tensor(dtype, (count + (1 if d.bad() else 0), *d.shape(0, 2, 6)))
    typed = {"Tvalues": dtype, "Tsplits": index}
    fed = [g.feed(given(index, s)) for s in splits]
    made = g.node("RaggedTensorToVariant", [*fed, g.feed(values)], RAGGED_RANK=len(splits), batched_input=batched, **typed)
    if op == "RaggedTensorToVariantGradient":
        outer = fed[0] if fed else g.constant(given(index, [0]))
        return g.case(op, [g.node(op, [made, outer, g.constant(given("int32", values.shape))], **typed)], dtype)
    own, rank = len(splits) - (1 if batched else 0), len(splits)
    rows = len(splits[0]) - 1 if batched else 0
    if batched and rows % 2 == 0 and d.chance(0.4):
        made, rank = g.node("Reshape", [made, g.constant(given("int32", [2, rows // 2]))], T="variant", Tshape="int32"), rank + 1
    typed["Tvalues"] = dtype if not d.bad() else d.one(["float64", "int32"])
    back = g.node("RaggedTensorFromVariant", [made], input_ragged_rank=own if d.chance(0.6) else -1, output_ragged_rank=rank if not d.bad() else rank + 1, **typed)
    return g.case(op, [f"{back}:{at}" for at in range(rank + 1)], dtype)


@graph_recipe("AddSparseToTensorsMap", "AddManySparseToTensorsMap", "TakeManySparseFromTensorsMap")
def tensors_map(d, t, op):
    g, dtype = GraphBuilder(), t.get("T") or t["dtype"]
    many = op == "AddManySparseToTensorsMap" or (op != "AddSparseToTensorsMap" and d.chance(0.5))
    adds, count, rank = [], 0, d.integer(1, 2)
    for _ in range(d.integer(1, 2)):
        parts = sparse(d, dtype, small(d, rank + many, rank + many), ordered=not d.bad())
        adds.append(g.node("AddManySparseToTensorsMap" if many else "AddSparseToTensorsMap", [g.feed(p) for p in parts], T=dtype, container="", shared_name="m"))
        count += int(parts[2].array[0]) if many else 1
    taken = d.random.permutation(count)[:d.integer(0 if d.bad(0.1) else 1, count)] + (9 if d.bad(0.1) else 0)
    take = g.node("TakeManySparseFromTensorsMap", [g.constant(given("int64", taken))], dtype=dtype if not d.bad() else "int16", container="", shared_name="m")
    fetches = [f"{take}:{at}" for at in range(3)]
    return g.case(op, [], dtype, steps=[*(([add], []) for add in adds), (fetches, []), *([(fetches, [])] if d.bad(0.2) else [])])


def count_weights(d, dtype, shape):
    return d.tensor(dtype, shape if d.chance(0.5) else (0,), "small") if not d.bad() else d.tensor(dtype, (5, 1), "small")


def numbers(d, dtype, shape):
    """Numbers to count, seldom a negative one."""
    return given(dtype, d.random.integers(-1 if d.bad() else 0, 7, shape))


@recipe("DenseCountSparseOutput", "SparseCountSparseOutput", "RaggedCountSparseOutput")
def count_sparse_output(d, t, op):
    attrs = {"minlength": d.one([-1, -1, 0, 3, 9]), "maxlength": d.one([-1, -1, -1, 0, 4, 9]), "binary_output": d.chance(0.3)}
    if op == "DenseCountSparseOutput":
        shape = tuple(d.integer(0 if d.bad(0.1) else 1, 5) for _ in range(d.integer(1, 2 if not d.bad() else 3)))
        return [numbers(d, t["T"], shape), count_weights(d, t["output_type"], shape)], attrs
    if op == "SparseCountSparseOutput":
        indices, _, dense = sparse(d, "float32", small(d))
        shape = (len(indices.array),)
        return [indices, numbers(d, t["T"], shape), dense, count_weights(d, t["output_type"], shape)], attrs
    splits = row_splits(d, d.integer(0 if d.bad() else 1, 4)) + (1 if d.bad() else 0)
    shape = (int(splits[-1]),)
    return [given("int64", splits), numbers(d, t["T"], shape), count_weights(d, t["output_type"], shape)], attrs


@recipe("SparseBincount", "RaggedBincount")
def bincounts(d, t, op):
    size, attrs = given(t["Tidx"], d.integer(0, 9) if not d.bad() else -2), {"binary_output": d.chance(0.3)}
    # TensorFlow reads beyond weights that are fewer than the values.
    weights = lambda count: d.tensor(t["T"], (count if d.chance(0.5) else 0,), "small")
    if op == "SparseBincount":
        indices, _, dense = sparse(d, "float32", small(d, 1, 2))
        count = len(indices.array)
        # In a matrix TensorFlow writes negative numbers elsewhere.
        values = numbers(d, t["Tidx"], (count,)) if dense.array.size == 1 else given(t["Tidx"], d.random.integers(0, 7, count))
        return [indices, values, dense, size, weights(count)], attrs
    splits = row_splits(d) + (1 if d.bad() else 0)
    count = int(splits[-1])
    return [given("int64", splits), numbers(d, t["Tidx"], (count,)), size, weights(count)], attrs


def crossed(d, dtype, shape):
    """Features: short strings, or integers of all sizes."""
    if dtype == "string":
        return d.tensor(dtype, shape)
    return given(dtype, d.random.integers(-2**63, 2**63 - 1, shape) if d.chance(0.2) else d.random.integers(-9, 300, shape))


def crossed_columns(d, types):
    """Sparse columns and dense ones of one batch."""
    batch, kinds = d.integer(0 if d.bad(0.1) else 1, 3), []
    for _ in range(d.integer(0, 2)):
        shape = (batch + (1 if d.bad(0.02) else 0), d.integer(1, 3))
        indices, _, dense = sparse(d, "float32", shape, inside=True)
        kinds.append([indices, crossed(d, d.one(types), (len(indices.array),)), dense])
    dense = [crossed(d, d.one(types), (batch, d.integer(0, 3) if d.chance(0.2) else d.integer(1, 2))) for _ in range(d.integer(0, 2))]
    return [list(column) for column in zip(*kinds)] or [[], [], []], dense, batch


@recipe("SparseCross", "SparseCrossV2", "SparseCrossHashed")
def sparse_cross(d, t, op):
    strong = d.chance(0.3)
    # TensorFlow ends its process over a strong hash of integers.
    only_strings = op == "SparseCrossHashed" and strong or t.get("internal_type") == "string" and not d.bad()
    columns, dense, _ = crossed_columns(d, ["string"] if only_strings else ["int64", "string"])
    types = {"N": len(columns[0]), "sparse_types": [v.dtype for v in columns[1]], "dense_types": [v.dtype for v in dense]}
    buckets = d.one([0, 0, 1, 7, 1000])
    if op == "SparseCrossV2":
        return [*columns, dense, given("string", d.one([b"", b"-", b"_X_"]))], types
    if op == "SparseCrossHashed":
        salt = given("int64", [d.integer(-9, 9) for _ in range(2 if not d.bad() else 3)])
        return [*columns, dense, given("int64", buckets), given("bool", strong), salt], types
    return [*columns, dense], types | {"hashed_output": t["out_type"] == "int64", "num_buckets": buckets, "hash_key": d.one([0, 5, -7, 956888297470])}


@recipe("RaggedCross")
def ragged_cross(d, t):
    columns, dense, batch = crossed_columns(d, ["int64", "string"])
    # TensorFlow ends its process where the splits have another dtype than those of the output.
    splits = [row_splits(d, batch, high=3) for _ in range(d.integer(0, 2))]
    values = [crossed(d, d.one(["int64", "string"]), (int(s[-1]),)) for s in splits]
    splits = [given(t["out_row_splits_type"], s) for s in splits]
    order = list("R" * len(splits) + "S" * len(columns[0]) + "D" * len(dense))
    d.random.shuffle(order)
    if d.bad() and order:
        order[0] = d.one("RSDX")
    attrs = {"Nsparse": len(columns[0]), "input_order": "".join(order), "hashed_output": t["out_values_type"] == "int64", "num_buckets": d.one([0, 0, 1, 7, 1000]),
             "hash_key": d.one([0, 5, -7]), "ragged_values_types": [v.dtype for v in values], "ragged_splits_types": [s.dtype for s in splits],
             "sparse_values_types": [v.dtype for v in columns[1]], "dense_types": [v.dtype for v in dense]}
    return [values, splits, *columns, dense], attrs


def csr(d, g, dtype, shape, batch):
    """A node that makes a sparse matrix, or a batch of them."""
    dense_shape = (*batch, *shape)
    there = d.random.random(dense_shape) < 0.4
    indices = np.argwhere(there)
    dense = d.tensor(dtype, dense_shape, "small")
    if d.chance(0.5):
        return g.node("DenseToCSRSparseMatrix", [g.constant(dense), g.constant(given("int64", indices.reshape(-1, len(dense_shape))))], T=dtype)
    if d.bad() and len(indices):
        indices[0, 0] = 99
    values = given(dtype, dense.array[there])
    inputs = [given("int64", indices.reshape(-1, len(dense_shape))), values, given("int64", dense_shape)]
    return g.node("SparseTensorToCSRSparseMatrix", [g.constant(x) for x in inputs], T=dtype)


@graph_recipe("SparseTensorToCSRSparseMatrix", "DenseToCSRSparseMatrix", "CSRSparseMatrixToDense", "CSRSparseMatrixToSparseTensor",
              "CSRSparseMatrixComponents", "SparseMatrixNNZ", "SparseMatrixTranspose", "SparseMatrixMatMul", "SparseMatrixSparseMatMul")
def csr_matrix(d, t, op):
    """A sparse matrix that is turned over, multiplied or taken apart."""
    g, dtype = GraphBuilder(), t.get("type") or t.get("T") or "float32"
    dtype = dtype if dtype in ("float32", "float64", "complex64", "complex128") else "float32"
    batch = (d.integer(1, 2),) if d.chance(0.4) else ()
    rows, inner, columns = d.integer(1, 5), d.integer(1, 5), d.integer(1, 5)
    turned = {name: d.chance(0.3) for name in ("transpose_a", "transpose_b", "adjoint_a", "adjoint_b")}
    for side in "ab":
        turned["adjoint_" + side] &= not turned["transpose_" + side]
    a_shape = (inner, rows) if turned["transpose_a"] or turned["adjoint_a"] else (rows, inner)
    made = csr(d, g, dtype, a_shape, batch)
    if op == "SparseMatrixTranspose":
        made = g.node(op, [made], type=dtype, conjugate=d.chance(0.5))
    b_shape = (columns, inner) if turned["transpose_b"] or turned["adjoint_b"] else (inner, columns)
    if op == "SparseMatrixMatMul":
        dense = g.constant(d.tensor(dtype, (*batch, *b_shape) if not d.bad() else (*batch, 9, 9), "small"))
        outcome = g.node(op, [made, dense], T=dtype, **turned, transpose_output=d.chance(0.3), conjugate_output=d.chance(0.3))
        return g.case(op, [outcome], dtype)
    if op == "SparseMatrixSparseMatMul":
        made = g.node(op, [made, csr(d, g, dtype, b_shape, batch)], type=dtype, **turned)
    if op == "CSRSparseMatrixToSparseTensor":
        parts = g.node(op, [made], type=dtype)
        return g.case(op, [parts, f"{parts}:1", f"{parts}:2"], dtype)
    if op == "CSRSparseMatrixComponents":
        parts = g.node(op, [made, g.constant(given("int32", 0 if not d.bad(0.1) else 3))], type=dtype)
        return g.case(op, [parts, f"{parts}:1", f"{parts}:2"], dtype)
    return g.case(op, [g.node("CSRSparseMatrixToDense", [made], type=dtype), g.node("SparseMatrixNNZ", [made])], dtype)


def definite(d, dtype, shape):
    """A dense matrix, or a batch of them, with few elements, that is symmetric or Hermitian and positive definite."""
    some = d.tensor(dtype, shape, "small").array * (d.random.random(shape) < 0.3)
    return some @ np.conj(np.swapaxes(some, -1, -2)) + np.eye(shape[-1]) * d.one([0.5, 1, 3])


@graph_recipe("SparseMatrixSparseCholesky")
def csr_cholesky(d, t, op):
    """A permutation of each matrix's rows: TensorFlow does not look whether it is one."""
    g, dtype, rows = GraphBuilder(), t.get("type", "float32"), d.integer(1, 9)
    batch = (d.integer(1, 3),) if d.chance(0.4) else ()
    dense = definite(d, dtype, (*batch, rows, rows))
    if d.bad():
        dense[..., 0, 0] = d.one([0, -1])
    indices = np.argwhere(dense)
    permutation = np.stack([d.random.permutation(rows) for _ in range(int(np.prod(batch)))]).reshape(*batch, rows)
    if d.bad():
        permutation = d.one([permutation[..., None], permutation[..., :-1]])
    made = g.node("DenseToCSRSparseMatrix", [g.constant(given(dtype, dense)), g.constant(given("int64", indices))], T=dtype)
    factor = g.node(op, [made, g.constant(given("int32", permutation))], type=dtype)
    parts = g.node("CSRSparseMatrixToSparseTensor", [factor], type=dtype)
    return g.case(op, [parts, f"{parts}:1", f"{parts}:2"], dtype)
