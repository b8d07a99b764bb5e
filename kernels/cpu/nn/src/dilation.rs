//! `Dilation2D`, the largest sum of a window of an image and a filter, and its gradients.
//!
//! `output[b, y, x, c] = max over i, j of input[b, y * stride + i * rate - pad, x * …, c] + filter[i, j, c]`, over the
//! taps inside the image. `input` is [batch, rows, columns, depth], `filter` is [rows, columns, depth]. NaN is passed
//! over; where no sum is larger, the output is the smallest finite number. Integers wrap.
//!
//! Of the gradients, `out_backprop` is the gradient of the dilation's output. Each gradient goes to where the first of
//! a window's largest sums takes its part from. Where no sum is larger than the smallest finite number, or no tap is
//! inside the image, it goes to the filter's first tap, and to where the window starts in the image, at its first row
//! or column for a window that starts before that. Gradients of 16-bit floats are summed in f32.

use num_traits::Bounded;
use oplink::{KernelEnv, prelude::*};

use oplink_cpu_contraction::computed::{computed_of, fill_computed};
use oplink_cpu_support::elementwise::{Arithmetic, Computed};
use oplink_cpu_support::parallel::for_each_row;
use oplink_ops::attrs::Padding;
use oplink_ops::nn::window::{Axis, ChannelOrder, Window, WindowAttrs, padding as padding_of, spatial};
use oplink_ops::nn::{
    Dilation2D, Dilation2DBackpropFilter, Dilation2DBackpropFilterInputs, Dilation2DBackpropInput,
    Dilation2DBackpropInputInputs,
};

use super::pooling::PoolElement;

/// `Dilation2D` for every real number.
#[kernel(Dilation2D, device = CPU, T = [reals])]
pub fn dilation2d_cpu<T: Computed<ComputeType: PoolElement> + Bounded>(
    input: &Tensor,
    filter: &Tensor,
    strides: &[i64],
    rates: &[i64],
    padding: Padding,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let attrs = Attrs { op: &env.node().op.name, strides, rates, padding };
    let geometry = Dilation::new(attrs, input.shape(), filter.shape())?;
    dilate::<T>(&geometry, input, filter, output.allocate(geometry.output_shape())?, &env)
}

/// `Dilation2DBackpropFilter` for every real number.
#[kernel(Dilation2DBackpropFilter, device = CPU, T = [reals])]
pub fn dilation2d_backprop_filter_cpu<T: Computed<ComputeType: PoolElement> + Bounded>(
    inputs: Dilation2DBackpropFilterInputs<'_>,
    strides: &[i64],
    rates: &[i64],
    padding: Padding,
    mut filter_backprop: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let attrs = Attrs { op: &env.node().op.name, strides, rates, padding };
    let output = filter_backprop.allocate(inputs.filter.shape().clone())?;
    backprop::<T>(attrs, [&*inputs.input, &*inputs.filter, &*inputs.out_backprop], true, output, env)
}

/// `Dilation2DBackpropInput` for every real number.
#[kernel(Dilation2DBackpropInput, device = CPU, T = [reals])]
pub fn dilation2d_backprop_input_cpu<T: Computed<ComputeType: PoolElement> + Bounded>(
    inputs: Dilation2DBackpropInputInputs<'_>,
    strides: &[i64],
    rates: &[i64],
    padding: Padding,
    mut in_backprop: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let attrs = Attrs { op: &env.node().op.name, strides, rates, padding };
    let output = in_backprop.allocate(inputs.input.shape().clone())?;
    backprop::<T>(attrs, [&*inputs.input, &*inputs.filter, &*inputs.out_backprop], false, output, env)
}

/// Sums that one thread should at least have.
const TASK_COST: usize = 1 << 14;

/// The op, and its attrs.
#[derive(Clone, Copy)]
struct Attrs<'a> {
    op: &'a str,
    strides: &'a [i64],
    rates: &'a [i64],
    padding: Padding,
}

/// The extents of one dilation.
#[derive(Debug, Clone, Copy)]
struct Dilation {
    batch: usize,
    rows: Axis,
    columns: Axis,
    depth: usize,
}

impl Dilation {
    /// For an input of shape [batch, rows, columns, depth] and a filter of shape [rows, columns, depth].
    fn new(attrs: Attrs<'_>, input: &Shape, filter: &Shape) -> Result<Self> {
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
        let strides = spatial(attrs.op, "strides", attrs.strides)?;
        let dilations = spatial(attrs.op, "rates", attrs.rates)?;
        let padding = WindowAttrs { padding: attrs.padding.into(), ..WindowAttrs::NONE };
        let window = Window { strides, dilations, padding: padding_of(&padding, ChannelOrder::Last)? };
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
    /// are; of equal sums the first; where none is larger than the smallest number, the filter's first tap and where
    /// the window starts in the image.
    fn largest<T: Computed<ComputeType: PoolElement> + Bounded>(
        &self,
        (image, filter): (&[T::ComputeType], &[T::ComputeType]),
        [batch, y, x, channel]: [usize; 4],
    ) -> (T::ComputeType, usize, usize) {
        let ((row_taps, first_row), (column_taps, first_column)) = (self.rows.taps(y), self.columns.taps(x));
        let input_at = |row: usize, column: usize| {
            ((batch * self.rows.input + row) * self.columns.input + column) * self.depth + channel
        };
        let mut best = (T::min_value().to_computed(), input_at(self.rows.start(y), self.columns.start(x)), channel);
        for (i, row_tap) in row_taps.enumerate() {
            for (j, column_tap) in column_taps.clone().enumerate() {
                let at = input_at(first_row + i * self.rows.dilation, first_column + j * self.columns.dilation);
                let tap = (row_tap * self.columns.window + column_tap) * self.depth + channel;
                let sum = T::from_computed(image[at].add(filter[tap])).to_computed();
                if sum > best.0 {
                    best = (sum, at, tap);
                }
            }
        }
        best
    }
}

/// The dilation of an image by a filter.
fn dilate<T: Computed<ComputeType: PoolElement> + Bounded>(
    g: &Dilation,
    input: &Tensor,
    filter: &Tensor,
    output: &mut Tensor,
    env: &dyn KernelEnv,
) -> Result<()> {
    if output.num_elements() == 0 {
        return Ok(());
    }
    let (image, filter) = (computed_of(input.as_slice::<T>()?), computed_of(filter.as_slice::<T>()?));
    let width = g.columns.output * g.depth;
    let grain = TASK_COST.div_ceil((g.rows.window * g.columns.window).max(1));
    fill_computed(output.as_mut_slice::<T>()?, |out| {
        for_each_row(env, out, width, grain, &|line, out| {
            let (batch, y) = (line / g.rows.output, line % g.rows.output);
            for (index, out) in out.iter_mut().enumerate() {
                let at = [batch, y, index / g.depth, index % g.depth];
                *out = g.largest::<T>((&image, &filter), at).0;
            }
        });
    });
    Ok(())
}

/// The gradient at the parts of the largest sums, in the input's or with `to_filter` in the filter's.
fn backprop<T: Computed<ComputeType: PoolElement> + Bounded>(
    attrs: Attrs<'_>,
    [input, filter, gradient]: [&Tensor; 3],
    to_filter: bool,
    output: &mut Tensor,
    env: Env<'_>,
) -> Result<()> {
    let g = Dilation::new(attrs, input.shape(), filter.shape())?;
    let expected = g.output_shape();
    ensure!(
        *gradient.shape() == expected,
        "out_backprop must have the shape {expected}, its shape is {}",
        gradient.shape()
    );
    let (image, filter) = (computed_of(input.as_slice::<T>()?), computed_of(filter.as_slice::<T>()?));
    let gradient = computed_of(gradient.as_slice::<T>()?);
    fill_computed(output.as_mut_slice::<T>()?, |out| {
        out.fill(T::ComputeType::ZERO);
        if out.is_empty() {
            return;
        }
        for (index, &gradient) in env.watch(gradient.iter()).enumerate() {
            let (batch, rest) = (index / g.output_picture(), index % g.output_picture());
            let (pixel, channel) = (rest / g.depth, rest % g.depth);
            let at = [batch, pixel / g.columns.output, pixel % g.columns.output, channel];
            let (_, in_input, in_filter) = g.largest::<T>((&image, &filter), at);
            let to = if to_filter { in_filter } else { in_input };
            out[to] = out[to].add(gradient);
        }
    });
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::{infer, run};

    #[test]
    fn the_largest_sum_counts() {
        let image = Tensor::from_vec([1, 1, 3, 1], vec![1i32, 5, 2]).unwrap();
        let filter = Tensor::from_vec([1, 2, 1], vec![0i32, 10]).unwrap();
        let attrs =
            [("strides", vec![1, 1, 1, 1].into()), ("rates", vec![1, 1, 1, 1].into()), ("padding", "SAME".into())];
        let out = run("Dilation2D", &attrs, vec![image, filter]).unwrap();
        assert_eq!(out[0].as_slice::<i32>().unwrap(), [15, 12, 2]);
    }

    #[test]
    fn rows_and_columns_are_known_together() {
        let attrs =
            [("strides", vec![1, 2, 1, 1].into()), ("rates", vec![1, 1, 1, 1].into()), ("padding", "VALID".into())];
        let stand_ins = [Tensor::scalar(0i32), Tensor::scalar(0i32)];
        for (input, filter, expected) in [
            ([Some(1), Some(5), Some(6), Some(8)], [Some(3), Some(2), Some(8)], [Some(1), Some(2), Some(5), Some(8)]),
            ([Some(1), Some(5), Some(6), Some(8)], [Some(3), None, Some(8)], [Some(1), None, None, Some(8)]),
            ([None, Some(5), Some(6), None], [Some(3), Some(2), Some(8)], [None, Some(2), Some(5), Some(8)]),
            ([None, None, Some(6), Some(8)], [Some(3), Some(2), None], [None, None, None, None]),
            ([Some(1), Some(2), Some(1), Some(1)], [Some(5), Some(1), Some(1)], [Some(1), Some(0), Some(1), Some(1)]),
        ] {
            let shapes = [PartialShape::new(&input), PartialShape::new(&filter)];
            let inferred = infer("Dilation2D", &attrs, &stand_ins, &shapes, &Nothing).unwrap();
            assert_eq!(inferred[0].1, PartialShape::new(&expected));
        }
    }

    struct Nothing;

    impl oplink::shape_inference::ConstantInputs for Nothing {
        fn tensor(&self, _: usize) -> Option<&Tensor> {
            None
        }
    }

    #[test]
    fn filter_gradients_go_to_the_largest_sum() {
        let image = Tensor::from_vec([1, 1, 3, 1], vec![1i32, 5, 2]).unwrap();
        let filter = Tensor::from_vec([1, 2, 1], vec![0i32, 1]).unwrap();
        let gradient = Tensor::from_vec([1, 1, 1, 1], vec![2i32]).unwrap();
        let attrs =
            [("strides", vec![1, 1, 2, 1].into()), ("rates", vec![1, 1, 1, 1].into()), ("padding", "VALID".into())];
        let out = run("Dilation2DBackpropFilter", &attrs, vec![image, filter, gradient]).unwrap();
        assert_eq!(out[0].as_slice::<i32>().unwrap(), [0, 2]);
    }

    #[test]
    fn input_gradients_go_to_the_largest_sum() {
        let image = Tensor::from_vec([1, 1, 3, 1], vec![1i32, 5, 2]).unwrap();
        let filter = Tensor::from_vec([1, 2, 1], vec![0i32, 1]).unwrap();
        let gradient = Tensor::from_vec([1, 1, 1, 1], vec![2i32]).unwrap();
        let attrs =
            [("strides", vec![1, 1, 2, 1].into()), ("rates", vec![1, 1, 1, 1].into()), ("padding", "VALID".into())];
        let out = run("Dilation2DBackpropInput", &attrs, vec![image, filter, gradient]).unwrap();
        assert_eq!(out[0].as_slice::<i32>().unwrap(), [0, 2, 0]);
    }

    #[test]
    fn windows_without_a_tap_in_the_image_start_at_its_edge() {
        let image = Tensor::from_vec([1, 3, 4, 2], (0..24).map(f64::from).collect()).unwrap();
        let (filter, gradient) = (Tensor::full([2, 3, 2], 0f64), Tensor::full([1, 3, 4, 2], 1f64));
        for rate in [7, 100, i64::from(i32::MAX)] {
            let attrs = [
                ("strides", vec![1, 1, 1, 1].into()),
                ("rates", vec![1, rate, 1, 1].into()),
                ("padding", "SAME".into()),
            ];
            let of = |op| run(op, &attrs, vec![image.clone(), filter.clone(), gradient.clone()]).unwrap().remove(0);
            let (to_input, to_filter) = (of("Dilation2DBackpropInput"), of("Dilation2DBackpropFilter"));
            let (to_input, to_filter) = (to_input.as_slice::<f64>().unwrap(), to_filter.as_slice::<f64>().unwrap());
            assert_eq!((&to_input[..6], &to_filter[..2]), (&[6.0, 6.0, 3.0, 3.0, 3.0, 3.0][..], &[12.0, 12.0][..]));
            assert!(to_input[6..].iter().chain(&to_filter[2..]).all(|&value| value == 0.0));
        }
    }

    #[test]
    fn sums_are_compared_in_their_dtype() {
        let tensor = |shape: &[usize], values: &[f32]| {
            Tensor::from_vec(shape, values.iter().map(|&v| bf16::from_f32(v)).collect()).unwrap()
        };
        let (image, filter) = (tensor(&[1, 1, 2, 1], &[256.0, 256.0]), tensor(&[1, 2, 1], &[0.0, 1.0]));
        let ones = vec![1, 1, 1, 1];
        let attrs = [("strides", ones.clone().into()), ("rates", ones.into()), ("padding", "VALID".into())];
        let out = run("Dilation2DBackpropInput", &attrs, vec![image, filter, tensor(&[1, 1, 1, 1], &[2.0])]).unwrap();
        // 257 is 256 in eight bits: the first of two equal sums counts.
        assert_eq!(out[0].as_slice::<bf16>().unwrap(), [2.0, 0.0].map(bf16::from_f32));
    }
}
