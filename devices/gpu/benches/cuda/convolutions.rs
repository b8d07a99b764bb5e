//! Convolutions of 3 x 3, as in the middle of a residual network, by the device's own call.

use oplink::device::{ConvolutionAxis, ConvolutionResult, ConvolutionSpec, DeviceContext};
use oplink::{DType, Shape};
use oplink_device_gpu::CudaDeviceContext;

use crate::{Outcome, on_gpu, row, values};

const AXIS: ConvolutionAxis = ConvolutionAxis { input: 28, output: 28, window: 3, stride: 1, dilation: 1, padding: 1 };
const CHANNELS: usize = 128;
const BATCH: usize = 64;

/// A row for each dtype, order of the axes and result.
pub(crate) fn measure(cuda: &CudaDeviceContext) -> Outcome<()> {
    for dtype in [DType::BFloat16, DType::Float] {
        for channels_last in [true, false] {
            for result in [ConvolutionResult::Output, ConvolutionResult::Image, ConvolutionResult::Filter] {
                measure_one(cuda, spec(dtype, channels_last, result))?;
            }
        }
    }
    Ok(())
}

fn spec(dtype: DType, channels_last: bool, result: ConvolutionResult) -> ConvolutionSpec {
    let (depth, out_depth) = (CHANNELS, CHANNELS);
    ConvolutionSpec {
        result,
        dtype,
        channels_last,
        batch: BATCH,
        depth,
        out_depth,
        groups: 1,
        rows: AXIS,
        columns: AXIS,
    }
}

fn measure_one(cuda: &CudaDeviceContext, spec: ConvolutionSpec) -> Outcome<()> {
    let ConvolutionSpec { result, dtype, channels_last, .. } = spec;
    let order = if channels_last { "NHWC" } else { "NCHW" };
    let what = format!("convolution of {dtype} {order}, 3 x 3, {CHANNELS} channels: {result:?}");
    let tensor = |shape: [usize; 4]| cuda.copy_to_device(&values(dtype, Shape::new(&shape))?);
    let (image, filter) = (tensor(spec.image_shape())?, tensor(spec.filter_shape())?);
    let output = tensor(spec.output_shape())?;
    if !cuda.has_convolution(&spec) {
        row(&what, "none by cuDNN");
        return Ok(());
    }
    let absent = || oplink::Error::not_found("cuDNN does not take the convolution after all");
    let time = on_gpu(cuda, || cuda.convolve(&spec, &image, &filter, &output).unwrap_or_else(|| Err(absent())))?;
    let products = (BATCH * AXIS.output * AXIS.output * CHANNELS * CHANNELS * AXIS.window * AXIS.window) as f64;
    row(&what, &format!("{:.0} TFLOP/s", 2.0 * products / time.as_secs_f64() / 1e12));
    Ok(())
}
