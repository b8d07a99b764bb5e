//! `LSTMBlockCellGrad`, `BlockLSTMGrad`, `BlockLSTMGradV2`: the derivatives of the cell, from the last step to the
//! first; then the products of all steps at once.

use super::lstm::{Cell, Extents, ICFO, IFCO, Layout, add_products, peepholes};
use super::{ROW_GRAIN, expect, multiplied};
use oplink::KernelEnv;
use oplink::memory::{try_filled, try_vec};
use oplink::prelude::*;
use oplink_cpu_contraction::computed::computed_of;
use oplink_cpu_contraction::finish::Finish;
use oplink_cpu_contraction::gemm::{Matrix, product};
use oplink_cpu_contraction::packed::PackedMatrix;
use oplink_cpu_support::elementwise::Computed;
use oplink_cpu_support::parallel::{for_each_row, poll};
use oplink_ops::nn::{
    BlockLSTMGrad, BlockLSTMGradInputs, BlockLSTMGradOutputs, BlockLSTMGradV2, BlockLSTMGradV2Inputs,
    BlockLSTMGradV2Outputs, LSTMBlockCellGrad, LSTMBlockCellGradInputs, LSTMBlockCellGradOutputs,
};
use std::borrow::Cow;
use std::marker::PhantomData;

/// What a cell gave: `i`, `cs`, `f`, `o`, `ci`, `co`; and the gradients of `cs` and `h`.
struct Given<'a> {
    outputs: [Cow<'a, [f32]>; 6],
    gradients: [Cow<'a, [f32]>; 2],
}

impl<'a> Given<'a> {
    fn of<T: Computed<ComputeType = f32>>(named: [(&str, &'a Tensor); 8], dims: &[usize]) -> Result<Self> {
        for (name, tensor) in named {
            expect(name, tensor, dims)?;
        }
        let values = |at: usize| Ok::<_, Error>(computed_of(named[at].1.as_slice::<T>()?));
        Ok(Self {
            outputs: [values(0)?, values(1)?, values(2)?, values(3)?, values(4)?, values(5)?],
            gradients: [values(6)?, values(7)?],
        })
    }
}

/// The gradients by the states and the peepholes, which the steps hand on.
struct Passed {
    cs: Vec<f32>,
    h: Vec<f32>,
    peepholes: [Vec<f32>; 3],
}

impl Passed {
    fn new(extents: Extents) -> Result<Self> {
        let zeros = |count| try_filled(0.0, count);
        let Extents { batch, cell, .. } = extents;
        let peepholes = [zeros(cell)?, zeros(cell)?, zeros(cell)?];
        Ok(Self { cs: zeros(batch * cell)?, h: zeros(batch * cell)?, peepholes })
    }

    /// One step back: `cs_prev` and the peepholes are those of the step, `gates` gets the gradients by the gates.
    fn step(
        &mut self,
        (layout, extents, step): (Layout, Extents, usize),
        given: &Given<'_>,
        cs_prev: &[f32],
        peepholes: Option<&[Cow<'_, [f32]>; 3]>,
        gates: &mut [f32],
        env: &dyn KernelEnv,
    ) -> Result<()> {
        let Extents { batch, cell, .. } = extents;
        let mut rows: Vec<GradRow<'_>> = try_vec(batch)?;
        let wanted = gates.chunks_exact_mut((4 * cell).max(1)).zip(self.cs.chunks_exact_mut(cell.max(1)));
        for (row, (gates, by_cs)) in wanted.enumerate() {
            let (start, row) = ((step * batch + row) * cell, row * cell);
            rows.push(GradRow {
                outputs: given.outputs.each_ref().map(|output| &output[start..][..cell]),
                gradients: given.gradients.each_ref().map(|gradient| &gradient[start..][..cell]),
                cs_prev: &cs_prev[row..][..cell],
                by_h: &self.h[row..][..cell],
                by_cs,
                gates,
            });
        }
        for_each_row(env, &mut rows, 1, ROW_GRAIN.div_ceil(cell.max(1)), &|_, rows| {
            rows.iter_mut().for_each(|row| row.compute(layout, peepholes));
        });
        if peepholes.is_some() {
            for row in &rows {
                row.add_to_peepholes(layout, &mut self.peepholes);
            }
        }
        Ok(())
    }
}

/// One step back of one element of the batch.
struct GradRow<'a> {
    /// `i`, `cs`, `f`, `o`, `ci`, `co`.
    outputs: [&'a [f32]; 6],
    /// Those of the outputs `cs` and `h`.
    gradients: [&'a [f32]; 2],
    cs_prev: &'a [f32],
    /// By `h`, from the step after it.
    by_h: &'a [f32],
    /// By `cs`, from the step after it; then by `cs_prev`.
    by_cs: &'a mut [f32],
    /// By what the gates are functions of.
    gates: &'a mut [f32],
}

impl GradRow<'_> {
    fn compute(&mut self, layout: Layout, peepholes: Option<&[Cow<'_, [f32]>; 3]>) {
        let width = self.by_cs.len();
        let [i, _, f, o, ci, co] = self.outputs.map(|output| &output[..width]);
        let [cs_gradient, h_gradient] = self.gradients.map(|gradient| &gradient[..width]);
        let (cs_prev, passed_h) = (&self.cs_prev[..width], &self.by_h[..width]);
        let (first, second) = self.gates.split_at_mut(2 * width);
        let ((a, b), (c, by_o)) = (first.split_at_mut(width), second.split_at_mut(width));
        let (by_f, by_ci) = if layout == IFCO { (b, c) } else { (c, b) };
        let (by_i, by_f, by_ci) = (&mut a[..width], &mut by_f[..width], &mut by_ci[..width]);
        let (by_o, by_cs) = (&mut by_o[..width], &mut self.by_cs[..width]);
        for at in 0..width {
            let by_h = h_gradient[at] + passed_h[at];
            by_o[at] = o[at] * (1.0 - o[at]) * by_h * co[at];
            by_cs[at] += (1.0 - co[at] * co[at]) * by_h * o[at] + cs_gradient[at];
        }
        if let Some([_, _, wco]) = peepholes {
            add_products(by_cs, by_o, wco);
        }
        for at in 0..width {
            by_ci[at] = (1.0 - ci[at] * ci[at]) * by_cs[at] * i[at];
            by_f[at] = f[at] * (1.0 - f[at]) * by_cs[at] * cs_prev[at];
            by_i[at] = i[at] * (1.0 - i[at]) * by_cs[at] * ci[at];
            by_cs[at] *= f[at];
        }
        if let Some([wci, wcf, _]) = peepholes {
            add_products(by_cs, by_i, wci);
            add_products(by_cs, by_f, wcf);
        }
    }

    fn add_to_peepholes(&self, layout: Layout, sums: &mut [Vec<f32>; 3]) {
        let width = self.by_cs.len();
        let gate = |gate: usize| &self.gates[layout[gate] * width..][..width];
        let [by_wci, by_wcf, by_wco] = sums;
        add_products(by_wci, gate(0), self.cs_prev);
        add_products(by_wcf, gate(1), self.cs_prev);
        add_products(by_wco, gate(3), self.outputs[1]);
    }
}

fn write<T: Computed<ComputeType = f32>>(output: &mut OutputSlot<'_>, dims: &[usize], values: &[f32]) -> Result<()> {
    T::narrow(values, output.allocate(Shape::new(dims))?.as_mut_slice::<T>()?);
    Ok(())
}

/// `LSTMBlockCellGrad` of the dtypes that TensorFlow has kernels for.
pub struct LstmBlockCellGradCpu<T> {
    use_peephole: bool,
    element: PhantomData<fn() -> T>,
}

#[kernel(LSTMBlockCellGrad, device = CPU, T = [f16, f32])]
impl<T: Computed<ComputeType = f32>> Kernel for LstmBlockCellGradCpu<T> {
    type Op = LSTMBlockCellGrad;

    fn new(construction: Construction<'_, LSTMBlockCellGrad>) -> Result<Self> {
        Ok(Self { use_peephole: construction.attrs.use_peephole, element: PhantomData })
    }

    fn compute(
        &self,
        inputs: LSTMBlockCellGradInputs<'_>,
        outputs: &mut LSTMBlockCellGradOutputs<'_>,
        env: Env<'_>,
    ) -> Result<()> {
        let cell = Cell {
            layout: ICFO,
            use_peephole: self.use_peephole,
            x: &inputs.x,
            before: [&inputs.cs_prev, &inputs.h_prev],
            w: &inputs.w,
            peepholes: [&inputs.wci, &inputs.wcf, &inputs.wco],
            b: &inputs.b,
        };
        let extents = cell.single()?;
        let Extents { batch, cell: width, .. } = extents;
        let named = [
            ("i", &*inputs.i),
            ("cs", &*inputs.cs),
            ("f", &*inputs.f),
            ("o", &*inputs.o),
            ("ci", &*inputs.ci),
            ("co", &*inputs.co),
            ("cs_grad", &*inputs.cs_grad),
            ("h_grad", &*inputs.h_grad),
        ];
        let given = Given::of::<T>(named, &[batch, width])?;
        let mut passed = Passed::new(extents)?;
        let mut gates = try_filled(0.0, 4 * batch * width)?;
        let cs_prev = computed_of(inputs.cs_prev.as_slice::<T>()?);
        let peepholes = peepholes::<T>(&cell)?;
        passed.step((ICFO, extents, 0), &given, &cs_prev, peepholes.as_ref(), &mut gates, &env)?;
        write::<T>(&mut outputs.cs_prev_grad, &[batch, width], &passed.cs)?;
        write::<T>(&mut outputs.dicfo, &[batch, 4 * width], &gates)?;
        let [wci, wcf, wco] = &passed.peepholes;
        write::<T>(&mut outputs.wci_grad, &[width], wci)?;
        write::<T>(&mut outputs.wcf_grad, &[width], wcf)?;
        write::<T>(&mut outputs.wco_grad, &[width], wco)
    }
}

/// The outputs of the gradient of a sequence, as the ops name them.
struct Outputs<'s, 'o> {
    x: &'s mut OutputSlot<'o>,
    before: [&'s mut OutputSlot<'o>; 2],
    w: &'s mut OutputSlot<'o>,
    peepholes: [&'s mut OutputSlot<'o>; 3],
    b: &'s mut OutputSlot<'o>,
}

/// The gradient of a sequence: of its inputs, what they gave in `h`, and what [`Given`] names.
fn sequence<T: Computed<ComputeType = f32>>(
    cell: &Cell<'_>,
    (extents, given, h): (Extents, &Given<'_>, &Tensor),
    outputs: Outputs<'_, '_>,
    env: &dyn KernelEnv,
) -> Result<()> {
    let Extents { time, steps, batch, input, cell: width } = extents;
    expect("h", h, &[time, batch, width])?;
    let [cs_before, h_before] = cell.before.map(Tensor::as_slice::<T>);
    let (cs_before, h_before) = (computed_of(cs_before?), computed_of(h_before?));
    let (w, h) = (computed_of(cell.w.as_slice::<T>()?), computed_of(h.as_slice::<T>()?));
    let (count, size) = (4 * width, batch * width);
    let peepholes = peepholes::<T>(cell)?;
    let mut passed = Passed::new(extents)?;
    let mut gates = try_filled(0.0, steps * batch * count)?;
    let by_h = PackedMatrix::new(Matrix::row_major(&w[input * count..], width, count).transposed(true))?;
    for step in (0..steps).rev() {
        poll(env);
        let cs_prev = if step == 0 { &cs_before[..] } else { &given.outputs[1][(step - 1) * size..][..size] };
        let gates = &mut gates[step * batch * count..][..batch * count];
        passed.step((cell.layout, extents, step), given, cs_prev, peepholes.as_ref(), gates, env)?;
        by_h.multiply(env, Matrix::row_major(gates, batch, count), Finish::default(), &mut passed.h)?;
    }
    let all = Matrix::row_major(&gates, steps * batch, count);
    let mut by_x = try_filled(0.0, cell.x.num_elements())?;
    let of_x = Matrix::row_major(&w, input, count).transposed(true);
    product(env, all, of_x, &mut by_x[..steps * batch * input]);
    write::<T>(outputs.x, &[time, batch, input], &by_x)?;
    let x = computed_of(cell.x.as_slice::<T>()?);
    let mut by_w = multiplied(env, Matrix::row_major(&x, steps * batch, input).transposed(true), all)?;
    let mut past = try_vec(steps * size)?;
    past.extend_from_slice(if steps == 0 { &[] } else { &h_before });
    past.extend_from_slice(&h[..steps.saturating_sub(1) * size]);
    by_w.extend(multiplied(env, Matrix::row_major(&past, steps * batch, width).transposed(true), all)?);
    write::<T>(outputs.w, &[input + width, count], &by_w)?;
    let mut by_b = try_filled(0.0, count)?;
    for row in gates.chunks_exact(count.max(1)) {
        by_b.iter_mut().zip(row).for_each(|(sum, value)| *sum += value);
    }
    write::<T>(outputs.b, &[count], &by_b)?;
    let [cs, h] = outputs.before;
    write::<T>(cs, &[batch, width], &passed.cs)?;
    write::<T>(h, &[batch, width], &passed.h)?;
    for (output, sums) in outputs.peepholes.into_iter().zip(&passed.peepholes) {
        write::<T>(output, &[width], sums)?;
    }
    Ok(())
}

/// What a kernel of the gradient of a sequence computes, with the gates in a layout: the two ops have types of their
/// own for the same arguments.
macro_rules! sequence {
    ($element:ident, $use_peephole:expr, $layout:expr, $inputs:ident, $outputs:ident, $env:ident) => {{
        let cell = Cell {
            layout: $layout,
            use_peephole: $use_peephole,
            x: &$inputs.x,
            before: [&$inputs.cs_prev, &$inputs.h_prev],
            w: &$inputs.w,
            peepholes: [&$inputs.wci, &$inputs.wcf, &$inputs.wco],
            b: &$inputs.b,
        };
        let extents = cell.sequence(&$inputs.seq_len_max)?;
        let named = [
            ("i", &*$inputs.i),
            ("cs", &*$inputs.cs),
            ("f", &*$inputs.f),
            ("o", &*$inputs.o),
            ("ci", &*$inputs.ci),
            ("co", &*$inputs.co),
            ("cs_grad", &*$inputs.cs_grad),
            ("h_grad", &*$inputs.h_grad),
        ];
        let given = Given::of::<$element>(named, &[extents.time, extents.batch, extents.cell])?;
        let outputs = Outputs {
            x: &mut $outputs.x_grad,
            before: [&mut $outputs.cs_prev_grad, &mut $outputs.h_prev_grad],
            w: &mut $outputs.w_grad,
            peepholes: [&mut $outputs.wci_grad, &mut $outputs.wcf_grad, &mut $outputs.wco_grad],
            b: &mut $outputs.b_grad,
        };
        sequence::<$element>(&cell, (extents, &given, &$inputs.h), outputs, &$env)
    }};
}

/// `BlockLSTMGrad` of the dtypes that TensorFlow has kernels for.
pub struct BlockLstmGradCpu<T> {
    use_peephole: bool,
    element: PhantomData<fn() -> T>,
}

#[kernel(BlockLSTMGrad, device = CPU, T = [f16, f32])]
impl<T: Computed<ComputeType = f32>> Kernel for BlockLstmGradCpu<T> {
    type Op = BlockLSTMGrad;

    fn new(construction: Construction<'_, BlockLSTMGrad>) -> Result<Self> {
        Ok(Self { use_peephole: construction.attrs.use_peephole, element: PhantomData })
    }

    fn compute(
        &self,
        inputs: BlockLSTMGradInputs<'_>,
        outputs: &mut BlockLSTMGradOutputs<'_>,
        env: Env<'_>,
    ) -> Result<()> {
        sequence!(T, self.use_peephole, ICFO, inputs, outputs, env)
    }
}

/// `BlockLSTMGradV2` of the dtypes that TensorFlow has kernels for.
pub struct BlockLstmGradV2Cpu<T> {
    use_peephole: bool,
    element: PhantomData<fn() -> T>,
}

#[kernel(BlockLSTMGradV2, device = CPU, T = [f16, f32])]
impl<T: Computed<ComputeType = f32>> Kernel for BlockLstmGradV2Cpu<T> {
    type Op = BlockLSTMGradV2;

    fn new(construction: Construction<'_, BlockLSTMGradV2>) -> Result<Self> {
        Ok(Self { use_peephole: construction.attrs.use_peephole, element: PhantomData })
    }

    fn compute(
        &self,
        inputs: BlockLSTMGradV2Inputs<'_>,
        outputs: &mut BlockLSTMGradV2Outputs<'_>,
        env: Env<'_>,
    ) -> Result<()> {
        sequence!(T, self.use_peephole, IFCO, inputs, outputs, env)
    }
}
