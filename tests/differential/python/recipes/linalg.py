"""Products of matrices and decompositions."""
import numpy as np

from draw import Tensor, given

from . import recipe
from .reduction import moderate


@recipe("MatMul")
def mat_mul(d, t):
    moderate(d)
    rows, inner, columns = (d.one([0, 1, 2, 3, 5, 8, 17, 40]) for _ in range(3))
    turned = {"transpose_a": d.chance(0.5), "transpose_b": d.chance(0.5), "grad_a": False, "grad_b": False}
    other = inner if not d.bad() else inner + 1
    a = (inner, rows) if turned["transpose_a"] else (rows, inner)
    b = (columns, other) if turned["transpose_b"] else (other, columns)
    return [d.tensor(t["T"], a if not d.bad() else (2, *a)), d.tensor(t["T"], b)], turned


@recipe("NearestNeighbors")
def nearest_neighbors(d, t):
    """Small whole numbers, so that sums in any order agree; no negative `k`, which ends TensorFlow's process."""
    points, width, centers = d.one([1, 2, 3, 17, 40]), d.integer(1, 6), d.one([0, 1, 2, 9, 40, 1100])
    shapes = [(points if not d.bad() else 0, width), (centers, width if not d.bad() else width + 1)]
    k = d.one([0, 1, 1, 2, 5, 50])
    return [*(d.tensor("float32", shape if not d.bad(0.01) else shape[:1], "small") for shape in shapes), given("int64", k if not d.bad(0.02) else [k])]


@recipe("SparseMatMul")
def sparse_mat_mul(d, t):
    rows, inner, columns = (d.one([0, 1, 2, 3, 5, 8, 17, 40]) for _ in range(3))
    turned = {"transpose_a": d.chance(0.5), "transpose_b": d.chance(0.5), "a_is_sparse": d.chance(0.5), "b_is_sparse": d.chance(0.5)}
    other = inner if not d.bad() else inner + 1
    a = (inner, rows) if turned["transpose_a"] else (rows, inner)
    b = (columns, other) if turned["transpose_b"] else (other, columns)
    return [d.tensor(t["Ta"], a if not d.bad() else (2, *a), "small"), d.tensor(t["Tb"], b, "small")], turned


@recipe("BatchMatMul", "BatchMatMulV2", "BatchMatMulV3")
def batch_mat_mul(d, t, op):
    moderate(d)
    rows, inner, columns = (d.one([0, 1, 2, 3, 5, 8, 17]) for _ in range(3))
    batches = [d.shape(0, 3, 12)] * 2 if op == "BatchMatMul" else d.broadcast(2, 0, 3)
    if d.large:
        batches = [(3,), (3,)]
    turned = {"adj_x": d.chance(0.5), "adj_y": d.chance(0.5), "grad_x": False, "grad_y": False}
    other = inner if not d.bad() else inner + 1
    a = (inner, rows) if turned["adj_x"] else (rows, inner)
    b = (columns, other) if turned["adj_y"] else (other, columns)
    first, second = t.get("T") or t["Ta"], t.get("T") or t["Tb"]
    return [d.tensor(first, (*batches[0], *a)), d.tensor(second, (*batches[1], *b))], turned


def well_conditioned(d, dtype, batch, size):
    """Square matrices far from singular."""
    matrix = d.tensor(dtype, (*batch, size, size), "plain")
    matrix.array[...] = matrix.array + ((3 * size + 2) * np.eye(size)).astype(matrix.array.dtype)
    return matrix


def square(d, dtype):
    """Square matrices, seldom something else, seldom singular ones."""
    batch, size = d.shape(0, 2, 6), d.integer(0, 5)
    if d.bad():
        return d.tensor(dtype, (*batch, size, size + 1), "plain")
    return well_conditioned(d, dtype, batch, size)


@recipe("Cholesky", "BatchCholesky")
def cholesky(d, t):
    matrix = square(d, t["T"])
    if matrix.shape[-1] == matrix.shape[-2] and not d.bad():
        product = matrix.array @ np.conj(np.swapaxes(matrix.array, -1, -2))
        matrix = Tensor(matrix.dtype, product.astype(matrix.array.dtype))
    return [matrix]


@recipe("SelfAdjointEigV2", "BatchSelfAdjointEigV2", "SelfAdjointEig", "BatchSelfAdjointEig")
def self_adjoint(d, t):
    matrix = square(d, t["T"])
    if matrix.shape[-1] == matrix.shape[-2]:
        whole = matrix.array + np.conj(np.swapaxes(matrix.array, -1, -2))
        matrix = Tensor(matrix.dtype, whole.astype(matrix.array.dtype))
    return [matrix]


@recipe("MatrixDeterminant", "LogMatrixDeterminant", "MatrixInverse", "Lu", "BatchMatrixDeterminant", "BatchMatrixInverse", "MatrixExponential")
def of_square(d, t):
    return [square(d, t["T"])]


@recipe("Qr", "Svd", "BatchSvd")
def rectangular(d, t):
    return [d.tensor(t["T"], (*d.shape(0, 2, 6), d.integer(1, 5), d.integer(1, 5)), "plain")]


@recipe("MatrixTriangularSolve", "BatchMatrixTriangularSolve")
def triangular_solve(d, t, op):
    size, columns = d.integer(0, 5), d.integer(0, 4)
    d.large = False
    batches = d.broadcast(2, 0, 2) if op == "MatrixTriangularSolve" else [d.shape(0, 2)] * 2
    right = d.tensor(t["T"], (*batches[1], size + (1 if d.bad() else 0), columns), "plain")
    return [well_conditioned(d, t["T"], batches[0], size), right]


@recipe("BandedTriangularSolve")
def banded_solve(d, t):
    size, columns, bands = d.integer(1, 5), d.integer(0, 4), d.integer(1, 3)
    d.large = False
    batches = d.broadcast(2, 0, 2)
    lower, bands = d.chance(0.5), min(bands, size)
    matrix = d.tensor(t["T"], (*batches[0], bands, size), "plain")
    matrix.array[..., 0 if lower else bands - 1, :] += 8
    right = d.tensor(t["T"], (*batches[1], size + (1 if d.bad() else 0), columns), "plain")
    return [matrix, right], {"lower": lower}


@recipe("MatrixSolveLs", "BatchMatrixSolveLs")
def least_squares(d, t):
    d.large = False
    batch, rows, columns = d.shape(0, 2, 6), d.integer(1, 5), d.integer(1, 5)
    matrix = d.tensor(t["T"], (*batch, rows, columns), "plain")
    matrix.array[...] = matrix.array + (6 * np.eye(rows, columns)).astype(matrix.array.dtype)
    right = d.tensor(t["T"], (*batch, rows + (1 if d.bad() else 0), d.integer(1, 3)), "plain")
    return [matrix, right, given("float64", d.one([0.0, 0.5, 2.0]) if not d.bad() else -1.0)]


@recipe("CholeskyGrad", "BatchCholeskyGrad")
def cholesky_grad(d, t):
    matrix = well_conditioned(d, t["T"], d.shape(0, 2, 6), d.integer(0, 5))
    matrix.array[...] = np.tril(matrix.array)
    return [matrix, d.tensor(t["T"], matrix.shape, "plain")]


@recipe("Eig")
def eig(d, t):
    t["Tout"] = "complex64" if t["T"] in ("float32", "complex64") else "complex128"
    matrix = square(d, t["T"])
    size = matrix.shape[-1]
    if matrix.shape[-2] == size:  # eigenvalues that are apart
        matrix.array[...] = matrix.array / 4 + np.diag(4 * np.arange(size)).astype(matrix.array.dtype)
    return [matrix]


@recipe("MatrixLogarithm")
def logarithm(d, t):
    return [well_conditioned(d, t["T"], d.shape(0, 2, 6), d.integer(1, 5))]


@recipe("MatrixSquareRoot")
def square_root(d, t):
    return [square(d, t["T"])]


@recipe("TridiagonalSolve")
def tridiagonal_solve(d, t):
    d.large = False
    batch, size, columns = d.shape(0, 2, 6), d.integer(1, 6), d.integer(0, 3)
    diagonals = d.tensor(t["T"], (*batch, 3 if not d.bad() else 2, size), "plain")
    diagonals.array[..., 1, :] += d.one([0, 8])
    return [diagonals, d.tensor(t["T"], (*batch, size, columns), "plain")], {"perturb_singular": False, "partial_pivoting": bool(np.all(np.abs(diagonals.array[..., 1, :]) < 6)) or d.chance(0.6)}


@recipe("TridiagonalMatMul")
def tridiagonal_product(d, t):
    d.large = False
    batch, size, columns = d.shape(0, 2, 6), d.integer(1, 6), d.integer(1, 3)
    diagonals = [d.tensor(t["T"], (*batch, 1, size), "plain") for _ in range(3)]
    return [*diagonals, d.tensor(t["T"], (*batch, size + (1 if d.bad() else 0), columns), "plain")]


@recipe("MatrixSolve", "BatchMatrixSolve")
def solve(d, t):
    batch, size, columns = d.shape(0, 2, 6), d.integer(0, 5), d.integer(0, 4)
    return [well_conditioned(d, t["T"], batch, size), d.tensor(t["T"], (*batch, size + (1 if d.bad() else 0), columns), "plain")]


EQUATIONS = {1: ["ij->ji", "ii->i", "ii->", "ij->", "ijk->kij", "...ij->...ji", "i->i", "->", "ij->i"],
             2: ["ij,jk->ik", "ij,ij->ij", "ij,kj->ik", "bij,bjk->bik", "abc,cde->abde", "i,j->ij", "i,i->", "...ij,...jk->...ik",
                 "ij,j->i", "abc,cd->abd", "aecd,abcd->acbe", "acbe,aecd->abcd", "bii,bi->b", "ij,jk", "ijk,jil->kl"]}


@recipe("Einsum")
def einsum(d, t):
    moderate(d)
    count = d.integer(1, 2)
    equation = d.one(EQUATIONS[count])
    sizes = {label: d.integer(1, 4) for label in "abcdeijkl"}
    batch = d.shape(0, 2, 6)
    shapes = []
    for part in equation.split("->")[0].split(","):
        ellipsis = list(batch) if "..." in part else []
        shapes.append((*ellipsis, *(sizes[label] for label in part.replace("...", ""))))
    if d.bad():
        shapes[0] = (*shapes[0], 2)
    return [[d.tensor(t["T"], shape) for shape in shapes]], {"equation": equation}


@recipe("MatrixBandPart", "BatchMatrixBandPart")
def band_part(d, t):
    shape = d.shape(1 if d.bad() else 2)
    bound = lambda size: given(t.get("Tindex", "int64"), d.integer(-1, size) if not d.bad() else size + 2)
    rows, columns = shape[-2:] if len(shape) > 1 else (1, 1)
    return [d.tensor(t["T"], shape), bound(rows), bound(columns)]


@recipe("MatrixDiag", "BatchMatrixDiag")
def matrix_diag(d, t):
    d.large = False
    return [d.tensor(t["T"], d.shape(0 if d.bad() else 1, 4))]


@recipe("MatrixDiagPart", "BatchMatrixDiagPart")
def matrix_diag_part(d, t):
    return [d.tensor(t["T"], d.shape(1 if d.bad() else 2))]


@recipe("Diag")
def diag(d, t):
    return [d.tensor(t["T"], d.shape(0 if d.bad() else 1, 3, 12))]


@recipe("DiagPart")
def diag_part(d, t):
    shape = d.shape(1, 3, 12)
    return [d.tensor(t["T"], (*shape, *(shape if not d.bad() else shape[:-1])))]


def diagonals(d, rows, columns):
    """A band of diagonals `k` of a matrix, and the length and number of what it holds."""
    low = d.integer(1 - rows, columns - 1)
    high = d.integer(low, columns - 1) if d.chance(0.6) else low
    longest = min(rows + min(high, 0), columns - max(low, 0))
    return low, high, longest


@recipe("MatrixSetDiag", "BatchMatrixSetDiag")
def set_diag(d, t):
    batch, rows, columns = d.shape(0, 2, 8), d.integer(1, 5), d.integer(1, 5)
    size = min(rows, columns) + (1 if d.bad() else 0)
    return [d.tensor(t["T"], (*batch, rows, columns)), d.tensor(t["T"], (*batch, size))]


def band(d, low, high):
    return given("int32", low if low == high and d.chance(0.5) else [low, high] if not d.bad() else [high, low - 1])


@recipe("MatrixSetDiagV2", "MatrixSetDiagV3")
def set_diag_v3(d, t):
    batch, rows, columns = d.shape(0, 2, 8), d.integer(1, 5), d.integer(1, 5)
    low, high, longest = diagonals(d, rows, columns)
    count = () if low == high else (high - low + 1,)
    diagonal = (*batch, *count, longest + (1 if d.bad() else 0))
    return [d.tensor(t["T"], (*batch, rows, columns)), d.tensor(t["T"], diagonal), band(d, low, high)]


@recipe("MatrixDiagPartV2", "MatrixDiagPartV3")
def diag_part_v3(d, t):
    batch, rows, columns = d.shape(0, 2, 8), d.integer(1, 5), d.integer(1, 5)
    low, high, _ = diagonals(d, rows, columns)
    return [d.tensor(t["T"], (*batch, rows, columns)), band(d, low, high), d.tensor(t["T"], ())]


@recipe("MatrixDiagV2", "MatrixDiagV3")
def matrix_diag_v3(d, t):
    batch, rows, columns = d.shape(0, 2, 8), d.integer(1, 5), d.integer(1, 5)
    low, high, longest = diagonals(d, rows, columns)
    count = () if low == high else (high - low + 1,)
    rows, columns = (rows, columns) if d.chance(0.5) else (-1, -1)
    diagonal = d.tensor(t["T"], (*batch, *count, longest))
    return [diagonal, band(d, low, high), given("int32", rows), given("int32", columns), d.tensor(t["T"], ())]
