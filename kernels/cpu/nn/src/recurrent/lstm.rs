//! `LSTMBlockCell`, `BlockLSTM`, `BlockLSTMV2`.
//!
//! The inputs of all steps are multiplied at once; a step adds the product of the last output, by weights that are
//! packed once. What follows the products is done row by row of the batch.

use std::borrow::Cow;

use super::parts::{Part, compute_parts, parts};
use super::{ROW_GRAIN, expect, temporary};
use oplink::KernelEnv;
use oplink::memory::{try_filled, try_vec};
use oplink::prelude::*;
use oplink::shape_inference::int_values;
use oplink_cpu_contraction::activation::Activation;
use oplink_cpu_contraction::computed::computed_of;
use oplink_cpu_contraction::finish::Finish;
use oplink_cpu_contraction::gemm::{Matrix, product};
use oplink_cpu_contraction::packed::PackedMatrix;
use oplink_cpu_support::elementwise::Computed;
use oplink_cpu_support::parallel::{for_each_row, poll};
use oplink_ops::nn::{BlockLSTM, BlockLSTMV2, LSTMBlockCell};
use oplink_vmath::loops::{change1, change2, zip3};

/// Where the gates of a cell lie in the columns of its weights: input, forget, new state, output.
pub(super) type Layout = [usize; 4];
/// That of the first versions.
pub(super) const ICFO: Layout = [0, 2, 1, 3];
/// That of the second ones.
pub(super) const IFCO: Layout = [0, 1, 2, 3];

/// What a cell is given.
#[derive(Clone, Copy)]
pub(super) struct Cell<'a> {
    pub(super) layout: Layout,
    pub(super) use_peephole: bool,
    pub(super) x: &'a Tensor,
    /// The states before the first step: `cs_prev` and `h_prev`.
    pub(super) before: [&'a Tensor; 2],
    pub(super) w: &'a Tensor,
    /// `wci`, `wcf` and `wco`.
    pub(super) peepholes: [&'a Tensor; 3],
    pub(super) b: &'a Tensor,
}

/// Steps in all, steps that are computed, and the extents of each.
#[derive(Clone, Copy)]
pub(super) struct Extents {
    pub(super) time: usize,
    pub(super) steps: usize,
    pub(super) batch: usize,
    pub(super) input: usize,
    pub(super) cell: usize,
}

impl Cell<'_> {
    /// The extents of one step.
    pub(super) fn single(&self) -> Result<Extents> {
        let &[batch, input] = self.x.shape().dims() else { bail!("x must be a matrix, it has {}", self.x.shape()) };
        ensure!(self.before[0].num_elements() > 0, "cs_prev is empty, it has the shape {}", self.before[0].shape());
        self.checked([1, 1, batch, input], self.use_peephole)
    }

    /// The extents of a sequence, of which `seq_len_max` steps are computed.
    pub(super) fn sequence(&self, seq_len_max: &Tensor) -> Result<Extents> {
        let &[time, batch, input] = self.x.shape().dims() else {
            bail!("x must be [time, batch, input], it has {}", self.x.shape())
        };
        ensure!(seq_len_max.rank() == 0, "seq_len_max must be a scalar, it has {}", seq_len_max.shape());
        let length = int_values(seq_len_max)?[0];
        let steps = usize::try_from(length).ok().filter(|&steps| steps <= time);
        let Some(steps) = steps else { bail!("seq_len_max is {length}, it must be in [0, {time}]") };
        self.checked([time, steps, batch, input], true)
    }

    fn checked(&self, [time, steps, batch, input]: [usize; 4], peepholes: bool) -> Result<Extents> {
        let &[_, cell] = self.before[0].shape().dims() else {
            bail!("cs_prev must be a matrix, it has {}", self.before[0].shape())
        };
        let Some(gates) = cell.checked_mul(4) else { bail!("a cell of {cell} is too large") };
        expect("cs_prev", self.before[0], &[batch, cell])?;
        expect("h_prev", self.before[1], &[batch, cell])?;
        expect("w", self.w, &[input + cell, gates])?;
        expect("b", self.b, &[gates])?;
        for (name, peephole) in ["wci", "wcf", "wco"].into_iter().zip(self.peepholes) {
            ensure!(peephole.rank() == 1, "{name} must be a vector, it has {}", peephole.shape());
            if peepholes {
                expect(name, peephole, &[cell])?;
            }
        }
        Ok(Extents { time, steps, batch, input, cell })
    }
}

/// How a cell makes its new state.
struct State {
    forget_bias: f32,
    /// The largest magnitude; none where it is not positive.
    clip: f32,
}

/// `LSTMBlockCell` of the dtypes that TensorFlow has kernels for.
#[kernel(LSTMBlockCell, device = CPU, T = [f16, f32])]
#[allow(clippy::too_many_arguments, reason = "the op's inputs, attrs and outputs by name")]
pub fn lstm_block_cell_cpu<T: Computed<ComputeType = f32>>(
    x: &Tensor,
    cs_prev: &Tensor,
    h_prev: &Tensor,
    w: &Tensor,
    wci: &Tensor,
    wcf: &Tensor,
    wco: &Tensor,
    b: &Tensor,
    forget_bias: f32,
    cell_clip: f32,
    use_peephole: bool,
    i: OutputSlot<'_>,
    cs: OutputSlot<'_>,
    f: OutputSlot<'_>,
    o: OutputSlot<'_>,
    ci: OutputSlot<'_>,
    co: OutputSlot<'_>,
    h: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let peepholes = [wci, wcf, wco];
    let cell = Cell { layout: ICFO, use_peephole, x, before: [cs_prev, h_prev], w, peepholes, b };
    let extents = cell.single()?;
    let state = State { forget_bias, clip: cell_clip };
    run::<T>(&cell, &state, extents, cs_prev.shape(), [i, cs, f, o, ci, co, h], &env)
}

/// `BlockLSTM` of the dtypes that TensorFlow has kernels for.
#[kernel(BlockLSTM, device = CPU, T = [f16, f32])]
#[allow(clippy::too_many_arguments, reason = "the op's inputs, attrs and outputs by name")]
pub fn block_lstm_cpu<T: Computed<ComputeType = f32>>(
    seq_len_max: &Tensor,
    x: &Tensor,
    cs_prev: &Tensor,
    h_prev: &Tensor,
    w: &Tensor,
    wci: &Tensor,
    wcf: &Tensor,
    wco: &Tensor,
    b: &Tensor,
    forget_bias: f32,
    cell_clip: f32,
    use_peephole: bool,
    i: OutputSlot<'_>,
    cs: OutputSlot<'_>,
    f: OutputSlot<'_>,
    o: OutputSlot<'_>,
    ci: OutputSlot<'_>,
    co: OutputSlot<'_>,
    h: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let peepholes = [wci, wcf, wco];
    let cell = Cell { layout: ICFO, use_peephole, x, before: [cs_prev, h_prev], w, peepholes, b };
    let state = State { forget_bias, clip: cell_clip };
    run_sequence::<T>(&cell, &state, seq_len_max, [i, cs, f, o, ci, co, h], &env)
}

/// `BlockLSTMV2` of the dtypes that TensorFlow has kernels for.
#[kernel(BlockLSTMV2, device = CPU, T = [f16, f32])]
#[allow(clippy::too_many_arguments, reason = "the op's inputs, attrs and outputs by name")]
pub fn block_lstm_v2_cpu<T: Computed<ComputeType = f32>>(
    seq_len_max: &Tensor,
    x: &Tensor,
    cs_prev: &Tensor,
    h_prev: &Tensor,
    w: &Tensor,
    wci: &Tensor,
    wcf: &Tensor,
    wco: &Tensor,
    b: &Tensor,
    cell_clip: f32,
    use_peephole: bool,
    i: OutputSlot<'_>,
    cs: OutputSlot<'_>,
    f: OutputSlot<'_>,
    o: OutputSlot<'_>,
    ci: OutputSlot<'_>,
    co: OutputSlot<'_>,
    h: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let peepholes = [wci, wcf, wco];
    let cell = Cell { layout: IFCO, use_peephole, x, before: [cs_prev, h_prev], w, peepholes, b };
    let state = State { forget_bias: 0.0, clip: cell_clip };
    run_sequence::<T>(&cell, &state, seq_len_max, [i, cs, f, o, ci, co, h], &env)
}

fn run_sequence<T: Computed<ComputeType = f32>>(
    cell: &Cell<'_>,
    state: &State,
    seq_len_max: &Tensor,
    outputs: [OutputSlot<'_>; 7],
    env: &dyn KernelEnv,
) -> Result<()> {
    let extents = cell.sequence(seq_len_max)?;
    let shape = Shape::new(&[extents.time, extents.batch, extents.cell]);
    run::<T>(cell, state, extents, &shape, outputs, env)
}

/// Computes the steps. The outputs are `i`, `cs`, `f`, `o`, `ci`, `co` and `h`.
fn run<T: Computed<ComputeType = f32>>(
    cell: &Cell<'_>,
    state: &State,
    extents: Extents,
    shape: &Shape,
    mut outputs: [OutputSlot<'_>; 7],
    env: &dyn KernelEnv,
) -> Result<()> {
    let Extents { steps, batch, input, cell: width, .. } = extents;
    let [x, w, b] = [cell.x, cell.w, cell.b].map(Tensor::as_slice::<T>);
    let (x, w, b) = (computed_of(x?), computed_of(w?), computed_of(b?));
    let [i, cs, f, o, ci, co, h] = outputs.each_mut().map(|output| output.allocate(shape.clone())?.as_mut_slice::<T>());
    let (gates, size) = (4 * width, batch * width);
    let computed = [i?, cs?, f?, o?, ci?, co?, h?].map(|output| {
        let (computed, rest) = output.split_at_mut(steps * size);
        rest.fill(T::from_computed(0.0));
        computed
    });
    let from_x = Matrix::row_major(&x[..steps * batch * input], steps * batch, input);
    let mut of_x = temporary(env, steps * batch, gates)?;
    let of_x = of_x.as_mut_slice::<f32>()?;
    product(env, from_x, Matrix::row_major(&w, input, gates), of_x);
    let of_h = PackedMatrix::new(Matrix::row_major(&w[input * gates..], width, gates))?;
    let [cs_before, h_before] = cell.before.map(Tensor::as_slice::<T>);
    let (before, peepholes) = ([cs_before?, h_before?], peepholes::<T>(cell)?);
    let layer = Layer { layout: cell.layout, state, extents, of_x, of_h: &of_h, bias: &b, before, peepholes };
    compute_parts(env, extents, &mut parts(computed, extents, width)?, |part, threads| {
        layer.compute(part, env, threads)
    })
}

/// What the steps of all rows of the batch have in common.
struct Layer<'a, T> {
    layout: Layout,
    state: &'a State,
    extents: Extents,
    /// The inputs' products, of all steps.
    of_x: &'a [f32],
    /// The weights of the last outputs.
    of_h: &'a PackedMatrix,
    bias: &'a [f32],
    /// `cs_prev` and `h_prev`.
    before: [&'a [T]; 2],
    peepholes: Option<[Cow<'a, [f32]>; 3]>,
}

impl<T: Computed<ComputeType = f32>> Layer<'_, T> {
    /// Takes some rows through all steps, on the threads of `threads`; looks at the step of `env`.
    fn compute(&self, part: &mut Part<'_, T, 7>, env: &dyn KernelEnv, threads: &dyn KernelEnv) -> Result<()> {
        let Extents { batch, cell: width, .. } = self.extents;
        let (gates, count) = (4 * width, part.rows.len());
        let (mut sums, mut states) = (try_filled(0.0, count * gates)?, try_filled(0.0, count * width)?);
        let before = self.before.map(|before| &before[part.rows.start * width..][..count * width]);
        for step in 0..part.steps.len() {
            poll(env);
            let (past, now) = part.steps.split_at_mut(step);
            let [cs_prev, h_prev] = past.last().map_or(before, |[_, cs, .., h]| [&**cs, &**h]).map(computed_of);
            let of_x = &self.of_x[(step * batch + part.rows.start) * gates..][..count * gates];
            let finish = Finish { bias: Some(self.bias), side: Some((of_x, gates)), ..Finish::default() };
            self.of_h.multiply(threads, Matrix::row_major(&h_prev, count, width), finish, &mut sums)?;
            let mut outputs = now[0].each_mut().map(|output| output.chunks_exact_mut(width.max(1)));
            let mut rows: Vec<CellRow<'_, T>> = try_vec(count)?;
            let of_rows = sums.chunks_exact_mut(gates.max(1)).zip(states.chunks_exact_mut(width.max(1)));
            for ((sums, states), cs_prev) in of_rows.zip(cs_prev.chunks_exact(width.max(1))) {
                let outputs = outputs.each_mut().map(|rows| rows.next().unwrap_or_default());
                rows.push(CellRow { layout: self.layout, sums, states, cs_prev, outputs });
            }
            for_each_row(threads, &mut rows, 1, ROW_GRAIN.div_ceil(width.max(1)), &|_, rows| {
                rows.iter_mut().for_each(|row| row.compute(self.state, self.peepholes.as_ref()));
            });
        }
        Ok(())
    }
}

/// One step of one element of the batch.
struct CellRow<'a, T> {
    layout: Layout,
    /// What the gates are functions of, but for the peepholes.
    sums: &'a mut [f32],
    /// Room for the new state.
    states: &'a mut [f32],
    cs_prev: &'a [f32],
    /// `i`, `cs`, `f`, `o`, `ci`, `co`, `h`.
    outputs: [&'a mut [T]; 7],
}

impl<T: Computed<ComputeType = f32>> CellRow<'_, T> {
    fn compute(&mut self, state: &State, peepholes: Option<&[Cow<'_, [f32]>; 3]>) {
        let width = self.states.len();
        let (first, second) = self.sums.split_at_mut(2 * width);
        let ((a, b), (c, o)) = (first.split_at_mut(width), second.split_at_mut(width));
        let (f, ci) = if self.layout == IFCO { (b, c) } else { (c, b) };
        let (i, cs, cs_prev) = (a, &mut *self.states, self.cs_prev);
        let [out_i, out_cs, out_f, out_o, out_ci, out_co, out_h] = &mut self.outputs;
        if state.forget_bias != 0.0 {
            change1::<false, _, _>(f, |f| f + state.forget_bias);
        }
        if let Some([wci, wcf, _]) = peepholes {
            add_products(i, wci, cs_prev);
            add_products(f, wcf, cs_prev);
        }
        Activation::Sigmoid.apply(i);
        Activation::Sigmoid.apply(f);
        Activation::Tanh.apply(ci);
        for (out, values) in [(out_i, &*i), (out_f, &*f), (out_ci, &*ci)] {
            T::narrow(values, out);
        }
        change2::<false, _, _, _>(ci, i, |ci, i| i * ci);
        zip3(ci, f, cs_prev, cs, |new, f, cs_prev| new + f * cs_prev);
        if state.clip > 0.0 {
            change1::<true, _, _>(cs, |cs| cs.clamp(-state.clip, state.clip));
        }
        T::narrow(cs, out_cs);
        if let Some([.., wco]) = peepholes {
            add_products(o, wco, cs);
        }
        Activation::Sigmoid.apply(o);
        T::narrow(o, out_o);
        Activation::Tanh.apply(cs);
        T::narrow(cs, out_co);
        change2::<false, _, _, _>(cs, o, |co, o| o * co);
        T::narrow(cs, out_h);
    }
}

/// Adds the products of two rows.
pub(super) fn add_products(sums: &mut [f32], left: &[f32], right: &[f32]) {
    for ((sum, left), right) in sums.iter_mut().zip(left).zip(right) {
        *sum += left * right;
    }
}

/// The peepholes, where there are some.
pub(super) fn peepholes<'a, T: Computed<ComputeType = f32>>(cell: &Cell<'a>) -> Result<Option<[Cow<'a, [f32]>; 3]>> {
    if !cell.use_peephole {
        return Ok(None);
    }
    let [wci, wcf, wco] = cell.peepholes.map(Tensor::as_slice::<T>);
    Ok(Some([computed_of(wci?), computed_of(wcf?), computed_of(wco?)]))
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;
    use oplink_cpu_support::testing::run;

    fn filled(dims: &[usize], value: f32) -> Tensor {
        Tensor::from_vec(Shape::new(dims), vec![value; dims.iter().product()]).unwrap()
    }

    fn inputs(steps: i64) -> Vec<Tensor> {
        let shapes: [&[usize]; 8] = [&[2, 1, 1], &[1, 1], &[1, 1], &[2, 4], &[1], &[1], &[1], &[4]];
        let mut inputs = vec![Tensor::scalar(steps)];
        inputs.extend(shapes.iter().map(|dims| filled(dims, 0.5)));
        inputs
    }

    #[test]
    fn steps_beyond_the_longest_sequence_are_zeros() {
        let [whole, part] = [2, 1].map(|steps| run("BlockLSTM", &[], inputs(steps)).unwrap());
        for (whole, part) in whole.iter().zip(&part) {
            let (whole, part) = (whole.as_slice::<f32>().unwrap(), part.as_slice::<f32>().unwrap());
            assert_eq!((part[0], part[1]), (whole[0], 0.0));
        }
        assert!((whole[6].as_slice::<f32>().unwrap()[0] - 0.555_9).abs() < 1e-4);
    }

    #[test]
    fn lengths_outside_the_sequence_are_refused() {
        for steps in [-1, 3] {
            let error = run("BlockLSTMV2", &[], inputs(steps)).unwrap_err().to_string();
            assert!(error.contains("must be in [0, 2]"), "{error}");
        }
    }
}
