//! What a formula's loop gets, and the loops themselves.

use oplink_vmath::loops;
use smallvec::SmallVec;

use super::compute::Stored;
use super::values::{Values, ValuesMut};
use crate::ScalarValue;

/// Operands of one length, the attrs, and the results to be written.
#[derive(Debug)]
pub struct Block<'a> {
    /// The operands, of the types that the formula was compiled for.
    pub operands: &'a [Values<'a>],
    /// The attrs, in the order of [`ElementwiseFn::attrs`](super::ElementwiseFn::attrs).
    pub attrs: &'a [ScalarValue],
    /// The results.
    pub output: ValuesMut<'a>,
}

/// The values of a formula's attrs.
pub(crate) type FormulaAttrs = SmallVec<[ScalarValue; 2]>;

/// A type that formulas take attrs as.
pub trait FormulaAttr: Default {
    /// The value, where it has this type.
    fn of(value: ScalarValue) -> Option<Self>;
}

impl FormulaAttr for f32 {
    fn of(value: ScalarValue) -> Option<Self> {
        match value {
            ScalarValue::F32(value) => Some(value),
            _ => None,
        }
    }
}

impl FormulaAttr for i64 {
    fn of(value: ScalarValue) -> Option<Self> {
        match value {
            ScalarValue::I64(value) => Some(value),
            _ => None,
        }
    }
}

impl FormulaAttr for bool {
    fn of(value: ScalarValue) -> Option<Self> {
        match value {
            ScalarValue::U32(value) => Some(value != 0),
            _ => None,
        }
    }
}

impl Block<'_> {
    /// An attr; what binds the attrs has checked its type.
    #[inline]
    pub fn attr<A: FormulaAttr>(&self, index: usize) -> A {
        self.attrs.get(index).copied().and_then(A::of).unwrap_or_default()
    }
}

/// The loops for each number of operands. The engine compares the operands' types with the descriptor's before it calls any, so
/// that a slice of another type, which is left unwritten, does not occur.
macro_rules! arities {
    ($(($costly:ident $marked:ident $cheap:ident $scalar:ident: $($ty:ident $slice:ident $index:tt),*))*) => {$(
        /// A formula of ten operations or more.
        #[inline]
        pub fn $costly<$($ty: Stored,)* U: Stored>(
            block: Block<'_>,
            fused: impl Fn($($ty),*) -> U,
            plain: impl Fn($($ty),*) -> U,
        ) {
            if let ($(Some($slice),)* Some(output)) = ($($ty::slice(&block.operands[$index]),)* U::slice_mut(block.output)) {
                loops::$costly(($($slice,)*), output, fused, plain);
            }
        }

        /// A formula whose NaNs are computed again by `exact`.
        #[inline]
        pub fn $marked<$($ty: Stored),*>(
            block: Block<'_>,
            fused: impl Fn($($ty),*) -> f32,
            plain: impl Fn($($ty),*) -> f32,
            exact: impl Fn($($ty),*) -> f32,
        ) {
            if let ($(Some($slice),)* Some(output)) = ($($ty::slice(&block.operands[$index]),)* f32::slice_mut(block.output)) {
                loops::$costly(($($slice,)*), output, fused, plain);
                if output.iter().fold(false, |any, value| any | value.is_nan()) {
                    for (i, value) in output.iter_mut().enumerate().filter(|(_, value)| value.is_nan()) {
                        *value = exact($($slice[i]),*);
                    }
                }
            }
        }

        /// A formula of a few operations.
        #[inline]
        pub fn $cheap<$($ty: Stored,)* U: Stored>(block: Block<'_>, f: impl Fn($($ty),*) -> U) {
            if let ($(Some($slice),)* Some(output)) = ($($ty::slice(&block.operands[$index]),)* U::slice_mut(block.output)) {
                loops::$cheap(($($slice,)*), output, f);
            }
        }

        /// A formula made of calls.
        #[inline]
        pub fn $scalar<$($ty: Stored,)* U: Stored>(block: Block<'_>, f: impl Fn($($ty),*) -> U) {
            if let ($(Some($slice),)* Some(output)) = ($($ty::slice(&block.operands[$index]),)* U::slice_mut(block.output)) {
                loops::$scalar(($($slice,)*), output, f);
            }
        }
    )*};
}

arities! {
    (costly1 marked1 cheap1 scalar1: A a 0)
    (costly2 marked2 cheap2 scalar2: A a 0, B b 1)
    (costly3 marked3 cheap3 scalar3: A a 0, B b 1, C c 2)
    (costly4 marked4 cheap4 scalar4: A a 0, B b 1, C c 2, D d 3)
    (costly5 marked5 cheap5 scalar5: A a 0, B b 1, C c 2, D d 3, E e 4)
}
