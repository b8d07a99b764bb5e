//! Convolutions by cuDNN, against sums written out; without the library, that it is reported.

use oplink::device::{ConvolutionAxis, ConvolutionResult, ConvolutionSpec, DeviceContext, copy_to_host_blocking};
use oplink::element::{bf16, f16};
use oplink::{DType, Result, Shape, Tensor};
use oplink_core::DeviceOptions;
use oplink_device_gpu::{CudaDeviceContext, FACTORY};

use crate::cuda::on_cuda;

const RESULTS: [ConvolutionResult; 3] =
    [ConvolutionResult::Output, ConvolutionResult::Image, ConvolutionResult::Filter];

/// Whether the device says that it has the library.
fn has_library() -> Result<bool> {
    let devices = (FACTORY.create)(&DeviceOptions::default())?;
    let description = devices.first().map(|device| device.attributes().description).unwrap_or_default();
    assert!(description.contains("cuDNN 9.") || description.contains("no cuDNN: "), "{description}");
    Ok(!description.contains("no cuDNN"))
}

fn axis(input: usize, window: usize, [stride, dilation, padding]: [usize; 3]) -> ConvolutionAxis {
    let axis = ConvolutionAxis { input, output: 0, window, stride, dilation, padding };
    ConvolutionAxis { output: axis.output_extent().expect("outputs"), ..axis }
}

/// A convolution in each order of the axes, and each of its results.
fn all_of(spec: ConvolutionSpec) -> Vec<ConvolutionSpec> {
    let of_order = |channels_last| RESULTS.map(|result| ConvolutionSpec { result, channels_last, ..spec });
    [true, false].into_iter().flat_map(of_order).collect()
}

fn specs(dtype: DType) -> Vec<ConvolutionSpec> {
    let spec = |[batch, depth, out_depth, groups]: [usize; 4], rows, columns| ConvolutionSpec {
        result: ConvolutionResult::Output,
        dtype,
        channels_last: true,
        batch,
        depth,
        out_depth,
        groups,
        rows,
        columns,
    };
    [
        spec([2, 8, 16, 1], axis(6, 3, [1, 1, 1]), axis(7, 3, [1, 1, 1])),
        spec([1, 3, 5, 1], axis(9, 3, [2, 1, 0]), axis(11, 2, [3, 1, 1])),
        spec([2, 4, 6, 1], axis(9, 3, [1, 2, 2]), axis(8, 2, [2, 3, 1])),
        spec([1, 6, 4, 2], axis(5, 3, [1, 1, 1]), axis(4, 1, [1, 1, 0])),
    ]
    .into_iter()
    .flat_map(all_of)
    .collect()
}

/// Small integers, which every float type has, as elements of `dtype`.
fn integers(dtype: DType, shape: [usize; 4], seed: usize) -> Result<Tensor> {
    let values = (0..shape.iter().product()).map(|at: usize| ((at * 7919 + seed) % 5) as f32 - 2.0);
    match dtype {
        DType::Half => Tensor::from_vec(Shape::new(&shape), values.map(f16::from_f32).collect()),
        DType::BFloat16 => Tensor::from_vec(Shape::new(&shape), values.map(bf16::from_f32).collect()),
        DType::Double => Tensor::from_vec(Shape::new(&shape), values.map(f64::from).collect()),
        _ => Tensor::from_vec(Shape::new(&shape), values.collect::<Vec<f32>>()),
    }
}

fn numbers(tensor: &Tensor) -> Result<Vec<f64>> {
    Ok(match tensor.dtype() {
        DType::Half => tensor.as_slice::<f16>()?.iter().map(|value| f64::from(value.to_f32())).collect(),
        DType::BFloat16 => tensor.as_slice::<bf16>()?.iter().map(|value| f64::from(value.to_f32())).collect(),
        DType::Double => tensor.as_slice::<f64>()?.to_vec(),
        _ => tensor.as_slice::<f32>()?.iter().map(|&value| f64::from(value)).collect(),
    })
}

/// The nearest number that the dtype has.
fn rounded(dtype: DType, value: f64) -> f64 {
    match dtype {
        DType::Half => f64::from(f16::from_f64(value).to_f32()),
        DType::BFloat16 => f64::from(bf16::from_f64(value).to_f32()),
        _ => value,
    }
}

/// What the spec says of image, filter and output, sum by sum.
fn written_out(spec: &ConvolutionSpec, mut values: [Vec<f64>; 3]) -> Vec<f64> {
    let result = RESULTS.iter().position(|result| *result == spec.result).expect("a result");
    let place = [2, 0, 1][result];
    values[place].fill(0.0);
    let (depth, outs) = (spec.depth / spec.groups, spec.out_depth / spec.groups);
    for (batch, out) in (0..spec.batch).flat_map(|batch| (0..spec.out_depth).map(move |out| (batch, out))) {
        for (row, row_tap, at_row) in positions(spec.rows) {
            for (column, column_tap, at_column) in positions(spec.columns) {
                for channel in 0..depth {
                    let image = at(spec, spec.image_shape(), [batch, at_row, at_column, out / outs * depth + channel]);
                    let filter = at(spec, spec.filter_shape(), [out, row_tap, column_tap, channel]);
                    let output = at(spec, spec.output_shape(), [batch, row, column, out]);
                    match spec.result {
                        ConvolutionResult::Output => values[2][output] += values[0][image] * values[1][filter],
                        ConvolutionResult::Image => values[0][image] += values[2][output] * values[1][filter],
                        ConvolutionResult::Filter => values[1][filter] += values[2][output] * values[0][image],
                    }
                }
            }
        }
    }
    std::mem::take(&mut values[place])
}

/// Output, element of the filter, and position in the image, wherever they meet along an axis.
fn positions(axis: ConvolutionAxis) -> impl Iterator<Item = (usize, usize, usize)> {
    (0..axis.output).flat_map(move |output| {
        (0..axis.window).filter_map(move |tap| {
            let at = (output * axis.stride + tap * axis.dilation).checked_sub(axis.padding)?;
            (at < axis.input).then_some((output, tap, at))
        })
    })
}

/// Where the element at these positions, channels last, is.
fn at(spec: &ConvolutionSpec, shape: [usize; 4], [number, row, column, channel]: [usize; 4]) -> usize {
    let position = if spec.channels_last { [number, row, column, channel] } else { [number, channel, row, column] };
    position.iter().zip(shape).fold(0, |at, (position, extent)| at * extent + position)
}

/// Whether the library took it.
fn check(context: &CudaDeviceContext, spec: &ConvolutionSpec) -> Result<bool> {
    let shapes = [spec.image_shape(), spec.filter_shape(), spec.output_shape()];
    let [image, filter, output] = [0, 1, 2].map(|index| integers(spec.dtype, shapes[index], index + 1));
    let host = [image?, filter?, output?];
    let there = [0, 1, 2].map(|index| context.copy_to_device(&host[index]));
    let [image, filter, output] = there;
    let there = [image?, filter?, output?];
    let Some(enqueued) = context.convolve(spec, &there[0], &there[1], &there[2]) else {
        return Ok(false);
    };
    enqueued?;
    assert!(context.has_convolution(spec), "{spec:?}");
    let place = if spec.result == ConvolutionResult::Output {
        2
    } else {
        usize::from(spec.result == ConvolutionResult::Filter)
    };
    let expected = written_out(spec, [numbers(&host[0])?, numbers(&host[1])?, numbers(&host[2])?]);
    let expected: Vec<f64> = expected.into_iter().map(|sum| rounded(spec.dtype, sum)).collect();
    assert_eq!(numbers(&copy_to_host_blocking(context, &there[place])?)?, expected, "{spec:?}");
    Ok(true)
}

#[test(Cuda)]
fn convolutions_by_the_library_are_those_of_the_spec() -> Result<()> {
    on_cuda(|context| {
        for dtype in [DType::Float, DType::Half, DType::BFloat16, DType::Double] {
            let mut taken = 0;
            for spec in specs(dtype) {
                taken += usize::from(check(context, &spec)?);
            }
            assert_eq!(taken > 0, has_library()?, "{dtype}: {taken} were taken");
        }
        Ok(())
    })
}

/// A product of f32 keeps digits that one of numbers rounded for tensor cores has not.
#[test(Cuda)]
fn products_of_f32_keep_their_digits() -> Result<()> {
    on_cuda(|context| {
        let one = axis(1, 1, [1, 1, 0]);
        let spec = ConvolutionSpec {
            batch: 1,
            depth: 4,
            out_depth: 4,
            groups: 1,
            rows: one,
            columns: one,
            ..specs(DType::Float)[0]
        };
        for spec in all_of(spec) {
            let number = 1.0 + f32::EPSILON * 1000.0;
            let fill = |shape: [usize; 4]| Tensor::from_vec(Shape::new(&shape), vec![number; shape.iter().product()]);
            let image = context.copy_to_device(&fill(spec.image_shape())?)?;
            let filter = context.copy_to_device(&fill(spec.filter_shape())?)?;
            let output = context.copy_to_device(&fill(spec.output_shape())?)?;
            if let Some(enqueued) = context.convolve(&spec, &image, &filter, &output) {
                enqueued?;
                let result = match spec.result {
                    ConvolutionResult::Output => &output,
                    ConvolutionResult::Image => &image,
                    ConvolutionResult::Filter => &filter,
                };
                let terms = if spec.result == ConvolutionResult::Filter { 1.0 } else { 4.0 };
                let have = numbers(&copy_to_host_blocking(context, result)?)?;
                let want = terms * f64::from(number) * f64::from(number);
                assert!(have.iter().all(|have| (have - want).abs() < 1e-6), "{have:?}, not {want}; {spec:?}");
            }
        }
        Ok(())
    })
}

#[test(Cuda)]
fn what_does_not_fit_is_refused_and_what_is_empty_is_not_taken() -> Result<()> {
    on_cuda(|context| {
        let spec = specs(DType::Float)[0];
        let tensor = |shape: [usize; 4]| context.allocate(DType::Float, Shape::new(&shape));
        let (image, filter, output) =
            (tensor(spec.image_shape())?, tensor(spec.filter_shape())?, tensor(spec.output_shape())?);
        let error = context.convolve(&spec, &filter, &image, &output).expect("an answer").expect_err("a refusal");
        assert!(error.message().contains("`image` does not fit the convolution"), "{error}");
        let host = Tensor::zeros(DType::Float, Shape::new(&spec.image_shape()))?;
        let error = context.convolve(&spec, &host, &filter, &output).expect("an answer").expect_err("a refusal");
        assert!(error.message().contains("lies in the host's memory"), "{error}");
        let none = ConvolutionSpec { batch: 0, ..spec };
        assert!(!context.has_convolution(&none));
        let (image, output) = (tensor(none.image_shape())?, tensor(none.output_shape())?);
        assert!(context.convolve(&none, &image, &filter, &output).is_none());
        Ok(())
    })
}
