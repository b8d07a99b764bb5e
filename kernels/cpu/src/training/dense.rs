//! Updates of whole variables.

use std::array;
use std::sync::{Mutex, PoisonError};

use oplink::prelude::*;

use super::slots::{Slots, pass_reference, writable};

/// Variables of at least this many elements are worth several threads, and the copy that these need.
const LARGE: usize = 1 << 18;
/// Elements that a thread takes at a time.
const CHUNK: usize = 1 << 14;
/// Times that an update is made again because somebody else's came first, before it shuts others out.
const ATTEMPTS: usize = 3;

/// Replaces the elements at each position of the first `N` inputs, variables, by what `step` makes of them and of the
/// element of the gradient in input `gradient` at that position. All have one shape.
///
/// Updates of a variable follow one after the other. Threads share a large one only where they work on a copy, which takes
/// the variables' place if nobody changed these meanwhile: no lock is held while threads wait for each other.
pub(super) fn apply<T: Number, const N: usize>(
    context: &mut KernelContext<'_>,
    gradient: usize,
    step: impl Fn([T; N], T) -> [T; N] + Sync,
) -> Result<()> {
    let slots = Slots::<N>::of(context)?;
    if !apply_in_parallel(context, &slots, gradient, &step)? {
        let mut guards = slots.lock(context, T::DTYPE)?;
        check_shape(guards[0].value()?.shape(), context.input(gradient).shape())?;
        run(writable(&mut guards, context)?, context.input(gradient).as_slice()?, &step);
    }
    pass_reference(context);
    Ok(())
}

fn check_shape(variable: &Shape, gradient: &Shape) -> Result<()> {
    ensure!(variable == gradient, "the variable has the shape {variable}, its gradient {gradient}; they must be equal");
    Ok(())
}

/// Applies `step` to each position; all slices have one length.
#[inline]
pub(super) fn run<T: Number, const N: usize>(
    slots: [&mut [T]; N],
    gradient: &[T],
    step: &impl Fn([T; N], T) -> [T; N],
) {
    let slots = slots.map(|slot| &mut slot[..gradient.len()]);
    for (at, &gradient) in gradient.iter().enumerate() {
        let new = step(array::from_fn(|slot| slots[slot][at]), gradient);
        for (slot, new) in (0..N).zip(new) {
            slots[slot][at] = new;
        }
    }
}

/// Whether the update was made on several threads.
fn apply_in_parallel<T: Number, const N: usize>(
    context: &KernelContext<'_>,
    slots: &Slots<N>,
    gradient: usize,
    step: &(impl Fn([T; N], T) -> [T; N] + Sync),
) -> Result<bool> {
    let gradient = context.input(gradient);
    if context.env().intra_op_threads() <= 1 || gradient.num_elements() < LARGE {
        return Ok(false);
    }
    for _ in 0..ATTEMPTS {
        let mut old = Vec::with_capacity(N);
        for guard in &slots.lock(context, T::DTYPE)? {
            check_shape(guard.value()?.shape(), gradient.shape())?;
            old.push(guard.value()?.clone());
        }
        let new = updated(context, &old, gradient, step)?;
        let mut guards = slots.lock(context, T::DTYPE)?;
        let same = guards.iter().zip(&old).map(|(guard, old)| Ok(guard.value()?.shares_memory_with(old)));
        if same.collect::<Result<Vec<bool>>>()?.iter().all(|same| *same) {
            for (guard, new) in guards.iter_mut().zip(new) {
                guard.replace(new)?;
            }
            return Ok(true);
        }
    }
    Ok(false)
}

/// What `step` makes of the values `old`, in new memory, computed on all threads.
fn updated<T: Number, const N: usize>(
    context: &KernelContext<'_>,
    old: &[Tensor],
    gradient: &Tensor,
    step: &(impl Fn([T; N], T) -> [T; N] + Sync),
) -> Result<Vec<Tensor>> {
    let (values, shape) = (gradient.as_slice::<T>()?, gradient.shape());
    let old = old.iter().map(Tensor::as_slice).collect::<Result<Vec<&[T]>>>()?;
    let new = (0..N).map(|_| context.allocate(T::DTYPE, shape.clone())).collect::<Result<Vec<_>>>();
    let mut new = new?;
    let mut rest =
        new.iter_mut().map(|new| Ok(new.as_mut_slice::<T>()?.chunks_mut(CHUNK))).collect::<Result<Vec<_>>>()?;
    let chunks: Vec<Mutex<Vec<&mut [T]>>> = (0..values.len().div_ceil(CHUNK))
        .map(|_| Mutex::new(rest.iter_mut().filter_map(Iterator::next).collect()))
        .collect();
    context.env().parallel_for(chunks.len(), 1, &|range| {
        for (index, chunk) in range.clone().zip(&chunks[range]) {
            let mut chunk = chunk.lock().unwrap_or_else(PoisonError::into_inner);
            let place = index * CHUNK..(index * CHUNK + CHUNK).min(values.len());
            chunk.iter_mut().zip(&old).for_each(|(new, old)| new.copy_from_slice(&old[place.clone()]));
            let slices: Result<[&mut [T]; N], _> =
                chunk.iter_mut().map(|slice| &mut **slice).collect::<Vec<_>>().try_into();
            if let Ok(slices) = slices {
                run(slices, &values[place], step);
            }
        }
    });
    drop(chunks);
    drop(rest);
    Ok(new)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::stepping::InStep;

    fn handle(name: &str, value: f32) -> Tensor {
        let handle = ResourceHandle::new(oplink::ResourceInfo { name: name.into(), ..Default::default() });
        let variable =
            handle.get_or_create(|| Ok(oplink::Variable::new(DType::Float, PartialShape::unknown()))).unwrap();
        variable.assign(Tensor::full([LARGE + 5], value)).unwrap();
        Tensor::scalar(handle)
    }

    fn values(handle: &Tensor) -> Vec<f32> {
        let handle = handle.to_scalar::<ResourceHandle>().unwrap();
        handle.get::<oplink::Variable>().unwrap().read().unwrap().as_slice().unwrap().to_vec()
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
