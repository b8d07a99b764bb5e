//! Activations that fused ops apply to what they computed.

use oplink::{Result, bail};

use oplink_cpu_support::elementwise::ComputeFloat;
use oplink_vmath::functions;
use oplink_vmath::loops::{MathFunction, change1, multiply_add};

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
    SwishFunction: |x| functions::swish::<FUSED>(x), x / (1.0 + (-x).exp());
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

    /// Replaces each value by the activation of it: fastest where there are a multiple of 64.
    pub fn apply(&self, values: &mut [L]) {
        match *self {
            Self::Identity => {}
            Self::Bounds(low, high) => change1::<true, _, _>(values, |x| {
                let above = if x < low { low } else { x };
                if above > high { high } else { above }
            }),
            Self::LeakyRelu(alpha) => change1::<true, _, _>(values, |x| if x > L::ZERO { x } else { x * alpha }),
            Self::Elu => L::change_function::<EluFunction>(values),
            Self::Tanh => L::change_function::<TanhFunction>(values),
            Self::Sigmoid => L::change_function::<SigmoidFunction>(values),
            Self::Swish => L::change_function::<SwishFunction>(values),
            Self::HardSwish => {
                let (three, six) = (L::from_f64(3.0), L::from_f64(6.0));
                change1::<true, _, _>(values, |x| {
                    let gate = x + three;
                    let above = if gate < L::ZERO { L::ZERO } else { gate };
                    x * (if above > six { six } else { above }) / six
                });
            }
            Self::GeluApproximate => L::change_function::<GeluApproximateFunction>(values),
            Self::GeluExact => L::change_function::<GeluExactFunction>(values),
        }
    }
}
