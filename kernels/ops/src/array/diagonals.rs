//! Diagonals and bands of matrices.

use oplink::prelude::*;

attr_enum! {
    /// Where the shorter diagonals above the main one, and those below, stand in the rows that hold them.
    pub enum DiagonalAlign {
        LeftRight = "LEFT_RIGHT",
        RightLeft = "RIGHT_LEFT",
        LeftLeft = "LEFT_LEFT",
        RightRight = "RIGHT_RIGHT",
    }
}

/// Zeros with `diagonal` on the diagonal.
///
/// The diagonal's element `(i, …, k)` is element `(i, …, k, i, …, k)` of the other tensor, which has the extents of the
/// diagonal twice and zeros elsewhere. It is an error when they do not come twice.
#[op(
    "Diag",
    is(moves),
    input = "diagonal: T",
    output = "output: T",
    attr = "T: {bfloat16, half, float, double, int32, int64, complex64, complex128}"
)]
pub fn diag(c: &mut ShapeContext<'_>) -> Result<()> {
    let input = c.with_rank_at_least(0, 1)?;
    let shape = c.concatenate(&input, &input);
    c.set_output(0, shape);
    Ok(())
}

/// The diagonal of a tensor whose extents come twice.
#[op(
    "DiagPart",
    is(moves),
    input = "input: T",
    output = "diagonal: T",
    attr = "T: {bfloat16, half, float, double, int32, int64, complex64, complex128}"
)]
pub fn diag_part(c: &mut ShapeContext<'_>) -> Result<()> {
    let input = c.input(0).clone();
    let Some(rank) = input.rank() else { return Ok(()) };
    ensure!(rank > 0 && rank.is_multiple_of(2), "input must have an even rank of 2 at least, its shape is {input}");
    let half = rank as i64 / 2;
    let first = c.subshape(&input, 0, Some(half))?;
    let shape = c.merge(&first, &c.subshape(&input, half, None)?)?;
    c.set_output(0, shape);
    Ok(())
}

/// Matrices with the diagonals `diagonal`.
///
/// Matrices are in the last two axes, diagonals in the last one. `MatrixDiag` makes square matrices; the diagonal of a
/// matrix has as many elements as its shorter side.
#[op("MatrixDiag", is(moves), input = "diagonal: T", output = "output: T", attr = "T: type", shape = shape_fns::matrix_diag)]
pub struct MatrixDiag;

/// The diagonals of matrices.
#[op("MatrixDiagPart", is(moves), input = "input: T", output = "diagonal: T", attr = "T: type", shape = shape_fns::matrix_diag_part)]
pub struct MatrixDiagPart;

/// The diagonals `k` of matrices, shorter ones filled up on the right.
///
/// `k` is one diagonal, which gives [..., length], or the lowest and the highest one, which give [..., diagonals,
/// longest] with the highest first. Shorter diagonals are filled up with `padding_value`: on the right, in
/// `MatrixDiagPartV3` on the sides that the attr `align` leaves (`RIGHT_LEFT`: diagonals above the main one and it
/// stand right, those below left). It is an error when the matrices have no such diagonals.
#[op("MatrixDiagPartV2", is(moves),
     input = "input: T",
     input = "k: int32",
     input = "padding_value: T",
     output = "diagonal: T",
     attr = "T: type",
     shape = shape_fns::matrix_diag_part_v2)]
pub struct MatrixDiagPartV2;

/// The diagonals `k` of matrices, shorter ones filled up as `align` says.
#[op("MatrixDiagPartV3", is(moves),
     input = "input: T",
     input = "k: int32",
     input = "padding_value: T",
     output = "diagonal: T",
     attr = "T: type",
     attr = "align: {'LEFT_RIGHT', 'RIGHT_LEFT', 'LEFT_LEFT', 'RIGHT_RIGHT'} = 'RIGHT_LEFT'",
     enums(align = DiagonalAlign),
     shape = shape_fns::matrix_diag_part_v2)]
pub struct MatrixDiagPartV3;

/// Matrices with the diagonals `k`, whose rows stand left.
///
/// `k` is one diagonal, of which `diagonal` [..., length] holds the elements, or the lowest and the highest one, whose
/// rows `diagonal` [..., diagonals, longest] holds with the highest first. Elements behind the end of shorter diagonals
/// are not read; they stand on the right, in `MatrixDiagV3` as the attr `align` says. `num_rows` and `num_cols` are
/// scalars, -1 being the least there can be (and a square where both are -1). It is an error when a side is too small,
/// or when both are larger than needed.
#[op("MatrixDiagV2", is(moves),
     input = "diagonal: T",
     input = "k: int32",
     input = "num_rows: int32",
     input = "num_cols: int32",
     input = "padding_value: T",
     output = "output: T",
     attr = "T: type",
     shape = shape_fns::matrix_diag_v2)]
pub struct MatrixDiagV2;

/// Matrices with the diagonals `k`, whose rows stand as `align` says.
#[op("MatrixDiagV3", is(moves),
     input = "diagonal: T",
     input = "k: int32",
     input = "num_rows: int32",
     input = "num_cols: int32",
     input = "padding_value: T",
     output = "output: T",
     attr = "T: type",
     attr = "align: {'LEFT_RIGHT', 'RIGHT_LEFT', 'LEFT_LEFT', 'RIGHT_RIGHT'} = 'RIGHT_LEFT'",
     enums(align = DiagonalAlign),
     shape = shape_fns::matrix_diag_v2)]
pub struct MatrixDiagV3;

/// Matrices with another main diagonal.
///
/// `MatrixSetDiag` replaces the main diagonal, the others the diagonals `k`, which `diagonal` holds as
/// `MatrixDiagPartV2` and `MatrixDiagPartV3` give them. The output takes the input's memory where nobody else needs it.
/// It is an error when the shape of `diagonal` is not that of the replaced diagonals.
#[op("MatrixSetDiag",
     input = "input: T",
     input = "diagonal: T",
     output = "output: T",
     attr = "T: type",
     shape = shape_fns::matrix_set_diag)]
pub struct MatrixSetDiag;

/// Matrices with other diagonals `k`, whose rows stand left.
#[op("MatrixSetDiagV2",
     input = "input: T",
     input = "diagonal: T",
     input = "k: int32",
     output = "output: T",
     attr = "T: type",
     shape = shape_fns::matrix_set_diag_v2)]
pub struct MatrixSetDiagV2;

/// Matrices with other diagonals `k`, whose rows stand as `align` says.
#[op("MatrixSetDiagV3",
     input = "input: T",
     input = "diagonal: T",
     input = "k: int32",
     output = "output: T",
     attr = "T: type",
     attr = "align: {'LEFT_RIGHT', 'RIGHT_LEFT', 'LEFT_LEFT', 'RIGHT_RIGHT'} = 'RIGHT_LEFT'",
     enums(align = DiagonalAlign),
     shape = shape_fns::matrix_set_diag_v2)]
pub struct MatrixSetDiagV3;

/// Keeps a band around the diagonal of matrices.
///
/// Matrices are in the last two axes. Element (m, n) stays if `m - n <= num_lower` and `n - m <= num_upper`, a negative
/// number meaning no bound. It is an error when `num_lower` exceeds the rows or `num_upper` the columns. The output
/// takes the input's memory where nobody else needs it.
#[op("MatrixBandPart", is(moves),
     input = "input: T",
     input = "num_lower: Tindex",
     input = "num_upper: Tindex",
     output = "band: T",
     attr = "T: type",
     attr = "Tindex: {int32, int64} = DT_INT64",
     shape = shape_fns::matrix_band_part)]
pub struct MatrixBandPart;

/// As `MatrixDiag`, in old graphs.
#[op("BatchMatrixDiag",
     input = "diagonal: T",
     output = "output: T",
     attr = "T: type",
     deprecated(since = 14, note = "Use MatrixDiag"),
     shape = shape_fns::unknown)]
pub struct BatchMatrixDiag;

/// As `MatrixDiagPart`, in old graphs.
#[op("BatchMatrixDiagPart",
     input = "input: T",
     output = "diagonal: T",
     attr = "T: type",
     deprecated(since = 14, note = "Use MatrixDiagPart"),
     shape = shape_fns::unknown)]
pub struct BatchMatrixDiagPart;

/// As `MatrixSetDiag`, in old graphs.
#[op("BatchMatrixSetDiag",
     input = "input: T",
     input = "diagonal: T",
     output = "output: T",
     attr = "T: type",
     deprecated(since = 14, note = "Use MatrixSetDiag"),
     shape = shape_fns::unknown)]
pub struct BatchMatrixSetDiag;

/// As `MatrixBandPart`, in old graphs.
#[op("BatchMatrixBandPart",
     input = "input: T",
     input = "num_lower: int64",
     input = "num_upper: int64",
     output = "band: T",
     attr = "T: type",
     deprecated(since = 14, note = "Use MatrixBandPart"),
     shape = shape_fns::unknown)]
pub struct BatchMatrixBandPart;
