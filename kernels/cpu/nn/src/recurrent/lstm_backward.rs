//! The steps of an LSTM from the last to the first: the derivatives of the cell, for parts of the batch side by side.

use super::lstm::{Extents, IFCO, Layout, add_products};
use super::parts::{Part, compute_parts, parts};
use super::{ROW_GRAIN, expect};
use oplink::KernelEnv;
use oplink::memory::{try_filled, try_vec};
use oplink::prelude::*;
use oplink_cpu_contraction::computed::computed_of;
use oplink_cpu_contraction::finish::Finish;
use oplink_cpu_contraction::gemm::Matrix;
use oplink_cpu_contraction::packed::PackedMatrix;
use oplink_cpu_support::elementwise::Computed;
use oplink_cpu_support::parallel::{for_each_row, poll};
use oplink_vmath::loops::change2;
use std::borrow::Cow;

/// What a cell gave: `i`, `cs`, `f`, `o`, `ci`, `co`; and the gradients of `cs` and `h`.
pub(super) struct Given<'a> {
    outputs: [Cow<'a, [f32]>; 6],
    gradients: [Cow<'a, [f32]>; 2],
}

impl<'a> Given<'a> {
    pub(super) fn of<T: Computed<ComputeType = f32>>(named: [(&str, &'a Tensor); 8], dims: &[usize]) -> Result<Self> {
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

/// The sums over steps and rows: the gradients by the peepholes and by the bias.
pub(super) struct Sums {
    pub(super) peepholes: [Vec<f32>; 3],
    pub(super) bias: Vec<f32>,
}

impl Sums {
    fn new(width: usize) -> Result<Self> {
        let zeros = |count| try_filled(0.0, count);
        Ok(Self { peepholes: [zeros(width)?, zeros(width)?, zeros(width)?], bias: zeros(4 * width)? })
    }

    fn add(&mut self, other: &Self) {
        self.peepholes.iter_mut().zip(&other.peepholes).for_each(|(sums, values)| add(sums, values));
        add(&mut self.bias, &other.bias);
    }
}

fn add(sums: &mut [f32], values: &[f32]) {
    change2::<false, _, _, _>(sums, values, |sum, value| sum + value);
}

/// What the steps of all rows of the batch have in common.
pub(super) struct Backward<'a> {
    pub(super) layout: Layout,
    pub(super) extents: Extents,
    pub(super) given: &'a Given<'a>,
    /// `cs_prev`.
    pub(super) cs_before: &'a [f32],
    pub(super) peepholes: Option<[Cow<'a, [f32]>; 3]>,
    /// The weights of the last outputs, transposed; none where a step's gradient by `h` goes nowhere.
    pub(super) by_h: Option<PackedMatrix>,
}

/// Some rows of the batch, with the gradients by the gates of each step.
struct GradPart<'a> {
    part: Part<'a, f32, 1>,
    /// By the states, from the step after; at the end, by those before the first step.
    by_cs: &'a mut [f32],
    by_h: &'a mut [f32],
    sums: Sums,
}

impl Backward<'_> {
    /// The sums; writes the gradients by the gates, and by `cs_prev` and `h_prev`, which are zeros at first.
    pub(super) fn run(&self, gates: &mut [f32], [by_cs, by_h]: [&mut [f32]; 2], env: &dyn KernelEnv) -> Result<Sums> {
        let width = self.extents.cell;
        let parts = parts([gates], self.extents, 4 * width)?;
        let mut grads = try_vec(parts.len())?;
        let (mut by_cs, mut by_h) = (by_cs, by_h);
        for part in parts {
            let count = part.rows.len() * width;
            let [by_cs, by_h] = [&mut by_cs, &mut by_h].map(|tensor| tensor.split_off_mut(..count).unwrap_or_default());
            grads.push(GradPart { part, by_cs, by_h, sums: Sums::new(width)? });
        }
        compute_parts(env, self.extents, &mut grads, |part, threads| self.compute(part, env, threads))?;
        let mut sums = Sums::new(width)?;
        grads.iter().for_each(|part| sums.add(&part.sums));
        Ok(sums)
    }

    /// Takes some rows through all steps, from the last to the first.
    fn compute(&self, grad: &mut GradPart<'_>, env: &dyn KernelEnv, threads: &dyn KernelEnv) -> Result<()> {
        let Extents { batch, cell: width, .. } = self.extents;
        let GradPart { part, by_cs, by_h, sums } = grad;
        let (start, count) = (part.rows.start, part.rows.len());
        for (step, [gates]) in part.steps.iter_mut().enumerate().rev() {
            poll(env);
            let first = (step * batch + start) * width;
            let cs_prev = if step == 0 { self.cs_before } else { &self.given.outputs[1][(step - 1) * batch * width..] };
            let mut rows: Vec<GradRow<'_>> = try_vec(count)?;
            let wanted = gates.chunks_exact_mut((4 * width).max(1)).zip(by_cs.chunks_exact_mut(width.max(1)));
            for (row, (gates, by_cs)) in wanted.enumerate() {
                let (first, row) = (first + row * width, row * width);
                rows.push(GradRow {
                    outputs: self.given.outputs.each_ref().map(|output| &output[first..][..width]),
                    gradients: self.given.gradients.each_ref().map(|gradient| &gradient[first..][..width]),
                    cs_prev: &cs_prev[start * width + row..][..width],
                    by_h: &by_h[row..][..width],
                    by_cs,
                    gates,
                });
            }
            let peepholes = self.peepholes.as_ref();
            for_each_row(threads, &mut rows, 1, ROW_GRAIN.div_ceil(width.max(1)), &|_, rows| {
                rows.iter_mut().for_each(|row| row.compute(self.layout, peepholes));
            });
            for row in &rows {
                add(&mut sums.bias, row.gates);
                if peepholes.is_some() {
                    row.add_to_peepholes(self.layout, &mut sums.peepholes);
                }
            }
            if let Some(weights) = &self.by_h {
                weights.multiply(threads, Matrix::row_major(gates, count, 4 * width), Finish::default(), by_h)?;
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
