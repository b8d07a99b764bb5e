//! Products of matrices.

use oplink::prelude::*;

/// Multiplies the matrix `a` by the matrix `b`, either transposed first where its attr says so.
///
/// `a` is [m, k] ([k, m] with `transpose_a`), `b` is [k, n] ([n, k] with `transpose_b`), the product is [m, n]; zeros
/// where k is 0. The 16-bit floats are summed in f32, integers wrap, complex matrices are transposed without
/// conjugation. It is an error when the ranks are not 2 or the inner extents differ.
#[op("MatMul",
     input = "a: T",
     input = "b: T",
     output = "product: T",
     attr = "transpose_a: bool = false",
     attr = "transpose_b: bool = false",
     attr = "T: {bfloat16, half, float, double, int32, int64, uint8, uint16, uint32, uint64, complex64, complex128}",
     attr = "grad_a: bool = false",
     attr = "grad_b: bool = false",
     shape = shape_fns::matmul)]
pub struct MatMul;

/// As [`MatMul`], of f32 and bfloat16, summed in f32. That a matrix has many zeros (`a_is_sparse`, `b_is_sparse`)
/// changes no value.
#[op("SparseMatMul",
     input = "a: Ta",
     input = "b: Tb",
     output = "product: float",
     attr = "transpose_a: bool = false",
     attr = "transpose_b: bool = false",
     attr = "a_is_sparse: bool = false",
     attr = "b_is_sparse: bool = false",
     attr = "Ta: {float, bfloat16} = float",
     attr = "Tb: {float, bfloat16} = float",
     shape = shape_fns::matmul)]
pub struct SparseMatMul;

/// Multiplies the matrices in the last two axes of `x` and `y`; the other axes are equal.
///
/// `x` is [..., m, k] ([..., k, m] with `adj_x`), `y` is [..., k, n] ([..., n, k] with `adj_y`), the output is
/// [..., m, n]. The leading axes are equal. The adjoint of a complex matrix is its conjugate transpose.
/// Sums as in `MatMul`.
#[op("BatchMatMul",
     input = "x: T",
     input = "y: T",
     output = "output: T",
     attr = "T: {bfloat16, half, float, double, int32, int64, complex64, complex128}",
     attr = "adj_x: bool = false",
     attr = "adj_y: bool = false",
     attr = "grad_x: bool = false",
     attr = "grad_y: bool = false",
     shape = shape_fns::batch_matmul_v1)]
pub struct BatchMatMul;

/// Multiplies the matrices in the last two axes of `x` and `y`; the other axes broadcast.
///
/// `x` is [..., m, k] ([..., k, m] with `adj_x`), `y` is [..., k, n] ([..., n, k] with `adj_y`), the output is
/// [..., m, n]. The leading axes broadcast. The adjoint of a complex matrix is its conjugate transpose.
/// Sums as in `MatMul`.
#[op("BatchMatMulV2",
     input = "x: T",
     input = "y: T",
     output = "output: T",
     attr = "T: {bfloat16, half, float, double, int16, int32, int64, uint8, uint16, uint32, uint64, complex64, complex128}",
     attr = "adj_x: bool = false",
     attr = "adj_y: bool = false",
     attr = "grad_x: bool = false",
     attr = "grad_y: bool = false",
     shape = shape_fns::batch_matmul)]
pub struct BatchMatMulV2;

/// Multiplies the matrices in the last two axes of `x` and `y`; the other axes broadcast.
///
/// As `BatchMatMulV2`, where `x`, `y` and the output have dtypes of their own: one for all, or 8-bit integers
/// multiplied to int32, or bfloat16 times 8-bit integers. Products with bfloat16 are summed in f32.
#[op("BatchMatMulV3",
     input = "x: Ta",
     input = "y: Tb",
     output = "output: Tout",
     attr = "Ta: {bfloat16, half, float, double, uint8, int8, int16, int32, int64, complex64, complex128}",
     attr = "Tb: {bfloat16, half, float, double, uint8, int8, int16, int32, int64, complex64, complex128}",
     attr = "Tout: {bfloat16, half, float, double, int16, int32, int64, complex64, complex128}",
     attr = "adj_x: bool = false",
     attr = "adj_y: bool = false",
     attr = "grad_x: bool = false",
     attr = "grad_y: bool = false",
     shape = shape_fns::batch_matmul)]
pub struct BatchMatMulV3;

/// Multiplies two matrices, either transposed first where its attr says so, adds a bias and applies an activation.
///
/// `fused_ops` names what follows: `BiasAdd` (`args` are a vector as long as the rows of the product); then perhaps
/// `Add` (one more of `args`, of the product's shape) and an activation, `Relu`, `Relu6`, `LeakyRelu`, `Elu`, `Tanh`,
/// `Sigmoid`, `Swish`, `HardSwish`, `GeluApproximate` or `GeluExact`. All of it is done to a tile of the product while
/// it is in cache. `Add` and the last four activations are oplink's own.
#[op("_FusedMatMul", is(fuses(MatMul)),
     input = "a: T",
     input = "b: T",
     input = "args: num_args * T",
     output = "product: T",
     attr = "transpose_a: bool = false",
     attr = "transpose_b: bool = false",
     attr = "T: {bfloat16, half, float}",
     attr = "num_args: int >= 0",
     attr = "fused_ops: list(string) = []",
     attr = "epsilon: float = 0.0001",
     attr = "leakyrelu_alpha: float = 0.2",
     shape = shape_fns::matmul)]
pub struct _FusedMatMul;
