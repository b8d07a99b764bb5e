//! What `Dilation2D` and its gradients share: a window of additions whose largest sum counts.

use num_traits::Bounded;
use oplink::{NodeInfo, prelude::*};

use crate::numeric::lanes::{fill_lanes, lanes_of};
use crate::support::elementwise::{Arithmetic, Lanes};
use crate::support::parallel::for_each_row;
use crate::support::window::{Axis, ChannelOrder, Window, padding, spatial};

/// Sums that one thread should at least have.
const TASK_COST: usize = 1 << 14;

/// The extents of one dilation.
#[derive(Debug, Clone, Copy)]
pub(super) struct Dilation {
    batch: usize,
    rows: Axis,
    columns: Axis,
    depth: usize,
}

impl Dilation {
    /// For an input of shape [batch, rows, columns, depth] and a filter of shape [rows, columns, depth].
    fn new(node: &NodeInfo, input: &Shape, filter: &Shape) -> Result<Self> {
        let &[batch, rows, columns, depth] = input.dims() else {
            bail!("input must be of rank 4, its shape is {input}")
        };
        let &[filter_rows, filter_columns, filter_depth] = filter.dims() else {
            bail!("filter must be of rank 3, its shape is {filter}")
        };
        ensure!(
            depth == filter_depth,
            "input and filter must have the same depth, they have {depth} and {filter_depth}"
        );
        let strides = spatial(node, "strides", node.attr("strides")?)?;
        let dilations = spatial(node, "rates", node.attr("rates")?)?;
        let window = Window { strides, dilations, padding: padding(node, ChannelOrder::Last)? };
        let [_, rows, columns] = window.axes([1, rows, columns], [1, filter_rows, filter_columns])?;
        Ok(Self { batch, rows, columns, depth })
    }

    fn output_shape(&self) -> Shape {
        Shape::new(&[self.batch, self.rows.output, self.columns.output, self.depth])
    }

    /// Values of one picture of the output.
    fn output_picture(&self) -> usize {
        self.rows.output * self.columns.output * self.depth
    }

    /// The largest sum of one output value in the arithmetic of `T`, and where in the input and in the filter its parts
    /// stand; of equal sums the first, and the window's first places where none is larger than the smallest number.
    fn largest<T: Lanes<Lane: Arithmetic + PartialOrd> + Bounded>(
        &self,
        (image, filter): (&[T::Lane], &[T::Lane]),
        [batch, y, x, channel]: [usize; 4],
    ) -> (T::Lane, usize, usize) {
        let ((row_taps, first_row), (column_taps, first_column)) = (self.rows.taps(y), self.columns.taps(x));
        let input_at = |row: usize, column: usize| {
            ((batch * self.rows.input + row) * self.columns.input + column) * self.depth + channel
        };
        let mut best = (T::min_value().to_lane(), input_at(first_row, first_column), channel);
        for (i, row_tap) in row_taps.enumerate() {
            for (j, column_tap) in column_taps.clone().enumerate() {
                let at = input_at(first_row + i * self.rows.dilation, first_column + j * self.columns.dilation);
                let tap = (row_tap * self.columns.window + column_tap) * self.depth + channel;
                let sum = T::from_lane(image[at].add(filter[tap])).to_lane();
                if sum > best.0 {
                    best = (sum, at, tap);
                }
            }
        }
        best
    }
}

/// Sets output 0 to the dilation of input 0 by the filter input 1.
pub(super) fn dilate<T: Lanes<Lane: Arithmetic + PartialOrd> + Bounded>(context: &mut KernelContext<'_>) -> Result<()> {
    let (input, filter) = (context.input(0), context.input(1));
    let g = Dilation::new(context.node(), input.shape(), filter.shape())?;
    let mut output = context.allocate_output(0, g.output_shape())?;
    let (image, filter) = (lanes_of(input.as_slice::<T>()?), lanes_of(filter.as_slice::<T>()?));
    if output.num_elements() > 0 {
        let width = g.columns.output * g.depth;
        let grain = TASK_COST.div_ceil((g.rows.window * g.columns.window).max(1));
        fill_lanes(output.as_mut_slice::<T>()?, |out| {
            for_each_row(context.env(), out, width, grain, &|line, out| {
                let (batch, y) = (line / g.rows.output, line % g.rows.output);
                for (index, out) in out.iter_mut().enumerate() {
                    let at = [batch, y, index / g.depth, index % g.depth];
                    *out = g.largest::<T>((&image, &filter), at).0;
                }
            });
        });
    }
    context.set_output(0, output);
    Ok(())
}

/// Sets output 0, of the shape of input 0 or with `to_filter` of input 1, to the gradient input 2 at the parts of the largest
/// sums.
pub(super) fn backprop<T: Lanes<Lane: Arithmetic + PartialOrd> + Bounded>(
    context: &mut KernelContext<'_>,
    to_filter: bool,
) -> Result<()> {
    let (input, filter, gradient) = (context.input(0), context.input(1), context.input(2));
    let g = Dilation::new(context.node(), input.shape(), filter.shape())?;
    let expected = g.output_shape();
    ensure!(
        *gradient.shape() == expected,
        "out_backprop must have the shape {expected}, its shape is {}",
        gradient.shape()
    );
    let shape = if to_filter { filter.shape() } else { input.shape() }.clone();
    let mut output = context.allocate_output(0, shape)?;
    let (image, filter) = (lanes_of(input.as_slice::<T>()?), lanes_of(filter.as_slice::<T>()?));
    let gradient = lanes_of(gradient.as_slice::<T>()?);
    fill_lanes(output.as_mut_slice::<T>()?, |out| {
        out.fill(T::Lane::ZERO);
        if out.is_empty() {
            return;
        }
        for (index, &gradient) in gradient.iter().enumerate() {
            let (batch, rest) = (index / g.output_picture(), index % g.output_picture());
            let (pixel, channel) = (rest / g.depth, rest % g.depth);
            let at = [batch, pixel / g.columns.output, pixel % g.columns.output, channel];
            let (_, in_input, in_filter) = g.largest::<T>((&image, &filter), at);
            let to = if to_filter { in_filter } else { in_input };
            out[to] = out[to].add(gradient);
        }
    });
    context.set_output(0, output);
    Ok(())
}
