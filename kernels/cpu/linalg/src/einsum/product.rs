//! Runs the plan of a product of two operands.

use std::borrow::Cow;

use oplink::KernelEnv;
use oplink::prelude::*;

use super::operand::{packed, summed};
use oplink_cpu_contraction::computed::{computed_of, fill_computed};
use oplink_cpu_contraction::gemm::{self, Gemm, Matrix};
use oplink_cpu_contraction::polled;
use oplink_cpu_support::elementwise::Computed;
use oplink_cpu_support::parallel::for_each_chunk_up_to;
use oplink_ops::linalg::einsum::operand::{Operand, joint_stride};
use oplink_ops::linalg::einsum::plan::{Extents, Plan, best_order, positions};
use oplink_ops::linalg::einsum::{Label, Labels};

/// Multiply-adds that one thread should at least have.
const TASK_COST: usize = 1 << 18;
/// Rows of a matrix that stay together.
const ROW_UNIT: usize = 4;
/// Products of matrices with fewer multiply-adds are plain loops.
const SMALL: usize = 48;

/// The product, its axes in the order of `output`; labels that `output` lacks are summed over.
pub(super) fn multiply<T: Computed<ComputeType: Gemm>>(
    env: &dyn KernelEnv,
    left: &Operand,
    right: &Operand,
    output: &[(Label, usize)],
) -> Result<Tensor> {
    let in_output = |label: Label| output.iter().any(|axis| axis.0 == label);
    let left = summed::<T>(left.clone(), env, |label| in_output(label) || right.has(label))?;
    let right = summed::<T>(right.clone(), env, |label| in_output(label) || left.has(label))?;
    let order = best_order(&left, &right, output);
    let result = in_order::<T>(env, &left, &right, &order)?;
    let wanted: Labels = output.iter().filter(|axis| axis.1 != 1).map(|axis| axis.0).collect();
    let computed: Labels = order.iter().map(|axis| axis.0).collect();
    if wanted == computed {
        return Ok(result);
    }
    Ok(packed(&Operand::new(&result, &computed), env, &wanted)?.tensor)
}

fn in_order<T: Computed<ComputeType: Gemm>>(
    env: &dyn KernelEnv,
    left: &Operand,
    right: &Operand,
    order: &[(Label, usize)],
) -> Result<Tensor> {
    let plan = Plan::new(left, right, order);
    let shape: Shape = order.iter().map(|axis| axis.1).collect();
    let mut out = Tensor::allocate(T::DTYPE, shape, env.allocator())?;
    if out.num_elements() == 0 {
        return Ok(out);
    }
    let (rows, columns) = if plan.swapped { (right, left) } else { (left, right) };
    let summed = plan.summed.clone();
    let (row_labels, column_labels) = (names(&plan.rows), names(&plan.columns));
    let rows = side(env, rows, &row_labels, &summed)?;
    let columns = side(env, columns, &summed, &column_labels)?;
    let product = Product {
        rows: Factor::new(computed_of(rows.tensor.as_slice::<T>()?), &rows, [&row_labels, &summed], &plan),
        columns: Factor::new(computed_of(columns.tensor.as_slice::<T>()?), &columns, [&summed, &column_labels], &plan),
        count: positions(&plan.rows),
        inner: positions(&plan.inner),
        width: positions(&plan.columns),
    };
    fill_computed(out.as_mut_slice::<T>()?, |out| product.run(env, out));
    Ok(out)
}

fn names(axes: &Extents) -> Vec<Label> {
    axes.iter().map(|axis| axis.0).collect()
}

/// The operand, packed where it is no matrix of these labels as it stands.
fn side(env: &dyn KernelEnv, operand: &Operand, first: &[Label], second: &[Label]) -> Result<Operand> {
    if joint_stride(operand, first).is_some() && joint_stride(operand, second).is_some() {
        return Ok(operand.clone());
    }
    let loops = operand.axes.iter().map(|axis| axis.label).filter(|l| !first.contains(l) && !second.contains(l));
    let order: Vec<Label> = loops.chain(first.iter().copied()).chain(second.iter().copied()).collect();
    packed(operand, env, &order)
}

/// One side of the product: a matrix at each position of the loops.
struct Factor<'a, L: Clone> {
    computed: Cow<'a, [L]>,
    extents: [usize; 2],
    strides: [usize; 2],
    /// Where the matrix starts: the sum of an element of each, by position along the plan's `outer` and `inner`.
    outer: Vec<usize>,
    inner: Vec<usize>,
}

impl<'a, L: Gemm> Factor<'a, L> {
    fn new(computed: Cow<'a, [L]>, operand: &Operand, labels: [&[Label]; 2], plan: &Plan) -> Self {
        let extent =
            |labels: &[Label]| labels.iter().filter_map(|&l| operand.axis(l)).map(|axis| axis.extent).product();
        Self {
            computed,
            extents: labels.map(extent),
            strides: labels.map(|labels| joint_stride(operand, labels).unwrap_or(0)),
            outer: starts(operand, &plan.outer),
            inner: starts(operand, &plan.inner),
        }
    }

    fn start(&self, outer: usize, inner: usize) -> usize {
        self.outer[outer] + self.inner[inner]
    }

    /// Rows `from..from + count` of the matrix at a position.
    fn matrix(&self, start: usize, from: usize, count: usize) -> Matrix<'_, L> {
        let data = self.computed.get(start + from * self.strides[0]..).unwrap_or(&[]);
        Matrix::strided(data, (count, self.extents[1]), (self.strides[0], self.strides[1]))
    }
}

/// The offset of each position of the axes in an operand; axes that it lacks repeat it.
fn starts(operand: &Operand, axes: &Extents) -> Vec<usize> {
    let mut starts = vec![0];
    for &(label, extent) in axes {
        let stride = operand.axis(label).map_or(0, |axis| axis.stride);
        starts = starts.iter().flat_map(|start| (0..extent).map(move |i| start + i * stride)).collect();
    }
    starts
}

struct Product<'a, L: Clone> {
    rows: Factor<'a, L>,
    columns: Factor<'a, L>,
    /// Rows of each matrix.
    count: usize,
    /// Matrices side by side in the output.
    inner: usize,
    /// Columns of each matrix.
    width: usize,
}

impl<L: Gemm> Product<'_, L> {
    fn run(&self, env: &dyn KernelEnv, out: &mut [L]) {
        let (stride, terms) = (self.inner * self.width, self.rows.extents[1]);
        if self.count == 1 && out.len() == self.width {
            let (rows, columns) = (self.rows.matrix(0, 0, 1), self.columns.matrix(0, 0, terms));
            return gemm::product(env, rows, columns, out);
        }
        let unit = if self.count.is_multiple_of(ROW_UNIT) { stride * ROW_UNIT } else { stride };
        for_each_chunk_up_to(env, out, polled(TASK_COST.div_ceil(terms.max(1))), unit, &|start, mut part| {
            let mut row = start / stride;
            while !part.is_empty() {
                let (outer, from) = (row / self.count, row % self.count);
                let count = (self.count - from).min(part.len() / stride);
                let (block, rest) = std::mem::take(&mut part).split_at_mut(count * stride);
                self.block(outer, from, count, block);
                (part, row) = (rest, row + count);
            }
        });
    }

    /// Rows `from..from + count` of the matrices at one position along `outer`.
    fn block(&self, outer: usize, from: usize, count: usize, out: &mut [L]) {
        let terms = self.rows.extents[1];
        for inner in 0..self.inner {
            let out = &mut out[inner * self.width..];
            let (left, right) = (self.rows.start(outer, inner), self.columns.start(outer, inner));
            if count * self.width * terms <= SMALL {
                self.small(left + from * self.rows.strides[0], right, count, out);
            } else {
                let rows = self.rows.matrix(left, from, count);
                L::multiply(rows, self.columns.matrix(right, 0, terms), out, self.inner * self.width);
            }
        }
    }

    fn small(&self, left: usize, right: usize, count: usize, out: &mut [L]) {
        let (rows, columns) = (&self.rows, &self.columns);
        for row in 0..count {
            for column in 0..self.width {
                let mut sum = L::ZERO;
                for term in 0..rows.extents[1] {
                    let a = rows.computed[left + row * rows.strides[0] + term * rows.strides[1]];
                    let b = columns.computed[right + term * columns.strides[0] + column * columns.strides[1]];
                    sum = sum.add(a.mul(b));
                }
                out[row * self.inner * self.width + column] = sum;
            }
        }
    }
}
