//! Every form that parameters of inputs and attrs take.

use super::*;
use ndarray::{ArrayView1, ArrayView2, ArrayViewD};
use oplink::{FuncAttr, Inputs};

/// One input or attr of each kind.
#[op("ApiForms",
     input = "view: T", input = "fixed: int32", input = "scalar: float", input = "text: string",
     input = "tensor: double", input = "several: N * T", input = "mixed: Ts", input = "last: int64",
     output = "y: float",
     attr = "T: {float, int32}", attr = "N: int >= 1", attr = "Ts: list(type)",
     attr = "a_string: string = 'abc'", attr = "bytes: string = 'abc'", attr = "an_int: int = 3",
     attr = "a_float: float = 0.5", attr = "a_bool: bool = true", attr = "a_type: type = DT_INT8",
     attr = "a_shape: shape = { dim { size: 2 } }", attr = "a_tensor: tensor = { dtype: DT_INT32 }",
     attr = "a_func: func = { name: 'f' }", attr = "strings: list(string) = []", attr = "ints: list(int) = []",
     attr = "floats: list(float) = []", attr = "bools: list(bool) = []", attr = "types: list(type) = []",
     attr = "shapes: list(shape) = []", shape = super::like_first)]
pub struct ApiForms;

/// Sums what it can see of its inputs.
#[kernel(ApiForms, device = CPU, T = [f32, i32], a_type = any)]
fn inputs<'a, T: Element>(
    view: ArrayViewD<'a, T>,
    fixed: ArrayView2<'_, i32>,
    scalar: f32,
    text: &'a str,
    tensor: &Tensor,
    several: Inputs<'_, T>,
    mixed: &[Tensor],
    r#last: ArrayView1<'_, i64>,
    n: i64,
) -> f32 {
    let counted =
        view.len() + fixed.len() + text.len() + tensor.num_elements() + several.iter().map(|v| v.len()).sum::<usize>();
    assert_eq!(n as usize, several.len());
    scalar + counted as f32 + mixed.len() as f32 + last[0] as f32
}

/// Checks every attr.
#[kernel(ApiForms, device = CPU, label = "attrs", T = any, a_type = any)]
#[allow(clippy::too_many_arguments)]
fn attrs(
    a_string: &str,
    bytes: &[u8],
    an_int: i64,
    a_float: f32,
    a_bool: bool,
    a_type: DType,
    a_shape: &PartialShape,
    a_tensor: &Tensor,
    a_func: &FuncAttr,
    strings: &[Vec<u8>],
    ints: &[i64],
    floats: Vec<f32>,
    bools: &[bool],
    types: &[DType],
    shapes: &[PartialShape],
    ts: &[DType],
) -> Result<Tensor> {
    ensure!(a_string == "abc" && bytes == b"abc" && an_int == 3 && a_float == 0.5 && a_bool, "scalars");
    ensure!(a_type == DType::Int8 && a_shape.rank() == Some(1) && a_tensor.rank() == 0 && a_func.name == "f", "others");
    ensure!(strings.is_empty() && ints == [1, 2] && floats == [0.5] && bools == [true], "lists");
    ensure!(types == [DType::Half] && shapes.is_empty() && ts.len() == 2, "lists of types");
    Ok(Tensor::scalar(1f32))
}

fn given() -> Vec<Arg<Tensor>> {
    vec![
        Arg::One(Tensor::from([1f32, 2.0])),
        Arg::One(Tensor::from_vec([1, 3], vec![1i32, 2, 3]).unwrap()),
        Arg::One(Tensor::scalar(0.25f32)),
        Arg::One(Tensor::from("four")),
        Arg::One(Tensor::from([1f64])),
        Arg::List(vec![Tensor::from([1f32]), Tensor::from([1f32, 2.0])]),
        Arg::List(vec![Tensor::scalar(true), Tensor::from("x")]),
        Arg::One(Tensor::from([100i64])),
    ]
}

fn attr_values() -> Vec<(&'static str, AttrValue)> {
    vec![
        ("T", DType::Float.into()),
        ("N", 2i64.into()),
        ("Ts", (&[DType::Bool, DType::String]).into()),
        ("a_string", "abc".into()),
        ("bytes", "abc".into()),
        ("an_int", 3i64.into()),
        ("a_float", 0.5f32.into()),
        ("a_bool", true.into()),
        ("a_type", DType::Int8.into()),
        ("a_shape", PartialShape::from_i64(Some(&[2])).unwrap().into()),
        ("a_tensor", Tensor::scalar(0i32).into()),
        ("a_func", FuncAttr { name: "f".to_owned(), ..FuncAttr::default() }.into()),
        ("strings", AttrValue::EmptyList),
        ("ints", (&[1i64, 2]).into()),
        ("floats", (&[0.5f32]).into()),
        ("bools", (&[true]).into()),
        ("types", (&[DType::Half]).into()),
        ("shapes", AttrValue::EmptyList),
    ]
}

#[test]
fn every_form_of_input_is_bound_by_name() {
    let node = node::<ApiForms>(&attr_values(), &given(), &[&[DType::Float]]);
    let out = run(entry(descriptor::<inputs>(), &[DType::Float]), &node, given()).unwrap();
    assert_eq!(out[0].to_scalar::<f32>().unwrap(), 0.25 + (2 + 3 + 4 + 1 + 3 + 2 + 100) as f32);
}

#[test]
fn every_form_of_attr_is_bound_by_name() {
    let node = node::<ApiForms>(&attr_values(), &given(), &[&[DType::Float]]);
    let kernel = descriptor::<attrs>();
    assert!(kernel.type_attrs.is_empty() && kernel.label == "attrs");
    assert_eq!(run(entry(kernel, &[]), &node, given()).unwrap()[0].to_scalar::<f32>().unwrap(), 1.0);
}

#[test]
fn what_the_types_cannot_tell_is_an_error_that_names_the_argument() {
    let mut wrong = given();
    wrong[2] = Arg::One(Tensor::from([1f32, 2.0]));
    let node = node::<ApiForms>(&attr_values(), &wrong, &[&[DType::Float]]);
    let error = run(entry(descriptor::<inputs>(), &[DType::Float]), &node, wrong).unwrap_err().to_string();
    assert!(error.contains("binding input `scalar`") && error.contains("shape [2]"), "{error}");
    let mut wrong = given();
    wrong[1] = Arg::One(Tensor::from([1i32]));
    let error = run(entry(descriptor::<inputs>(), &[DType::Float]), &node, wrong).unwrap_err().to_string();
    assert!(error.contains("binding input `fixed`") && error.contains("rank 2"), "{error}");
}
