//! Loops of formulas of a few operations, for which the setup of tiles would cost as much as the formula: they also serve an operand
//! in the output's memory (an empty slice), and, where the elements are of a type that networks compute in, one of a single element
//! (a slice of one).
//!
//! Formulas that choose (`CHOOSES`: by a comparison, `if`, `max`, …) meet the output's old values in a copy on the stack, since loops
//! that change elements in place are not vectorised for them.
#![allow(clippy::inline_always, reason = "a loop is vectorised for an instruction set only with its body inlined")]

use std::any::Any;

use oplink_vmath::loops;

use super::block::{Block, slices};
use super::compute::Stored;
use crate::tensor::values::ValuesMut;

/// Elements that are copied at a time.
const COPIED: usize = 512;

/// Whether elements of the one type can be replaced by those of the other.
const fn is_same<A: Stored, U: Stored>() -> bool {
    A::DTYPE as u32 == U::DTYPE as u32
}

/// Whether there is a loop in place for a formula.
const fn has_loop_in_place<A: Stored, const CHOOSES: bool>() -> bool {
    A::HAS_EVERY_FORM && !CHOOSES
}

/// A value of a type that is the other one.
#[inline(always)]
fn same<U: Stored, A: Stored>(value: U) -> A {
    (&value as &dyn Any).downcast_ref::<A>().copied().unwrap_or_default()
}

/// Lets `write` write each part of the output, whose position it gets, from a copy of the part's old values; false where these
/// have another type than the operand.
fn from_copies<A: Stored, U: Stored>(mut output: ValuesMut<'_>, mut write: impl FnMut(usize, &[A], &mut [U])) -> bool {
    let count = output.len();
    let mut buffer = [A::default(); COPIED];
    for at in (0..count).step_by(COPIED) {
        let mut part = output.part(at..count.min(at + COPIED));
        let Some(values) = part.as_values().slice::<A>() else { return false };
        let old = &mut buffer[..values.len()];
        old.copy_from_slice(values);
        let Some(part) = part.part(0..old.len()).slice::<U>() else { return false };
        write(at, old, part);
    }
    true
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
        return output.slice::<U>().map(|output| loops::cheap1((a,), output, f)).is_some();
    }
    if !a.is_empty() || const { !is_same::<A, U>() } {
        return false;
    }
    if const { has_loop_in_place::<A, CHOOSES>() } {
        return output.slice::<A>().map(|values| loops::change1(values, |a| same(f(a)))).is_some();
    }
    from_copies(output, |_, a, part| loops::cheap1((a,), part, f))
}

/// A formula of two operands.
#[inline]
pub fn cheap2<const CHOOSES: bool, A: Stored, B: Stored, U: Stored, F: Fn(A, B) -> U + Copy>(
    block: Block<'_>,
    f: F,
) -> bool {
    let count = block.output.len();
    let (Some(a), Some(b)) = (block.operands[0].slice::<A>(), block.operands[1].slice::<B>()) else { return false };
    match (a.len(), b.len()) {
        (left, right) if left == count && right == count => {
            block.output.slice::<U>().map(|output| loops::cheap2((a, b), output, f)).is_some()
        }
        (_, 1) if const { A::HAS_EVERY_FORM } => {
            let b = b[0];
            one_operand::<CHOOSES, A, U>(
                a,
                block.output,
                #[inline(always)]
                move |a| f(a, b),
            )
        }
        (1, _) if const { A::HAS_EVERY_FORM } => {
            let a = a[0];
            one_operand::<CHOOSES, B, U>(
                b,
                block.output,
                #[inline(always)]
                move |b| f(a, b),
            )
        }
        (0, length) if length == count && const { is_same::<A, U>() } => {
            if const { has_loop_in_place::<A, CHOOSES>() } {
                let change = |values| loops::change2(values, b, |a, b| same(f(a, b)));
                return block.output.slice::<A>().map(change).is_some();
            }
            from_copies(block.output, |at, a, part| loops::cheap2((a, &b[at..at + a.len()]), part, f))
        }
        (length, 0) if length == count && const { is_same::<B, U>() } => {
            if const { has_loop_in_place::<B, CHOOSES>() } {
                let change = |values| loops::change2(values, a, |b, a| same(f(a, b)));
                return block.output.slice::<B>().map(change).is_some();
            }
            from_copies(block.output, |at, b, part| loops::cheap2((&a[at..at + b.len()], b), part, f))
        }
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
