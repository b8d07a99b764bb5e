//! The functions that a fused chain may be made of, a flat table: name, operands, loop.

use crate::support::elementwise::{FloatLane, Negate, RoundEven, Signed};
use crate::support::vector;
use crate::support::vectorize::{MathFunction, MathFunction2, map, zip};

/// A lane that chains are computed in.
pub trait FusedLane: FloatLane + Negate + RoundEven {}

impl<L: FloatLane + Negate + RoundEven> FusedLane for L {}

/// A loop over elements. Slices have one length.
#[derive(Clone, Copy)]
pub(super) enum Loop<L> {
    Unary(fn(&[L], &mut [L])),
    Binary(fn(&[L], &[L], &mut [L])),
    /// A function of an element and of a number that the program gives.
    Scaled(fn(&[L], L, &mut [L])),
}

/// The scale of `Selu`, and that times its alpha.
const SELU: [f64; 2] = [1.050_700_987_355_480_5, 1.758_099_340_847_376_8];

macro_rules! table {
    (unary { $($u:literal => |$ux:ident| $ue:expr;)* }
     binary { $($b:literal => |$bx:ident, $by:ident| $be:expr;)* }
     functions { $($f:literal => $fname:ident |$fx:ident| $fs:expr, $fd:expr $(; limit $limit:expr)?;)* }
     functions2 { $($g:literal => $gname:ident |$gx:ident, $gy:ident| $gs:expr, $gd:expr;)* }) => {
        /// The ops that `_FusedElementwise` computes, by name, with the number of tensors each takes. They mean what the ops
        /// of these names do on tensors of one float dtype; `BiasAdd` with `NHWC`, `LeakyRelu` with `alpha` as its last word.
        pub const FUSED_ELEMENTWISE_OPS: &[(&str, usize)] =
            &[("LeakyRelu", 1), $(($u, 1),)* $(($b, 2),)* $(($f, 1),)* $(($g, 2),)*];

        /// The loop of the op `name`.
        pub(super) fn find<L: FusedLane>(name: &str) -> Option<Loop<L>> {
            Some(match name {
                "LeakyRelu" => Loop::Scaled(|x, alpha, out| {
                    map(x, out, |x| if x > L::ZERO { x } else { x * alpha });
                }),
                $($u => Loop::Unary(|x, out| map(x, out, |$ux: L| $ue)),)*
                $($b => Loop::Binary(|x, y, out| zip(x, y, out, |$bx: L, $by: L| $be)),)*
                $($f => Loop::Unary(L::map_function::<$fname>),)*
                $($g => Loop::Binary(L::zip_function::<$gname>),)*
                _ => return None,
            })
        }

        $(struct $fname;
        impl MathFunction for $fname {
            $(const SINGLE_LIMIT: f32 = $limit;)?
            #[inline(always)]
            fn single<const FUSED: bool>($fx: f32) -> f32 { $fs }
            fn double($fx: f64) -> f64 { $fd }
        })*
        $(struct $gname;
        impl MathFunction2 for $gname {
            #[inline(always)]
            fn single<const FUSED: bool>($gx: f32, $gy: f32) -> f32 { $gs }
            fn double($gx: f64, $gy: f64) -> f64 { $gd }
        })*
    };
}

/// `value`, but a zero `dy` where that is zero: gradients of functions with poles.
#[inline(always)]
fn unless_zero<L: FusedLane>(dy: L, value: L) -> L {
    if dy == L::ZERO { dy } else { value }
}

table! {
    unary {
        "Abs" => |x| Signed::abs(x);
        "Ceil" => |x| x.ceil();
        "Floor" => |x| x.floor();
        "Inv" => |x| L::ONE / x;
        "Neg" => |x| x.negate();
        "Reciprocal" => |x| L::ONE / x;
        "Relu" => |x| if x < L::ZERO { L::ZERO } else { x };
        "Relu6" => |x| {
            let above = if x < L::ZERO { L::ZERO } else { x };
            let six = L::from_f64(6.0);
            if above > six { six } else { above }
        };
        "Rint" => |x| x.round_even();
        "Round" => |x| x.round_even();
        "Sign" => |x| Signed::sign(x);
        "Softsign" => |x| x / (Signed::abs(x) + L::ONE);
        "Square" => |x| x * x;
    }
    binary {
        "Add" => |x, y| x + y;
        "AddV2" => |x, y| x + y;
        "BiasAdd" => |x, y| x + y;
        "Div" => |x, y| x / y;
        "DivNoNan" => |x, y| if y == L::ZERO { L::ZERO } else { x / y };
        "EluGrad" => |g, y| if y < L::ZERO { (y + L::ONE) * g } else { g };
        "InvGrad" => |y, dy| unless_zero(dy, dy.negate() * (y * y));
        "Maximum" => |x, y| x.maximum(y);
        "Minimum" => |x, y| x.minimum(y);
        "Mul" => |x, y| x * y;
        "RealDiv" => |x, y| x / y;
        "ReciprocalGrad" => |y, dy| unless_zero(dy, dy.negate() * (y * y));
        "Relu6Grad" => |g, x| g * if x > L::ZERO && x < L::from_f64(6.0) { L::ONE } else { L::ZERO };
        "ReluGrad" => |g, x| g * if x > L::ZERO { L::ONE } else { L::ZERO };
        "RsqrtGrad" => |y, dy| unless_zero(dy, dy * L::from_f64(-0.5) * y * (y * y));
        "SigmoidGrad" => |y, dy| dy * y * (L::ONE - y);
        "SoftsignGrad" => |g, x| {
            let root = L::ONE + Signed::abs(x);
            g / (root * root)
        };
        "SqrtGrad" => |y, dy| unless_zero(dy, dy * L::from_f64(0.5) / y);
        "SquaredDifference" => |x, y| {
            let difference = x - y;
            difference * difference
        };
        "Sub" => |x, y| x - y;
        "TanhGrad" => |y, dy| dy * (L::ONE - y * y);
    }
    functions {
        "Cos" => Cos |x| vector::cos::<FUSED>(x), x.cos(); limit vector::TRIGONOMETRIC_LIMIT;
        "Elu" => Elu |x| if x < 0.0 { vector::expm1::<FUSED>(x) } else { x }, if x < 0.0 { x.exp_m1() } else { x };
        "Erf" => Erf |x| vector::erf::<FUSED>(x), libm::erf(x);
        "Erfc" => Erfc |x| vector::erfc::<FUSED>(x), libm::erfc(x);
        "Exp" => Exp |x| vector::exp::<FUSED>(x), x.exp();
        "Expm1" => Expm1 |x| vector::expm1::<FUSED>(x), x.exp_m1();
        "Log" => Log |x| vector::log::<FUSED>(x), x.ln();
        "Log1p" => Log1p |x| vector::log1p::<FUSED>(x), x.ln_1p();
        "Rsqrt" => Rsqrt |x| 1.0 / x.sqrt(), 1.0 / x.sqrt();
        "Selu" => Selu |x| if x < 0.0 { SELU[1] as f32 * vector::expm1::<FUSED>(x) } else { SELU[0] as f32 * x },
            if x < 0.0 { SELU[1] * x.exp_m1() } else { SELU[0] * x };
        "Sigmoid" => Sigmoid |x| vector::sigmoid::<FUSED>(x), 1.0 / (1.0 + (-x).exp());
        "Sin" => Sin |x| vector::sin::<FUSED>(x), x.sin(); limit vector::TRIGONOMETRIC_LIMIT;
        "Softplus" => Softplus |x| {
            let rest = vector::log1p::<FUSED>(vector::exp::<FUSED>(-x.abs()));
            if x > 0.0 { x + rest } else { rest }
        }, {
            let rest = (-x.abs()).exp().ln_1p();
            if x > 0.0 { x + rest } else { rest }
        };
        "Sqrt" => Sqrt |x| x.sqrt(), x.sqrt();
        "Tanh" => Tanh |x| vector::tanh::<FUSED>(x), x.tanh();
    }
    functions2 {
        "Pow" => Pow |x, y| vector::pow::<FUSED>(x, y), x.powf(y);
        "SoftplusGrad" => SoftplusGrad |g, x| g / (vector::exp::<FUSED>(-x) + 1.0), g / ((-x).exp() + 1.0);
    }
}
