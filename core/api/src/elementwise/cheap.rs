//! Loops of formulas of a few operations, for which a copy of an operand to a buffer would cost as much as the formula: they also
//! serve an operand in the output's memory (an empty slice) and one of a single element (a slice of one), where the elements are
//! of a type that has every form.

use std::any::Any;

use oplink_vmath::loops;

use super::block::{Block, slices};
use super::compute::Stored;

/// Whether loops that change elements of `A` into elements of `U` in their memory are compiled.
const fn is_in_place<A: Stored, U: Stored>() -> bool {
    A::HAS_EVERY_FORM && A::DTYPE as u32 == U::DTYPE as u32
}

/// A value of a type that is the other one.
#[inline]
fn same<U: Stored, A: Stored>(value: U) -> A {
    (&value as &dyn Any).downcast_ref::<A>().copied().unwrap_or_default()
}

/// A formula of one operand.
#[inline]
pub fn cheap1<A: Stored, U: Stored>(block: Block<'_>, f: impl Fn(A) -> U) -> bool {
    let count = block.output.len();
    match A::slice(&block.operands[0]) {
        Some(a) if a.len() == count => {
            U::slice_mut(block.output).map(|output| loops::cheap1((a,), output, f)).is_some()
        }
        Some([]) if const { is_in_place::<A, U>() } => {
            A::slice_mut(block.output).map(|output| loops::change1(output, |a| same(f(a)))).is_some()
        }
        _ => false,
    }
}

/// A formula of two operands.
#[inline]
pub fn cheap2<A: Stored, B: Stored, U: Stored>(block: Block<'_>, f: impl Fn(A, B) -> U) -> bool {
    let count = block.output.len();
    let (Some(a), Some(b)) = (A::slice(&block.operands[0]), B::slice(&block.operands[1])) else { return false };
    if a.len() == count && b.len() == count {
        return U::slice_mut(block.output).map(|output| loops::cheap2((a, b), output, f)).is_some();
    }
    if const { !A::HAS_EVERY_FORM } {
        return false;
    }
    match (a, b) {
        (a, &[b]) if a.len() == count => {
            U::slice_mut(block.output).map(|output| loops::cheap1((a,), output, |a| f(a, b))).is_some()
        }
        (&[a], b) if b.len() == count => {
            U::slice_mut(block.output).map(|output| loops::cheap1((b,), output, |b| f(a, b))).is_some()
        }
        ([], b) if const { is_in_place::<A, U>() } => {
            let Some(output) = A::slice_mut(block.output) else { return false };
            match b {
                &[b] => loops::change1(output, |a| same(f(a, b))),
                b if b.len() == count => loops::change2(output, b, |a, b| same(f(a, b))),
                _ => return false,
            }
            true
        }
        (a, []) if const { is_in_place::<B, U>() } => {
            let Some(output) = B::slice_mut(block.output) else { return false };
            match a {
                &[a] => loops::change1(output, |b| same(f(a, b))),
                a if a.len() == count => loops::change2(output, a, |b, a| same(f(a, b))),
                _ => return false,
            }
            true
        }
        _ => false,
    }
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
