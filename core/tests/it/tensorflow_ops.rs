//! All 1,908 ops of TensorFlow 2.21: they seal, their defaults become attrs, and what inference finds from the inputs
//! is what the attrs say.

use std::path::Path;

use oplink_api::{AttrValue, DType, NodeInfo};
use oplink_core::{
    ArgDTypes, OpEntry, Registry, RegistryBuilder, check_inputs, group_inputs, node_for_call, node_for_flat_call,
    node_from_attrs,
};
use oplink_proto::{OpDef, OpList, from_bytes, op_def_to_spec};
use oplink_spec::{Allowed, AttrSpec, ScalarKind};

use crate::fixture::at;

fn tensorflow() -> Registry {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("proto/tests/data/tensorflow-2.21-ops.pb");
    let bytes = std::fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let ops: OpList = from_bytes(bytes).unwrap();
    let add = |builder: RegistryBuilder, op: &OpDef| {
        builder.dynamic_op(op_def_to_spec(op).unwrap(), None, "", at("tensorflow", 0))
    };
    ops.op.iter().fold(RegistryBuilder::empty(), add).seal().unwrap_or_else(|e| panic!("{e}"))
}

/// Some value that the attr allows; lists and numbers have `count` elements where they may.
fn some_value(attr: &AttrSpec, count: i64, pick: usize) -> AttrValue {
    let dtype = |at: usize| match &attr.allowed {
        Some(Allowed::Types(types)) => types[(pick + at) % types.len()],
        _ => DType::ALL[(pick * 7 + at) % DType::ALL.len()],
    };
    let string = match &attr.allowed {
        Some(Allowed::Strings(strings)) => strings[pick % strings.len()].clone(),
        _ => b"text".to_vec(),
    };
    let length = count.max(attr.minimum.unwrap_or(0)) as usize;
    match (attr.kind.list, attr.kind.scalar) {
        (false, ScalarKind::String) => AttrValue::String(string),
        (false, ScalarKind::Int) => AttrValue::Int(count.max(attr.minimum.unwrap_or(0))),
        (false, ScalarKind::Float) => AttrValue::Float(0.5),
        (false, ScalarKind::Bool) => AttrValue::Bool(true),
        (false, ScalarKind::Type) => AttrValue::Type(dtype(0)),
        (false, ScalarKind::Shape) => AttrValue::Shape(oplink_api::PartialShape::unknown()),
        (false, ScalarKind::Tensor) => AttrValue::Tensor(oplink_api::Tensor::scalar(1f32)),
        (false, ScalarKind::Func) => AttrValue::Func(oplink_api::FuncAttr::default()),
        (true, ScalarKind::Type) => AttrValue::Types((0..length).map(dtype).collect()),
        (true, ScalarKind::String) => AttrValue::Strings(vec![string; length]),
        (true, ScalarKind::Int) => AttrValue::Ints(vec![3; length]),
        (true, ScalarKind::Float) => AttrValue::Floats(vec![3.0; length]),
        (true, ScalarKind::Bool) => AttrValue::Bools(vec![true; length]),
        (true, ScalarKind::Shape) => AttrValue::Shapes(vec![oplink_api::PartialShape::scalar(); length]),
        (true, ScalarKind::Tensor) => AttrValue::Tensors(vec![oplink_api::Tensor::scalar(1i32); length]),
        (true, ScalarKind::Func) => AttrValue::Funcs(vec![oplink_api::FuncAttr::default(); length]),
    }
}

/// The dtypes of a node's inputs by argument.
fn grouped(node: &NodeInfo) -> Vec<ArgDTypes<'_>> {
    let args = node.op.inputs.iter().zip(&node.input_ranges);
    let group = |(arg, range): (&oplink_spec::ArgSpec, &std::ops::Range<usize>)| match &node.input_dtypes[range.clone()]
    {
        [dtype] if !arg.is_sequence() => ArgDTypes::One(*dtype),
        dtypes => ArgDTypes::List(dtypes),
    };
    args.map(group).collect()
}

fn check(op: &OpEntry, count: i64, pick: usize) {
    let attrs: Vec<(&str, AttrValue)> =
        op.spec.attrs.iter().map(|attr| (attr.name.as_str(), some_value(attr, count, pick))).collect();
    let stored = node_from_attrs(op, "n", "", attrs.iter().cloned()).unwrap_or_else(|e| panic!("{}: {e}", op.name()));
    check_inputs(&stored, &stored.input_dtypes).unwrap();
    // A list without elements does not tell its type.
    let is_told = |name: &str| {
        let args = op.spec.inputs.iter().zip(&stored.input_ranges);
        args.into_iter().any(|(arg, range)| {
            arg.number_attr.as_deref() == Some(name)
                || arg.type_attr() == Some(name)
                    && (!range.is_empty() || matches!(arg.ty, oplink_spec::ArgType::ListAttr(_)))
        })
    };
    let untold = attrs.iter().filter(|(name, _)| !is_told(name)).cloned();
    let called = node_for_call(op, "n", "", &grouped(&stored), untold).unwrap_or_else(|e| panic!("{}: {e}", op.name()));
    assert_eq!(called.attrs, stored.attrs, "{}", op.name());
    assert_eq!(called.output_dtypes, stored.output_dtypes, "{}", op.name());
    let ranges = group_inputs(&op.spec, stored.input_dtypes.len(), &attrs).unwrap();
    assert_eq!(ranges, stored.input_ranges, "{}", op.name());
    let flat = node_for_flat_call(op, "n", "", &stored.input_dtypes, &attrs).unwrap();
    assert_eq!(flat.attrs, stored.attrs, "{}", op.name());
}

#[test]
fn inference_agrees_with_the_attrs_of_every_op() {
    let registry = tensorflow();
    assert_eq!(registry.ops().count(), 1908);
    for op in registry.ops() {
        for attr in &op.spec.attrs {
            let default = op.default_of(&attr.name).unwrap_or_else(|e| panic!("{e}"));
            assert!(default.is_none_or(|value| value.is_of(attr.kind)), "{} {}", op.name(), attr.name);
        }
        for (count, pick) in [(0, 0), (1, 1), (2, 2), (3, 5)] {
            check(op, count, pick);
        }
    }
}
