//! Folds elements side by side in interleaved strands, compiled once for each instruction set.
#![allow(unsafe_code, reason = "room: calls of the versions that `multiversion` has checked the processor for")]

use multiversion::multiversion;

/// The number of strands.
pub(super) const WAYS: usize = 32;

/// Folds element `i` of each group of strands into partial result `i`. `fold` is a few operations, without branches.
#[multiversion(targets("x86_64+avx2+fma"))]
pub(super) fn fold_strands<L: Copy, P: Copy, F: Fn(P, L) -> P>(
    strands: &[[L; WAYS]],
    partials: &mut [P; WAYS],
    fold: F,
) {
    let mut running = *partials;
    for strand in strands {
        for (partial, &value) in running.iter_mut().zip(strand) {
            *partial = fold(*partial, value);
        }
    }
    *partials = running;
}
