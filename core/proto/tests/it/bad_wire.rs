//! Bytes that are no message give errors.

use crate::models::{data, model};
use oplink_proto::{AttrValue, GraphDef, NameAttrList, OpList, SavedModel, from_bytes, to_bytes};
use oplink_proto::{attr_value::Value, op_def_to_spec};
use proptest::prelude::*;

#[test]
fn a_file_cut_short_is_an_error() {
    let bytes = model("while_v2.pb");
    let graph: GraphDef = from_bytes(bytes.clone()).expect("TensorFlow wrote it");
    for len in 0..bytes.len() {
        // A cut between two fields of the outermost message leaves a smaller message.
        match from_bytes::<GraphDef>(bytes[..len].to_vec()) {
            Ok(cut) => assert_ne!(cut, graph),
            Err(error) => assert!(error.to_string().contains("tensorflow.GraphDef"), "{error}"),
        }
    }
}

#[test]
fn an_error_names_message_and_field() {
    let error = from_bytes::<GraphDef>(&b"\x0a\x03\x0a\x01\xff"[..]).expect_err("a name that is not UTF-8");
    assert_eq!(error.message_name(), "tensorflow.GraphDef");
    let text = error.to_string();
    assert!(text.contains("NodeDef.name") && text.contains("GraphDef.node"), "{text}");
}

/// `depth` functions, each the value of an attr of the one before.
pub(crate) fn nested(depth: usize) -> AttrValue {
    let mut value = AttrValue::default();
    for _ in 0..depth {
        let attr = [("f".to_owned(), value)].into();
        value = AttrValue { value: Some(Value::Func(NameAttrList { name: "f".into(), attr })) };
    }
    value
}

#[test]
fn deep_nesting_is_an_error() {
    // A function in an attr is three messages deep: the function, the entry of its map, the value.
    assert!(from_bytes::<AttrValue>(to_bytes(&nested(33))).is_ok());
    let error = from_bytes::<AttrValue>(to_bytes(&nested(200))).expect_err("600 deep");
    assert!(error.to_string().contains("recursion limit"), "{error}");
}

proptest! {
    #[test]
    fn random_bytes_do_not_panic(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        let _ = from_bytes::<GraphDef>(bytes.clone());
        let _ = from_bytes::<SavedModel>(bytes);
    }

    #[test]
    fn damaged_files_do_not_panic(at in 0_usize..20_000, byte in any::<u8>()) {
        let mut bytes = data("tensorflow-2.21-ops.pb");
        bytes.truncate(20_000);
        bytes[at] = byte;
        if let Ok(ops) = from_bytes::<OpList>(bytes) {
            for op in &ops.op {
                let _ = op_def_to_spec(op);
            }
        }
    }
}
