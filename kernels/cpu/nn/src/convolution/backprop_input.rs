//! The gradient of a convolution with respect to its input.
//!
//! For each row of taps, lines of the output's gradient times the filter, turned, give what they add to lines of the
//! input's gradient. Threads share out the latter.

use std::ops::Range;

use oplink::{KernelEnv, prelude::*};

use super::backprop_direct::Transposed;
use super::geometry::Geometry;
use super::sizes::{check_gradient, shape_of};
use oplink_cpu_contraction::computed::{computed_of, fill_computed};
use oplink_cpu_contraction::finish::Finish;
use oplink_cpu_contraction::matrix::Matrix;
use oplink_cpu_contraction::panels::{MatrixRows, Product};
use oplink_cpu_contraction::polled;
use oplink_cpu_contraction::scratch::Scratch;
use oplink_cpu_contraction::tile::{Operands, TileElement};
use oplink_cpu_support::elementwise::{Arithmetic, Computed};
use oplink_cpu_support::parallel::{for_each_chunk_up_to, for_each_row};
use oplink_ops::nn::window::Window;

/// Multiply-adds that one thread should at least have.
const TASK_COST: usize = 1 << 18;
/// Elements that the products of a row of taps should have at most.
const BLOCK_ELEMENTS: usize = 1 << 16;

/// Sets `output` to the gradient with respect to an input, of `[input_sizes, filter, out_backprop]`, perhaps by
/// Winograd's algorithm. Where `input_sizes` holds rows and columns only, the batch is that of the gradient and the
/// depth that of the filter.
pub(super) fn compute<T: Computed<ComputeType: TileElement>>(
    (window, winograd): (&Window, bool),
    [sizes, filter, gradient]: [&Tensor; 3],
    output: &mut OutputSlot<'_>,
    env: &dyn KernelEnv,
) -> Result<()> {
    let mut input = shape_of(sizes, "input_sizes")?;
    if let (&[rows, columns], &[_, _, depth, _], &[batch, ..]) = (&*input, &**filter.shape(), &**gradient.shape()) {
        input = Shape::new(&[batch, rows, columns, depth]);
    }
    ensure!(
        input.rank() == filter.rank(),
        "input_sizes {input} must have as many elements as the filter {} has dimensions",
        filter.shape()
    );
    let geometry = Geometry::new(window, &input, filter.shape())?;
    check_gradient(&geometry, gradient)?;
    let output = output.allocate(input)?;
    if output.num_elements() == 0 || filter.num_elements() == 0 || gradient.num_elements() == 0 {
        output.as_mut_slice::<T>()?.fill(T::from_computed(T::ComputeType::ZERO));
        return Ok(());
    }
    let (filter, gradient) = (computed_of(filter.as_slice::<T>()?), computed_of(gradient.as_slice::<T>()?));
    fill_computed(output.as_mut_slice::<T>()?, |out| {
        let mut operands = Operands { image: &gradient, filter: &filter, finish: Finish::default(), out };
        if let Some(transposed) = Transposed::new(&geometry.of_pictures()) {
            operands = match TileElement::single(operands) {
                Ok(operands) => return transposed.compute(env, operands, winograd),
                Err(operands) => operands,
            };
        }
        let turned = turn_filter(env, &geometry, &filter)?;
        let backprop = Backprop { geometry: &geometry, turned: turned.as_slice()?, gradient: &gradient };
        backprop.compute(env, operands.out)
    })
}

/// The filter as [rows of taps, out_depth, taps of a row, depth].
fn turn_filter<L: TileElement>(env: &dyn KernelEnv, g: &Geometry, filter: &[L]) -> Result<Tensor> {
    let mut turned = Tensor::allocate(L::DTYPE, Shape::new(&[filter.len()]), env.allocator())?;
    let (taps, depth) = (g.axes[2].window, g.group_depth());
    let slab = taps * depth * g.out_depth;
    for_each_row(env, turned.as_mut_slice()?, slab, TASK_COST, &|row, turned| {
        for tap in 0..taps {
            let from = &filter[row * slab + tap * depth * g.out_depth..];
            let from = Matrix::row_major(from, depth, g.out_depth).transposed(true);
            from.copy_to(&mut turned[tap * depth..], taps * depth);
        }
    });
    Ok(turned)
}

struct Backprop<'a, L> {
    geometry: &'a Geometry,
    turned: &'a [L],
    gradient: &'a [L],
}

impl<L: TileElement> Backprop<'_, L> {
    fn compute(&self, env: &dyn KernelEnv, out: &mut [L]) -> Result<()> {
        let g = self.geometry;
        if g.is_pointwise() {
            let rows = MatrixRows(Matrix::row_major(self.gradient, g.pixels(), g.out_depth));
            let right = Matrix::row_major(self.turned, g.out_depth, g.depth);
            return Product { rows: &rows, right, finish: Finish::default() }.compute(env, out);
        }
        let line = g.axes[2].input * g.depth;
        let taps: usize = g.axes.iter().map(|axis| axis.window).product();
        let block = g.axes[2].output * self.width();
        let lines = (BLOCK_ELEMENTS / block.max(1)).max(1);
        let length = lines * block + self.product(0, 0, &MatrixRows(self.lines([0, 0], 0..0, 0))).scratch(usize::MAX);
        Scratch::with(env, length, |scratch| {
            for_each_chunk_up_to(env, out, polled(TASK_COST.div_ceil(taps * g.group_out())), line, &|start, part| {
                part.fill(L::ZERO);
                scratch.lend(|scratch| self.add_to_lines(start / line, lines, scratch, part));
            });
            Ok(())
        })
    }

    /// Elements that a row of taps of one group adds for each output pixel.
    fn width(&self) -> usize {
        self.geometry.axes[2].window * self.geometry.group_depth()
    }

    /// Adds to the input lines from `first` on, counted over all planes and pictures, that `out` holds. As many output
    /// lines at a time as `most`.
    fn add_to_lines(&self, first: usize, most: usize, scratch: &mut [L], out: &mut [L]) {
        let g = self.geometry;
        let [planes, rows, columns] = &g.axes;
        let line = columns.input * g.depth;
        let end = first + out.len() / line;
        let (products, scratch) = scratch.split_at_mut(most * columns.output * self.width());
        for plane in first / rows.input..end.div_ceil(rows.input) {
            let (batch, z) = (plane / planes.input, plane % planes.input);
            let inside = first.max(plane * rows.input)..end.min((plane + 1) * rows.input);
            let out = &mut out[(inside.start - first) * line..(inside.end - first) * line];
            let inside = inside.start - plane * rows.input..inside.end - plane * rows.input;
            for (p, r) in (0..planes.window).flat_map(|p| (0..rows.window).map(move |r| (p, r))) {
                let Some(oz) = planes.output_at(z, p) else { continue };
                let seeing = outputs_within(rows, r, &inside);
                for from in seeing.clone().step_by(most) {
                    let outputs = from..seeing.end.min(from + most);
                    for group in 0..g.groups {
                        let matrix = MatrixRows(self.lines([batch, oz], outputs.clone(), group));
                        let products = &mut products[..outputs.len() * columns.output * self.width()];
                        let product = self.product(p * rows.window + r, group, &matrix);
                        product.multiply(0, products, self.width(), scratch);
                        for (output, products) in
                            outputs.clone().zip(products.chunks_exact(columns.output * self.width()))
                        {
                            let y = output * rows.stride + r * rows.dilation - rows.before - inside.start;
                            self.scatter(group, products, &mut out[y * line..][..line]);
                        }
                    }
                }
            }
        }
    }

    /// The gradient of some output lines of a group, a row for each pixel.
    fn lines(&self, [batch, plane]: [usize; 2], outputs: Range<usize>, group: usize) -> Matrix<'_, L> {
        let g = self.geometry;
        let [planes, rows, columns] = g.axes.map(|axis| axis.output);
        let start = ((batch * planes + plane) * rows + outputs.start) * columns * g.out_depth + group * g.group_out();
        let extents = (outputs.len() * columns, g.group_out());
        Matrix::strided(self.gradient.get(start..).unwrap_or_default(), extents, (g.out_depth, 1))
    }

    fn product<'p>(&'p self, row_of_taps: usize, group: usize, rows: &'p MatrixRows<'p, L>) -> Product<'p, L> {
        let group_out = self.geometry.group_out();
        let start = (row_of_taps * self.geometry.out_depth + group * group_out) * self.width();
        let right = Matrix::row_major(&self.turned[start..], group_out, self.width());
        Product { rows, right, finish: Finish::default() }
    }

    /// Adds what the pixels of an output line give to the pixels of an input line that they see.
    fn scatter(&self, group: usize, products: &[L], line: &mut [L]) {
        let (columns, depth) = (&self.geometry.axes[2], self.geometry.group_depth());
        for (x, product) in products.chunks_exact(self.width()).enumerate() {
            let (taps, first) = columns.taps(x);
            for (index, values) in product[taps.start * depth..taps.end * depth].chunks_exact(depth).enumerate() {
                let at = (first + index * columns.dilation) * self.geometry.depth + group * depth;
                line[at..at + depth].iter_mut().zip(values).for_each(|(to, &value)| *to = to.add(value));
            }
        }
    }
}

/// The outputs that see an input of `inside` by `tap`.
fn outputs_within(axis: &oplink_ops::nn::window::Axis, tap: usize, inside: &Range<usize>) -> Range<usize> {
    let shift = tap * axis.dilation;
    let first = |input: usize| (input + axis.before).saturating_sub(shift).div_ceil(axis.stride).min(axis.output);
    first(inside.start)..first(inside.end)
}
