//! Sparse matrices as values: rows of numbers with their columns, in a scalar of dtype variant.
//!
//! A matrix is [rows, columns], or [batch, rows, columns] with a matrix for each of a batch. Ops that make one of
//! indices need these in row-major order. Elements that are not there stand for 0.

use oplink::prelude::*;

/// The matrix of a sparse tensor.
#[op("SparseTensorToCSRSparseMatrix",
     input = "indices: int64",
     input = "values: T",
     input = "dense_shape: int64",
     output = "sparse_matrix: variant",
     attr = "T: {float, double, complex64, complex128}",
     shape = of_sparse)]
pub struct SparseTensorToCSRSparseMatrix;

/// The matrix of the elements of a dense one at some indices.
#[op("DenseToCSRSparseMatrix",
     input = "dense_input: T",
     input = "indices: int64",
     output = "sparse_output: variant",
     attr = "T: {float, double, complex64, complex128}",
     shape = of_dense)]
pub struct DenseToCSRSparseMatrix;

/// The sparse tensor of a matrix.
#[op("CSRSparseMatrixToSparseTensor",
     input = "sparse_matrix: variant",
     output = "indices: int64",
     output = "values: type",
     output = "dense_shape: int64",
     attr = "type: {float, double, complex64, complex128}",
     shape = to_sparse)]
pub struct CSRSparseMatrixToSparseTensor;

/// A matrix whole.
#[op("CSRSparseMatrixToDense",
     input = "sparse_input: variant",
     output = "dense_output: type",
     attr = "type: {float, double, complex64, complex128}",
     shape = to_dense)]
pub struct CSRSparseMatrixToDense;

/// Of the matrix at `index` in the batch, 0 without a batch: where each row begins, and the end; the columns of its
/// elements; and these.
#[op("CSRSparseMatrixComponents",
     input = "csr_sparse_matrix: variant",
     input = "index: int32",
     output = "row_ptrs: int32",
     output = "col_inds: int32",
     output = "values: type",
     attr = "type: {float, double, complex64, complex128}",
     shape = components)]
pub struct CSRSparseMatrixComponents;

/// The number of elements, of each of a batch.
#[op("SparseMatrixNNZ",
     input = "sparse_matrix: variant",
     output = "nnz: int32",
     no_gradient,
     shape = nnz)]
pub struct SparseMatrixNNZ;

/// The product of a sparse matrix and a dense one, both or none with a batch.
///
/// Each is transposed first, or with `adjoint_a` and `adjoint_b` conjugated too, as declared; so is the product with
/// `transpose_output`, and conjugated with `conjugate_output`.
#[op("SparseMatrixMatMul",
     input = "a: variant",
     input = "b: T",
     output = "output: T",
     attr = "T: type",
     attr = "transpose_a: bool = false",
     attr = "transpose_b: bool = false",
     attr = "adjoint_a: bool = false",
     attr = "adjoint_b: bool = false",
     attr = "transpose_output: bool = false",
     attr = "conjugate_output: bool = false",
     shape = mat_mul)]
pub struct SparseMatrixMatMul;

/// The product of two sparse matrices, each transposed first as declared, or conjugated too. It has an element where
/// a product of elements goes, be it 0.
#[op("SparseMatrixSparseMatMul",
     input = "a: variant",
     input = "b: variant",
     output = "c: variant",
     attr = "type: {float, double, complex64, complex128}",
     attr = "transpose_a: bool = false",
     attr = "transpose_b: bool = false",
     attr = "adjoint_a: bool = false",
     attr = "adjoint_b: bool = false",
     shape = sparse_mat_mul)]
pub struct SparseMatrixSparseMatMul;

/// A matrix whose rows are the columns; with `conjugate` of the conjugates.
#[op("SparseMatrixTranspose",
     input = "input: variant",
     output = "output: variant",
     attr = "conjugate: bool = false",
     attr = "type: {float, double, complex64, complex128}",
     shape = transpose)]
pub struct SparseMatrixTranspose;

/// An order of the rows and columns of a symmetric matrix in which its Cholesky factor has few elements: the number of
/// the row that comes first, and so on; of each of a batch.
///
/// It is found by approximate minimum degrees (Amestoy, Davis and Duff, "An approximate minimum degree ordering
/// algorithm", 1996). Only the lower triangle is looked at, and whether elements are there, not what they are. The
/// order need not be TensorFlow's.
#[op("SparseMatrixOrderingAMD", input = "input: variant", output = "output: int32", no_gradient, shape = ordering)]
pub struct SparseMatrixOrderingAMD;

/// The lower triangular factor of a symmetric positive definite matrix, or of a Hermitian one, whose rows and columns
/// are put in the order of `permutation` first: it times its transpose, conjugated, is that matrix. So for each of a
/// batch.
///
/// Only the lower triangle of `input` is looked at. The factor has an element wherever one can be that is not 0. A
/// matrix that is not positive definite is an error, as is a permutation that does not have each row once.
#[op("SparseMatrixSparseCholesky",
     input = "input: variant",
     input = "permutation: int32",
     output = "output: variant",
     attr = "type: {float, double, complex64, complex128}",
     no_gradient,
     shape = cholesky)]
pub struct SparseMatrixSparseCholesky;

/// What is known of the matrix in an input.
fn held(c: &ShapeContext<'_>, input: usize) -> Result<PartialShape> {
    c.with_rank(input, 0)?;
    Ok(c.input_handle_shapes(input).first().map_or_else(PartialShape::unknown, |(_, shape)| shape.clone()))
}

/// Sets output 0 to a matrix of this dtype and shape.
fn set(c: &mut ShapeContext<'_>, dtype: Option<DType>, shape: PartialShape) {
    c.set_output(0, PartialShape::scalar());
    if let Some(dtype) = dtype {
        c.set_output_handle_shapes(0, vec![(dtype, shape)]);
    }
}

/// A matrix has 2 axes, or 3.
fn check_rank(shape: &PartialShape) -> Result<()> {
    ensure!(shape.rank().is_none_or(|rank| (2..=3).contains(&rank)), "a matrix must be of rank 2 or 3, it has {shape}");
    Ok(())
}

fn of_sparse(c: &mut ShapeContext<'_>) -> Result<()> {
    c.with_rank(0, 2)?;
    c.with_rank(1, 1)?;
    c.with_rank(2, 1)?;
    let shape = c.make_shape_from_tensor(2)?;
    check_rank(&shape)?;
    set(c, c.input_dtype(1), shape);
    Ok(())
}

fn of_dense(c: &mut ShapeContext<'_>) -> Result<()> {
    let shape = c.input(0).clone();
    check_rank(&shape)?;
    let indices = c.with_rank(1, 2)?;
    c.merge_dim(indices.dim(1), shape.rank())?;
    set(c, c.input_dtype(0), shape);
    Ok(())
}

fn to_sparse(c: &mut ShapeContext<'_>) -> Result<()> {
    let rank = held(c, 0)?.rank();
    c.set_output(0, PartialShape::new(&[None, rank]));
    c.set_output(1, PartialShape::new(&[None]));
    c.set_output(2, PartialShape::new(&[rank]));
    Ok(())
}

fn to_dense(c: &mut ShapeContext<'_>) -> Result<()> {
    let shape = held(c, 0)?;
    c.set_output(0, shape);
    Ok(())
}

fn components(c: &mut ShapeContext<'_>) -> Result<()> {
    let shape = held(c, 0)?;
    c.with_rank(1, 0)?;
    let rows = shape.rank().and_then(|rank| shape.dim(rank - 2)).map(|rows| rows + 1);
    c.set_output(0, PartialShape::new(&[rows]));
    c.set_output(1, PartialShape::new(&[None]));
    c.set_output(2, PartialShape::new(&[None]));
    Ok(())
}

fn nnz(c: &mut ShapeContext<'_>) -> Result<()> {
    let shape = held(c, 0)?;
    let counts = match shape.dims() {
        Some(&[batch, _, _]) => PartialShape::new(&[batch]),
        Some(_) => PartialShape::scalar(),
        None => PartialShape::unknown(),
    };
    c.set_output(0, counts);
    Ok(())
}

/// The shape with rows and columns exchanged.
fn transposed(shape: &PartialShape, is_transposed: bool) -> PartialShape {
    match shape.dims() {
        Some([batch @ .., rows, columns]) if is_transposed => batch.iter().copied().chain([*columns, *rows]).collect(),
        _ => shape.clone(),
    }
}

/// The shape of a product.
fn product(c: &ShapeContext<'_>, a: &PartialShape, b: &PartialShape) -> Result<PartialShape> {
    let transposes = |names: [&str; 2]| Ok::<_, Error>(c.attr::<bool>(names[0])? || c.attr::<bool>(names[1])?);
    let a = transposed(a, transposes(["transpose_a", "adjoint_a"])?);
    let b = transposed(b, transposes(["transpose_b", "adjoint_b"])?);
    let (Some([batch @ .., rows, inner]), Some([others @ .., own, columns])) = (a.dims(), b.dims()) else {
        return Ok(PartialShape::unknown());
    };
    c.merge_dim(*inner, *own)?;
    let batch = c.merge(&PartialShape::new(batch), &PartialShape::new(others))?;
    Ok(c.concatenate(&batch, &PartialShape::new(&[*rows, *columns])))
}

fn mat_mul(c: &mut ShapeContext<'_>) -> Result<()> {
    let (a, b) = (held(c, 0)?, c.input(1).clone());
    check_rank(&b)?;
    let shape = product(c, &a, &b)?;
    let shape = transposed(&shape, c.attr("transpose_output")?);
    c.set_output(0, shape);
    Ok(())
}

fn sparse_mat_mul(c: &mut ShapeContext<'_>) -> Result<()> {
    let (a, b) = (held(c, 0)?, held(c, 1)?);
    let (shape, dtype) = (product(c, &a, &b)?, c.attr("type")?);
    set(c, Some(dtype), shape);
    Ok(())
}

fn transpose(c: &mut ShapeContext<'_>) -> Result<()> {
    let shape = transposed(&held(c, 0)?, true);
    let dtype = c.attr("type")?;
    set(c, Some(dtype), shape);
    Ok(())
}

/// What is known of the matrix in input 0, which is square.
fn square(c: &ShapeContext<'_>) -> Result<PartialShape> {
    let shape = held(c, 0)?;
    check_rank(&shape)?;
    if let Some([.., rows, columns]) = shape.dims() {
        c.merge_dim(*rows, *columns)?;
    }
    Ok(shape)
}

fn ordering(c: &mut ShapeContext<'_>) -> Result<()> {
    let shape = square(c)?;
    let shape = c.subshape(&shape, 0, Some(-1))?;
    c.set_output(0, shape);
    Ok(())
}

fn cholesky(c: &mut ShapeContext<'_>) -> Result<()> {
    let (shape, permutation) = (square(c)?, c.with_rank_at_least(1, 1)?);
    c.with_rank_at_most(1, 2)?;
    c.merge(&c.subshape(&shape, 0, Some(-1))?, &permutation)?;
    let dtype = c.attr("type")?;
    set(c, Some(dtype), shape);
    Ok(())
}
