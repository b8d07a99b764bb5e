//! Loops compiled once for each instruction set and chosen at run time: the only place that asks for one.
//!
//! A loop here is a plain Rust loop over slices that the compiler vectorises. Functions given as closures should be a
//! few operations long, so that they are inlined into each version; longer ones implement [`MathFunction`], whose
//! methods are always inlined.
#![allow(unsafe_code, reason = "room: calls of the versions that `multiversion` has checked the processor for")]

use std::ops::Add;

use multiversion::multiversion;
use multiversion::target::target_cfg_f;

/// A function of a real number, to be compiled into loops for each instruction set.
pub trait MathFunction {
    /// The value at `x`, without branches and calls, `#[inline(always)]`. `FUSED` tells whether the processor has fused
    /// multiply-add; [`multiply_add`] reads it.
    fn single<const FUSED: bool>(x: f32) -> f32;
    /// The value at `x` in double precision.
    fn double(x: f64) -> f64;
}

/// `a * b + c`, in one rounding where `FUSED`.
#[inline(always)]
pub fn multiply_add<const FUSED: bool>(a: f32, b: f32, c: f32) -> f32 {
    if FUSED { a.mul_add(b, c) } else { a * b + c }
}

/// `a * b + c` in double precision, in one rounding where `FUSED`.
#[inline(always)]
pub fn multiply_add_f64<const FUSED: bool>(a: f64, b: f64, c: f64) -> f64 {
    if FUSED { a.mul_add(b, c) } else { a * b + c }
}

/// Writes `F` of each input to the output of the same length.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx512vbmi2+avx2+fma", "x86_64+avx2+fma"))]
pub fn map_function<F: MathFunction>(input: &[f32], output: &mut [f32]) {
    if target_cfg_f!(any(target_feature = "fma", target_arch = "aarch64")) {
        for (y, &x) in output.iter_mut().zip(input) {
            *y = F::single::<true>(x);
        }
    } else {
        for (y, &x) in output.iter_mut().zip(input) {
            *y = F::single::<false>(x);
        }
    }
}

/// Writes `f` of each input to the output of the same length.
#[multiversion(targets("x86_64+avx2+fma+f16c"))]
pub fn map<T: Copy, U, F: Fn(T) -> U>(input: &[T], output: &mut [U], f: F) {
    for (y, &x) in output.iter_mut().zip(input) {
        *y = f(x);
    }
}

/// Writes `f` of each pair to the output; all three have the same length.
#[multiversion(targets("x86_64+avx2+fma+f16c"))]
pub fn zip<T: Copy, S: Copy, U, F: Fn(T, S) -> U>(left: &[T], right: &[S], output: &mut [U], f: F) {
    let (left, right) = (&left[..output.len()], &right[..output.len()]);
    for ((z, &x), &y) in output.iter_mut().zip(left).zip(right) {
        *z = f(x, y);
    }
}

/// Writes `f` of each triple to the output; all four have the same length.
#[multiversion(targets("x86_64+avx2+fma+f16c"))]
pub fn zip3<A: Copy, B: Copy, C: Copy, U, F: Fn(A, B, C) -> U>(a: &[A], b: &[B], c: &[C], output: &mut [U], f: F) {
    let (a, b, c) = (&a[..output.len()], &b[..output.len()], &c[..output.len()]);
    for (((z, &a), &b), &c) in output.iter_mut().zip(a).zip(b).zip(c) {
        *z = f(a, b, c);
    }
}

/// Elements that the loops of formulas with a choice read before they write them.
const READ_AHEAD: usize = 64;

/// Replaces each element by `f` of it. Where `CHOOSES`, `f` chooses between its argument and another value: then a loop
/// that reads and writes one by one would become one that stores some elements only, and not be vectorised.
#[multiversion(targets("x86_64+avx2+fma+f16c"))]
pub fn change1<const CHOOSES: bool, T: Copy, F: Fn(T) -> T>(values: &mut [T], f: F) {
    if const { !CHOOSES } {
        for value in values {
            *value = f(*value);
        }
        return;
    }
    let (blocks, rest) = values.as_chunks_mut::<READ_AHEAD>();
    for block in blocks {
        let old = *block;
        for (value, &old) in block.iter_mut().zip(&old) {
            *value = f(old);
        }
    }
    for value in rest {
        *value = f(*value);
    }
}

/// Replaces each element by `f` of it and of the other slice's, which has the same length; as [`change1`].
#[multiversion(targets("x86_64+avx2+fma+f16c"))]
pub fn change2<const CHOOSES: bool, T: Copy, S: Copy, F: Fn(T, S) -> T>(values: &mut [T], others: &[S], f: F) {
    let others = &others[..values.len()];
    if const { !CHOOSES } {
        for (value, &other) in values.iter_mut().zip(others) {
            *value = f(*value, other);
        }
        return;
    }
    let (blocks, rest) = values.as_chunks_mut::<READ_AHEAD>();
    let (other_blocks, other_rest) = others.as_chunks::<READ_AHEAD>();
    for (block, others) in blocks.iter_mut().zip(other_blocks) {
        let old = *block;
        for ((value, &old), &other) in block.iter_mut().zip(&old).zip(others) {
            *value = f(old, other);
        }
    }
    for (value, &other) in rest.iter_mut().zip(other_rest) {
        *value = f(*value, other);
    }
}

/// Numbers that [`largest`] compares side by side.
const COMPARED: usize = 64;
/// Numbers that [`sum`] adds side by side.
const SUMMED: usize = 16;

/// The largest of some numbers and `lowest`; NaN is passed over.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx512vbmi2+avx2+fma", "x86_64+avx2+fma"))]
pub fn largest<T: Copy + PartialOrd>(values: &[T], lowest: T) -> T {
    let (strands, rest) = values.as_chunks::<COMPARED>();
    let mut tops = [lowest; COMPARED];
    for strand in strands {
        for (top, &x) in tops.iter_mut().zip(strand) {
            *top = if x > *top { x } else { *top };
        }
    }
    let mut width = COMPARED / 2;
    while width > 0 {
        let (low, high) = tops.split_at_mut(width);
        low.iter_mut().zip(high).for_each(|(low, &mut high)| *low = if high > *low { high } else { *low });
        width /= 2;
    }
    rest.iter().fold(tops[0], |top, &x| if x > top { x } else { top })
}

/// The sum of some numbers and `zero`: those 16 apart first, side by side.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx512vbmi2+avx2+fma", "x86_64+avx2+fma"))]
pub fn sum<T: Copy + Add<Output = T>>(values: &[T], zero: T) -> T {
    let (strands, rest) = values.as_chunks::<SUMMED>();
    let mut sums = [zero; SUMMED];
    for strand in strands {
        for (sum, &x) in sums.iter_mut().zip(strand) {
            *sum = *sum + x;
        }
    }
    let mut width = SUMMED / 2;
    while width > 0 {
        let (low, high) = sums.split_at_mut(width);
        low.iter_mut().zip(high).for_each(|(low, &mut high)| *low = *low + high);
        width /= 2;
    }
    rest.iter().fold(sums[0], |sum, &x| sum + x)
}

/// Columns that [`fold_rows`] keeps in registers.
const COLUMNS: usize = 64;
/// The same of the columns that are left.
const FEW_COLUMNS: usize = 8;

/// Replaces each element of `sums` by `f` of it and of the elements of a column, one row after the other. Rows are as
/// long as `sums`.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx512vbmi2+avx2+fma", "x86_64+avx2+fma"))]
pub fn fold_rows<T: Copy, F: Fn(T, T) -> T>(rows: &[T], sums: &mut [T], f: F) {
    let width = sums.len();
    if width == 0 {
        return;
    }
    let wide = width - width % COLUMNS;
    let few = width - width % FEW_COLUMNS;
    for start in (0..wide).step_by(COLUMNS) {
        fold_columns::<COLUMNS, T, F>(rows, start, sums, &f);
    }
    for start in (wide..few).step_by(FEW_COLUMNS) {
        fold_columns::<FEW_COLUMNS, T, F>(rows, start, sums, &f);
    }
    for at in few..width {
        sums[at] = rows.iter().skip(at).step_by(width).fold(sums[at], |sum, &value| f(sum, value));
    }
}

/// As [`fold_rows`], for the columns from `start` on.
#[inline(always)]
fn fold_columns<const N: usize, T: Copy, F: Fn(T, T) -> T>(rows: &[T], start: usize, sums: &mut [T], f: &F) {
    let (width, Some(columns)) = (sums.len(), sums[start..].first_chunk_mut::<N>()) else { return };
    let mut folded = *columns;
    for row in rows.chunks_exact(width) {
        let Some(row) = row[start..].first_chunk::<N>() else { return };
        for (sum, &value) in folded.iter_mut().zip(row) {
            *sum = f(*sum, value);
        }
    }
    *columns = folded;
}

/// Replaces each number by `F` of it.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx512vbmi2+avx2+fma", "x86_64+avx2+fma"))]
pub fn change_function<F: MathFunction>(values: &mut [f32]) {
    if target_cfg_f!(any(target_feature = "fma", target_arch = "aarch64")) {
        for value in values {
            *value = F::single::<true>(*value);
        }
    } else {
        for value in values {
            *value = F::single::<false>(*value);
        }
    }
}

/// Replaces each number by `F` of what it is above `shift`.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx512vbmi2+avx2+fma", "x86_64+avx2+fma"))]
pub fn change_shifted<F: MathFunction>(values: &mut [f32], shift: f32) {
    if target_cfg_f!(any(target_feature = "fma", target_arch = "aarch64")) {
        for value in values {
            *value = F::single::<true>(*value - shift);
        }
    } else {
        for value in values {
            *value = F::single::<false>(*value - shift);
        }
    }
}

/// Replaces each element by a formula of it that takes many operations: `fused` where the processor has fused
/// multiply-add, otherwise `plain`.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx512vbmi2+avx2+fma", "x86_64+avx2+fma"))]
pub fn change_costly1<T: Copy, F: Fn(T) -> T, P: Fn(T) -> T>(values: &mut [T], fused: F, plain: P) {
    if target_cfg_f!(any(target_feature = "fma", target_arch = "aarch64")) {
        for value in values {
            *value = fused(*value);
        }
    } else {
        for value in values {
            *value = plain(*value);
        }
    }
}

/// Four loops for each number of slices: two compiled for wide vectors with the two forms of a formula that takes many
/// operations, of which one tells whether a result is NaN, one for formulas of few, and one for formulas that are
/// calls, which no instruction set makes faster. They walk the slices side by side: with indices, the compiler leaves
/// the last elements to a loop of single ones.
macro_rules! arities {
    ($(($costly:ident $marked:ident $cheap:ident $scalar:ident: $($ty:ident $slice:ident),*; $value:ident $item:pat))*) => {$(
        #[allow(unreachable_pub, reason = "the versions for each processor are public inside of the loop")]
        /// Writes the formula of each element to the output: `fused` where the processor has fused multiply-add,
        /// otherwise `plain`. All slices have the output's length.
        #[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx512vbmi2+avx2+fma", "x86_64+avx2+fma"))]
        pub fn $costly<$($ty: Copy,)* U, F: Fn($($ty),*) -> U, P: Fn($($ty),*) -> U>(
            ($($slice,)*): ($(&[$ty],)*),
            output: &mut [U],
            fused: F,
            plain: P,
        ) {
            $(let $slice = &$slice[..output.len()];)*
            if target_cfg_f!(any(target_feature = "fma", target_arch = "aarch64")) {
                for $item in output.iter_mut()$(.zip($slice))* {
                    *$value = fused($($slice),*);
                }
            } else {
                for $item in output.iter_mut()$(.zip($slice))* {
                    *$value = plain($($slice),*);
                }
            }
        }

        #[allow(unreachable_pub, reason = "the versions for each processor are public inside of the loop")]
        /// As the loop for other formulas of many operations; returns whether a result is NaN.
        #[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx512vbmi2+avx2+fma", "x86_64+avx2+fma"))]
        pub fn $marked<$($ty: Copy,)* F: Fn($($ty),*) -> f32, P: Fn($($ty),*) -> f32>(
            ($($slice,)*): ($(&[$ty],)*),
            output: &mut [f32],
            fused: F,
            plain: P,
        ) -> bool {
            $(let $slice = &$slice[..output.len()];)*
            let mut nans = 0;
            if target_cfg_f!(any(target_feature = "fma", target_arch = "aarch64")) {
                for $item in output.iter_mut()$(.zip($slice))* {
                    *$value = fused($($slice),*);
                    nans |= u32::from($value.is_nan());
                }
            } else {
                for $item in output.iter_mut()$(.zip($slice))* {
                    *$value = plain($($slice),*);
                    nans |= u32::from($value.is_nan());
                }
            }
            nans != 0
        }

        #[allow(unreachable_pub, reason = "the versions for each processor are public inside of the loop")]
        /// Writes the formula of each element to the output. All slices have the output's length.
        #[multiversion(targets("x86_64+avx2+fma+f16c"))]
        pub fn $cheap<$($ty: Copy,)* U, F: Fn($($ty),*) -> U>(($($slice,)*): ($(&[$ty],)*), output: &mut [U], f: F) {
            $(let $slice = &$slice[..output.len()];)*
            for $item in output.iter_mut()$(.zip($slice))* {
                *$value = f($($slice),*);
            }
        }

        /// Writes the formula of each element to the output, for every processor alike. All slices have the output's
        /// length.
        pub fn $scalar<$($ty: Copy,)* U, F: Fn($($ty),*) -> U>(($($slice,)*): ($(&[$ty],)*), output: &mut [U], f: F) {
            $(let $slice = &$slice[..output.len()];)*
            for $item in output.iter_mut()$(.zip($slice))* {
                *$value = f($($slice),*);
            }
        }
    )*};
}

arities! {
    (costly1 marked1 cheap1 scalar1: A a; value (value, &a))
    (costly2 marked2 cheap2 scalar2: A a, B b; value ((value, &a), &b))
    (costly3 marked3 cheap3 scalar3: A a, B b, C c; value (((value, &a), &b), &c))
    (costly4 marked4 cheap4 scalar4: A a, B b, C c, D d; value ((((value, &a), &b), &c), &d))
    (costly5 marked5 cheap5 scalar5: A a, B b, C c, D d, E e; value (((((value, &a), &b), &c), &d), &e))
}
