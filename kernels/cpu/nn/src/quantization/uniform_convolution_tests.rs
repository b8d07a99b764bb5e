//! Convolutions of uniformly quantized tensors, with values from TensorFlow.

use super::*;
use oplink_cpu_support::testing::{assert_close, run};

type Attrs<'a> = Vec<(&'a str, AttrValue)>;

/// Bytes that follow from their number.
fn byte(at: usize, factor: usize, start: usize) -> i8 {
    ((at * factor + start) % 256) as i8 ^ i8::MIN
}

fn image(shape: &[usize]) -> Tensor {
    let count = shape.iter().product();
    Tensor::from_vec(shape, (0..count).map(|at| QInt8(byte(at, 37, 11))).collect()).unwrap()
}

fn filter(shape: &[usize]) -> Tensor {
    let count = shape.iter().product();
    Tensor::from_vec(shape, (0..count).map(|at| QInt8(byte(at, 29, 5))).collect()).unwrap()
}

/// One quantization each for input, filter and output.
fn quantizations() -> Vec<Tensor> {
    vec![0.5f32.into(), 3i32.into(), 0.25f32.into(), (-2i32).into(), 1.5f32.into(), 7i32.into()]
}

/// The attrs, of which later ones count.
fn attrs<'a>(more: &[(&'a str, AttrValue)]) -> Attrs<'a> {
    let wide = [i64::from(i32::MIN), i64::from(i32::MAX)];
    let mut all: Attrs<'a> = vec![
        ("Tout", DType::QInt32.into()),
        ("padding", "VALID".into()),
        ("lhs_quantization_min_val", (-128).into()),
        ("lhs_quantization_max_val", 127.into()),
        ("rhs_quantization_min_val", (-128).into()),
        ("rhs_quantization_max_val", 127.into()),
        ("output_quantization_min_val", wide[0].into()),
        ("output_quantization_max_val", wide[1].into()),
    ];
    all.retain(|(name, _)| more.iter().all(|(other, _)| other != name));
    all.extend_from_slice(more);
    all
}

fn convolve(x: &[usize], w: &[usize], quantizations: Vec<Tensor>, more: &[(&str, AttrValue)]) -> Result<Tensor> {
    let inputs = [vec![image(x), filter(w)], quantizations].concat();
    Ok(run("UniformQuantizedConvolution", &attrs(more), inputs)?.remove(0))
}

fn check(out: &Tensor, shape: &[usize], expected: &[i32]) {
    let values: Vec<i32> = out.as_slice::<QInt32>().unwrap().iter().map(|value| value.0).collect();
    assert_eq!((out.shape().dims(), &values[..]), (shape, expected));
}

#[test]
fn windows_are_those_of_tensorflow() {
    let (x, w) = ([1, 2, 2, 3], [2, 2, 2, 2]);
    check(&convolve(&x, &w, quantizations(), &[]).unwrap(), &[1, 2, 1, 2], &[1314, 939, -750, -415]);
    let same = [("padding", "SAME".into()), ("window_strides", vec![2, 1].into())];
    let out = convolve(&x, &w, quantizations(), &same).unwrap();
    check(&out, &[1, 2, 1, 3], &[1314, 939, 300, -750, -415, -621]);
    let mut far = quantizations();
    far[1] = 300i32.into();
    let explicit = [
        ("padding", "EXPLICIT".into()),
        ("explicit_padding", vec![1, 0, 0, 2].into()),
        ("lhs_dilation", vec![2, 1].into()),
        ("rhs_dilation", vec![1, 2].into()),
    ];
    let expected = [7891, 7503, 6620, 6620, 8312, 7745, 6620, 6620, 7114, 7451, 6620, 6620];
    check(&convolve(&[1, 2, 2, 2], &[1, 2, 2, 1], far, &explicit).unwrap(), &[1, 1, 3, 4], &expected);
}

#[test]
fn groups_are_those_of_tensorflow() {
    let out = convolve(&[2, 4, 3], &[4, 2, 2], quantizations(), &[("feature_group_count", 2.into())]).unwrap();
    let expected = [1821, 865, 43, 517, 2422, -408, -372, 425, -966, 41, -425, -462, 798, 335, -701, -522];
    check(&out, &[2, 4, 2], &expected);
    let each = [
        vec![0.5f32.into(), 3i32.into(), [1f32, 2.0, 3.0, 4.0].into(), [0i32, 1, 2, 3].into()],
        vec![[1f32, 2.0, 1.0, 2.0].into(), [1i32, 2, 3, 4].into()],
    ];
    let more =
        [("batch_group_count", 2.into()), ("rhs_quantization_axis", 0.into()), ("output_quantization_axis", 1.into())];
    let out = convolve(&[2, 2, 3], &[4, 2, 2], each.concat(), &more).unwrap();
    check(&out, &[1, 4, 2], &[11071, 5188, 492, 3119, 43862, -6439, -4229, 5881]);
}

#[test]
fn a_message_names_the_axes() {
    let message = [16u8, 3, 26, 2, 1, 2, 32, 2, 40, 3, 50, 2, 0, 1, 64, 3, 74, 2, 1, 2];
    let each = vec![0.5f32.into(), 3i32.into(), [1f32, 2.0].into(), [1i32, 2].into(), 64f32.into(), 7i32.into()];
    let more = |message: &[u8]| {
        [("dimension_numbers", AttrValue::String(message.to_vec())), ("rhs_quantization_axis", 3.into())]
    };
    let out = convolve(&[1, 2, 3, 2], &[2, 2, 2, 2], each.clone(), &more(&message)).unwrap();
    check(&out, &[1, 1, 2, 2], &[345, 102, 50, 388]);
    for wrong in [&b"abc"[..], &message[..5], &[26, 2, 1, 2], &[16, 9, 26, 2, 1, 2]] {
        assert!(convolve(&[1, 2, 3, 2], &[2, 2, 2, 2], each.clone(), &more(wrong)).is_err());
    }
}

#[test]
fn sums_stay_between_the_ends() {
    let more = [("output_quantization_min_val", 0.into()), ("output_quantization_max_val", 50.into())];
    check(&convolve(&[1, 1, 3], &[1, 1, 2], quantizations(), &more).unwrap(), &[1, 1, 2], &[50, 50]);
}

#[test]
fn what_does_not_fit_is_refused() {
    let refused = |x: &[usize], w: &[usize], more: &[(&str, AttrValue)]| {
        convolve(x, w, quantizations(), more).unwrap_err().code() == Code::InvalidArgument
    };
    let (x, w) = ([1, 2, 3], [2, 2, 2]);
    assert!(convolve(&x, &w, quantizations(), &[]).is_ok());
    assert!(refused(&x, &[2, 2, 2, 1], &[]) && refused(&[1, 2], &[2, 2], &[]));
    assert!(refused(&x, &[2, 1, 2], &[]) && refused(&[1, 0, 3], &[2, 0, 2], &[]) && refused(&[1, 2, 0], &w, &[]));
    for (name, value) in [
        ("padding", "FULL".into()),
        ("padding", "EXPLICIT".into()),
        ("explicit_padding", vec![0, 0].into()),
        ("window_strides", vec![0].into()),
        ("window_strides", vec![1, 1].into()),
        ("lhs_dilation", vec![0].into()),
        ("rhs_dilation", vec![1i64 << 40].into()),
        ("feature_group_count", 0.into()),
        ("feature_group_count", 2.into()),
        ("batch_group_count", 2.into()),
        ("lhs_quantization_axis", 0.into()),
        ("rhs_quantization_axis", 1.into()),
        ("rhs_quantization_axis", 0.into()),
        ("output_quantization_axis", 0.into()),
    ] {
        assert!(refused(&x, &w, &[(name, value)]), "{name}");
    }
    let mut negative = quantizations();
    negative[2] = (-1f32).into();
    assert!(convolve(&x, &w, negative, &[]).is_err());
}

fn convolve_numbers(more: &[(&str, AttrValue)], scales: Tensor, zeros: Tensor) -> Tensor {
    let numbers = (0..8).map(|at| f32::from(byte(at, 37, 11)) / 8.0).collect();
    let inputs = vec![Tensor::from_vec([2, 1, 4], numbers).unwrap(), filter(&[2, 1, 2]), scales, zeros];
    let more = [&[("Tout", DType::Float.into())], more].concat();
    let attrs: Attrs<'_> = attrs(&more).into_iter().filter(|(name, _)| !name.contains("lhs_q")).collect();
    let attrs: Attrs<'_> = attrs.into_iter().filter(|(name, _)| !name.starts_with("output_")).collect();
    run("UniformQuantizedConvolutionHybrid", &attrs, inputs).unwrap().remove(0)
}

#[test]
fn numbers_become_bytes_image_by_image() {
    let expected = [
        1393.0742f32,
        882.4897,
        372.73676,
        679.5463,
        436.74265,
        194.77058,
        -648.62646,
        -1158.714,
        -133.225,
        -290.6044,
        -532.9537,
        -167.4706,
    ];
    let out = convolve_numbers(&[], 0.5f32.into(), 2i32.into());
    assert_close(&out, &Tensor::from_vec([2, 2, 3], expected.to_vec()).unwrap(), 1.0);
    let expected = [
        2761.5442f32,
        1749.6089,
        739.3368,
        92.45294,
        309.01764,
        199.1581,
        89.71434,
        11.556618,
        -1284.9073,
        -2295.85,
        -267.6309,
        1770.4647,
        -129.87022,
        -239.50441,
        -85.211395,
        221.30809,
    ];
    let more = [("padding", "SAME".into()), ("rhs_quantization_axis", 0.into())];
    let out = convolve_numbers(&more, [1f32, 0.25].into(), [1i32, -3].into());
    assert_close(&out, &Tensor::from_vec([2, 2, 4], expected.to_vec()).unwrap(), 1.0);
}
