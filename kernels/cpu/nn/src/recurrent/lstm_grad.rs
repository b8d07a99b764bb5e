//! `LSTMBlockCellGrad`, `BlockLSTMGrad`, `BlockLSTMGradV2`: the steps back, then the products of all steps at once.

use super::lstm::{Cell, Extents, ICFO, IFCO, peepholes};
use super::lstm_backward::{Backward, Given};
use super::{expect, multiplied, temporary};
use oplink::KernelEnv;
use oplink::memory::{try_filled, try_vec};
use oplink::prelude::*;
use oplink_cpu_contraction::computed::computed_of;
use oplink_cpu_contraction::gemm::{Matrix, product};
use oplink_cpu_contraction::packed::PackedMatrix;
use oplink_cpu_support::elementwise::Computed;
use oplink_ops::nn::{
    BlockLSTMGrad, BlockLSTMGradInputs, BlockLSTMGradOutputs, BlockLSTMGradV2, BlockLSTMGradV2Inputs,
    BlockLSTMGradV2Outputs, LSTMBlockCellGrad, LSTMBlockCellGradInputs, LSTMBlockCellGradOutputs,
};
use std::marker::PhantomData;

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
        let cs_before = computed_of(inputs.cs_prev.as_slice::<T>()?);
        let backward = Backward {
            layout: ICFO,
            extents,
            given: &given,
            cs_before: &cs_before,
            peepholes: peepholes::<T>(&cell)?,
            by_h: None,
        };
        let mut gates = try_filled(0.0, 4 * batch * width)?;
        let [mut by_cs, mut by_h] = [try_filled(0.0, batch * width)?, try_filled(0.0, batch * width)?];
        let sums = backward.run(&mut gates, [&mut by_cs, &mut by_h], &env)?;
        write::<T>(&mut outputs.cs_prev_grad, &[batch, width], &by_cs)?;
        write::<T>(&mut outputs.dicfo, &[batch, 4 * width], &gates)?;
        let [wci, wcf, wco] = &sums.peepholes;
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
    let by_h = PackedMatrix::new(Matrix::row_major(&w[input * count..], width, count).transposed(true))?;
    let backward = Backward {
        layout: cell.layout,
        extents,
        given,
        cs_before: &cs_before,
        peepholes: peepholes::<T>(cell)?,
        by_h: Some(by_h),
    };
    let mut gates = temporary(env, steps * batch, count)?;
    let gates = gates.as_mut_slice::<f32>()?;
    let [mut by_cs, mut by_h] = [try_filled(0.0, size)?, try_filled(0.0, size)?];
    let sums = backward.run(gates, [&mut by_cs, &mut by_h], env)?;
    let all = Matrix::row_major(gates, steps * batch, count);
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
    write::<T>(outputs.b, &[count], &sums.bias)?;
    let [cs, h] = outputs.before;
    write::<T>(cs, &[batch, width], &by_cs)?;
    write::<T>(h, &[batch, width], &by_h)?;
    for (output, sums) in outputs.peepholes.into_iter().zip(&sums.peepholes) {
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
