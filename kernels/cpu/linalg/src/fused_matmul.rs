//! `_FusedMatMul`: `MatMul` and what follows it in one pass.
//!
//! `fused_ops` names what follows: `BiasAdd` (`args` are a vector as long as the rows of the product); then perhaps
//! `Add` (one more of `args`, of the product's shape) and an activation, `Relu`, `Relu6`, `LeakyRelu`, `Elu`, `Tanh`,
//! `Sigmoid`, `GeluApproximate` or `GeluExact`. All of it is done to a tile of the product while it is in cache. `Add`
//! and the last two activations are oplink's own.

use super::halves;
use super::matmul::product_shape;
use oplink::KernelEnv;
use oplink::prelude::*;
use oplink_cpu_contraction::HAS_GEMM;
use oplink_cpu_contraction::computed::{computed_of, fill_computed};
use oplink_cpu_contraction::dot::halves::{ConstantHalves, HalfFormat};
use oplink_cpu_contraction::fused_ops::FusedOps;
use oplink_cpu_contraction::gemm::product_and_finish;
use oplink_cpu_contraction::matrix::Matrix;
use oplink_cpu_contraction::packed::{ConstantMatrix, MANY_ROWS, PackedMatrix};
use oplink_cpu_contraction::panels::{MatrixRows, Product};
use oplink_cpu_contraction::row_vector::multiply_row;
use oplink_cpu_contraction::source::Source;
use oplink_cpu_support::elementwise::Computed;
use oplink_ops::linalg::{_FusedMatMul, _FusedMatMulInputs, _FusedMatMulOutputs};
use std::marker::PhantomData;

/// `_FusedMatMul` for the floats.
pub struct FusedMatMulCpu<T: Computed> {
    transpose: [bool; 2],
    steps: FusedOps<T::ComputeType>,
    /// The right matrix, where it is a constant.
    constant: Option<ConstantMatrix>,
    /// The same of 16-bit floats.
    halves: Option<ConstantHalves>,
    element: PhantomData<fn() -> T>,
}

#[kernel(_FusedMatMul, device = CPU, T = [f16, bf16, f32])]
impl<T: Computed<ComputeType = f32>> Kernel for FusedMatMulCpu<T> {
    type Op = _FusedMatMul;

    fn new(construction: Construction<'_, _FusedMatMul>) -> Result<Self> {
        let (op, attrs) = (&construction.node().op.name, construction.attrs);
        let steps = FusedOps::new(op, attrs.fused_ops, attrs.epsilon, attrs.leakyrelu_alpha)?;
        let constant = ConstantMatrix::of(construction.constant(1).filter(|_| !steps.has_factors()));
        let is_half = HalfFormat::of(T::DTYPE).is_some();
        let halves = ConstantHalves::of(construction.constant(1).filter(|_| is_half));
        Ok(Self { transpose: [attrs.transpose_a, attrs.transpose_b], steps, constant, halves, element: PhantomData })
    }

    fn compute(
        &self,
        inputs: _FusedMatMulInputs<'_>,
        outputs: &mut _FusedMatMulOutputs<'_>,
        env: Env<'_>,
    ) -> Result<()> {
        let (a, b) = (&*inputs.a, &*inputs.b);
        let extents = product_shape(a.shape(), b.shape(), self.transpose)?;
        let columns = extents[1];
        let output = outputs.product.allocate(extents)?;
        let args = self.steps.args::<T>(&inputs.args, output.shape())?;
        let halves = self.halves.as_ref();
        if self
            .steps
            .finish(&args, columns, |finish| halves::multiply(&env, [a, b], self.transpose, halves, finish, output))?
        {
            return Ok(());
        }
        let a_computed = computed_of(a.as_slice::<T>()?);
        let left = Matrix::of_shape(&a_computed, a.shape())?.transposed(self.transpose[0]);
        fill_computed(output.as_mut_slice::<T>()?, |out| {
            self.steps.finish(&args, columns, |finish| {
                if HAS_GEMM && let Some(constant) = &self.constant {
                    let packed = constant.packed((b, self.transpose[1]), || packed::<T>(&env, b, self.transpose[1]))?;
                    return packed.multiply(&env, left, finish, out);
                }
                let b_computed = computed_of(b.as_slice::<T>()?);
                let right = Matrix::of_shape(&b_computed, b.shape())?.transposed(self.transpose[1]);
                if left.rows() >= MANY_ROWS {
                    product_and_finish(&env, left, right, finish, out);
                } else if !multiply_row(&env, left, right, finish, out)? {
                    Product { rows: &MatrixRows(left), right, finish }.compute(&env, out)?;
                }
                Ok(())
            })
        })
    }
}

/// A right matrix in panels; what is read for it from a file does not stay in memory.
pub(crate) fn packed<T: Computed<ComputeType = f32>>(
    env: &dyn KernelEnv,
    right: &Tensor,
    transposed: bool,
) -> Result<PackedMatrix> {
    if let (&[_, columns], false) = (right.shape().dims(), transposed || T::DTYPE != DType::Float) {
        return PackedMatrix::of_rows(env, Source::of(right)?, columns);
    }
    let right = right.for_one_use();
    let computed = computed_of(right.as_slice::<T>()?);
    PackedMatrix::new(Matrix::of_shape(&computed, right.shape())?.transposed(transposed))
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::{Threads, run_in};

    fn fused(threads: usize, extents: [usize; 3], transpose: [bool; 2]) -> Vec<f32> {
        let [m, k, n] = extents;
        let attrs = [
            ("fused_ops", (&["BiasAdd", "Add", "Relu"][..]).into()),
            ("num_args", 2.into()),
            ("transpose_a", transpose[0].into()),
            ("transpose_b", transpose[1].into()),
        ];
        let value = |row: usize, column: usize| ((row * 7 + column * 3) % 5) as f32 - 2.0;
        let matrix = |rows: usize, columns: usize, transposed: bool| {
            let (height, width) = if transposed { (columns, rows) } else { (rows, columns) };
            let at = |i: usize| if transposed { value(i % width, i / width) } else { value(i / width, i % width) };
            Tensor::from_vec([height, width], (0..height * width).map(at).collect()).unwrap()
        };
        let bias = Tensor::from_slice(&(0..n).map(|i| i as f32).collect::<Vec<_>>());
        let inputs = vec![matrix(m, k, transpose[0]), matrix(k, n, transpose[1]), bias, matrix(m, n, false)];
        let out = run_in(&Threads(threads), "_FusedMatMul", &attrs, inputs).unwrap();
        let expected = (0..m * n).map(|i| {
            let (row, column) = (i / n, i % n);
            let sum: f32 = (0..k).map(|at| value(row, at) * value(at, column)).sum();
            (sum + column as f32 + value(row, column)).max(0.0)
        });
        assert_eq!(out[0].as_slice::<f32>().unwrap(), expected.collect::<Vec<_>>(), "{extents:?} {transpose:?}");
        out[0].as_slice().unwrap().to_vec()
    }

    #[test]
    fn products_agree_with_the_definition() {
        let sizes = [[1, 1, 1], [3, 0, 5], [17, 9, 40], [50, 600, 33], [5, 700, 300], [130, 20, 100], [0, 3, 4]];
        for extents in sizes {
            for transpose in [[false, false], [true, false], [false, true], [true, true]] {
                assert_eq!(fused(1, extents, transpose), fused(3, extents, transpose));
            }
        }
    }
}
