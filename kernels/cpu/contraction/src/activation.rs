//! Activations that fused ops apply to what they computed.

use oplink::{Result, bail};

use oplink_cpu_support::elementwise::ComputeFloat;
use oplink_vmath::functions;
use oplink_vmath::loops::{MathFunction, map, multiply_add};

/// Values that pass through a function at a time.
const BLOCK: usize = 256;

/// A function that is applied to each value at the end of a fused op.
#[derive(Debug, Clone, Copy)]
pub enum Activation<L> {
    /// Values stay.
    Identity,
    /// Values below the first number become the first, above the second the second; NaN stays.
    Bounds(L, L),
    /// Negative values are multiplied by the number.
    LeakyRelu(L),
    /// `exp(x) - 1` of negative values.
    Elu,
    /// The hyperbolic tangent.
    Tanh,
    /// `1 / (1 + exp(-x))`.
    Sigmoid,
    /// `x / (1 + exp(-x))`.
    Swish,
    /// `x` times `x + 3` within 0 and 6, over 6.
    HardSwish,
    /// `x * 0.5 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x^3)))`.
    GeluApproximate,
    /// `x * 0.5 * (1 + erf(x / sqrt(2)))`.
    GeluExact,
}

macro_rules! functions {
    ($($name:ident: |$x:ident| $single:expr, $double:expr;)*) => {$(
        struct $name;
        impl MathFunction for $name {
            #[inline(always)]
            fn single<const FUSED: bool>($x: f32) -> f32 { $single }
            fn double($x: f64) -> f64 { $double }
        }
    )*};
}

functions! {
    EluFunction: |x| if x < 0.0 { functions::expm1::<FUSED>(x) } else { x }, if x < 0.0 { x.exp_m1() } else { x };
    TanhFunction: |x| functions::tanh::<FUSED>(x), x.tanh();
    SigmoidFunction: |x| functions::sigmoid::<FUSED>(x), 1.0 / (1.0 + (-x).exp());
    SwishFunction: |x| x * functions::sigmoid::<FUSED>(x), x / (1.0 + (-x).exp());
    GeluApproximateFunction: |x| {
        let cube = x * x * x;
        let inner = 0.797_884_6 * multiply_add::<FUSED>(0.044_715, cube, x);
        x * 0.5 * (1.0 + functions::tanh::<FUSED>(inner))
    }, {
        let inner = 0.797_884_560_802_865_4 * (x + 0.044_715 * x * x * x);
        x * 0.5 * (1.0 + inner.tanh())
    };
    GeluExactFunction: |x| x * 0.5 * (1.0 + functions::erf::<FUSED>(x * std::f32::consts::FRAC_1_SQRT_2)),
        x * 0.5 * (1.0 + libm::erf(x * std::f64::consts::FRAC_1_SQRT_2));
}

impl<L: ComputeFloat> Activation<L> {
    /// The activation that TensorFlow's fused ops call `name`.
    ///
    /// # Errors
    /// There is none of that name.
    pub fn named(name: &str, leaky_relu_alpha: f32) -> Result<Self> {
        Ok(match name {
            "Identity" => Self::Identity,
            "Relu" => Self::Bounds(L::ZERO, L::infinity()),
            "Relu6" => Self::Bounds(L::ZERO, L::from_f64(6.0)),
            "LeakyRelu" => Self::LeakyRelu(L::from_f64(f64::from(leaky_relu_alpha))),
            "Elu" => Self::Elu,
            "Tanh" => Self::Tanh,
            "Sigmoid" => Self::Sigmoid,
            "Swish" => Self::Swish,
            "HardSwish" => Self::HardSwish,
            "GeluApproximate" => Self::GeluApproximate,
            "GeluExact" => Self::GeluExact,
            _ => bail!("there is no activation {name}"),
        })
    }

    /// The bounds, where the activation is nothing else.
    pub fn bounds(&self) -> Option<(L, L)> {
        if let Self::Bounds(low, high) = *self { Some((low, high)) } else { None }
    }

    /// Whether the activation is more than bounds.
    pub fn is_function(&self) -> bool {
        !matches!(self, Self::Identity | Self::Bounds(..))
    }

    /// Replaces each value by the activation of it.
    pub fn apply(&self, values: &mut [L]) {
        match *self {
            Self::Identity => {}
            Self::Bounds(low, high) => in_blocks(values, |x, y| {
                map(x, y, |x| {
                    let above = if x < low { low } else { x };
                    if above > high { high } else { above }
                });
            }),
            Self::LeakyRelu(alpha) => in_blocks(values, |x, y| map(x, y, |x| if x > L::ZERO { x } else { x * alpha })),
            Self::Elu => in_blocks(values, L::map_function::<EluFunction>),
            Self::Tanh => in_blocks(values, L::map_function::<TanhFunction>),
            Self::Sigmoid => in_blocks(values, L::map_function::<SigmoidFunction>),
            Self::Swish => in_blocks(values, L::map_function::<SwishFunction>),
            Self::HardSwish => in_blocks(values, |x, y| {
                let (three, six) = (L::from_f64(3.0), L::from_f64(6.0));
                map(x, y, |x| {
                    let gate = x + three;
                    let above = if gate < L::ZERO { L::ZERO } else { gate };
                    x * (if above > six { six } else { above }) / six
                });
            }),
            Self::GeluApproximate => in_blocks(values, L::map_function::<GeluApproximateFunction>),
            Self::GeluExact => in_blocks(values, L::map_function::<GeluExactFunction>),
        }
    }
}

/// Lets `function` replace the values, through a copy of some of them at a time.
fn in_blocks<L: ComputeFloat>(values: &mut [L], function: impl Fn(&[L], &mut [L])) {
    let mut copy = [L::ZERO; BLOCK];
    for values in values.chunks_mut(BLOCK) {
        let copy = &mut copy[..values.len()];
        copy.copy_from_slice(values);
        function(copy, values);
    }
}
