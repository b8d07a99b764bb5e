//! `_FusedLSTM`: long short-term memory that keeps no state but the last.
//!
//! The inputs of all steps are multiplied at once; constant weights are packed once. It is an error when `gates` is no
//! order of the four gates, or the shapes do not fit the cell.

use std::array;
use std::mem::take;

use super::lstm::Extents;
use super::parts::{Part, compute_parts, parts};
use super::{ROW_GRAIN, expect, temporary};
use oplink::KernelEnv;
use oplink::memory::{try_filled, try_vec};
use oplink::prelude::*;
use oplink_cpu_contraction::HAS_GEMM;
use oplink_cpu_contraction::activation::Activation;
use oplink_cpu_contraction::finish::Finish;
use oplink_cpu_contraction::gemm::{Matrix, product};
use oplink_cpu_contraction::packed::{ConstantMatrix, PackedMatrix};
use oplink_cpu_support::parallel::{for_each_row, poll};
use oplink_ops::nn::{_FusedLSTM, _FusedLSTMInputs, _FusedLSTMOutputs};
use oplink_vmath::loops::change2;

/// Which quarter of the columns is the input gate, the forget gate, the new state, the output gate.
type Gates = [usize; 4];

/// `_FusedLSTM`.
pub struct FusedLstmCpu {
    gates: Gates,
    return_sequences: bool,
    /// The weights of the inputs and of the last output, where they are constants.
    constants: [Option<ConstantMatrix>; 2],
}

#[kernel(_FusedLSTM, device = CPU, T = [f32])]
impl Kernel for FusedLstmCpu {
    type Op = _FusedLSTM;

    fn new(construction: Construction<'_, _FusedLSTM>) -> Result<Self> {
        let given = construction.attrs.gates;
        let gates: Gates = array::from_fn(|at| given.get(at).map_or(4, |&gate| usize::try_from(gate).unwrap_or(4)));
        let is_order = given.len() == 4 && (0..4).all(|gate| gates.contains(&gate));
        ensure!(is_order, "gates must be 0, 1, 2 and 3 in some order, it is {given:?}");
        let constants = [3, 4].map(|input| ConstantMatrix::of(construction.constant(input)));
        Ok(Self { gates, return_sequences: construction.attrs.return_sequences, constants })
    }

    fn compute(&self, inputs: _FusedLSTMInputs<'_>, outputs: &mut _FusedLSTMOutputs<'_>, env: Env<'_>) -> Result<()> {
        let [x, h_prev, c_prev, w, u, b]: [&Tensor; 6] =
            [&inputs.x, &inputs.h_prev, &inputs.c_prev, &inputs.w, &inputs.u, &inputs.b];
        let extents = extents([x, h_prev, c_prev, w, u, b])?;
        let Extents { steps, batch, input, cell, .. } = extents;
        let (size, state) = (batch * cell, Shape::new(&[batch, cell]));
        let mut of_x = temporary(&env, steps * batch, 4 * cell)?;
        let of_x = of_x.as_mut_slice::<f32>()?;
        let from_x = Matrix::row_major(x.as_slice::<f32>()?, steps * batch, input);
        match packed(self.constants[0].as_ref(), w)? {
            Some(packed) => packed.multiply(&env, from_x, Finish::default(), of_x)?,
            None => product(&env, from_x, Matrix::row_major(w.as_slice::<f32>()?, input, 4 * cell), of_x),
        }
        let made;
        let of_h = match packed(self.constants[1].as_ref(), u)? {
            Some(packed) => packed,
            None => {
                made = PackedMatrix::new(Matrix::row_major(u.as_slice::<f32>()?, cell, 4 * cell))?;
                &made
            }
        };
        let [h_prev, c_prev, bias] = [h_prev, c_prev, b].map(Tensor::as_slice::<f32>);
        let (h_prev, c_prev, bias) = (h_prev?, c_prev?, bias?);
        let c = outputs.c_last.allocate(state.clone())?.as_mut_slice::<f32>()?;
        c.copy_from_slice(c_prev);
        let mut kept;
        let rows = if self.return_sequences { steps } else { 1 };
        let h = outputs.h.allocate(Shape::new(&[rows, batch, cell]))?.as_mut_slice::<f32>()?;
        let (all, only) = if self.return_sequences {
            (h, None)
        } else {
            kept = temporary(&env, steps * batch, cell)?;
            (kept.as_mut_slice::<f32>()?, Some(h))
        };
        let layer = Layer { gates: self.gates, extents, of_x, of_h, bias, h_prev };
        let mut states = c;
        let mut rows = try_vec(1)?;
        for part in parts([&mut *all], extents, cell)? {
            let count = part.rows.len() * cell;
            rows.push((part, states.split_off_mut(..count).unwrap_or_default()));
        }
        compute_parts(&env, extents, &mut rows, |(part, c), threads| layer.compute(part, c, &env, threads))?;
        let last = if steps > 0 { &all[(steps - 1) * size..] } else { h_prev };
        outputs.h_last.allocate(state)?.as_mut_slice::<f32>()?.copy_from_slice(last);
        if let Some(only) = only {
            only.copy_from_slice(last);
        }
        Ok(())
    }
}

/// The extents of a sequence, where the shapes fit one.
fn extents([x, h_prev, c_prev, w, u, b]: [&Tensor; 6]) -> Result<Extents> {
    let &[time, batch, input] = x.shape().dims() else { bail!("x must be [time, batch, input], it has {}", x.shape()) };
    let &[_, cell] = h_prev.shape().dims() else { bail!("h_prev must be a matrix, it has {}", h_prev.shape()) };
    let Some(gates) = cell.checked_mul(4) else { bail!("a cell of {cell} is too large") };
    expect("h_prev", h_prev, &[batch, cell])?;
    expect("c_prev", c_prev, &[batch, cell])?;
    expect("w", w, &[input, gates])?;
    expect("u", u, &[cell, gates])?;
    expect("b", b, &[gates])?;
    Ok(Extents { time, steps: time, batch, input, cell })
}

/// Constant weights in panels.
fn packed<'a>(constant: Option<&'a ConstantMatrix>, weights: &Tensor) -> Result<Option<&'a PackedMatrix>> {
    let Some(constant) = constant.filter(|_| HAS_GEMM) else { return Ok(None) };
    let pack = || {
        let weights = weights.for_one_use();
        PackedMatrix::new(Matrix::of_shape(weights.as_slice::<f32>()?, weights.shape())?)
    };
    constant.packed((weights, false), pack).map(Some)
}

/// What the steps of all rows of the batch have in common.
struct Layer<'a> {
    gates: Gates,
    extents: Extents,
    /// The inputs' products, of all steps.
    of_x: &'a [f32],
    /// The weights of the last outputs.
    of_h: &'a PackedMatrix,
    bias: &'a [f32],
    h_prev: &'a [f32],
}

/// One step of one element of the batch.
struct Row<'a> {
    sums: &'a mut [f32],
    c: &'a mut [f32],
    h: &'a mut [f32],
}

impl Layer<'_> {
    /// Takes some rows, whose state is `c`, through all steps, on the threads of `threads`; looks at the step of `env`.
    fn compute(
        &self,
        part: &mut Part<'_, f32, 1>,
        c: &mut [f32],
        env: &dyn KernelEnv,
        threads: &dyn KernelEnv,
    ) -> Result<()> {
        let Extents { batch, cell, .. } = self.extents;
        let (gates, count) = (4 * cell, part.rows.len());
        let mut sums = try_filled(0.0, count * gates)?;
        let before = &self.h_prev[part.rows.start * cell..][..count * cell];
        for step in 0..part.steps.len() {
            poll(env);
            let (past, now) = part.steps.split_at_mut(step);
            let h_prev = past.last().map_or(before, |[h]| h);
            let of_x = &self.of_x[(step * batch + part.rows.start) * gates..][..count * gates];
            let finish = Finish { bias: Some(self.bias), side: Some((of_x, gates)), ..Finish::default() };
            self.of_h.multiply(threads, Matrix::row_major(h_prev, count, cell), finish, &mut sums)?;
            let [h] = &mut now[0];
            if count == 1 {
                Row { sums: &mut sums, c: &mut *c, h }.compute(self.gates);
                continue;
            }
            let mut rows: Vec<Row<'_>> = try_vec(count)?;
            let states = c.chunks_exact_mut(cell.max(1)).zip(h.chunks_exact_mut(cell.max(1)));
            let of_rows = sums.chunks_exact_mut(gates.max(1)).zip(states);
            rows.extend(of_rows.map(|(sums, (c, h))| Row { sums, c, h }));
            for_each_row(threads, &mut rows, 1, ROW_GRAIN.div_ceil(cell.max(1)), &|_, rows| {
                rows.iter_mut().for_each(|row| row.compute(self.gates));
            });
        }
        Ok(())
    }
}

impl Row<'_> {
    fn compute(&mut self, gates: Gates) {
        let mut quarters = self.sums.chunks_exact_mut(self.c.len().max(1));
        let mut quarters: [&mut [f32]; 4] = array::from_fn(|_| quarters.next().unwrap_or_default());
        let [input, forget, new, output] = gates.map(|gate| take(&mut quarters[gate]));
        Activation::Sigmoid.apply(input);
        Activation::Sigmoid.apply(forget);
        Activation::Sigmoid.apply(output);
        Activation::Tanh.apply(new);
        change2::<false, _, _, _>(new, input, |new, input| new * input);
        change2::<false, _, _, _>(self.c, forget, |c, forget| c * forget);
        change2::<false, _, _, _>(self.c, new, |c, new| c + new);
        self.h.copy_from_slice(self.c);
        Activation::Tanh.apply(self.h);
        change2::<false, _, _, _>(self.h, output, |h, output| h * output);
    }
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;
    use oplink_cpu_support::testing::{Threads, run_in};

    const EXTENTS: [usize; 4] = [3, 5, 4, 6];

    fn drawn(dims: &[usize], seed: usize) -> Tensor {
        let value = |i: usize| ((i * 29 + seed * 7) % 23) as f32 / 11.0 - 1.0;
        Tensor::from_vec(Shape::new(dims), (0..dims.iter().product()).map(value).collect()).unwrap()
    }

    /// `x`, `h_prev`, `c_prev`, `w`, `u` and `b`, the columns of the weights in quarters in this order.
    fn inputs(order: [usize; 4]) -> Vec<Tensor> {
        let [time, batch, input, cell] = EXTENTS;
        let ordered = |rows: usize, seed: usize| {
            let values = drawn(&[rows, 4 * cell], seed);
            let values = values.as_slice::<f32>().unwrap();
            let at = |i: usize| {
                let (row, column) = (i / (4 * cell), i % (4 * cell));
                values[row * 4 * cell + order[column / cell] * cell + column % cell]
            };
            Tensor::from_vec(Shape::new(&[rows, 4 * cell]), (0..values.len()).map(at).collect()).unwrap()
        };
        let bias = Tensor::from_slice(values(&ordered(1, 6)));
        let states = [drawn(&[batch, cell], 2), drawn(&[batch, cell], 3)];
        let [h, c] = states;
        vec![drawn(&[time, batch, input], 1), h, c, ordered(input, 4), ordered(cell, 5), bias]
    }

    fn run(threads: usize, gates: &[i64], return_sequences: bool, inputs: Vec<Tensor>) -> Result<Vec<Tensor>> {
        let attrs = [("gates", gates.to_vec().into()), ("return_sequences", return_sequences.into())];
        run_in(&Threads(threads), "_FusedLSTM", &attrs, inputs)
    }

    fn values(tensor: &Tensor) -> &[f32] {
        tensor.as_slice().unwrap()
    }

    #[test]
    fn outputs_are_those_of_the_op_that_keeps_all_states() {
        let given = inputs([0, 1, 2, 3]);
        let [_, _, input, cell] = EXTENTS;
        let weights = [values(&given[3]), values(&given[4])].concat();
        let weights = Tensor::from_vec(Shape::new(&[input + cell, 4 * cell]), weights).unwrap();
        let none = || drawn(&[cell], 0);
        let [x, h, c, bias] = [0, 1, 2, 5].map(|at: usize| given[at].clone());
        let whole = vec![Tensor::scalar(EXTENTS[0] as i64), x, c, h, weights, none(), none(), none(), bias];
        let expected = run_in(&Threads(1), "BlockLSTMV2", &[], whole).unwrap();
        for threads in [1, 3] {
            let found = run(threads, &[0, 1, 2, 3], true, given.clone()).unwrap();
            for (found, expected) in values(&found[0]).iter().zip(values(&expected[6])) {
                assert!((found - expected).abs() < 1e-6, "{found} in place of {expected}");
            }
            let size = EXTENTS[1] * cell;
            assert_eq!(values(&found[1]), &values(&found[0])[(EXTENTS[0] - 1) * size..]);
            for (found, expected) in values(&found[2]).iter().zip(&values(&expected[1])[(EXTENTS[0] - 1) * size..]) {
                assert!((found - expected).abs() < 1e-6, "{found} in place of {expected}");
            }
        }
    }

    #[test]
    fn gates_stand_in_any_order() {
        let expected = run(1, &[0, 1, 2, 3], true, inputs([0, 1, 2, 3])).unwrap();
        let found = run(1, &[1, 3, 0, 2], true, inputs([2, 0, 3, 1])).unwrap();
        assert_eq!(values(&found[0]), values(&expected[0]));
        for gates in [&[0, 1, 2, 2][..], &[0, 1, 2, 3, 4], &[0, 1, 2, -1]] {
            let error = run(1, gates, true, inputs([0, 1, 2, 3])).unwrap_err().to_string();
            assert!(error.contains("in some order"), "{error}");
        }
    }

    #[test]
    fn the_last_output_is_that_of_the_sequence() {
        let [whole, last] = [true, false].map(|all| run(2, &[0, 1, 2, 3], all, inputs([0, 1, 2, 3])).unwrap());
        assert_eq!((last[0].shape().dims(), values(&last[0])), (&[1, 5, 6][..], values(&whole[1])));
        let mut none = inputs([0, 1, 2, 3]);
        none[0] = drawn(&[0, 5, 4], 1);
        let found = run(2, &[0, 1, 2, 3], true, none.clone()).unwrap();
        assert_eq!((values(&found[1]), values(&found[2])), (values(&none[1]), values(&none[2])));
    }

    #[test]
    fn steps_without_rows_take_no_time() {
        let empty = |dims: &[usize]| Tensor::from_vec(Shape::new(dims), Vec::<f32>::new()).unwrap();
        let (x, state) = (empty(&[1 << 40, 0, 0]), empty(&[0, 1]));
        let inputs = vec![x, state.clone(), state, empty(&[0, 4]), drawn(&[1, 4], 1), drawn(&[4], 2)];
        let found = run(1, &[0, 1, 2, 3], true, inputs).unwrap();
        assert_eq!(found[0].shape().dims(), [1 << 40, 0, 1]);
    }
}
