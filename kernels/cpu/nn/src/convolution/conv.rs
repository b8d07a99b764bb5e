//! `Conv2D` and `Conv3D`: convolutions of images and volumes.
//!
//! `output[b, y, x, k] = sum over i, j, c of input[b, y * stride + i * dilation - pad, x * …, c] * filter[i, j, c, k]`,
//! zeros outside the image. `input` is [batch, rows, columns, depth], `filter` is [rows, columns, depth / groups,
//! out_depth]; group g joins the input channels and the output channels of its part. Volumes have planes before the
//! rows, and no groups. The 16-bit floats are summed in f32, integers wrap.
//!
//! Computed as a matrix product over tiles of output pixels: the patches that a tile sees are copied side by side into
//! a small buffer. A 1x1 filter of stride 1 multiplies the image itself.

use super::constant_filter::KnownFilter;
use super::direct;
use super::forward::convolve;
use super::geometry::Geometry;
use super::halves;
use super::windowed::Windowed;
use oplink::{KernelEnv, prelude::*};
use oplink_cpu_contraction::computed::fill_computed;
use oplink_cpu_contraction::finish::Finish;
use oplink_cpu_contraction::tile::{Operands, TileElement};
use oplink_cpu_support::elementwise::Computed;
use oplink_ops::nn::{Conv2D, Conv2DInputs, Conv2DOutputs, Conv3D, Conv3DInputs, Conv3DOutputs};

/// The kernel of `Conv2D`, for lists of kernels.
pub type Conv2dCpu<T> = Windowed<Conv2D, T>;

/// `Conv2D` over `NHWC` images.
#[kernel(Conv2D, device = CPU, T = [floats, i32])]
impl<T: Computed<ComputeType: TileElement>> Kernel for Windowed<Conv2D, T> {
    type Op = Conv2D;

    fn new(construction: Construction<'_, Conv2D>) -> Result<Self> {
        Self::of(construction)
    }

    fn compute(&self, inputs: Conv2DInputs<'_>, outputs: &mut Conv2DOutputs<'_>, env: Env<'_>) -> Result<()> {
        let (input, filter) = (&*inputs.input, &*inputs.filter);
        ensure!(input.rank() == 4, "input must be of rank 4, its shape is {}", input.shape());
        let geometry = Geometry::new(&self.window, input.shape(), filter.shape())?;
        let known = self.filter.of(filter);
        compute::<T>(&geometry, input, (filter, known), outputs.output.allocate(geometry.output_shape(4))?, &env)
    }
}

/// `Conv3D` over `NDHWC` volumes.
#[kernel(Conv3D, device = CPU, T = [floats])]
impl<T: Computed<ComputeType: TileElement>> Kernel for Windowed<Conv3D, T> {
    type Op = Conv3D;

    fn new(construction: Construction<'_, Conv3D>) -> Result<Self> {
        Self::of(construction)
    }

    fn compute(&self, inputs: Conv3DInputs<'_>, outputs: &mut Conv3DOutputs<'_>, env: Env<'_>) -> Result<()> {
        let (input, filter) = (&*inputs.input, &*inputs.filter);
        ensure!(input.rank() == 5, "input must be of rank 5, its shape is {}", input.shape());
        ensure!(filter.num_elements() > 0, "the filter must not be empty, its shape is {}", filter.shape());
        let geometry = Geometry::new(&self.window, input.shape(), filter.shape())?;
        ensure!(geometry.groups == 1, "the depth of the filter must be that of the input, {}", geometry.depth);
        let known = self.filter.of(filter);
        compute::<T>(&geometry, input, (filter, known), outputs.output.allocate(geometry.output_shape(5))?, &env)
    }
}

/// Sets `output`, which has the elements of a convolution's, to the convolution of an input by a filter.
pub(super) fn compute<T: Computed<ComputeType: TileElement>>(
    geometry: &Geometry,
    input: &Tensor,
    (filter, known): (&Tensor, KnownFilter<'_>),
    output: &mut Tensor,
    env: &dyn KernelEnv,
) -> Result<()> {
    if let Some(format) = halves::format(input, geometry, known) {
        let finish = Finish::default();
        return halves::convolve(env, geometry, format, (input, filter), known.constant, finish, output);
    }
    let weights = direct::elements::<T>(filter, geometry, known)?;
    let convolve = |image: &[T::ComputeType], out: &mut [T::ComputeType]| {
        convolve(env, geometry, Operands { image, filter: &weights, finish: Finish::default(), out }, known)
    };
    if let Some(image) = T::computed(input.as_slice::<T>()?) {
        return fill_computed(output.as_mut_slice::<T>()?, |out| convolve(image, out));
    }
    let image = halves::widened::<T>(env, input)?;
    let mut wide = Tensor::allocate(T::ComputeType::DTYPE, output.shape().clone(), env.allocator())?;
    convolve(image.as_slice()?, wide.as_mut_slice()?)?;
    T::narrow(wide.as_slice()?, output.as_mut_slice::<T>()?);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink::element::bf16;
    use oplink_cpu_support::testing::{Threads, run_in};

    fn values(shape: [usize; 4], seed: usize) -> Tensor {
        let count = shape.iter().product::<usize>();
        Tensor::from_vec(shape, (0..count).map(|i| ((i * 31 + seed) % 13) as f32 - 6.0).collect()).unwrap()
    }

    /// The definition, for one output element.
    fn element(x: &Tensor, w: &Tensor, [stride, dilation]: [usize; 2], before: usize, at: [usize; 4]) -> f32 {
        let (x, w) = (x.view::<f32, ndarray::Ix4>().unwrap(), w.view::<f32, ndarray::Ix4>().unwrap());
        let (rows, columns, depth, out_depth) = w.dim();
        let group = at[3] / (out_depth / (x.dim().3 / depth));
        let mut sum = 0.0;
        for (i, j, c) in ndarray::indices((rows, columns, depth)) {
            let y = (at[1] * stride + i * dilation).wrapping_sub(before);
            let x_at = (at[2] * stride + j * dilation).wrapping_sub(before);
            let value = x.get((at[0], y, x_at, group * depth + c));
            sum += value.copied().unwrap_or(0.0) * w[(i, j, c, at[3])];
        }
        sum
    }

    #[test]
    fn convolutions_agree_with_the_definition() {
        let cases = [
            ([2, 41, 37, 3], [3, 3, 3, 5], [1, 1], 1),
            ([1, 50, 49, 8], [7, 5, 8, 16], [2, 1], 3),
            ([1, 33, 40, 4], [3, 3, 2, 6], [1, 2], 2),
            ([3, 20, 21, 6], [1, 1, 6, 9], [1, 1], 0),
            ([1, 9, 9, 260], [3, 3, 260, 7], [1, 1], 1),
            ([2, 20, 19, 40], [7, 7, 1, 40], [1, 1], 3),
            ([1, 9, 31, 7], [5, 5, 1, 21], [2, 1], 2),
            ([1, 12, 40, 18], [3, 5, 1, 18], [1, 2], 1),
            ([1, 12, 13, 8], [3, 3, 2, 12], [1, 1], 1),
        ];
        for (input, filter, [stride, dilation], pad) in cases {
            let (x, w) = (values(input, 1), values(filter, 5));
            let attrs = [
                ("strides", vec![1, stride, stride, 1].into()),
                ("dilations", vec![1, dilation, dilation, 1].into()),
                ("padding", "EXPLICIT".into()),
                ("explicit_paddings", vec![0, 0, pad, pad, pad, pad, 0, 0].into()),
            ];
            let run =
                |threads| run_in(&Threads(threads), "Conv2D", &attrs, vec![x.clone(), w.clone()]).unwrap().remove(0);
            let out = run(1);
            assert_eq!(out.as_slice::<f32>().unwrap(), run(3).as_slice::<f32>().unwrap());
            for ((b, i, j, k), &value) in out.view::<f32, ndarray::Ix4>().unwrap().indexed_iter() {
                let expected = element(&x, &w, [stride as usize, dilation as usize], pad as usize, [b, i, j, k]);
                assert_eq!(value, expected, "{input:?} {filter:?} at {:?}", [b, i, j, k]);
            }
        }
    }

    /// Volumes that a window of one plane slides over are pictures: `Conv2D` of a batch of them.
    fn check_planes<T: Element + From<f32> + PartialEq + std::fmt::Debug>(input: [usize; 5], window: [usize; 3]) {
        let [batch, planes, rows, columns, depth] = input;
        let [height, width, out_depth] = window;
        let tensor = |shape: &[usize], seed| {
            let values = values([1, 1, 1, shape.iter().product()], seed);
            Tensor::from_vec(shape, values.as_slice::<f32>().unwrap().iter().map(|&v| T::from(v)).collect()).unwrap()
        };
        let run = |op, x, w| {
            let attrs = [("strides", vec![1; Tensor::rank(&x)].into()), ("padding", "SAME".into())];
            run_in(&Threads(1), op, &attrs, vec![x, w]).unwrap().remove(0)
        };
        let x = tensor(&input, 1);
        let volumes = run("Conv3D", x.clone(), tensor(&[1, height, width, depth, out_depth], 5));
        assert_eq!(volumes.shape().dims(), [batch, planes, rows, columns, out_depth]);
        for picture in 0..batch * planes {
            let picture_size = rows * columns * depth;
            let part = x.as_slice::<T>().unwrap()[picture * picture_size..][..picture_size].to_vec();
            let part = Tensor::from_vec([1, rows, columns, depth], part).unwrap();
            let one = run("Conv2D", part, tensor(&[height, width, depth, out_depth], 5));
            let size = rows * columns * out_depth;
            assert_eq!(
                volumes.as_slice::<T>().unwrap()[picture * size..][..size],
                *one.as_slice::<T>().unwrap(),
                "{input:?} {window:?}, picture {picture}"
            );
        }
    }

    /// As the sum over the window is defined, however the convolution is computed.
    #[test]
    fn infinite_weights_times_zeros_around_the_image_are_nan() {
        let x = Tensor::from_vec([1, 1, 1, 2], vec![0.5f32, 2.0]).unwrap();
        let w = Tensor::from_vec([1, 1, 1, 2], vec![f32::INFINITY, 3.0]).unwrap();
        let attrs = [
            ("strides", vec![1; 4].into()),
            ("padding", "EXPLICIT".into()),
            ("explicit_paddings", vec![0, 0, 0, 0, 1, 0, 0, 0].into()),
        ];
        let out = run_in(&Threads(1), "Conv2D", &attrs, vec![x, w]).unwrap().remove(0);
        let out = out.as_slice::<f32>().unwrap();
        assert!(out[0].is_nan());
        assert_eq!(out[1..], [0.0, f32::INFINITY, 6.0]);
    }

    #[test]
    fn windows_of_one_plane_see_every_plane() {
        for (input, window) in
            [([3, 3, 3, 5, 1], [1, 2, 1]), ([2, 3, 12, 14, 4], [3, 3, 8]), ([2, 3, 9, 30, 4], [3, 3, 5])]
        {
            check_planes::<f32>(input, window);
            check_planes::<f64>(input, window);
        }
    }

    /// Of whole numbers, whose sums are exact in any order.
    #[test]
    fn bfloat16_agrees_with_single_precision() {
        for (input, filter, [stride, dilation], padding) in [
            ([2, 21, 17, 3], [7, 7, 3, 40], [2, 1], "SAME"),
            ([1, 9, 8, 64], [1, 1, 64, 33], [1, 1], "VALID"),
            ([1, 9, 9, 512], [1, 1, 512, 20], [1, 1], "VALID"),
            ([1, 15, 14, 6], [3, 3, 6, 5], [1, 2], "SAME"),
            ([2, 8, 8, 4], [1, 1, 4, 8], [2, 1], "SAME"),
            ([1, 6, 5, 8], [3, 3, 2, 8], [1, 1], "SAME"),
        ] {
            let small = |shape, seed| {
                let values = values(shape, seed);
                let values = values.as_slice::<f32>().unwrap().iter().map(|v| (v / 4.0).trunc());
                Tensor::from_vec(shape, values.collect::<Vec<f32>>()).unwrap()
            };
            let half = |value: &Tensor| {
                let values = value.as_slice::<f32>().unwrap().iter().map(|&v| bf16::from_f32(v));
                Tensor::from_vec(value.shape().clone(), values.collect()).unwrap()
            };
            let attrs = [
                ("strides", vec![1, stride, stride, 1].into()),
                ("dilations", vec![1, dilation, dilation, 1].into()),
                ("padding", padding.into()),
            ];
            let (x, w) = (small(input, 1), small(filter, 5));
            let single = run_in(&Threads(1), "Conv2D", &attrs, vec![x.clone(), w.clone()]).unwrap().remove(0);
            for threads in [1, 3] {
                let inputs = vec![half(&x), half(&w)];
                let out = run_in(&Threads(threads), "Conv2D", &attrs, inputs).unwrap().remove(0);
                assert_eq!(out.shape(), single.shape());
                assert_eq!(
                    out.as_slice::<bf16>().unwrap(),
                    half(&single).as_slice::<bf16>().unwrap(),
                    "{input:?} {filter:?} on {threads} threads"
                );
            }
        }
    }

    #[test]
    fn other_data_formats_are_unimplemented() {
        let attrs = [("strides", vec![1, 1, 1, 1].into()), ("padding", "SAME".into()), ("data_format", "NCHW".into())];
        let inputs = vec![values([1, 3, 3, 3], 0), values([1, 1, 3, 3], 0)];
        let error = run_in(&Threads(1), "Conv2D", &attrs, inputs).unwrap_err();
        assert_eq!(error.code(), Code::Unimplemented);
    }
}
