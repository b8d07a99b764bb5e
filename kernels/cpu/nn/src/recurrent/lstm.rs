//! `LSTMBlockCell`, `BlockLSTM`, `BlockLSTMV2`.
//!
//! The inputs of all steps are multiplied at once; a step adds the product of the last output.

use super::{expect, multiplied, sigmoid, tanh};
use oplink::KernelEnv;
use oplink::prelude::*;
use oplink::shape_inference::int_values;
use oplink_cpu_contraction::computed::computed_of;
use oplink_cpu_contraction::gemm::Matrix;
use oplink_cpu_support::elementwise::Computed;
use oplink_cpu_support::parallel::poll;
use oplink_ops::nn::{BlockLSTM, BlockLSTMV2, LSTMBlockCell};

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

impl State {
    fn clipped(&self, value: f32) -> f32 {
        if self.clip > 0.0 { value.clamp(-self.clip, self.clip) } else { value }
    }
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
    let [before_cs, before_h] = cell.before;
    let [x, w, b] = [cell.x, cell.w, cell.b].map(Tensor::as_slice::<T>);
    let (x, w, b) = (computed_of(x?), computed_of(w?), computed_of(b?));
    let peepholes = cell.peepholes.map(Tensor::as_slice::<T>);
    let [wci, wcf, wco] = peepholes;
    let peepholes = [computed_of(wci?), computed_of(wcf?), computed_of(wco?)];
    // bounded: the outputs of a cell
    let mut slices = Vec::with_capacity(outputs.len());
    for output in &mut outputs {
        slices.push(output.allocate(shape.clone())?.as_mut_slice::<T>()?);
    }
    let gates = 4 * width;
    let from_x = Matrix::row_major(&x, steps * batch, input);
    let of_x = multiplied(env, from_x, Matrix::row_major(&w, input, gates))?;
    let of_h = Matrix::row_major(&w[input * gates..], width, gates);
    let size = batch * width;
    for step in 0..steps {
        poll(env);
        let past = |at: usize, before: &Tensor| -> Result<Vec<f32>> {
            let values = if step == 0 { before.as_slice::<T>()? } else { &slices[at][(step - 1) * size..][..size] };
            Ok(computed_of(values).into_owned())
        };
        let (cs_prev, h_prev) = (past(1, before_cs)?, past(6, before_h)?);
        let recurrent = multiplied(env, Matrix::row_major(&h_prev, batch, width), of_h)?;
        let of_x = &of_x[step * batch * gates..];
        for (at, &cs_prev) in cs_prev.iter().enumerate() {
            let (row, column) = (at / width, at % width);
            let gate = |gate: usize| {
                let place = cell.layout[gate] * width + column;
                of_x[row * gates + place] + recurrent[row * gates + place] + b[place]
            };
            let peep = |at: usize, state: f32| if cell.use_peephole { peepholes[at][column] * state } else { 0.0 };
            let i = sigmoid(gate(0) + peep(0, cs_prev));
            let f = sigmoid(gate(1) + state.forget_bias + peep(1, cs_prev));
            let ci = tanh(gate(2));
            let cs = state.clipped(i * ci + f * cs_prev);
            let o = sigmoid(gate(3) + peep(2, cs));
            let co = tanh(cs);
            for (out, value) in slices.iter_mut().zip([i, cs, f, o, ci, co, o * co]) {
                out[step * size + at] = T::from_computed(value);
            }
        }
    }
    let zero = T::from_computed(0.0);
    slices.into_iter().for_each(|out| out[steps * size..].fill(zero));
    Ok(())
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
