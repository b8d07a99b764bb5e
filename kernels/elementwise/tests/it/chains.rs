//! `_FusedElementwise` against the ops that its steps are.

use oplink::prelude::*;
use oplink_core::{Registry, node_for_flat_call};

use crate::support::{assert_close, run};

fn values(shape: &[usize], seed: usize) -> Tensor {
    let count: usize = shape.iter().product();
    let value = |i: usize| ((i * 37 + seed * 11) % 41) as f32 / 10.0 - 1.7;
    Tensor::from_vec(shape, (0..count).map(value).collect()).unwrap()
}

/// A step with the attrs that its op has for inputs of these dtypes.
fn step(op: &str, dtypes: &[DType], attrs: &[(&str, AttrValue)]) -> FuncAttr {
    let entry = Registry::global().unwrap().op(op).unwrap();
    let node = node_for_flat_call(entry, op, "", dtypes, attrs).unwrap();
    FuncAttr { name: op.to_owned(), attrs: node.attrs }
}

fn chain(threads: usize, steps: Vec<FuncAttr>, operands: &[i64], inputs: Vec<Tensor>, result: DType) -> Result<Tensor> {
    let attrs = [
        ("steps", AttrValue::Funcs(steps)),
        ("operands", AttrValue::Ints(operands.to_vec())),
        ("Tout", AttrValue::Type(result)),
    ];
    run(threads, "_FusedElementwise", &attrs, inputs)
}

/// Steps of singles.
fn singles(threads: usize, steps: &[(&str, usize)], operands: &[i64], inputs: Vec<Tensor>) -> Result<Tensor> {
    let steps = steps.iter().map(|&(op, arity)| step(op, &vec![DType::Float; arity], &[])).collect();
    chain(threads, steps, operands, inputs, DType::Float)
}

const UNARY: &[&str] = &[
    "Abs",
    "Ceil",
    "Cos",
    "Elu",
    "Erf",
    "Erfc",
    "Exp",
    "Expm1",
    "Floor",
    "Inv",
    "LeakyRelu",
    "Log",
    "Log1p",
    "Neg",
    "Relu",
    "Relu6",
    "Rint",
    "Round",
    "Rsqrt",
    "Selu",
    "Sigmoid",
    "Sign",
    "Sin",
    "Softplus",
    "Softsign",
    "Sqrt",
    "Square",
    "Tanh",
    "Atan",
    "Lgamma",
    "BesselI0e",
    "BesselI1e",
    "Ndtri",
];
const BINARY: &[&str] = &[
    "Add",
    "AddV2",
    "Div",
    "DivNoNan",
    "EluGrad",
    "Maximum",
    "Minimum",
    "Mul",
    "Pow",
    "RealDiv",
    "Relu6Grad",
    "ReluGrad",
    "RsqrtGrad",
    "SigmoidGrad",
    "SoftplusGrad",
    "SoftsignGrad",
    "SqrtGrad",
    "SquaredDifference",
    "Sub",
    "TanhGrad",
    "Atan2",
    "FloorDiv",
    "TruncateDiv",
    "NextAfter",
    "Igamma",
    "Igammac",
    "Zeta",
    "Polygamma",
];

#[test]
fn a_chain_of_one_step_takes_its_operands_in_their_order() {
    let (x, y) = (values(&[9, 4], 0), values(&[9, 4], 1));
    let alone = |operands: &[i64]| singles(1, &[("Sub", 2)], operands, vec![x.clone(), y.clone()]).unwrap();
    let direct = |a: &Tensor, b: &Tensor| run(1, "Sub", &[], vec![a.clone(), b.clone()]).unwrap();
    assert_close(&alone(&[0, 1]), &direct(&x, &y), 0.0);
    assert_close(&alone(&[1, 0]), &direct(&y, &x), 0.0);
    let one = singles(1, &[("Mul", 2)], &[0, 0], vec![x.clone()]).unwrap();
    assert_close(&one, &run(1, "Mul", &[], vec![x.clone(), x.clone()]).unwrap(), 0.0);
}

#[test]
fn steps_do_what_their_ops_do() {
    let special = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 0.0, -0.0, 1.0, -1.0, 6.0, 7.5, 3e7];
    let count = special.len();
    let pairs = |pick: fn(usize, usize) -> usize| -> Tensor {
        Tensor::from_slice(&(0..count * count).map(|at| special[pick(at, count)]).collect::<Vec<f32>>())
    };
    let specials = [pairs(|at, count| at / count), pairs(|at, count| at % count)];
    let plain = [values(&[3, 700], 0), values(&[3, 700], 1)];
    for inputs in [specials, plain] {
        for op in UNARY {
            let expected = run(1, op, &[], vec![inputs[0].clone()]).unwrap();
            let expected = run(1, "Neg", &[], vec![expected]).unwrap();
            let actual = singles(1, &[(op, 1), ("Neg", 1)], &[0, -1], vec![inputs[0].clone()]).unwrap();
            assert_close(&actual, &expected, 0.0);
        }
        for op in BINARY {
            let expected = run(1, op, &[], inputs.to_vec()).unwrap();
            let expected = run(1, "AddV2", &[], vec![expected, inputs[0].clone()]).unwrap();
            let actual = singles(1, &[(op, 2), ("AddV2", 2)], &[0, 1, -1, 0], inputs.to_vec()).unwrap();
            assert_close(&actual, &expected, 0.0);
        }
    }
}

#[test]
fn inputs_broadcast() {
    let steps = [("Sub", 2), ("Mul", 2), ("AddV2", 2), ("Maximum", 2), ("Sub", 2)];
    let operands = [0, 1, -1, 2, -2, 3, -3, 4, -4, 5];
    for [a, b, c] in [[3, 5, 7], [2, 9, 700], [1, 2, 5000], [40, 30, 1]] {
        let shapes: [&[usize]; 6] = [&[a, b, c], &[a, b, 1], &[c], &[1, b, c], &[], &[a, 1, c]];
        let inputs: Vec<_> = shapes.into_iter().enumerate().map(|(i, shape)| values(shape, i)).collect();
        let mut expected = inputs[0].clone();
        for (other, (op, _)) in inputs[1..].iter().zip(steps) {
            expected = run(1, op, &[], vec![expected, other.clone()]).unwrap();
        }
        for threads in [1, 3] {
            assert_close(&singles(threads, &steps, &operands, inputs.clone()).unwrap(), &expected, 0.0);
            let owned = inputs.iter().map(|input| input.deep_copy().unwrap()).collect();
            assert_close(&singles(threads, &steps, &operands, owned).unwrap(), &expected, 0.0);
        }
    }
}

#[test]
fn steps_may_have_different_types() {
    let x = values(&[50, 60], 0);
    let (less, negated) = (step("Less", &[DType::Float; 2], &[]), step("LogicalNot", &[DType::Bool], &[]));
    let zero = Tensor::scalar(0.0f32);
    let expected = run(1, "Less", &[], vec![x.clone(), zero.clone()]).unwrap();
    let expected = run(1, "LogicalNot", &[], vec![expected]).unwrap();
    let actual = chain(1, vec![less, negated], &[0, 1, -1], vec![x, zero], DType::Bool).unwrap();
    assert_close(&actual, &expected, 0.0);
}

#[test]
fn steps_may_lead_through_complex_numbers() {
    let (x, y) = (values(&[50, 60], 0), values(&[60], 1));
    let numbers = run(1, "Complex", &[], vec![x.clone(), y.clone()]).unwrap();
    let expected = run(1, "Exp", &[], vec![numbers]).unwrap();
    let expected = run(1, "ComplexAbs", &[], vec![expected]).unwrap();
    let steps = vec![
        step("Complex", &[DType::Float; 2], &[]),
        step("Exp", &[DType::Complex64], &[]),
        step("ComplexAbs", &[DType::Complex64], &[]),
    ];
    let actual = chain(1, steps, &[0, 1, -1, -2], vec![x, y], DType::Float).unwrap();
    assert_close(&actual, &expected, 0.0);
}

#[test]
fn steps_have_attrs() {
    let leaky = step("LeakyRelu", &[DType::Double], &[("alpha", 0.3f32.into())]);
    let x = Tensor::from_slice(&[-1.0f64, 2.0]);
    let actual = chain(1, vec![leaky], &[0], vec![x], DType::Double).unwrap();
    assert_eq!(actual.as_slice::<f64>().unwrap(), [-f64::from(0.3f32), 2.0]);
}

#[test]
fn malformed_chains_are_refused() {
    let x = || vec![values(&[4], 0)];
    for (steps, operands, message) in [
        (&[("Softsign", 1)][..], &[1][..], "which does not exist"),
        (&[("Add", 2)], &[0], "`operands` ends before its"),
        (&[("Neg", 1)], &[0, 0], "more than the steps take"),
        (&[("Neg", 1), ("Abs", 1)], &[0, 0], "no later step uses the result of step 0"),
        (&[("Neg", 1), ("Abs", 1)], &[-2, -1], "which does not exist"),
    ] {
        let error = singles(1, steps, operands, x()).unwrap_err().to_string();
        assert!(error.contains(message), "{steps:?}: {error}");
    }
    let steps = vec![step("Neg", &[DType::Double], &[])];
    let error = chain(1, steps, &[0], x(), DType::Double).unwrap_err().to_string();
    assert!(error.contains("step 0, Neg, takes double from Input(0), which is float"), "{error}");
    let two = vec![values(&[2, 3, 4], 0), values(&[2, 2, 4], 1)];
    let error = singles(1, &[("Neg", 1), ("Add", 2)], &[0, -1, 1], two).unwrap_err().to_string();
    assert!(error.contains("step 1, Add"), "{error}");
    let unknown = vec![FuncAttr { name: "Nonsense".to_owned(), ..FuncAttr::default() }];
    assert!(chain(1, unknown, &[0], x(), DType::Float).unwrap_err().to_string().contains("Nonsense"));
}
