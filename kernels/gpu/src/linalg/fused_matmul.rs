//! `_FusedMatMul`: a product of matrices, then a bias, perhaps a tensor added, and an activation, in place by a
//! program.

use oplink::gpu::{block_dim, block_index, grid_dim, thread_index};
use oplink::prelude::*;
use oplink_ops::linalg::{_FusedMatMul, _FusedMatMulInputs, _FusedMatMulOutputs};

use super::matmul::product_of;

/// Activations by their numbers in the program.
const ACTIVATIONS: [&str; 9] =
    ["Identity", "Relu", "Relu6", "LeakyRelu", "Elu", "Tanh", "Sigmoid", "GeluApproximate", "GeluExact"];

/// Adds `bias` along the last axis and perhaps `side`, then applies an activation.
#[oplink::program(T = [f32, f16, bf16], block = 256)]
fn finish_product<T: Float>(
    y: &mut [T],
    bias: &[T],
    side: &[T],
    count: u32,
    columns: u32,
    has_side: bool,
    activation: u32,
    alpha: f32,
) {
    let mut at = block_index().x * block_dim().x + thread_index().x;
    while at < count as usize {
        let mut x = y[at].to_f32() + bias[at % columns as usize].to_f32();
        if has_side {
            x += side[at].to_f32();
        }
        if activation == 1 && x < 0.0 {
            x = 0.0;
        } else if activation == 2 {
            x = x.clamp(0.0, 6.0);
        } else if activation == 3 && x < 0.0 {
            x *= alpha;
        } else if activation == 4 && x < 0.0 {
            x = x.exp_m1();
        } else if activation == 5 {
            x = x.tanh();
        } else if activation == 6 {
            x = 1.0 / (1.0 + (-x).exp());
        } else if activation == 7 {
            x = x * 0.5 * (1.0 + (0.797_884_6 * (x + 0.044_715 * x * x * x)).tanh());
        } else if activation == 8 {
            // The error function: Abramowitz and Stegun, 7.1.26.
            let z = x * 0.707_106_77;
            let t = 1.0 / (1.0 + 0.327_591_1 * z.abs());
            let series =
                t * (0.254_829_6 + t * (-0.284_496_74 + t * (1.421_413_7 + t * (-1.453_152 + t * 1.061_405_4))));
            let erf = 1.0 - series * (-z * z).exp();
            x = x * 0.5 * (1.0 + if z < 0.0 { -erf } else { erf });
        }
        y[at] = T::from_f32(x);
        at += grid_dim().x * block_dim().x;
    }
}

/// The steps after the product.
#[derive(Debug, Clone, Copy)]
struct Steps {
    has_side: bool,
    activation: u32,
    alpha: f32,
}

impl Steps {
    /// From the attrs `fused_ops` and `leakyrelu_alpha`.
    ///
    /// # Errors
    /// Other steps than a bias, a tensor added, and an activation (code Unimplemented).
    fn new(fused_ops: &[Vec<u8>], alpha: f32) -> Result<Self> {
        let names: Vec<_> = fused_ops.iter().map(|name| String::from_utf8_lossy(name)).collect();
        let names: Vec<&str> = names.iter().map(|name| &**name).collect();
        let unknown =
            || Error::unimplemented(format!("_FusedMatMul on a GPU does not implement the fused ops {names:?}"));
        let ["BiasAdd", rest @ ..] = names.as_slice() else { return Err(unknown()) };
        let (has_side, rest) = match rest {
            ["Add", rest @ ..] => (true, rest),
            rest => (false, rest),
        };
        let activation = match rest {
            [] => 0,
            [name] => ACTIVATIONS.iter().position(|known| known == name).ok_or_else(unknown)?,
            _ => return Err(unknown()),
        };
        Ok(Self { has_side, activation: activation as u32, alpha })
    }

    /// The tensors of the steps: the bias, and what is added (the bias again where nothing is).
    fn args<'a>(&self, args: &'a [Tensor], product: &Shape) -> Result<[&'a Tensor; 2]> {
        let wanted = 1 + usize::from(self.has_side);
        ensure!(args.len() == wanted, "the fused ops take {wanted} args, {} are given", args.len());
        let (bias, side) = (&args[0], &args[wanted - 1]);
        let columns = product.last().copied().unwrap_or(0);
        ensure!(
            bias.shape().dims() == [columns],
            "the bias must be a vector of {columns} elements, its shape is {}",
            bias.shape()
        );
        ensure!(
            !self.has_side || side.shape() == product,
            "the tensor added must have the shape {product}, its shape is {}",
            side.shape()
        );
        Ok([bias, side])
    }
}

/// `_FusedMatMul` for the floats up to 32 bits.
#[derive(Debug)]
pub struct FusedMatMulGpu {
    transpose: [bool; 2],
    steps: Steps,
}

#[kernel(_FusedMatMul, device = GPU, T = [f32, f16, bf16])]
impl Kernel for FusedMatMulGpu {
    type Op = _FusedMatMul;

    fn new(construction: Construction<'_, _FusedMatMul>) -> Result<Self> {
        let attrs = construction.attrs;
        let steps = Steps::new(attrs.fused_ops, attrs.leakyrelu_alpha)?;
        Ok(Self { transpose: [attrs.transpose_a, attrs.transpose_b], steps })
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
        let [bias, side] = self.steps.args(&args, &shape)?;
        let (count, columns) = (shape.num_elements(), matrices.columns as u32);
        let y = outputs.product.allocate(shape)?;
        if count == 0 {
            return Ok(());
        }
        let device = env.device()?;
        matrices.run(device, &a, &b, y)?;
        let Steps { has_side, activation, alpha } = self.steps;
        let (grid, dtype) = (finish_product::blocks(count), y.dtype());
        finish_product { y, bias, side, count: count as u32, columns, has_side, activation, alpha }
            .launch(device, dtype, grid)
    }
}
