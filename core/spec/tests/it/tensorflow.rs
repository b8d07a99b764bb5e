//! Against TensorFlow: op definitions of its 2.21 registry, as the grammar writes them.
//!
//! `data/tensorflow-2.21.ops` was written from TensorFlow's OpDefs by a program that knows nothing of this crate; its
//! ops cover every combination of argument form, kind, constraint, minimum, default and flag that the registry has.

use oplink_spec::{Allowed, DType, NUMBER_TYPES, OpSpec, QUANTIZED_TYPES, REAL_NUMBER_TYPES};

const OPS: &str = include_str!("data/tensorflow-2.21.ops");

fn ops() -> impl Iterator<Item = &'static str> {
    OPS.split_inclusive("\n\n")
}

#[test]
fn every_op_parses_and_prints_to_the_same_text() {
    assert!(ops().count() > 100);
    for text in ops() {
        match OpSpec::parse(text) {
            Ok(spec) => assert_eq!(spec.to_string().trim_end(), text.trim_end()),
            Err(errors) => panic!("{}\n{text}", errors[0].render(text)),
        }
    }
}

#[test]
fn every_op_passes_the_checks() {
    for text in ops() {
        let spec = OpSpec::parse(text).unwrap();
        let problems = spec.check();
        assert!(problems.is_empty(), "{}", problems[0]);
    }
}

fn spec_of(name: &str) -> OpSpec {
    let text =
        ops().find(|text| text.lines().next() == Some(&format!("op {name}"))).unwrap_or_else(|| panic!("no op {name}"));
    OpSpec::parse(text).unwrap()
}

#[test]
fn defaults_have_the_values_tensorflow_gives_them() {
    use oplink_spec::AttrValue::{Float, Int, Shape, Tensor};
    let defaults = spec_of("DefaultAttrs");
    let default = |name: &str| defaults.attr(name).and_then(|attr| attr.default.clone());
    assert_eq!(default("int_val"), Some(Int(123)));
    assert_eq!(default("float_val"), Some(Float(10.0)));
    assert_eq!(default("shape_val"), Some(Shape(Some(vec![2, 1]))));
    let Some(Tensor(tensor)) = default("tensor_val") else { panic!("tensor_val") };
    assert_eq!((tensor.dtype, tensor.int_val), (DType::Int32, vec![1]));
    let placeholder = spec_of("Placeholder");
    let shape = placeholder.attr("shape").and_then(|attr| attr.default.clone());
    assert_eq!(shape, Some(Shape(None)));
}

/// The sets spelt out in numbers, as TensorFlow expands the words in `TF_OpDefinitionBuilderAddAttr`.
#[test]
fn words_for_sets_of_types() {
    let numbers = |types: &[DType]| types.iter().map(|t| t.number()).collect::<Vec<_>>();
    let number = [1, 2, 3, 4, 5, 6, 8, 9, 11, 12, 13, 14, 15, 16, 17, 18, 19, 22, 23];
    assert_eq!(numbers(NUMBER_TYPES), number);
    assert_eq!(numbers(REAL_NUMBER_TYPES), [1, 2, 3, 4, 5, 6, 9, 14, 17, 19, 22, 23]);
    assert_eq!(numbers(QUANTIZED_TYPES), [11, 12, 13, 15, 16]);
    let attr = oplink_spec::parse_attr("T: {quantizedtype, bool}").unwrap();
    let mut types = QUANTIZED_TYPES.to_vec();
    types.push(DType::Bool);
    assert_eq!(attr.allowed, Some(Allowed::Types(types)));
    assert_eq!(attr.to_string(), "T: {qint8, quint8, qint32, qint16, quint16, bool}");
}
