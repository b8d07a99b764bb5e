//! The wire format on TensorFlow's own files.

use crate::models::{GRAPHS, data, model, root};
use oplink_proto::bytes::Bytes;
use oplink_proto::{GraphDef, OpList, SavedModel, attr_value, from_bytes, to_bytes};
use protox::prost_reflect::{DescriptorPool, DynamicMessage, ReflectMessage as _, Value};

#[test]
fn graphs_come_back() {
    for name in GRAPHS {
        let graph: GraphDef = from_bytes(model(name)).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert!(!graph.node.is_empty(), "{name}");
        assert_eq!(from_bytes(to_bytes(&graph)).as_ref(), Ok(&graph), "{name}");
    }
}

#[test]
fn every_kind_of_value_comes_back() {
    let graph: GraphDef = from_bytes(data("every_value.pb")).expect("TensorFlow wrote it");
    let written = to_bytes(&graph);
    let again: GraphDef = from_bytes(written.clone()).expect("we wrote it");
    // Encoded, because a NaN does not equal itself.
    assert!(to_bytes(&again) == written);
}

#[test]
fn files_have_no_field_unknown_here() {
    let path = root().join("src/generated/descriptors.binpb");
    let descriptors = std::fs::read(path).expect("it is checked in");
    let pool = DescriptorPool::decode(descriptors.as_slice()).expect("it is valid");
    let graph = pool.get_message_by_name("tensorflow.GraphDef").expect("it is there");
    let files = GRAPHS.map(model).into_iter().chain([data("every_value.pb")]);
    for bytes in files {
        let message = DynamicMessage::decode(graph.clone(), bytes.as_slice());
        assert_known(&Value::Message(message.expect("TensorFlow wrote it")));
    }
}

fn assert_known(value: &Value) {
    match value {
        Value::Message(message) => {
            let unknown: Vec<_> = message.unknown_fields().collect();
            assert!(unknown.is_empty(), "{}: {unknown:?}", message.descriptor().full_name());
            message.fields().for_each(|(_, value)| assert_known(value));
        }
        Value::List(values) => values.iter().for_each(assert_known),
        Value::Map(entries) => entries.values().for_each(assert_known),
        _ => {}
    }
}

#[test]
fn op_list_comes_back_byte_for_byte() {
    let bytes = data("tensorflow-2.21-ops.pb");
    let ops: OpList = from_bytes(bytes.clone()).expect("TensorFlow wrote it");
    assert_eq!(ops.op.len(), 1908);
    assert!(to_bytes(&ops) == bytes);
}

#[test]
fn constants_share_the_buffer() {
    let buffer = Bytes::from(model("digits/digits.pb"));
    let graph: GraphDef = from_bytes(buffer.clone()).expect("TensorFlow wrote it");
    let span = buffer.as_ptr_range();
    let mut shared = 0;
    for attr in graph.node.iter().flat_map(|node| node.attr.values()) {
        if let Some(attr_value::Value::Tensor(tensor)) = &attr.value {
            let content = &tensor.tensor_content;
            assert!(content.is_empty() || span.contains(&content.as_ptr()));
            shared += content.len();
        }
    }
    assert!(shared > buffer.len() / 2, "{shared} of {} bytes", buffer.len());
}

#[test]
fn a_graph_is_part_of_a_saved_model() {
    let graph: GraphDef = from_bytes(model("while_v2.pb")).expect("TensorFlow wrote it");
    let mut saved = SavedModel { saved_model_schema_version: 1, ..SavedModel::default() };
    saved.meta_graphs.push(oplink_proto::MetaGraphDef { graph_def: Some(graph), ..Default::default() });
    assert_eq!(from_bytes::<SavedModel>(to_bytes(&saved)), Ok(saved));
}
