//! Fused convolutions of bytes against what TensorFlow printed, and against each other.

use oplink::element::{QInt8, QInt32, QUInt8};
use oplink::prelude::*;
use oplink_cpu_support::testing::run;

fn unsigned(shape: &[usize], value: impl Fn(usize) -> usize) -> Tensor {
    let count = shape.iter().product::<usize>();
    Tensor::from_vec(shape, (0..count).map(|at| QUInt8((value(at) % 256) as u8)).collect()).unwrap()
}

fn signed(shape: &[usize], value: impl Fn(usize) -> usize) -> Tensor {
    let count = shape.iter().product::<usize>();
    Tensor::from_vec(shape, (0..count).map(|at| QInt8((value(at) % 256).wrapping_sub(128) as i8)).collect()).unwrap()
}

fn image() -> Tensor {
    unsigned(&[1, 3, 3, 2], |at| at * 37)
}

fn filter() -> Tensor {
    signed(&[2, 2, 2, 2], |at| at * 53 + 7)
}

/// The ends of the ranges of image and filter.
fn ranges() -> Vec<Tensor> {
    vec![(-0.5f32).into(), 2f32.into(), [-1f32, -0.5].into(), [0.25f32, 0.75].into()]
}

fn output_range() -> Vec<Tensor> {
    vec![(-1f32).into(), 3f32.into()]
}

fn bias() -> Tensor {
    [0.1f32, -0.2].into()
}

fn attrs(dtypes: &[(&'static str, DType)]) -> Vec<(&'static str, AttrValue)> {
    let dtypes = dtypes.iter().map(|&(name, dtype)| (name, dtype.into()));
    dtypes.chain([("strides", vec![1; 4].into()), ("padding", "VALID".into())]).collect()
}

fn integers(tensor: &Tensor) -> Vec<i32> {
    match tensor.dtype() {
        DType::QInt32 => tensor.as_slice::<QInt32>().unwrap().iter().map(|value| value.0).collect(),
        DType::QInt8 => tensor.as_slice::<QInt8>().unwrap().iter().map(|value| value.0.into()).collect(),
        _ => tensor.as_slice::<QUInt8>().unwrap().iter().map(|value| value.0.into()).collect(),
    }
}

#[track_caller]
fn check(op: &str, attrs: &[(&'static str, AttrValue)], inputs: Vec<Vec<Tensor>>, expected: &[i32]) -> Vec<Tensor> {
    let out = run(op, attrs, inputs.concat()).unwrap();
    assert_eq!(integers(&out[0]), expected, "{op}");
    out
}

#[test]
fn sums_are_in_units_of_the_largest_range() {
    let expected = [18268, 7128, 2684, -19620, -37444, -12060, 4316, -16152];
    let inputs = vec![vec![image(), filter()], ranges()];
    let out = check("QuantizedConv2DPerChannel", &attrs(&[]), inputs, &expected);
    assert_eq!(out[1].as_slice::<f32>().unwrap(), [-103_611.03; 2]);
    assert_eq!(out[2].as_slice::<f32>().unwrap(), [103_611.03; 2]);
}

#[test]
fn biases_are_numbers_or_units_of_sums() {
    let of = |bias: Tensor, image: Tensor, expected: [i32; 8]| {
        let attrs = attrs(&[("Tinput", image.dtype()), ("Tbias", bias.dtype())]);
        let inputs = vec![vec![image, filter(), bias], ranges(), output_range()];
        check("QuantizedConv2DWithBiasAndRequantize", &attrs, inputs, &expected);
    };
    of(bias(), image(), [52, 10, 11, -60, -94, -40, 16, -51]);
    let integers = Tensor::from_vec([2], vec![QInt32(3000), QInt32(-2000)]).unwrap();
    of(integers, signed(&[1, 3, 3, 2], |at| at * 37), [127, 98, 62, -42, -128, -3, 71, -24]);
}

#[test]
fn summands_are_bytes_or_numbers() {
    let summand_range = || vec![(-1f32).into(), 1.5f32.into()];
    let of = |op: &str, summand: Tensor, more: [Vec<Tensor>; 2], expected: &[i32]| {
        let [before, after] = more;
        let inputs = vec![vec![image(), filter(), bias()], ranges(), before, vec![summand], after];
        check(op, &attrs(&[]), inputs, expected);
    };
    let op = "QuantizedConv2DWithBiasSumAndReluAndRequantize";
    let summand = unsigned(&[1, 2, 2, 2], |at| at * 29);
    of(op, summand, [output_range(), summand_range()], &[104, 35, 52, 0, 0, 0, 118, 0]);
    let op = "QuantizedConv2DWithBiasSignedSumAndReluAndRequantize";
    let summand = signed(&[1, 2, 2, 2], |at| at * 29);
    of(op, summand.clone(), [output_range(), summand_range()], &[0, 0, 0, 0, 0, 0, 77, 0]);
    // As a signed byte the largest is 127.
    let small = vec![(-0.1f32).into(), 0.1f32.into()];
    of(op, summand, [small, summand_range()], &[0, 0, 0, 0, 0, 0, 127, 0]);
    let numbers: Vec<f32> = (0..8).map(|at: i16| f32::from(at * 29 - 100) / 64.0).collect();
    let numbers = Tensor::from_vec([1, 2, 2, 2], numbers).unwrap();
    of("QuantizedConv2DWithBiasSumAndRelu", numbers, [vec![], vec![]], &[0, 0, 0, 0, 0, 0, 24658, 6669]);
}

#[test]
fn summands_have_the_shape_of_the_output() {
    let summand = Tensor::zeros(DType::Float, [1, 2, 2, 1]).unwrap();
    let inputs = [vec![image(), filter(), bias()], ranges(), vec![summand]];
    let error = run("QuantizedConv2DWithBiasSumAndRelu", &attrs(&[]), inputs.concat()).unwrap_err();
    assert_eq!(error.code(), Code::InvalidArgument);
}

#[test]
fn lists_of_padding_take_the_place_of_the_padding() {
    let listed = |list: [i64; 8], padding: &str| {
        let attrs =
            [("strides", vec![1; 4].into()), ("padding", padding.into()), ("padding_list", list.to_vec().into())];
        let inputs = [vec![image(), filter(), bias()], ranges()].concat();
        run("QuantizedConv2DWithBias", &attrs, inputs).unwrap().remove(0)
    };
    let expected = [
        10129, -9344, 14273, -8677, -10480, 924, 19887, 3890, 4303, -22859, -29259, -2626, -35825, -15298, 5935,
        -19390, -22731, -3136,
    ];
    assert_eq!(integers(&listed([0, 0, 1, 0, 0, 1, 0, 0], "SAME")), expected);
    assert_eq!(*listed([0; 8], "SAME").shape().dims(), [1, 3, 3, 2]);
    assert_eq!(*listed([0; 8], "VALID").shape().dims(), [1, 2, 2, 2]);
}

#[test]
fn channels_are_convolved_by_themselves() {
    let filter = signed(&[2, 2, 2, 1], |at| at * 106 + 7);
    let expected = [99, 0, 44, 0, 0, 0, 40, 0];
    let inputs = vec![vec![image(), filter.clone(), bias()], ranges(), output_range()];
    check("QuantizedDepthwiseConv2DWithBiasAndReluAndRequantize", &attrs(&[]), inputs, &expected);
    // With a group for each channel it is the same convolution.
    let grouped = filter.with_shape([2, 2, 1, 2]).unwrap();
    let inputs = vec![vec![image(), grouped, bias()], ranges(), output_range()];
    check("QuantizedConv2DWithBiasAndReluAndRequantize", &attrs(&[("Tbias", DType::Float)]), inputs, &expected);
}

#[test]
fn ranges_of_the_filter_fit_its_channels() {
    let of = |min: Tensor, max: Tensor| {
        let inputs = vec![image(), filter(), (-0.5f32).into(), 2f32.into(), min, max];
        run("QuantizedConv2DPerChannel", &attrs(&[]), inputs)
    };
    assert!(of((-1f32).into(), 1f32.into()).is_ok());
    assert_eq!(*of([-1f32].into(), [1f32].into()).unwrap()[1].shape().dims(), [1]);
    assert!(of([-1f32, -1.0, -1.0].into(), [1f32, 1.0, 1.0].into()).is_err());
    assert!(of([-1f32, -1.0].into(), 1f32.into()).is_err());
}
