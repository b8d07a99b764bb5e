//! Methods that compute element by element.

use oplink_api::{DType, Result};
use oplink_ops::{
    Abs, Acos, Acosh, Asin, Asinh, Atan, Atan2, Atanh, Cast, Ceil, Conj, Cos, Cosh, DivNoNan, Elu, Equal, Erf, Erfc,
    Exp, Expm1, Floor, FloorDiv, FloorMod, Greater, GreaterEqual, IsFinite, IsInf, IsNan, LeakyRelu, Less, LessEqual,
    Lgamma, Log, Log1p, LogSoftmax, Maximum, Minimum, NotEqual, OnesLike, Pow, Reciprocal, Relu, Relu6, Rint, Rsqrt,
    SelectV2, Selu, Sigmoid, Sign, Sin, Sinh, Softmax, Softplus, Softsign, Sqrt, Square, SquaredDifference,
    StopGradient, Tan, Tanh, ZerosLike,
};

use super::{IntoValue, Value};
use crate::run::{call, call_with};

macro_rules! unary {
    ($($(#[$doc:meta])* $method:ident $op:ident;)*) => {
        impl Value {$(
            $(#[$doc])*
            ///
            /// # Errors
            #[doc = concat!("As the op `", stringify!($op), "`.")]
            pub fn $method(&self) -> Result<Self> {
                call::<$op>([self.clone()])
            }
        )*}
    };
}

unary! {
    /// The magnitude of each element.
    abs Abs;
    /// The arc cosine.
    acos Acos;
    /// The inverse hyperbolic cosine.
    acosh Acosh;
    /// The arc sine.
    asin Asin;
    /// The inverse hyperbolic sine.
    asinh Asinh;
    /// The arc tangent.
    atan Atan;
    /// The inverse hyperbolic tangent.
    atanh Atanh;
    /// The smallest integer that is not less.
    ceil Ceil;
    /// The complex conjugate.
    conj Conj;
    /// The cosine.
    cos Cos;
    /// The hyperbolic cosine.
    cosh Cosh;
    /// `exp(x) - 1` of negative elements.
    elu Elu;
    /// The error function.
    erf Erf;
    /// 1 less the error function.
    erfc Erfc;
    /// The exponential.
    exp Exp;
    /// `exp(x) - 1`, exact near 0.
    exp_m1 Expm1;
    /// The largest integer that is not greater.
    floor Floor;
    /// Whether each element is neither infinite nor NaN.
    is_finite IsFinite;
    /// Whether each element is infinite.
    is_infinite IsInf;
    /// Whether each element is NaN.
    is_nan IsNan;
    /// The logarithm of the magnitude of the gamma function.
    lgamma Lgamma;
    /// The natural logarithm.
    ln Log;
    /// `ln(1 + x)`, exact near 0.
    ln_1p Log1p;
    /// The logarithm of the softmax along the last axis.
    log_softmax LogSoftmax;
    /// Ones in the same shape.
    ones_like OnesLike;
    /// The reciprocal.
    recip Reciprocal;
    /// The larger of 0 and each element.
    relu Relu;
    /// Each element limited to 0..=6.
    relu6 Relu6;
    /// The nearest integer, the even one of two.
    round Rint;
    /// The reciprocal of the square root.
    rsqrt Rsqrt;
    /// The scaled exponential linear unit.
    selu Selu;
    /// The logistic function.
    sigmoid Sigmoid;
    /// -1, 0 or 1.
    sign Sign;
    /// The sine.
    sin Sin;
    /// The hyperbolic sine.
    sinh Sinh;
    /// Exponentials along the last axis, divided by their sum.
    softmax Softmax;
    /// `ln(1 + exp(x))`.
    softplus Softplus;
    /// `x / (1 + |x|)`.
    softsign Softsign;
    /// The square root.
    sqrt Sqrt;
    /// The square.
    square Square;
    /// The same value, through which nothing is differentiated.
    stop_gradient StopGradient;
    /// The tangent.
    tan Tan;
    /// The hyperbolic tangent.
    tanh Tanh;
    /// Zeros in the same shape.
    zeros_like ZerosLike;
}

macro_rules! binary {
    ($($(#[$doc:meta])* $method:ident $op:ident;)*) => {
        impl Value {$(
            $(#[$doc])*
            ///
            /// # Errors
            #[doc = concat!("As the op `", stringify!($op), "`.")]
            pub fn $method(&self, other: impl IntoValue) -> Result<Self> {
                let other = other.into_value(Some(self.dtype()?))?;
                call::<$op>([self.clone(), other])
            }
        )*}
    };
}

binary! {
    /// The angle of the point of which these are `y` and the others `x`.
    atan2 Atan2;
    /// The quotient, 0 where the divisor is 0.
    div_no_nan DivNoNan;
    /// Whether elements are equal.
    equal Equal;
    /// The quotient rounded down.
    floor_div FloorDiv;
    /// The remainder with the divisor's sign.
    floor_mod FloorMod;
    /// Whether each element is greater.
    greater Greater;
    /// Whether each element is greater or equal.
    greater_equal GreaterEqual;
    /// Whether each element is less.
    less Less;
    /// Whether each element is less or equal.
    less_equal LessEqual;
    /// The larger of two.
    maximum Maximum;
    /// The smaller of two.
    minimum Minimum;
    /// Whether elements differ.
    not_equal NotEqual;
    /// The power.
    pow Pow;
    /// The square of the difference.
    squared_difference SquaredDifference;
}

impl Value {
    /// The elements in another dtype.
    ///
    /// # Errors
    /// As the op `Cast`.
    pub fn cast(&self, dtype: DType) -> Result<Self> {
        if self.dtype()? == dtype {
            return Ok(self.clone());
        }
        call_with::<Cast>([self.clone()], vec![("DstT", dtype.into())])
    }

    /// Each element, negative ones multiplied by `alpha`.
    ///
    /// # Errors
    /// As the op `LeakyRelu`.
    pub fn leaky_relu(&self, alpha: f32) -> Result<Self> {
        call_with::<LeakyRelu>([self.clone()], vec![("alpha", alpha.into())])
    }

    /// Each element limited to `low..=high`.
    ///
    /// # Errors
    /// As the ops `Minimum` and `Maximum`.
    pub fn clamp(&self, low: impl IntoValue, high: impl IntoValue) -> Result<Self> {
        self.minimum(high)?.maximum(low)
    }

    /// Of bools: an element of `yes` where one is true, of `no` elsewhere.
    ///
    /// # Errors
    /// As the op `SelectV2`.
    pub fn select(&self, yes: impl IntoValue, no: &Self) -> Result<Self> {
        let yes = yes.into_value(Some(no.dtype()?))?;
        call::<SelectV2>([self.clone(), yes, no.clone()])
    }
}
