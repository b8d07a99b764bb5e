//! Loops of formulas of a few operations, for which the setup of tiles would cost as much as the formula: where the
//! elements are of a type that networks compute in, they also serve an operand in the output's memory (an empty slice),
//! and one of a single element (a slice of one).
#![allow(clippy::inline_always, reason = "a loop is vectorised for an instruction set only with its body inlined")]

use std::any::Any;

use oplink_vmath::loops;

use super::block::{Block, slices};
use super::compute::Stored;
use crate::tensor::values::ValuesMut;

/// Whether there is a loop for results in the memory of an operand.
pub(super) const fn has_loop_in_place<A: Stored, U: Stored>() -> bool {
    A::HAS_EVERY_FORM && A::DTYPE as u32 == U::DTYPE as u32
}

/// A value of a type that is the other one.
#[inline(always)]
pub(super) fn same<U: Stored, A: Stored>(value: U) -> A {
    (&value as &dyn Any).downcast_ref::<A>().copied().unwrap_or_default()
}

/// A formula of one operand.
#[inline]
pub fn cheap1<const CHOOSES: bool, A: Stored, U: Stored, F: Fn(A) -> U + Copy>(block: Block<'_>, f: F) -> bool {
    match block.operands[0].slice::<A>() {
        Some(a) => one_operand::<CHOOSES, A, U>(a, block.output, f),
        None => false,
    }
}

#[inline]
fn one_operand<const CHOOSES: bool, A: Stored, U: Stored>(
    a: &[A],
    output: ValuesMut<'_>,
    f: impl Fn(A) -> U + Copy,
) -> bool {
    if a.len() == output.len() {
        let Some(output) = output.slice::<U>() else { return false };
        if const { A::HAS_WIDE_LOOPS } {
            loops::cheap1((a,), output, f);
        } else {
            loops::scalar1((a,), output, f);
        }
        return true;
    }
    if const { has_loop_in_place::<A, U>() } && a.is_empty() {
        return output.slice::<A>().map(|values| loops::change1::<CHOOSES, _, _>(values, |a| same(f(a)))).is_some();
    }
    false
}

/// A formula of two operands.
#[inline]
pub fn cheap2<const CHOOSES: bool, A: Stored, B: Stored, U: Stored, F: Fn(A, B) -> U + Copy>(
    block: Block<'_>,
    f: F,
) -> bool {
    let count = block.output.len();
    let (Some(a), Some(b)) = (block.operands[0].slice::<A>(), block.operands[1].slice::<B>()) else { return false };
    if a.len() == count && b.len() == count {
        let Some(output) = block.output.slice::<U>() else { return false };
        if const { A::HAS_WIDE_LOOPS } {
            loops::cheap2((a, b), output, f);
        } else {
            loops::scalar2((a, b), output, f);
        }
        return true;
    }
    if const { A::HAS_EVERY_FORM } { other_forms2::<CHOOSES, A, B, U>(a, b, block.output, f) } else { false }
}

/// The forms of a formula of two operands that only some element types have: one in the output's memory, or of one
/// element.
#[inline]
fn other_forms2<const CHOOSES: bool, A: Stored, B: Stored, U: Stored>(
    a: &[A],
    b: &[B],
    output: ValuesMut<'_>,
    f: impl Fn(A, B) -> U + Copy,
) -> bool {
    match (a, b) {
        (_, &[b]) => one_operand::<CHOOSES, A, U>(
            a,
            output,
            #[inline(always)]
            move |a| f(a, b),
        ),
        (&[a], _) => one_operand::<CHOOSES, B, U>(
            b,
            output,
            #[inline(always)]
            move |b| f(a, b),
        ),
        ([], _) if const { has_loop_in_place::<A, U>() } && b.len() == output.len() => output
            .slice::<A>()
            .map(|values| loops::change2::<CHOOSES, _, _, _>(values, b, |a, b| same(f(a, b))))
            .is_some(),
        (_, []) if const { has_loop_in_place::<B, U>() } && a.len() == output.len() => output
            .slice::<B>()
            .map(|values| loops::change2::<CHOOSES, _, _, _>(values, a, |b, a| same(f(a, b))))
            .is_some(),
        _ => false,
    }
}

/// The loops of more operands, which have the one form.
macro_rules! arities {
    ($(($cheap:ident: $($ty:ident $slice:ident $index:tt),*))*) => {$(
        /// A formula of several operands.
        #[inline]
        pub fn $cheap<const CHOOSES: bool, $($ty: Stored,)* U: Stored, F: Fn($($ty),*) -> U>(block: Block<'_>, f: F) -> bool {
            let Some(($($slice,)* output)) = slices!(block: $($ty $slice $index),*; U) else { return false };
            loops::$cheap(($($slice,)*), output, f);
            true
        }
    )*};
}

arities! {
    (cheap3: A a 0, B b 1, C c 2)
    (cheap4: A a 0, B b 1, C c 2, D d 3)
    (cheap5: A a 0, B b 1, C c 2, D d 3, E e 4)
}
