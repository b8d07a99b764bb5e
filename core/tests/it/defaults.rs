//! Declared defaults of every kind, as nodes hold them.

use expect_test::expect;
use oplink_api::{AttrValue, DType, TString, Tensor};
use oplink_core::{node_from_attrs, tensor_from_spec};
use oplink_spec::TensorValue;

use crate::fixture::with_op;

#[test]
fn every_kind_of_default_becomes_an_attr() {
    let op = "op Many\nattr s: string = 'a\\n'\nattr i: int = -3\nattr f: float = 0.5\nattr b: bool = true\n\
              attr t: type = DT_HALF\nattr sh: shape = { dim { size: 2 } dim { size: -1 } }\nattr un: shape = { unknown_rank: true }\n\
              attr te: tensor = { dtype: DT_INT32 tensor_shape { dim { size: 3 } } int_val: 7 }\n\
              attr fn: func = { name: 'f' attr { key: 'T' value { type: DT_INT8 } } }\n\
              attr ls: list(string) = ['x', 'y']\nattr li: list(int) = []\nattr lf: list(float) = [1, 2]\n\
              attr lb: list(bool) = [true]\nattr lt: list(type) = [DT_BOOL]\nattr lsh: list(shape) = [{ }]";
    let node = with_op(op, |op| node_from_attrs(op, "n", "", [])).unwrap();
    let lines: Vec<String> = node
        .attrs
        .iter()
        .map(|(name, value)| match value {
            AttrValue::Tensor(tensor) => {
                format!("{name}: {} {} {:?}", tensor.dtype(), tensor.shape(), tensor.as_slice::<i32>())
            }
            value => format!("{name}: {value:?}"),
        })
        .collect();
    expect![[r#"
        s: String([97, 10])
        i: Int(-3)
        f: Float(0.5)
        b: Bool(true)
        t: Type(Half)
        sh: Shape([2,?])
        un: Shape(?)
        te: int32 [3] Ok([7, 7, 7])
        fn: Func(FuncAttr { name: "f", attrs: {"T": Type(Int8)} })
        ls: Strings([[120], [121]])
        li: Ints([])
        lf: Floats([1.0, 2.0])
        lb: Bools([true])
        lt: Types([Bool])
        lsh: Shapes([[]])"#]]
    .assert_eq(&lines.join("\n"));
}

#[test]
fn a_malformed_default_names_attr_and_op() {
    let op = "op Bad\nattr te: tensor = { dtype: DT_INT32 tensor_shape { dim { size: 3 } } tensor_content: 'ab' }";
    let error = with_op(op, |op| node_from_attrs(op, "n", "", [])).unwrap_err();
    expect![[r#"
        2 bytes given for a tensor of int32 [3], which has 12
          default of attr `te`
          op Bad declared at src/dynamic.rs:1 (ops 0.1.0)"#]]
    .assert_eq(&error.to_string());
}

fn value(dtype: DType, shape: &[i64]) -> TensorValue {
    TensorValue::new(dtype, Some(shape.to_vec()))
}

#[test]
fn the_last_value_fills_the_rest_and_further_ones_are_ignored() {
    let filled = TensorValue { float_val: vec![1.0, 2.0], ..value(DType::Float, &[4]) };
    assert_eq!(tensor_from_spec(&filled).unwrap().as_slice::<f32>().unwrap(), [1.0, 2.0, 2.0, 2.0]);
    let wide = TensorValue { int_val: vec![-1, 2, 3], ..value(DType::Int16, &[10]) };
    assert_eq!(tensor_from_spec(&wide).unwrap().as_slice::<i16>().unwrap(), [-1, 2, 3, 3, 3, 3, 3, 3, 3, 3]);
    let cut = TensorValue { int64_val: vec![5, 6, 7], ..value(DType::Int64, &[2]) };
    assert_eq!(tensor_from_spec(&cut).unwrap().as_slice::<i64>().unwrap(), [5, 6]);
    assert_eq!(tensor_from_spec(&value(DType::Bool, &[2])).unwrap().as_slice::<bool>().unwrap(), [false, false]);
    let half = TensorValue { half_val: vec![0x3c00], ..value(DType::Half, &[]) };
    assert_eq!(tensor_from_spec(&half).unwrap().to_scalar::<oplink_api::element::f16>().unwrap().to_f32(), 1.0);
    let complex = TensorValue { dcomplex_val: vec![1.0, -2.0], ..value(DType::Complex128, &[1]) };
    let number = oplink_api::element::Complex::new(1.0f64, -2.0);
    assert_eq!(tensor_from_spec(&complex).unwrap().as_slice::<oplink_api::element::Complex<f64>>().unwrap(), [number]);
}

#[test]
fn content_is_bytes_or_strings_with_their_lengths() {
    let ints = TensorValue { content: vec![1, 0, 0, 0, 255, 255, 255, 255], ..value(DType::Int32, &[2]) };
    assert_eq!(tensor_from_spec(&ints).unwrap().as_slice::<i32>().unwrap(), [1, -1]);
    let strings = TensorValue { content: b"\x01\x03abcd".to_vec(), ..value(DType::String, &[2]) };
    assert_eq!(
        tensor_from_spec(&strings).unwrap().as_slice::<TString>().unwrap(),
        [TString::from("a"), TString::from("bcd")]
    );
    for (shape, content) in
        [(&[3i64][..], &b"\x01\x03abcd"[..]), (&[2], b"\x01\x04abcd"), (&[1], b"\xff"), (&[1 << 40], b"\x01")]
    {
        assert!(tensor_from_spec(&TensorValue { content: content.to_vec(), ..value(DType::String, shape) }).is_err());
    }
}

#[test]
fn what_no_tensor_can_be_is_refused() {
    let message =
        |value: &TensorValue| tensor_from_spec(value).map(|t: Tensor| t.shape().to_string()).unwrap_err().to_string();
    assert_eq!(message(&TensorValue::new(DType::Float, None)), "a constant tensor has a shape of unknown rank");
    assert_eq!(message(&value(DType::Float, &[-1])), "dimension 0 of shape [-1] is -1, must be >= 0");
    assert!(message(&value(DType::Float, &[1 << 40, 1 << 40])).contains("too many elements"));
    assert_eq!(message(&value(DType::Invalid, &[])), "a constant tensor cannot have dtype invalid");
    let half_a_value = TensorValue { scomplex_val: vec![1.0], ..value(DType::Complex64, &[1]) };
    assert_eq!(message(&half_a_value), "a complex constant has half a value");
}
