//! Elementwise ops against the CPU: values of both signs, special ones, shapes that broadcast, empty and large tensors.

use oplink::element::f16;
use oplink::{AttrValue, DType, Tensor};

use crate::support::{check, on_gpu};

/// A tensor of `shape` whose elements go on and on through `values`.
fn filled(dtype: DType, shape: &[usize], values: &[f64]) -> Tensor {
    let count = shape.iter().product();
    let all: Vec<f64> = values.iter().copied().cycle().take(count).collect();
    let attrs = [("DstT", AttrValue::Type(dtype))];
    let cast = crate::support::on_cpu("Cast", &[&Tensor::from_slice(&all)], &attrs).unwrap();
    cast[0].clone().with_shape(shape.to_vec()).unwrap()
}

const ANY: &[f64] = &[0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, 2.5, -2.5, 3.75, -7.25, 0.01, 20.0, -30.0, 100.0];
const SPECIAL: &[f64] = &[f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.0, -0.0, 1.0, -1.0];
const POSITIVE: &[f64] = &[0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 7.5, 30.0, 0.001];
const INSIDE: &[f64] = &[0.0, 0.1, -0.1, 0.5, -0.5, 0.9, -0.9, 0.99];
const WHOLE: &[f64] = &[0.0, 1.0, 2.0, 3.0, 5.0, 7.0, 60.0, 100.0, 127.0];
const SIGNED: &[f64] = &[0.0, 1.0, -1.0, 3.0, -3.0, 7.0, -8.0, 100.0, -128.0];
const INTEGERS: &[DType] = &[DType::UInt8, DType::UInt16, DType::Int8, DType::Int16, DType::Int32, DType::Int64];

/// How far results of this type may be from the CPU's.
fn tolerance(dtype: DType) -> f64 {
    match dtype {
        DType::Half => 2e-3,
        DType::Float => 2e-5,
        _ => 1e-12,
    }
}

#[track_caller]
fn unary(op: &str, dtype: DType, values: &[f64]) {
    for shape in [&[7][..], &[], &[0, 3], &[5, 241]] {
        check(op, &[&filled(dtype, shape, values)], &[], tolerance(dtype));
    }
}

#[track_caller]
fn binary(op: &str, dtype: DType, left: &[f64], right: &[f64]) {
    let shapes: [(&[usize], &[usize]); 7] = [
        (&[300], &[300]),
        (&[], &[5, 3]),
        (&[4, 1, 9], &[1, 6, 1]),
        (&[2, 3, 1, 5], &[3, 4, 1]),
        (&[0, 3], &[3]),
        (&[2, 1, 3, 1, 2, 1], &[1, 2, 1, 3, 1, 2]),
        (&[70, 33], &[33]),
    ];
    for (x, y) in shapes {
        check(op, &[&filled(dtype, x, left), &filled(dtype, y, right)], &[], tolerance(dtype));
    }
}

#[test]
fn functions_of_one_tensor() {
    for dtype in [DType::Float, DType::Half] {
        for op in ["Abs", "Neg", "Sign", "Square", "Floor", "Ceil", "Round", "IsNan", "IsInf", "IsFinite"] {
            unary(op, dtype, ANY);
            unary(op, dtype, SPECIAL);
        }
        for op in ["Sin", "Cos", "Atan", "Tanh", "Sigmoid", "Erf", "Erfc", "Asinh"] {
            unary(op, dtype, ANY);
        }
        for op in ["Tanh", "Sigmoid", "Exp", "Erf", "Erfc"] {
            unary(op, dtype, SPECIAL);
        }
        for op in ["Sqrt", "Rsqrt", "Reciprocal", "Inv", "Log", "Log1p", "Exp", "Expm1", "Sinh", "Cosh"] {
            let values = if dtype == DType::Half { &POSITIVE[..7] } else { POSITIVE };
            unary(op, dtype, values);
        }
        for op in ["Asin", "Acos", "Atanh", "Tan"] {
            unary(op, dtype, INSIDE);
        }
        unary("Acosh", dtype, &[1.0, 1.5, 2.0, 10.0, 100.0]);
    }
    unary("Erfinv", DType::Float, INSIDE);
    unary("Erfinv", DType::Float, SPECIAL);
    for dtype in [DType::Float, DType::Half] {
        for op in ["Lgamma", "Digamma"] {
            unary(op, dtype, &[0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 7.5, 9.25, 30.0, -0.5, -1.75, -3.25]);
            unary(op, dtype, &[f64::NAN, f64::INFINITY, 1.0, 2.0]);
        }
    }
    unary("Rint", DType::Float, ANY);
    for op in ["Abs", "Neg", "Square", "Sqrt", "Floor", "Ceil", "Round", "Reciprocal", "Sign"] {
        unary(op, DType::Double, POSITIVE);
    }
}

#[test]
fn functions_of_integers() {
    for op in ["Abs", "Neg", "Sign"] {
        for dtype in [DType::Int8, DType::Int16, DType::Int32, DType::Int64] {
            unary(op, dtype, SIGNED);
        }
    }
    for op in ["Invert", "PopulationCount"] {
        for dtype in [DType::Int8, DType::UInt8, DType::Int16, DType::UInt16, DType::Int32, DType::UInt32] {
            unary(op, dtype, WHOLE);
        }
    }
}

#[test]
fn arithmetic_of_two_tensors() {
    for op in ["Add", "AddV2", "Sub", "Mul", "Maximum", "Minimum", "SquaredDifference", "MulNoNan", "DivNoNan"] {
        binary(op, DType::Float, ANY, &ANY[3..]);
    }
    for op in ["AddV2", "Sub", "Mul", "RealDiv", "Div", "Maximum", "Minimum", "DivNoNan", "Xdivy"] {
        binary(op, DType::Half, &ANY[..8], &POSITIVE[..7]);
        binary(op, DType::Double, ANY, POSITIVE);
    }
    for op in ["Maximum", "Minimum", "AddV2", "Mul"] {
        binary(op, DType::Float, SPECIAL, &[1.0, f64::NAN, f64::NEG_INFINITY, -0.0, 3.0]);
    }
    for op in ["RealDiv", "Div", "FloorDiv", "TruncateDiv", "FloorMod", "Mod", "TruncateMod", "Pow", "Xlogy", "Xlog1py"]
    {
        binary(op, DType::Float, POSITIVE, &POSITIVE[1..8]);
    }
    binary("FloorMod", DType::Float, ANY, &[1.5, -2.0, 7.0, -0.25]);
    binary("Atan2", DType::Float, ANY, &ANY[2..]);
}

#[test]
fn arithmetic_of_integers() {
    for &dtype in INTEGERS {
        for op in ["AddV2", "Sub", "Mul", "Maximum", "Minimum"] {
            binary(op, dtype, WHOLE, &WHOLE[2..]);
        }
        for op in ["Div", "FloorDiv", "FloorMod", "TruncateDiv"] {
            binary(op, dtype, WHOLE, &WHOLE[1..]);
        }
    }
    for dtype in [DType::Int8, DType::Int16, DType::Int32, DType::Int64] {
        for op in ["FloorDiv", "FloorMod", "TruncateDiv", "AddV2", "Mul"] {
            binary(op, dtype, SIGNED, &[3.0, -3.0, 7.0, -1.0]);
        }
    }
    binary("Pow", DType::Int64, SIGNED, &[0.0, 1.0, 2.0, 5.0]);
    for op in ["BitwiseAnd", "BitwiseOr", "BitwiseXor"] {
        binary(op, DType::UInt8, WHOLE, &WHOLE[4..]);
        binary(op, DType::Int32, SIGNED, &SIGNED[4..]);
    }
}

#[test]
fn comparisons_and_logic() {
    let all = ["Equal", "NotEqual", "Less", "LessEqual", "Greater", "GreaterEqual"];
    for op in all {
        binary(op, DType::Float, SPECIAL, &SPECIAL[2..]);
        binary(op, DType::Half, ANY, &ANY[1..9]);
        for &dtype in INTEGERS {
            binary(op, dtype, WHOLE, &WHOLE[3..]);
        }
    }
    for op in ["LogicalAnd", "LogicalOr", "Equal", "NotEqual"] {
        binary(op, DType::Bool, &[0.0, 1.0, 1.0], &[1.0, 0.0, 0.0, 1.0]);
    }
    unary("LogicalNot", DType::Bool, &[0.0, 1.0, 1.0]);
    let (x, y) = (filled(DType::Float, &[40], ANY), filled(DType::Float, &[40], &[0.0, 1.0, 1.4]));
    check("ApproximateEqual", &[&x, &y], &[("tolerance", AttrValue::Float(0.6))], 0.0);
}

#[test]
fn casts_between_all_types() {
    let floats = [DType::Half, DType::Float, DType::Double];
    let all = [&floats[..], &[DType::Bool, DType::UInt32, DType::UInt64], INTEGERS].concat();
    for &from in &all {
        for &to in &all {
            let values = if floats.contains(&from) { &[0.0, 1.0, 2.5, 3.75, 100.0, 127.0][..] } else { WHOLE };
            for shape in [&[37][..], &[0], &[2, 3, 5]] {
                check("Cast", &[&filled(from, shape, values)], &[("DstT", AttrValue::Type(to))], tolerance(to));
            }
        }
    }
}

#[test]
fn choices() {
    for dtype in [DType::Float, DType::Half, DType::Int32, DType::Int64, DType::UInt8, DType::Bool] {
        let of = |shape: &[usize], values| filled(dtype, shape, values);
        for (condition, t, e) in
            [(&[5, 3][..], &[5, 3][..], &[5, 3][..]), (&[5, 1], &[3], &[]), (&[], &[7], &[2, 7]), (&[3], &[0, 3], &[])]
        {
            let condition = filled(DType::Bool, condition, &[1.0, 0.0, 0.0, 1.0, 1.0]);
            check("SelectV2", &[&condition, &of(t, WHOLE), &of(e, &WHOLE[3..])], &[], 0.0);
        }
        for condition in [&[6, 7][..], &[6], &[]] {
            let condition = filled(DType::Bool, condition, &[1.0, 0.0, 0.0, 1.0, 1.0]);
            check("Select", &[&condition, &of(&[6, 7], WHOLE), &of(&[6, 7], &WHOLE[3..])], &[], 0.0);
        }
    }
    for dtype in [DType::Float, DType::Half, DType::Int64, DType::Int32, DType::UInt8] {
        let t = filled(dtype, &[50], WHOLE);
        check("ClipByValue", &[&t, &filled(dtype, &[], &[2.0]), &filled(dtype, &[], &[60.0])], &[], 0.0);
        check("ClipByValue", &[&t, &filled(dtype, &[50], &[2.0, 5.0]), &filled(dtype, &[50], &[60.0])], &[], 0.0);
    }
    let outside = on_gpu(
        "Select",
        &[&filled(DType::Bool, &[2], &[1.0]), &filled(DType::Float, &[3], ANY), &filled(DType::Float, &[3], ANY)],
        &[],
    );
    assert!(outside.unwrap_err().to_string().contains("must match size of 'cond', but saw: 3 vs. 2"));
}

#[test]
fn sums_of_several() {
    for dtype in [DType::Float, DType::Half, DType::Int32, DType::Int64, DType::UInt8] {
        let tensors: Vec<Tensor> = (0..5).map(|k| filled(dtype, &[11, 3], &WHOLE[k % 3..6])).collect();
        for count in [1, 2, 5] {
            let inputs: Vec<&Tensor> = tensors[..count].iter().collect();
            check("AddN", &inputs, &[], tolerance(dtype));
        }
    }
    check("AddN", &[&filled(DType::Float, &[0], ANY), &filled(DType::Float, &[0], ANY)], &[], 0.0);
}

#[test]
fn gradients() {
    for dtype in [DType::Float, DType::Half] {
        for op in ["TanhGrad", "SigmoidGrad", "RsqrtGrad", "SqrtGrad", "ReciprocalGrad", "InvGrad"] {
            let (y, dy) = (filled(dtype, &[9, 31], &POSITIVE[..6]), filled(dtype, &[9, 31], &[1.0, -0.5, 2.0, 0.25]));
            check(op, &[&y, &dy], &[], tolerance(dtype));
        }
    }
}

#[test]
fn many_elements() {
    let count = 1_000_003;
    let x: Vec<f32> = (0..count).map(|i| (i % 1000) as f32 / 37.0 - 10.0).collect();
    let x = Tensor::from_slice(&x);
    check("AddV2", &[&x, &x], &[], 0.0);
    check("Mul", &[&x, &Tensor::scalar(3.0_f32)], &[], 0.0);
    check("Sigmoid", &[&x], &[], 1e-6);
    check("Less", &[&x, &Tensor::scalar(1.0_f32)], &[], 0.0);
    let halves: Vec<f16> = (0..count).map(|i| f16::from_f32((i % 100) as f32)).collect();
    check("AddV2", &[&Tensor::from_slice(&halves), &Tensor::scalar(f16::from_f32(1.5))], &[], 0.0);
}

#[test]
fn shifts() {
    const COUNTS: &[f64] = &[0.0, 1.0, 3.0, 7.0, 8.0, 31.0, 32.0, 63.0, 64.0, 100.0];
    const SIGNED_COUNTS: &[f64] = &[-1.0, 0.0, 1.0, -100.0, 3.0, 7.0, 8.0, 31.0, 32.0, 63.0, 64.0, 100.0];
    for op in ["LeftShift", "RightShift"] {
        for dtype in [DType::UInt8, DType::UInt16, DType::UInt32, DType::UInt64] {
            binary(op, dtype, WHOLE, COUNTS);
        }
        for dtype in [DType::Int8, DType::Int16, DType::Int32, DType::Int64] {
            binary(op, dtype, SIGNED, SIGNED_COUNTS);
        }
    }
}

#[test]
fn special_functions() {
    let around: Vec<f64> = (-60..60).map(|at| f64::from(at) * 0.37 + 0.01).collect();
    let positive: Vec<f64> = (1..120).map(|at| f64::from(at) * 0.17).collect();
    let between: Vec<f64> = (0..=64).map(|at| f64::from(at) / 64.0).chain([1e-6, 1e-12, 1e-30, -0.5, 1.5]).collect();
    let special = [f64::NAN, f64::INFINITY, 0.0, 1.0];
    for op in ["BesselI0e", "BesselI1e", "BesselI0", "BesselI1", "BesselJ0", "BesselJ1"] {
        unary(op, DType::Float, &around);
        unary(op, DType::Half, &around.iter().map(|x| x * 0.4).collect::<Vec<f64>>());
    }
    for op in ["BesselK0", "BesselK0e", "BesselK1", "BesselK1e", "BesselY0", "BesselY1"] {
        unary(op, DType::Float, &positive);
        unary(op, DType::Half, &positive);
    }
    for op in ["BesselI0e", "BesselI1e", "BesselK0", "BesselK0e", "BesselK1", "BesselK1e"] {
        unary(op, DType::Float, &special);
    }
    for op in ["Dawsn", "FresnelCos", "FresnelSin"] {
        unary(op, DType::Float, &around);
        unary(op, DType::Float, &[f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.0, 1e-20, 100.0, -250.0]);
    }
    unary("Expint", DType::Float, &positive);
    unary("Expint", DType::Float, &[f64::NAN, f64::INFINITY, 0.0, 1e-5, -1.0, 39.9, 40.1, 80.0, 88.0, 100.0]);
    unary("Spence", DType::Float, &positive);
    unary("Spence", DType::Float, &[f64::NAN, f64::INFINITY, 0.0, 1e-5, -1.0, 1.0, 1e6, 1e30]);
    unary("Ndtri", DType::Float, &between);
    unary("Ndtri", DType::Float, &[f64::NAN, f64::INFINITY]);
}

#[test]
fn complex_numbers_and_their_parts() {
    let types = [(DType::Float, DType::Complex64, 1e-6), (DType::Double, DType::Complex128, 0.0)];
    for (part, complex, tolerance) in types {
        let attrs = [("T", part.into()), ("Tout", complex.into())];
        for (real, imag) in [(&[4, 3][..], &[4, 3][..]), (&[4, 1], &[3]), (&[], &[7]), (&[0, 2], &[1, 2])] {
            let (real, imag) = (filled(part, real, ANY), filled(part, imag, &[-1.0, 0.5, 3.0, 0.25]));
            let made = on_gpu("Complex", &[&real, &imag], &attrs).unwrap().remove(0);
            let expected = crate::support::on_cpu("Complex", &[&real, &imag], &attrs).unwrap().remove(0);
            assert_eq!(made.as_bytes().unwrap(), expected.as_bytes().unwrap());
            assert_eq!(made.shape(), expected.shape());
            let conjugate = on_gpu("Conj", &[&made], &[]).unwrap().remove(0);
            let expected = crate::support::on_cpu("Conj", &[&made], &[]).unwrap().remove(0);
            assert_eq!(conjugate.as_bytes().unwrap(), expected.as_bytes().unwrap());
            let attrs = [("T", complex.into()), ("Tout", part.into())];
            check("Real", &[&made], &attrs, 0.0);
            check("Imag", &[&made], &attrs, 0.0);
            // Vulkan has few functions of f64.
            if part == DType::Float {
                check("ComplexAbs", &[&made], &attrs, tolerance);
                check("Angle", &[&made], &attrs, 1e-5);
            }
        }
    }
}

#[test]
fn products_in_space_and_buckets() {
    for dtype in [DType::Float, DType::Half, DType::Double, DType::Int8, DType::UInt16, DType::Int32, DType::Int64] {
        let (a, b) = (filled(dtype, &[5, 7, 3], WHOLE), filled(dtype, &[5, 7, 3], &[3.0, 1.0, 0.0, 2.0, 5.0]));
        check("Cross", &[&a, &b], &[], tolerance(dtype));
    }
    let error = on_gpu("Cross", &[&[1.0f32, 2.0].into(), &[1.0f32, 2.0].into()], &[]).unwrap_err();
    assert!(error.to_string().contains("the last axis has 2"), "{error}");
    let attrs = [("boundaries", AttrValue::Floats(vec![-1.0, 0.0, 0.5, 2.0, 100.0]))];
    for dtype in [DType::Float, DType::Double, DType::Int32, DType::Int64] {
        check("Bucketize", &[&filled(dtype, &[7, 9], ANY)], &attrs, 0.0);
    }
    check("Bucketize", &[&filled(DType::Float, &[9], SPECIAL)], &attrs, 0.0);
    check("Bucketize", &[&filled(DType::Float, &[9], ANY)], &[("boundaries", AttrValue::Floats(Vec::new()))], 0.0);
}
