//! One step of an optimiser: variables, or some of their rows, changed by a gradient.
//!
//! The locks, checks and threads are compiled once for each dtype, the loop over a block of positions once for each
//! optimiser and dtype.

use std::sync::{Mutex, PoisonError};

use oplink::resource::VariableGuard;
use oplink::{KernelEnv, prelude::*};
use oplink_ops::training::Slots;

use super::rows::update_rows;

/// Variables of at least this many elements are worth several threads.
const LARGE: usize = 1 << 16;
/// Elements that a thread takes at a time.
const CHUNK: usize = 1 << 14;
/// The most variables that an optimiser has.
pub(super) const MAX_SLOTS: usize = 4;

/// What an optimiser does at a block of positions: changes the elements of its variables by those of the gradient. All
/// slices have one length.
pub(super) type BlockStep<'a, T> = dyn Fn(&mut [&mut [T]], &[T]) + Sync + 'a;

/// Replaces the elements at each position of the variables behind `inputs` by the result of `step` for them and the
/// element of the gradient at that position. Without `indices` all have one shape; with `indices`, the gradient has a
/// row for each index there, and these rows of the variables are updated.
///
/// Updates of a variable follow one after the other, each with the variables locked. Threads share a large one where
/// they wait for nothing but its parts.
pub(super) fn update<T: Number, const N: usize>(
    inputs: [&Input<'_>; N],
    gradient: &Tensor,
    indices: Option<&Tensor>,
    env: &Env<'_>,
    step: impl Fn([T; N], T) -> [T; N] + Sync,
) -> Result<()> {
    const { assert!(N >= 1 && N <= MAX_SLOTS) };
    let slots = Slots::of(inputs)?;
    let block = |slots: &mut [&mut [T]], gradient: &[T]| run(slots, gradient, &step);
    match indices {
        Some(indices) => update_rows::<T>(&mut slots.lock(T::DTYPE)?, (gradient, indices), env, &block),
        None => update_all::<T>(&mut slots.lock(T::DTYPE)?, gradient, env, &block),
    }
}

/// Applies `step` to each position.
#[inline]
fn run<T: Number, const N: usize>(slots: &mut [&mut [T]], gradient: &[T], step: &impl Fn([T; N], T) -> [T; N]) {
    let Ok(slots) = <&mut [&mut [T]; N]>::try_from(slots) else { return };
    let slots = slots.each_mut().map(|slot| &mut slot[..gradient.len()]);
    for (at, &gradient) in gradient.iter().enumerate() {
        let mut values = [gradient; N];
        for slot in 0..N {
            values[slot] = slots[slot][at];
        }
        values = step(values, gradient);
        for slot in 0..N {
            slots[slot][at] = values[slot];
        }
    }
}

/// Applies `step` to all positions of the variables.
fn update_all<T: Element>(
    guards: &mut [VariableGuard<'_>],
    gradient: &Tensor,
    env: &Env<'_>,
    step: &BlockStep<'_, T>,
) -> Result<()> {
    check_shape(guards[0].value()?.shape(), gradient.shape())?;
    let (mut slots, gradient) = (writable::<T>(guards, env)?, gradient.as_slice()?);
    if env.intra_op_threads() > 1 && gradient.len() >= LARGE && env.waits_for_own_loops_only() {
        update_in_parallel(&mut slots, gradient, env, step);
    } else {
        step(&mut slots, gradient);
    }
    Ok(())
}

fn check_shape(variable: &Shape, gradient: &Shape) -> Result<()> {
    ensure!(variable == gradient, "the variable has the shape {variable}, its gradient {gradient}; they must be equal");
    Ok(())
}

/// The elements of locked variables, in memory that nobody else sees.
pub(super) fn writable<'a, T: Element>(guards: &'a mut [VariableGuard<'_>], env: &Env<'_>) -> Result<Vec<&'a mut [T]>> {
    guards.iter_mut().map(|guard| guard.value_mut(env)?.as_mut_slice()).collect()
}

/// Applies `step` on all threads.
fn update_in_parallel<T: Element>(slots: &mut [&mut [T]], gradient: &[T], env: &Env<'_>, step: &BlockStep<'_, T>) {
    let mut chunks: Vec<Mutex<Vec<&mut [T]>>> = Vec::new();
    // bounded: a part of the gradient's size
    chunks.resize_with(gradient.len().div_ceil(CHUNK), Mutex::default);
    for slot in slots {
        for (chunk, part) in chunks.iter_mut().zip(slot.chunks_mut(CHUNK)) {
            chunk.get_mut().unwrap_or_else(PoisonError::into_inner).push(part);
        }
    }
    env.parallel_for(chunks.len(), 1, &|range| {
        for (chunk, gradient) in chunks[range.clone()].iter().zip(gradient[range.start * CHUNK..].chunks(CHUNK)) {
            step(&mut chunk.lock().unwrap_or_else(PoisonError::into_inner), gradient);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::stepping::InStep;

    fn handle(name: &str, value: f32) -> Tensor {
        let handle = ResourceHandle::new(oplink::resource::ResourceInfo { name: name.into(), ..Default::default() });
        let variable = handle
            .get_or_create(|| Ok(oplink::resource::Variable::new(DType::Float, PartialShape::unknown())))
            .unwrap();
        variable.assign(Tensor::full([LARGE + 5], value)).unwrap();
        Tensor::scalar(handle)
    }

    fn values(handle: &Tensor) -> Vec<f32> {
        let handle = handle.to_scalar::<ResourceHandle>().unwrap();
        handle.get::<oplink::resource::Variable>().unwrap().read().unwrap().as_slice().unwrap().to_vec()
    }

    #[test]
    fn no_step_is_lost_among_threads() {
        let (var, accum, gradient) = (handle("var", 0.0), handle("accum", 1.0), Tensor::full([LARGE + 5], 1f32));
        let step = InStep::new(3);
        std::thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| {
                    for _ in 0..4 {
                        let inputs = [var.clone(), accum.clone(), 1f32.into(), gradient.clone(), 1f32.into()];
                        step.run("ResourceApplyMomentum", &[], inputs.to_vec()).unwrap();
                    }
                });
            }
        });
        assert!(values(&accum).iter().all(|&value| value == 13.0));
        assert!(values(&var).iter().all(|&value| value == -(2..=13).sum::<i32>() as f32));
    }

    #[test]
    fn threads_and_one_thread_agree() {
        let run = |threads| {
            let (var, accum) = (handle("var", 0.5), handle("accum", 0.25));
            let gradient: Vec<f32> = (0..LARGE + 5).map(|at| (at % 97) as f32).collect();
            let inputs = vec![var.clone(), accum.clone(), 0.1f32.into(), gradient.into()];
            InStep::new(threads).run("ResourceApplyAdagrad", &[], inputs).unwrap();
            (values(&var), values(&accum))
        };
        assert_eq!(run(1), run(4));
    }
}
