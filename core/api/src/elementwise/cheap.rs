//! Loops of formulas of a few operations, for which the setup of tiles would cost as much as the formula: they also serve an operand
//! in the output's memory (an empty slice), by a copy on the stack, and one of a single element (a slice of one), where the elements
//! are of a type that networks compute in.
#![allow(clippy::inline_always, reason = "a loop is vectorised for an instruction set only with its body inlined")]

use oplink_vmath::loops;

use super::block::{Block, slices};
use super::compute::Stored;
use super::values::ValuesMut;

/// Elements that are copied at a time.
const COPIED: usize = 512;

/// Lets `write` write each part of the output, whose position it gets, from a copy of the part's old values; false where these
/// have another type than the operand.
fn in_place<A: Stored, U: Stored>(mut output: ValuesMut<'_>, mut write: impl FnMut(usize, &[A], &mut [U])) -> bool {
    let count = output.len();
    let mut buffer = [A::default(); COPIED];
    for at in (0..count).step_by(COPIED) {
        let part = output.part(at..count.min(at + COPIED));
        let Some(values) = A::slice(&part.as_values()) else { return false };
        let old = &mut buffer[..values.len()];
        old.copy_from_slice(values);
        let Some(part) = U::slice_mut(part) else { return false };
        write(at, old, part);
    }
    true
}

/// Whether elements of the one type can be replaced by those of the other.
const fn is_same<A: Stored, U: Stored>() -> bool {
    A::DTYPE as u32 == U::DTYPE as u32
}

/// A formula of one operand.
#[inline]
pub fn cheap1<A: Stored, U: Stored>(block: Block<'_>, f: impl Fn(A) -> U + Copy) -> bool {
    let count = block.output.len();
    match A::slice(&block.operands[0]) {
        Some(a) if a.len() == count => {
            U::slice_mut(block.output).map(|output| loops::cheap1((a,), output, f)).is_some()
        }
        Some([]) if const { is_same::<A, U>() } => in_place(block.output, |_, a, part| loops::cheap1((a,), part, f)),
        _ => false,
    }
}

/// A formula of two operands.
#[inline]
pub fn cheap2<A: Stored, B: Stored, U: Stored>(block: Block<'_>, f: impl Fn(A, B) -> U + Copy) -> bool {
    let count = block.output.len();
    let (Some(a), Some(b)) = (A::slice(&block.operands[0]), B::slice(&block.operands[1])) else { return false };
    match (a.len(), b.len()) {
        (1, 1) | (0, 0) if count != 1 => false,
        (_, 1) if count != 1 && const { A::HAS_EVERY_FORM } => {
            let b = b[0];
            one_operand(
                a,
                block.output,
                #[inline(always)]
                move |a| f(a, b),
            )
        }
        (1, _) if count != 1 && const { A::HAS_EVERY_FORM } => {
            let a = a[0];
            one_operand(
                b,
                block.output,
                #[inline(always)]
                move |b| f(a, b),
            )
        }
        (0, length) if length == count && const { is_same::<A, U>() } => {
            in_place(block.output, |at, a, part| loops::cheap2((a, &b[at..at + a.len()]), part, f))
        }
        (length, 0) if length == count && const { is_same::<B, U>() } => {
            in_place(block.output, |at, b, part| loops::cheap2((&a[at..at + b.len()], b), part, f))
        }
        (left, right) if left == count && right == count => {
            U::slice_mut(block.output).map(|output| loops::cheap2((a, b), output, f)).is_some()
        }
        _ => false,
    }
}

/// A formula whose other operand is one element.
fn one_operand<A: Stored, U: Stored>(a: &[A], output: ValuesMut<'_>, f: impl Fn(A) -> U + Copy) -> bool {
    if a.is_empty() {
        return is_same::<A, U>() && in_place(output, |_, a, part| loops::cheap1((a,), part, f));
    }
    if a.len() != output.len() {
        return false;
    }
    U::slice_mut(output).map(|output| loops::cheap1((a,), output, f)).is_some()
}

/// The loops of more operands, which have the one form.
macro_rules! arities {
    ($(($cheap:ident: $($ty:ident $slice:ident $index:tt),*))*) => {$(
        /// A formula of several operands.
        #[inline]
        pub fn $cheap<$($ty: Stored,)* U: Stored>(block: Block<'_>, f: impl Fn($($ty),*) -> U) -> bool {
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
