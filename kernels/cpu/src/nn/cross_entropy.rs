//! What the two cross entropy ops and `InTopKV2` share.

use oplink::{KernelEnv, prelude::*};

use super::rows::{exp_shifted, largest};
use crate::numeric::lanes::fill_lanes;
use crate::support::elementwise::{Arithmetic, FloatLane, Lanes};
use crate::support::parallel::for_each_row;

/// Elements that one thread should at least have.
const GRAIN: usize = 1 << 13;

/// An integer that names a class.
pub trait Class: Element + Copy {
    /// Its value.
    fn to_i64(self) -> i64;
}

impl Class for i32 {
    fn to_i64(self) -> i64 {
        i64::from(self)
    }
}

impl Class for i64 {
    fn to_i64(self) -> i64 {
        self
    }
}

/// Loss and gradient for `features` of `shape`, where `finish(row, (largest, log of sum), softmax)` gives a row's loss
/// and turns its softmax into the gradient.
pub(super) fn losses<T: Lanes<Lane: FloatLane + Lanes<Lane = T::Lane>>>(
    context: &KernelContext<'_>,
    shape: &Shape,
    features: &[T::Lane],
    finish: impl Fn(usize, &(T::Lane, T::Lane), &mut [T::Lane]) -> T::Lane + Sync,
) -> Result<[Tensor; 2]> {
    let classes = shape[1];
    let mut loss = context.allocate_output(0, [shape[0]])?;
    let mut backprop = context.allocate_output(1, shape.clone())?;
    let mut values = vec![T::Lane::ZERO; shape[0]];
    fill_lanes(backprop.as_mut_slice::<T>()?, |backprop| {
        let softmax = |row: usize, powers: &mut [T::Lane]| {
            powers.copy_from_slice(&features[row * classes..][..classes]);
            let top = largest(powers);
            let sum = exp_shifted(powers, top);
            for power in powers {
                *power = *power / sum;
            }
            (top, num_traits::Float::ln(sum))
        };
        rows(context.env(), backprop, classes, &mut values, &|row, powers| {
            let loss = softmax(row, powers);
            finish(row, &loss, powers)
        });
    });
    loss.as_mut_slice::<T>()?.iter_mut().zip(&values).for_each(|(to, &from)| *to = T::from_lane(from));
    Ok([loss, backprop])
}

/// Calls `body` with each row of `classes` elements of `backprop` and sets `values` to what it returns.
fn rows<L: Copy + Send + Sync>(
    env: &dyn KernelEnv,
    backprop: &mut [L],
    classes: usize,
    values: &mut [L],
    body: &(dyn Fn(usize, &mut [L]) -> L + Sync),
) {
    if classes == 0 {
        return;
    }
    let mut pairs: Vec<(&mut [L], &mut L)> = backprop.chunks_exact_mut(classes).zip(values).collect();
    for_each_row(env, &mut pairs, 1, GRAIN.div_ceil(classes), &|row, pair| {
        for (backprop, value) in pair {
            **value = body(row, backprop);
        }
    });
}

pub(super) fn set_outputs(context: &mut KernelContext<'_>, outputs: [Tensor; 2]) {
    for (index, output) in outputs.into_iter().enumerate() {
        context.set_output(index, output);
    }
}
