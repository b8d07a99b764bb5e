//! What follows a product of matrices or a convolution whose channels are last: a bias, perhaps a tensor added, and an
//! activation, in place by one program.

use oplink::device::DeviceContext;
use oplink::gpu::{block_dim, block_index, grid_dim, thread_index};
use oplink::prelude::*;

/// Activations by their numbers in the program.
const ACTIVATIONS: [&str; 11] = [
    "Identity",
    "Relu",
    "Relu6",
    "LeakyRelu",
    "Elu",
    "Tanh",
    "Sigmoid",
    "GeluApproximate",
    "GeluExact",
    "Swish",
    "HardSwish",
];

/// Adds `bias` along the last axis and perhaps `side`, then applies an activation.
#[oplink::program(T = [f32, f16, bf16], block = 256)]
fn epilogue<T: Float>(
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
        } else if activation == 9 {
            x /= 1.0 + (-x).exp();
        } else if activation == 10 {
            x = x * (x + 3.0).clamp(0.0, 6.0) / 6.0;
        }
        y[at] = T::from_f32(x);
        at += grid_dim().x * block_dim().x;
    }
}

/// The steps after the product.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Epilogue {
    has_side: bool,
    activation: u32,
    alpha: f32,
}

impl Epilogue {
    /// Of the op `op`, from the attrs `fused_ops` and `leakyrelu_alpha`.
    ///
    /// # Errors
    /// Other steps than a bias, a tensor added, and an activation (code Unimplemented).
    pub(crate) fn new(op: &str, fused_ops: &[Vec<u8>], alpha: f32) -> Result<Self> {
        let names: Vec<_> = fused_ops.iter().map(|name| String::from_utf8_lossy(name)).collect();
        let names: Vec<&str> = names.iter().map(|name| &**name).collect();
        let unknown = || Error::unimplemented(format!("{op} on a GPU does not implement the fused ops {names:?}"));
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

    /// Whether the tensors of the steps fit a product of this shape.
    pub(crate) fn check(&self, args: &[Tensor], product: &Shape) -> Result<()> {
        self.args(args, product).map(drop)
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

    /// Whether a bias is all.
    #[cfg(feature = "nn")]
    pub(crate) fn is_bias_alone(&self) -> bool {
        !self.has_side && self.activation == 0
    }

    /// Enqueues the steps over a product, whose channels are its last axis.
    ///
    /// # Errors
    /// The tensors of the steps do not fit the product; the device refuses.
    pub(crate) fn launch(&self, device: &dyn DeviceContext, args: &[Tensor], y: &mut Tensor) -> Result<()> {
        let [bias, side] = self.args(args, y.shape())?;
        let (count, columns) = (y.num_elements(), bias.num_elements());
        if count == 0 {
            return Ok(());
        }
        let number = |elements: usize| {
            u32::try_from(elements)
                .map_err(|_| Error::unimplemented(format!("a kernel for GPUs over {elements} elements is too large")))
        };
        let Self { has_side, activation, alpha } = *self;
        let (grid, dtype) = (epilogue::blocks(count), y.dtype());
        epilogue { y, bias, side, count: number(count)?, columns: number(columns)?, has_side, activation, alpha }
            .launch(device, dtype, grid)
    }
}
