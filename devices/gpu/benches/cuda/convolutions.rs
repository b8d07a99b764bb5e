//! Convolutions of 3 x 3, as in the middle of a residual network, by the device's own call and by cuDNN called
//! directly.

use std::time::Duration;

use oplink::device::{ConvolutionAxis, ConvolutionResult, ConvolutionSpec, DeviceContext};
use oplink::{DType, Shape, Tensor};

use crate::measure::{Bench, flops, row, speed, values};
use crate::{Outcome, direct};

const AXIS: ConvolutionAxis = ConvolutionAxis { input: 28, output: 28, window: 3, stride: 1, dilation: 1, padding: 1 };

/// A row for each dtype, order of the axes and result.
pub(crate) fn convolutions(bench: &Bench<'_>) -> Outcome<()> {
    for dtype in [DType::BFloat16, DType::Half, DType::Float] {
        for channels_last in [true, false] {
            for result in [ConvolutionResult::Output, ConvolutionResult::Image, ConvolutionResult::Filter] {
                convolution(bench, spec(bench, dtype, channels_last, result))?;
            }
        }
    }
    Ok(())
}

fn spec(bench: &Bench<'_>, dtype: DType, channels_last: bool, result: ConvolutionResult) -> ConvolutionSpec {
    let (batch, channels) = (bench.sizes.batch, bench.sizes.channels);
    ConvolutionSpec {
        result,
        dtype,
        channels_last,
        batch,
        depth: channels,
        out_depth: channels,
        groups: 1,
        rows: AXIS,
        columns: AXIS,
    }
}

fn convolution(bench: &Bench<'_>, spec: ConvolutionSpec) -> Outcome<()> {
    let ConvolutionSpec { result, dtype, channels_last, batch, depth, .. } = spec;
    let order = if channels_last { "NHWC" } else { "NCHW" };
    let what = format!("convolution of {dtype} {order}, 3 x 3, {depth} channels: {result:?}");
    if !bench.cuda.has_convolution(&spec) {
        row(&what, "none by cuDNN");
        return Ok(());
    }
    let host: Vec<Tensor> = [spec.image_shape(), spec.filter_shape(), spec.output_shape()]
        .iter()
        .map(|shape| values(dtype, Shape::new(shape)))
        .collect::<oplink::Result<_>>()?;
    let own = own(bench, &spec, &host)?;
    let products = (batch * AXIS.output * AXIS.output * depth * depth * AXIS.window * AXIS.window) as f64;
    let own = speed(2.0 * products, own);
    let figure = match direct::convolutions::time(&spec, &host, &bench.sizes)? {
        None => format!("{}; cuDNN called directly finds no algorithm", flops(own)),
        Some((direct, algorithm)) => {
            let direct = speed(2.0 * products, direct);
            let (share, direct) = (100.0 * own / direct, flops(direct));
            format!("{}, {share:.0} % of cuDNN's fastest algorithm (number {algorithm}: {direct})", flops(own))
        }
    };
    row(&what, &figure);
    Ok(())
}

/// The GPU's time for the device's own call.
fn own(bench: &Bench<'_>, spec: &ConvolutionSpec, host: &[Tensor]) -> Outcome<Duration> {
    let there: Vec<Tensor> =
        host.iter().map(|tensor| bench.cuda.copy_to_device(tensor)).collect::<oplink::Result<_>>()?;
    let absent = || oplink::Error::not_found("cuDNN does not take the convolution after all");
    bench.on_gpu(|| bench.cuda.convolve(spec, &there[0], &there[1], &there[2]).unwrap_or_else(|| Err(absent())))
}
