//! `_FusedMatMul`: a product of matrices, then a bias, perhaps a tensor added, and an activation, in place by a
//! program.

use oplink::prelude::*;
use oplink_ops::linalg::{_FusedMatMul, _FusedMatMulInputs, _FusedMatMulOutputs};

use super::matmul::product_of;
use crate::epilogue::Epilogue;

/// `_FusedMatMul` for the floats up to 32 bits.
#[derive(Debug)]
pub struct FusedMatMulGpu {
    transpose: [bool; 2],
    epilogue: Epilogue,
}

#[kernel(_FusedMatMul, device = GPU, T = [f32, f16, bf16])]
impl Kernel for FusedMatMulGpu {
    type Op = _FusedMatMul;

    fn new(construction: Construction<'_, _FusedMatMul>) -> Result<Self> {
        let attrs = construction.attrs;
        let epilogue = Epilogue::new(&construction.node().op.name, attrs.fused_ops, attrs.leakyrelu_alpha)?;
        Ok(Self { transpose: [attrs.transpose_a, attrs.transpose_b], epilogue })
    }

    fn compute(
        &self,
        inputs: _FusedMatMulInputs<'_>,
        outputs: &mut _FusedMatMulOutputs<'_>,
        env: Env<'_>,
    ) -> Result<()> {
        let _FusedMatMulInputs { a, b, args } = inputs;
        ensure!(a.rank() == 2 && b.rank() == 2, "a and b must be matrices, got shapes {} and {}", a.shape(), b.shape());
        let (matrices, shape) = product_of(a.shape(), b.shape(), self.transpose)?;
        self.epilogue.check(&args, &shape)?;
        let y = outputs.product.allocate(shape)?;
        if y.num_elements() == 0 {
            return Ok(());
        }
        let device = env.device()?;
        matrices.run(device, &a, &b, y)?;
        self.epilogue.launch(device, &args, y)
    }
}
