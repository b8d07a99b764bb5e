//! Which tensors a convolution takes.

use oplink::device::{ConvolutionAxis, ConvolutionResult, ConvolutionSpec};
use oplink::{DType, Tensor};

/// An axis with a zero on each side.
fn axis(input: usize, output: usize, window: usize) -> ConvolutionAxis {
    ConvolutionAxis { input, output, window, stride: 1, dilation: 1, padding: 1 }
}

fn spec() -> ConvolutionSpec {
    ConvolutionSpec {
        result: ConvolutionResult::Output,
        dtype: DType::Float,
        channels_last: true,
        batch: 2,
        depth: 6,
        out_depth: 4,
        groups: 2,
        rows: axis(5, 5, 3),
        columns: axis(6, 7, 2),
    }
}

fn zeros(shape: [usize; 4]) -> Tensor {
    Tensor::zeros(DType::Float, shape.to_vec()).expect("zeros")
}

#[track_caller]
fn refused(spec: &ConvolutionSpec, shapes: [[usize; 4]; 3], why: &str) {
    let [image, filter, output] = shapes.map(zeros);
    let message = spec.check(&image, &filter, &output).expect_err("a refusal").to_string();
    assert!(message.contains(why), "{message}");
}

#[test]
fn shapes_follow_the_order_of_the_axes() {
    let last = spec();
    let shapes = [last.image_shape(), last.filter_shape(), last.output_shape()];
    assert_eq!(shapes, [[2, 5, 6, 6], [4, 3, 2, 3], [2, 5, 7, 4]]);
    let first = ConvolutionSpec { channels_last: false, ..last };
    let shapes = [first.image_shape(), first.filter_shape(), first.output_shape()];
    assert_eq!(shapes, [[2, 6, 5, 6], [4, 3, 3, 2], [2, 4, 5, 7]]);
}

#[test]
fn tensors_must_have_the_shapes_and_the_dtype() {
    let spec = spec();
    let [image, filter, output] = [spec.image_shape(), spec.filter_shape(), spec.output_shape()];
    let [one, two, three] = [image, filter, output].map(zeros);
    spec.check(&one, &two, &three).expect("it fits");
    refused(&spec, [[2, 6, 6, 5], filter, output], "`image`");
    refused(&spec, [image, [3, 2, 3, 4], output], "`filter`");
    refused(&spec, [image, filter, [2, 5, 7, 6]], "`output`");
    let half = ConvolutionSpec { dtype: DType::Half, ..spec };
    refused(&half, [image, filter, output], "the tensor is float");
}

#[test]
fn extents_must_fit_together() {
    let spec = spec();
    let shapes = [spec.image_shape(), spec.filter_shape(), spec.output_shape()];
    refused(&ConvolutionSpec { groups: 4, ..spec }, shapes, "do not divide the channels");
    refused(&ConvolutionSpec { groups: 0, ..spec }, shapes, "do not divide the channels");
    let short = ConvolutionAxis { padding: 0, ..spec.rows };
    refused(&ConvolutionSpec { rows: short, ..spec }, shapes, "there are Some(3) outputs");
    let still = ConvolutionAxis { stride: 0, ..spec.columns };
    refused(&ConvolutionSpec { columns: still, ..spec }, shapes, "there are None outputs");
}

#[test]
fn outputs_are_counted_as_the_filter_moves() {
    let of = |input, window, stride, dilation, padding| {
        ConvolutionAxis { input, output: 0, window, stride, dilation, padding }.output_extent()
    };
    // Figures of cuDNN 9.21's own cudnnGetConvolution2dForwardOutputDim.
    assert_eq!(of(9, 3, 2, 1, 1), Some(5));
    assert_eq!(of(11, 2, 1, 2, 1), Some(11));
    assert_eq!(of(2, 3, 1, 1, 0), None);
    assert_eq!(of(3, 3, 5, 1, 0), Some(1));
    assert_eq!(of(3, 0, 1, 1, 0), None);
    assert_eq!(of(3, 1, 1, 0, 0), None);
    assert_eq!(of(usize::MAX, 1, 1, 1, 1), None);
}
