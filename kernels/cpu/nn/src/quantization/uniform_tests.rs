//! Tests of uniformly quantized ops.

use super::*;
use oplink_cpu_support::testing::run;

fn ends(names: &[&'static str]) -> Vec<(&'static str, AttrValue)> {
    let ends = |name: &&'static str| {
        let (min, max) = match *name {
            "lhs" => ("lhs_quantization_min_val", "lhs_quantization_max_val"),
            "rhs" => ("rhs_quantization_min_val", "rhs_quantization_max_val"),
            "output" => ("output_quantization_min_val", "output_quantization_max_val"),
            _ => ("quantization_min_val", "quantization_max_val"),
        };
        [(min, AttrValue::Int(-100)), (max, AttrValue::Int(120))]
    };
    names.iter().flat_map(ends).collect()
}

#[test]
fn values_are_those_of_tensorflow() {
    let attrs = [ends(&[""]), vec![("Tout", DType::QInt8.into())]].concat();
    let inputs = vec![[1.3f32, -2.5, 0.25].into(), 0.5f32.into(), 3i32.into()];
    let out = run("UniformQuantize", &attrs, inputs).unwrap();
    assert_eq!(out[0].as_slice::<QInt8>().unwrap(), [QInt8(6), QInt8(-2), QInt8(4)]);
    let numbers =
        |values: &[i32]| Tensor::from_vec([values.len()], values.iter().map(|&value| QInt32(value)).collect()).unwrap();
    let quantized = |scale: f32, zero: i32| [Tensor::scalar(scale), Tensor::scalar(zero)];
    let inputs = [
        vec![numbers(&[1, 100, -100]), numbers(&[5, 6, 7])],
        [quantized(0.5, 3), quantized(0.25, 3), quantized(0.75, 1)].concat(),
    ];
    let out = run("UniformQuantizedAdd", &ends(&["lhs", "rhs", "output"]), inputs.concat()).unwrap();
    assert_eq!(out[0].as_slice::<QInt32>().unwrap(), [QInt32(1), QInt32(67), QInt32(-67)]);
}

/// What leaves 32 bits, and ends that are turned.
#[test]
fn extremes_are_those_of_tensorflow() {
    let numbers =
        |values: &[i32]| Tensor::from_vec([values.len()], values.iter().map(|&value| QInt32(value)).collect()).unwrap();
    let requantize = |most: i64| {
        let attrs = [
            vec![("Tout", DType::QInt8.into())],
            [("input", -128, 127), ("output", if most < 0 { 10 } else { -128 }, most)]
                .into_iter()
                .flat_map(|(side, min, max)| match side {
                    "input" => [("input_quantization_min_val", min.into()), ("input_quantization_max_val", max.into())],
                    _ => [("output_quantization_min_val", min.into()), ("output_quantization_max_val", max.into())],
                })
                .collect(),
        ];
        let inputs = vec![numbers(&[5, -5, 1_000_000, 0]), 1e6f32.into(), 0i32.into(), 1f32.into(), 7i32.into()];
        run("UniformRequantize", &attrs.concat(), inputs).unwrap().remove(0)
    };
    assert_eq!(requantize(127).as_slice::<QInt8>().unwrap(), [127, -128, -128, 7].map(QInt8));
    assert_eq!(requantize(-10).as_slice::<QInt8>().unwrap(), [10; 4].map(QInt8));
    let along = [("Tout", DType::QInt8.into()), ("input_quantization_axis", AttrValue::Int(1))];
    let bounds = ["input", "output"].into_iter().flat_map(|side| {
        let name = |end: &str| format!("{side}_quantization_{end}_val");
        [(name("min"), AttrValue::Int(-128)), (name("max"), AttrValue::Int(127))]
    });
    let bounds: Vec<(String, AttrValue)> = bounds.collect();
    let bounds = bounds.iter().map(|(name, value)| (name.as_str(), value.clone()));
    let attrs: Vec<(&str, AttrValue)> = along.into_iter().chain(bounds).collect();
    let none = |shape: &[usize]| Tensor::from_vec(shape.to_vec(), Vec::<QInt8>::new()).unwrap();
    let (scales, zeros) = (Tensor::from_slice::<f32>(&[]), Tensor::from_slice::<i32>(&[]));
    let inputs = vec![none(&[0, 0]), scales, zeros, 1f32.into(), 7i32.into()];
    assert_eq!(run("UniformRequantize", &attrs, inputs).unwrap()[0].shape().dims(), [0, 0]);
    let attrs = [
        ("Tout", DType::QInt32.into()),
        ("quantization_min_val", AttrValue::Int(i64::from(i32::MIN))),
        ("quantization_max_val", AttrValue::Int(i64::from(i32::MAX))),
    ];
    let inputs = vec![[f32::NAN, 3e9, -3e9].into(), 1f32.into(), 7i32.into()];
    let out = run("UniformQuantize", &attrs, inputs).unwrap();
    assert_eq!(out[0].as_slice::<QInt32>().unwrap(), [QInt32(-2_147_483_641); 3]);
}
