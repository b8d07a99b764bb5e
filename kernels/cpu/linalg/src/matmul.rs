//! `MatMul`: the product of two matrices, `product[i, j] = sum over k of a[i, k] * b[k, j]`.
//!
//! `a` is [m, k] ([k, m] with `transpose_a`), `b` is [k, n] ([n, k] with `transpose_b`), the product is [m, n]; zeros
//! where k is 0. The 16-bit floats are summed in f32, integers wrap, complex matrices are transposed without
//! conjugation. It is an error when the ranks are not 2 or the inner extents differ.

use super::fused_matmul::packed;
use super::halves;
use oplink::{KernelEnv, prelude::*};
use oplink_cpu_contraction::HAS_GEMM;
use oplink_cpu_contraction::computed::{computed_of, fill_computed};
use oplink_cpu_contraction::dot::halves::ConstantHalves;
use oplink_cpu_contraction::finish::Finish;
use oplink_cpu_contraction::gemm::{self, Gemm, Matrix};
use oplink_cpu_contraction::packed::ConstantMatrix;
use oplink_cpu_contraction::row_vector::multiply_row;
use oplink_cpu_support::elementwise::Computed;
use oplink_ops::linalg::{MatMul, MatMulInputs, MatMulOutputs, SparseMatMul};
use std::marker::PhantomData;

/// `MatMul` for the dtypes that TensorFlow multiplies on the CPU.
#[kernel(MatMul, device = CPU, T = [f64, i32, i64, complex])]
pub fn matmul_cpu<T: Computed<ComputeType: Gemm>>(
    a: &Tensor,
    b: &Tensor,
    transpose_a: bool,
    transpose_b: bool,
    product: &mut Tensor,
    env: Env<'_>,
) -> Result<()> {
    multiply::<T>([a, b], [transpose_a, transpose_b], product, &env)
}

/// `MatMul` for f32: a constant right matrix is packed once.
pub struct MatMulCpu {
    transpose: [bool; 2],
    constant: Option<ConstantMatrix>,
}

#[kernel(MatMul, device = CPU, T = [f32])]
impl Kernel for MatMulCpu {
    type Op = MatMul;

    fn new(construction: Construction<'_, MatMul>) -> Result<Self> {
        let transpose = [construction.attrs.transpose_a, construction.attrs.transpose_b];
        Ok(Self { transpose, constant: ConstantMatrix::of(construction.constant(1)) })
    }

    fn compute(&self, inputs: MatMulInputs<'_>, outputs: &mut MatMulOutputs<'_>, env: Env<'_>) -> Result<()> {
        let (a, b) = (&*inputs.a, &*inputs.b);
        let shape = product_shape(a.shape(), b.shape(), self.transpose)?;
        let product = outputs.product.allocate(shape)?;
        let left = Matrix::of_shape(a.as_slice::<f32>()?, a.shape())?.transposed(self.transpose[0]);
        if HAS_GEMM && let Some(constant) = &self.constant {
            let packed = constant.packed((b, self.transpose[1]), || packed::<f32>(&env, b, self.transpose[1]))?;
            return packed.multiply(&env, left, Finish::default(), product.as_mut_slice()?);
        }
        let right = Matrix::of_shape(b.as_slice::<f32>()?, b.shape())?.transposed(self.transpose[1]);
        if multiply_row(&env, left, right, Finish::default(), product.as_mut_slice()?)? {
            return Ok(());
        }
        multiply::<f32>([a, b], self.transpose, product, &env)
    }
}

/// `MatMul` for the 16-bit floats: a constant right matrix is packed once.
pub struct MatMulHalves<T> {
    transpose: [bool; 2],
    constant: Option<ConstantHalves>,
    element: PhantomData<fn() -> T>,
}

#[kernel(MatMul, device = CPU, T = [f16, bf16])]
impl<T: Computed<ComputeType = f32>> Kernel for MatMulHalves<T> {
    type Op = MatMul;

    fn new(construction: Construction<'_, MatMul>) -> Result<Self> {
        let transpose = [construction.attrs.transpose_a, construction.attrs.transpose_b];
        Ok(Self { transpose, constant: ConstantHalves::of(construction.constant(1)), element: PhantomData })
    }

    fn compute(&self, inputs: MatMulInputs<'_>, outputs: &mut MatMulOutputs<'_>, env: Env<'_>) -> Result<()> {
        let (a, b) = (&*inputs.a, &*inputs.b);
        let product = outputs.product.allocate(product_shape(a.shape(), b.shape(), self.transpose)?)?;
        if halves::multiply(&env, [a, b], self.transpose, self.constant.as_ref(), Finish::default(), product)? {
            return Ok(());
        }
        multiply::<T>([a, b], self.transpose, product, &env)
    }
}

/// `SparseMatMul`.
#[kernel(SparseMatMul, device = CPU, Ta = [f32, bf16], Tb = [f32, bf16])]
pub fn sparse_mat_mul_cpu<Ta: Computed<ComputeType = f32>, Tb: Computed<ComputeType = f32>>(
    a: &Tensor,
    b: &Tensor,
    transpose_a: bool,
    transpose_b: bool,
    product: &mut Tensor,
    env: Env<'_>,
) -> Result<()> {
    product_shape(a.shape(), b.shape(), [transpose_a, transpose_b])?;
    let (a_computed, b_computed) = (computed_of(a.as_slice::<Ta>()?), computed_of(b.as_slice::<Tb>()?));
    let left = Matrix::of_shape(&a_computed, a.shape())?.transposed(transpose_a);
    let right = Matrix::of_shape(&b_computed, b.shape())?.transposed(transpose_b);
    let product = product.as_mut_slice::<f32>()?;
    gemm::product(&env, left, right, product);
    // Sums begin at zero, so that none is -0.
    product.iter_mut().for_each(|sum| *sum += 0.0);
    Ok(())
}

/// The shape of a product of matrices.
pub(crate) fn product_shape(a: &Shape, b: &Shape, [transpose_a, transpose_b]: [bool; 2]) -> Result<Shape> {
    let (&[a_rows, a_columns], &[b_rows, b_columns]) = (a.dims(), b.dims()) else {
        bail!("a and b must be matrices, their shapes are {a} and {b}")
    };
    let (rows, inner) = if transpose_a { (a_columns, a_rows) } else { (a_rows, a_columns) };
    let (other, columns) = if transpose_b { (b_columns, b_rows) } else { (b_rows, b_columns) };
    ensure!(inner == other, "matrix size-incompatible: a is {a}, b is {b}, with inner extents {inner} and {other}");
    Ok(Shape::new(&[rows, columns]))
}

fn multiply<T: Computed<ComputeType: Gemm>>(
    [a, b]: [&Tensor; 2],
    [transpose_a, transpose_b]: [bool; 2],
    product: &mut Tensor,
    env: &dyn KernelEnv,
) -> Result<()> {
    product_shape(a.shape(), b.shape(), [transpose_a, transpose_b])?;
    let (a_computed, b_computed) = (computed_of(a.as_slice::<T>()?), computed_of(b.as_slice::<T>()?));
    let lhs = Matrix::of_shape(&a_computed, a.shape())?.transposed(transpose_a);
    let rhs = Matrix::of_shape(&b_computed, b.shape())?.transposed(transpose_b);
    fill_computed(product.as_mut_slice::<T>()?, |out| gemm::product(env, lhs, rhs, out));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::run;

    fn matmul(a: (&[usize], &[i32]), b: (&[usize], &[i32]), transpose: [bool; 2]) -> Result<Tensor> {
        let inputs = [a, b].map(|(shape, values)| Tensor::from_vec(shape, values.to_vec()).unwrap());
        let attrs = [("transpose_a", transpose[0].into()), ("transpose_b", transpose[1].into())];
        Ok(run("MatMul", &attrs, inputs.to_vec())?.remove(0))
    }

    #[test]
    fn products() {
        let a: (&[usize], &[i32]) = (&[2, 3], &[1, 2, 3, 4, 5, 6]);
        let wide: (&[usize], &[i32]) = (&[3, 1], &[1, 0, -1]);
        let cases: [(_, _, _, &[usize], &[i32]); 5] = [
            (a, wide, [false, false], &[2, 1], &[-2, -2]),
            (a, a, [false, true], &[2, 2], &[14, 32, 32, 77]),
            (a, a, [true, false], &[3, 3], &[17, 22, 27, 22, 29, 36, 27, 36, 45]),
            ((&[1, 0], &[]), (&[0, 2], &[]), [false, false], &[1, 2], &[0, 0]),
            ((&[1, 2], &[1 << 30, 1 << 30]), (&[2, 1], &[4, 3]), [false, false], &[1, 1], &[-(1 << 30)]),
        ];
        for (a, b, transpose, shape, values) in cases {
            let product = matmul(a, b, transpose).unwrap();
            assert_eq!((product.shape().dims(), product.as_slice::<i32>().unwrap()), (shape, values));
        }
    }

    #[test]
    fn unlike_inner_extents_are_refused() {
        let a: (&[usize], &[i32]) = (&[2, 3], &[0; 6]);
        assert!(matmul(a, a, [false, false]).is_err());
        assert!(matmul((&[3], &[0; 3]), a, [false, false]).is_err());
    }
}
