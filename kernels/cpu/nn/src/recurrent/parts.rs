//! Parts of a batch: rows that one thread takes through all steps of a sequence, without a wait for other rows.

use super::lstm::Extents;
use oplink::memory::try_vec;
use oplink::prelude::*;
use oplink::{DefaultEnv, KernelEnv};
use oplink_cpu_support::parallel::for_each_row;
use std::ops::Range;

/// Rows of a part, at least, where there are several.
const LEAST_ROWS: usize = if cfg!(test) { 2 } else { 16 };
/// Multiply-adds of all parts from which on threads share them out.
const LEAST_COST: usize = if cfg!(test) { 1 } else { 1 << 18 };

/// Some rows of a batch, and where they are in several tensors of whole sequences.
pub(super) struct Part<'a, T, const N: usize> {
    pub(super) rows: Range<usize>,
    /// The rows of each tensor, step by step.
    pub(super) steps: Vec<[&'a mut [T]; N]>,
}

/// The parts of a batch, of tensors of shape [steps, batch, width]. They follow from the extents alone: in which order
/// a number is summed may depend on the rows of a product.
pub(super) fn parts<T, const N: usize>(
    mut tensors: [&mut [T]; N],
    extents: Extents,
    width: usize,
) -> Result<Vec<Part<'_, T, N>>> {
    let Extents { steps, batch, .. } = extents;
    let rows = batch.div_ceil((batch / LEAST_ROWS).max(1)).max(1);
    let mut parts = try_vec(batch.div_ceil(rows))?;
    for start in (0..batch).step_by(rows) {
        parts.push(Part { rows: start..batch.min(start + rows), steps: try_vec(steps)? });
    }
    // Without rows there may be any number of steps.
    if parts.is_empty() {
        return Ok(parts);
    }
    for _ in 0..steps {
        for part in &mut parts {
            let count = part.rows.len() * width;
            part.steps.push(tensors.each_mut().map(|tensor| tensor.split_off_mut(..count).unwrap_or_default()));
        }
    }
    Ok(parts)
}

/// Computes parts side by side, each on one thread, or a single one on all of them; `compute` gets the environment
/// whose threads it may use.
///
/// # Errors
/// The first of the parts' errors.
pub(super) fn compute_parts<P: Send>(
    env: &dyn KernelEnv,
    extents: Extents,
    parts: &mut [P],
    compute: impl Fn(&mut P, &dyn KernelEnv) -> Result<()> + Sync,
) -> Result<()> {
    if let [part] = parts {
        return compute(part, env);
    }
    let Extents { steps, batch, cell, .. } = extents;
    let cost = steps.saturating_mul(batch).saturating_mul(cell).saturating_mul(4 * cell);
    let grain = if cost < LEAST_COST { parts.len() } else { 1 };
    let mut results = try_vec(parts.len())?;
    results.extend(parts.iter_mut().map(|part| (part, Ok(()))));
    for_each_row(env, &mut results, 1, grain, &|_, parts| {
        for (part, result) in parts {
            *result = compute(part, &DefaultEnv);
        }
    });
    results.into_iter().try_for_each(|(_, result)| result)
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;
    use oplink_cpu_support::testing::{Threads, run_in};

    const STEPS: usize = 3;
    const INPUT: usize = 2;
    const CELL: usize = 3;

    /// Values that follow from a name and a position, of the given rows of a batch; `batch_axis` is that of the batch.
    fn drawn(seed: usize, dims: &[usize], batch_axis: Option<usize>, rows: &[usize]) -> Tensor {
        let mut shape = dims.to_vec();
        let (outer, inner) = batch_axis.map_or((1, dims.iter().product()), |axis| {
            shape.insert(axis, rows.len());
            (dims[..axis].iter().product(), dims[axis..].iter().product::<usize>())
        });
        let rows = if batch_axis.is_some() { rows } else { &[0] };
        let mut values = Vec::new();
        for step in 0..outer {
            for &row in rows {
                values
                    .extend((0..inner).map(|i| ((i * 29 + row * 17 + step * 13 + seed * 7) % 23) as f32 / 11.0 - 1.0));
            }
        }
        Tensor::from_vec(Shape::new(&shape), values).unwrap()
    }

    /// The outputs of the op for these rows of a batch, then the gradients.
    fn run(rows: &[usize], threads: usize) -> Vec<Tensor> {
        let env = Threads(threads);
        let peephole = |seed| drawn(seed, &[CELL], None, rows);
        let inputs = [
            Tensor::scalar(STEPS as i64),
            drawn(1, &[STEPS, INPUT], Some(1), rows),
            drawn(2, &[CELL], Some(0), rows),
            drawn(3, &[CELL], Some(0), rows),
            drawn(4, &[INPUT + CELL, 4 * CELL], None, rows),
            peephole(5),
            peephole(6),
            peephole(7),
            drawn(8, &[4 * CELL], None, rows),
        ];
        let attrs = [("use_peephole", true.into())];
        let mut outputs = run_in(&env, "BlockLSTM", &attrs, inputs.to_vec()).unwrap();
        let by = [9, 10].map(|seed| drawn(seed, &[STEPS, CELL], Some(1), rows));
        let given: Vec<Tensor> = inputs.iter().chain(&outputs).chain(&by).cloned().collect();
        outputs.extend(run_in(&env, "BlockLSTMGrad", &attrs, given).unwrap());
        outputs
    }

    fn assert_near(found: f32, expected: f32) {
        assert!((found - expected).abs() < 1e-5 * (1.0 + expected.abs()), "{found} in place of {expected}");
    }

    #[test]
    fn each_row_has_what_it_has_alone() {
        let all: Vec<usize> = (0..5).collect();
        let batch = run(&all, 3);
        for (one, three) in run(&all, 1).iter().zip(&batch) {
            assert_eq!(one.as_slice::<f32>().unwrap(), three.as_slice::<f32>().unwrap());
        }
        let alone: Vec<Vec<Tensor>> = all.iter().map(|&row| run(&[row], 1)).collect();
        for (index, tensor) in batch.iter().enumerate() {
            let (found, extent) = (tensor.as_slice::<f32>().unwrap(), tensor.shape().dims());
            let rows = alone.iter().map(|outputs| outputs[index].as_slice::<f32>().unwrap());
            // Of the gradients, those of weights, peepholes and bias are sums over the batch.
            let Some(axis) = (0..extent.len()).find(|&axis| alone[0][index].shape().dims()[axis] != extent[axis])
            else {
                let rows: Vec<&[f32]> = rows.collect();
                for (at, &found) in found.iter().enumerate() {
                    assert_near(found, rows.iter().map(|row| row[at]).sum());
                }
                continue;
            };
            let inner: usize = extent[axis + 1..].iter().product();
            for (row, expected) in rows.enumerate() {
                for (at, &expected) in expected.iter().enumerate() {
                    assert_near(found[(at / inner * all.len() + row) * inner + at % inner], expected);
                }
            }
        }
    }
}
