//! The operators of Rust on values, as the ops that mean what Rust means by them: `/` of integers rounds towards zero.

use std::ops::{
    Add, AddAssign, BitAnd, BitOr, BitXor, Div, DivAssign, Mul, MulAssign, Neg, Not, Rem, Shl, Shr, Sub, SubAssign,
};

use oplink_api::{DType, Op, Result, Tensor};
use oplink_ops::{
    AddV2, BitwiseAnd, BitwiseOr, BitwiseXor, Div as DivOp, Invert, LeftShift, LogicalAnd, LogicalNot, LogicalOr,
    Mul as MulOp, Neg as NegOp, NotEqual, RightShift, Sub as SubOp, TruncateMod,
};

use super::{IntoValue, Value};
use crate::run::call;

/// Calls an op on two operands, of which one at least is a value and tells the dtype of a literal.
fn binary<O: Op>(a: Result<Value>, b: Result<Value>) -> Value {
    Value::of((|| call::<O>([a?, b?]))())
}

fn add(a: Result<Value>, b: Result<Value>) -> Value {
    binary::<AddV2>(a, b)
}

fn sub(a: Result<Value>, b: Result<Value>) -> Value {
    binary::<SubOp>(a, b)
}

fn mul(a: Result<Value>, b: Result<Value>) -> Value {
    binary::<MulOp>(a, b)
}

fn div(a: Result<Value>, b: Result<Value>) -> Value {
    binary::<DivOp>(a, b)
}

fn rem(a: Result<Value>, b: Result<Value>) -> Value {
    binary::<TruncateMod>(a, b)
}

fn shl(a: Result<Value>, b: Result<Value>) -> Value {
    binary::<LeftShift>(a, b)
}

fn shr(a: Result<Value>, b: Result<Value>) -> Value {
    binary::<RightShift>(a, b)
}

/// Calls one op on bools, another on integers.
fn bits<Logical: Op, Bitwise: Op>(a: Result<Value>, b: Result<Value>) -> Value {
    Value::of((|| {
        let (a, b) = (a?, b?);
        if a.dtype()? == DType::Bool { call::<Logical>([a, b]) } else { call::<Bitwise>([a, b]) }
    })())
}

fn and(a: Result<Value>, b: Result<Value>) -> Value {
    bits::<LogicalAnd, BitwiseAnd>(a, b)
}

fn or(a: Result<Value>, b: Result<Value>) -> Value {
    bits::<LogicalOr, BitwiseOr>(a, b)
}

fn xor(a: Result<Value>, b: Result<Value>) -> Value {
    bits::<NotEqual, BitwiseXor>(a, b)
}

fn dtype_of(value: &Value) -> Option<DType> {
    value.dtype().ok()
}

macro_rules! operator {
    ($trait:ident $method:ident $call:ident) => {
        impl<R: IntoValue> $trait<R> for Value {
            type Output = Value;

            fn $method(self, right: R) -> Value {
                let right = right.into_value(dtype_of(&self));
                $call(self.ok(), right)
            }
        }

        impl<R: IntoValue> $trait<R> for &Value {
            type Output = Value;

            fn $method(self, right: R) -> Value {
                let right = right.into_value(dtype_of(self));
                $call(self.clone().ok(), right)
            }
        }

        // One type of float and one of integer: so the type of a literal, and with it what `1.0 - x` gives, is known.
        operator!($trait $method $call: f64, i32, bool, Tensor, &Tensor);
    };
    ($trait:ident $method:ident $call:ident: $($left:ty),*) => {$(
        impl $trait<Value> for $left {
            type Output = Value;

            fn $method(self, right: Value) -> Value {
                let left = self.into_value(dtype_of(&right));
                $call(left, right.ok())
            }
        }

        impl $trait<&Value> for $left {
            type Output = Value;

            fn $method(self, right: &Value) -> Value {
                let left = self.into_value(dtype_of(right));
                $call(left, right.clone().ok())
            }
        }
    )*};
}

operator!(Add add add);
operator!(Sub sub sub);
operator!(Mul mul mul);
operator!(Div div div);
operator!(Rem rem rem);
operator!(Shl shl shl);
operator!(Shr shr shr);
operator!(BitAnd bitand and);
operator!(BitOr bitor or);
operator!(BitXor bitxor xor);

macro_rules! assign {
    ($($trait:ident $method:ident $operator:ident),*) => {$(
        impl<R: IntoValue> $trait<R> for Value {
            fn $method(&mut self, right: R) {
                *self = (&*self).$operator(right);
            }
        }
    )*};
}

assign!(AddAssign add_assign add, SubAssign sub_assign sub, MulAssign mul_assign mul, DivAssign div_assign div);

impl Neg for Value {
    type Output = Value;

    fn neg(self) -> Value {
        Value::of(self.ok().and_then(|value| call::<NegOp>([value])))
    }
}

impl Neg for &Value {
    type Output = Value;

    fn neg(self) -> Value {
        -self.clone()
    }
}

impl Not for Value {
    type Output = Value;

    /// The other bool, or all bits of integers turned.
    fn not(self) -> Value {
        Value::of((|| if self.dtype()? == DType::Bool { call::<LogicalNot>([self]) } else { call::<Invert>([self]) })())
    }
}

impl Not for &Value {
    type Output = Value;

    fn not(self) -> Value {
        !self.clone()
    }
}
