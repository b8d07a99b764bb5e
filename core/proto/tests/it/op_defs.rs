//! TensorFlow's 1,908 declarations as specs.

use crate::models::data;
use oplink_proto::op_def::{ArgDef, AttrDef};
use oplink_proto::{AttrValue, OpDef, OpExtras, OpList, attr_value, from_bytes, op_def_to_spec, spec_to_op_def};
use oplink_proto::{TensorProto, VariantTensorDataProto};
use oplink_spec::DType;

/// The declarations of all of TensorFlow's ops.
pub(crate) fn ops() -> Vec<OpDef> {
    let ops: OpList = from_bytes(data("tensorflow-2.21-ops.pb")).expect("TensorFlow wrote it");
    assert_eq!(ops.op.len(), 1908);
    ops.op
}

#[test]
fn every_declaration_comes_back_whole() {
    for original in ops() {
        let mut rest = original.clone();
        let extras = OpExtras::take_from(&mut rest);
        let spec = op_def_to_spec(&rest).unwrap_or_else(|e| panic!("{e}"));
        let mut back = spec_to_op_def(&spec);
        assert_eq!(back, rest, "{}", original.name);
        extras.apply(&mut back);
        assert_eq!(back, original, "{}", original.name);
    }
}

#[test]
fn extras_of_other_args_are_left_out() {
    let arg = |name: &str, description: &str| ArgDef {
        name: name.into(),
        description: description.into(),
        ..ArgDef::default()
    };
    let mut op = OpDef { input_arg: vec![arg("a", "A."), arg("b", "")], ..OpDef::default() };
    let extras = OpExtras::take_from(&mut op);
    assert_eq!(extras.inputs.keys().collect::<Vec<_>>(), ["a"]);
    let mut other = OpDef { input_arg: vec![arg("b", "B."), arg("c", "")], ..OpDef::default() };
    extras.apply(&mut other);
    assert_eq!(other.input_arg, [arg("b", ""), arg("c", "")]);
}

#[test]
fn what_a_spec_cannot_hold_is_an_error() {
    let arg = |f: &dyn Fn(&mut ArgDef)| {
        let mut arg = ArgDef { name: "a".into(), ..ArgDef::default() };
        f(&mut arg);
        OpDef { name: "Op".into(), input_arg: vec![arg], ..OpDef::default() }
    };
    let attr = |f: &dyn Fn(&mut AttrDef)| {
        let mut attr = AttrDef { name: "a".into(), r#type: "tensor".into(), ..AttrDef::default() };
        f(&mut attr);
        OpDef { name: "Op".into(), attr: vec![attr], ..OpDef::default() }
    };
    let variant = TensorProto { variant_val: vec![VariantTensorDataProto::default()], ..TensorProto::default() };
    let tensor = AttrValue { value: Some(attr_value::Value::Tensor(variant)) };
    let number = AttrValue { value: Some(attr_value::Value::Type(77)) };
    let cases = [
        (arg(&|_| {}), "op `Op`, input `a`: it has no type"),
        (arg(&|a| (a.r#type, a.type_attr) = (1, "T".into())), "it has several types"),
        (arg(&|a| a.r#type = 101), "a reference to float"),
        (arg(&|a| a.r#type = 77), "no type has the number 77"),
        (attr(&|a| a.r#type = "list(list(int))".into()), "op `Op`, attr `a`: `list(list(int))` is no kind"),
        (attr(&|a| a.default_value = Some(AttrValue::default())), "its default has no value"),
        (attr(&|a| a.default_value = Some(tensor.clone())), "resources or variants"),
        (attr(&|a| a.default_value = Some(number.clone())), "no type has the number 77"),
        (attr(&|a| a.allowed_values = Some(number.clone())), "no type has the number 77"),
    ];
    for (op, message) in cases {
        let error = op_def_to_spec(&op).expect_err(message).to_string();
        assert!(error.contains(message), "{error}");
    }
}

#[test]
fn numbers_of_types_are_tensorflows() {
    assert_eq!(oplink_proto::dtype_from_wire(1), Some((DType::Float, false)));
    assert_eq!(oplink_proto::dtype_from_wire(133), Some((DType::Float4E2M1FN, true)));
    for number in [-1, 34, 99, 100, 134, i32::MIN, i32::MAX] {
        assert_eq!(oplink_proto::dtype_from_wire(number), None, "{number}");
    }
}
