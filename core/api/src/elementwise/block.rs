//! What a formula's loop gets, and the loops themselves.

use oplink_vmath::loops;
use smallvec::SmallVec;

use super::cheap::{has_loop_in_place, same};
use super::compute::Stored;
use crate::device::ScalarValue;
use crate::tensor::values::{Values, ValuesMut};

/// Operands, the attrs, and the results to be written.
#[derive(Debug)]
pub struct Block<'a> {
    /// The operands, of the types that the formula was compiled for and of the output's length. Where the loop is asked
    /// whether it serves more, a slice of one element is the operand of every result, and an empty one is the output's
    /// old values.
    pub operands: &'a [Values<'a>],
    /// The attrs, in the order of [`ElementwiseFn::attrs`](super::ElementwiseFn::attrs).
    pub attrs: &'a [ScalarValue],
    /// The results.
    pub output: ValuesMut<'a>,
}

/// Operands that a loop has at most.
pub(super) const MOST_OPERANDS: usize = 5;

/// The operands of a block while they are gathered.
#[derive(Debug)]
pub(super) struct Operands<'a> {
    values: [Values<'a>; MOST_OPERANDS],
    count: usize,
}

impl<'a> Operands<'a> {
    /// None yet.
    #[inline]
    pub(super) fn new() -> Self {
        Self { values: [Values::NONE; MOST_OPERANDS], count: 0 }
    }

    /// Adds one; a loop has no more than [`MOST_OPERANDS`].
    #[inline]
    pub(super) fn push(&mut self, values: Values<'a>) {
        self.values[self.count] = values;
        self.count += 1;
    }

    #[inline]
    pub(super) fn as_slice(&self) -> &[Values<'a>] {
        &self.values[..self.count]
    }
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

/// The operands' slices and the output's, where all have one length.
macro_rules! slices {
    ($block:ident: $($ty:ident $slice:ident $index:tt),*; $result:ident) => {{
        let count = $block.output.len();
        let operand = |index: usize| &$block.operands[index];
        $(let $slice = operand($index).slice::<$ty>().filter(|slice| slice.len() == count);)*
        match ($($slice,)* $block.output.slice::<$result>()) {
            ($(Some($slice),)* Some(output)) => Some(($($slice,)* output)),
            _ => None,
        }
    }};
}
pub(super) use slices;

/// A formula of ten operations or more, of one operand: it may be in the output's memory.
#[inline]
pub fn costly1<A: Stored, U: Stored>(block: Block<'_>, fused: impl Fn(A) -> U, plain: impl Fn(A) -> U) -> bool {
    let Some(a) = block.operands[0].slice::<A>() else { return false };
    if a.len() == block.output.len() {
        return block.output.slice::<U>().map(|output| loops::costly1((a,), output, fused, plain)).is_some();
    }
    if const { has_loop_in_place::<A, U>() } && a.is_empty() {
        let change = |values| loops::change_costly1(values, |a| same(fused(a)), |a| same(plain(a)));
        return block.output.slice::<A>().map(change).is_some();
    }
    false
}

/// The loops of more operands.
macro_rules! costly {
    ($(($costly:ident: $($ty:ident $slice:ident $index:tt),*))*) => {$(
        /// A formula of ten operations or more.
        #[inline]
        pub fn $costly<$($ty: Stored,)* U: Stored>(
            block: Block<'_>,
            fused: impl Fn($($ty),*) -> U,
            plain: impl Fn($($ty),*) -> U,
        ) -> bool {
            let Some(($($slice,)* output)) = slices!(block: $($ty $slice $index),*; U) else { return false };
            loops::$costly(($($slice,)*), output, fused, plain);
            true
        }
    )*};
}

costly! {
    (costly2: A a 0, B b 1)
    (costly3: A a 0, B b 1, C c 2)
    (costly4: A a 0, B b 1, C c 2, D d 3)
    (costly5: A a 0, B b 1, C c 2, D d 3, E e 4)
}

/// The loops for each number of operands. They return whether the block was of a form that they serve: operands of one
/// element and operands in the output's memory are for a few loops only, where they pay, and the engine gives the
/// others buffers. The engine compares the operands' types with the descriptor's before it calls any.
macro_rules! arities {
    ($(($marked:ident $scalar:ident: $($ty:ident $slice:ident $index:tt),*))*) => {$(
        /// A formula whose NaNs are computed again by `exact`.
        #[inline]
        pub fn $marked<$($ty: Stored),*>(
            block: Block<'_>,
            fused: impl Fn($($ty),*) -> f32,
            plain: impl Fn($($ty),*) -> f32,
            exact: impl Fn($($ty),*) -> f32,
        ) -> bool {
            let Some(($($slice,)* output)) = slices!(block: $($ty $slice $index),*; f32) else { return false };
            if loops::$marked(($($slice,)*), output, fused, plain) {
                for (i, value) in output.iter_mut().enumerate().filter(|(_, value)| value.is_nan()) {
                    *value = exact($($slice[i]),*);
                }
            }
            true
        }

        /// A formula made of calls.
        #[inline]
        pub fn $scalar<$($ty: Stored,)* U: Stored>(block: Block<'_>, f: impl Fn($($ty),*) -> U) -> bool {
            let Some(($($slice,)* output)) = slices!(block: $($ty $slice $index),*; U) else { return false };
            loops::$scalar(($($slice,)*), output, f);
            true
        }
    )*};
}

arities! {
    (marked1 scalar1: A a 0)
    (marked2 scalar2: A a 0, B b 1)
    (marked3 scalar3: A a 0, B b 1, C c 2)
    (marked4 scalar4: A a 0, B b 1, C c 2, D d 3)
    (marked5 scalar5: A a 0, B b 1, C c 2, D d 3, E e 4)
}
