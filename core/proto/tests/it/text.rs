//! The text format against TensorFlow's.

use crate::models::{GRAPHS, data, data_text, model};
use oplink_proto::{
    GraphDebugInfo, GraphDef, Message, Name, NodeDef, OpList, TensorProto, from_bytes, from_text, to_bytes, to_text,
};

fn read<M: Message + Name + Default + 'static>(text: &str) -> M {
    from_text(text).unwrap_or_else(|e| panic!("{e}"))
}

/// Takes the debug information out, decoded.
fn debug_info(graph: &mut GraphDef) -> Option<GraphDebugInfo> {
    graph.debug_info.take().map(|bytes| GraphDebugInfo::decode(bytes).expect("TensorFlow wrote it"))
}

#[test]
fn pythons_text_reads_as_pythons_bytes() {
    for (text, bytes) in [("while_v2.pbtxt", model("while_v2.pb")), ("every_value.pbtxt", data("every_value.pb"))] {
        let mut from_text: GraphDef = read(&data_text(text));
        let mut from_bytes: GraphDef = from_bytes(bytes).expect("TensorFlow wrote it");
        // Kept encoded, with the entries of maps in the order that they were written in.
        assert_eq!(debug_info(&mut from_text), debug_info(&mut from_bytes), "{text}");
        // Encoded, because a NaN does not equal itself.
        assert_eq!(to_bytes(&from_text), to_bytes(&from_bytes), "{text}");
    }
}

#[test]
fn our_text_is_pythons() {
    for (text, bytes) in [("while_v2.pbtxt", model("while_v2.pb")), ("every_value.pbtxt", data("every_value.pb"))] {
        let graph: GraphDef = from_bytes(bytes).expect("TensorFlow wrote it");
        let written = to_text(&graph).expect("it is not deep");
        for (line, (ours, pythons)) in written.lines().zip(data_text(text).lines()).enumerate() {
            assert_eq!(ours, pythons, "{text}, line {}", line + 1);
        }
        assert_eq!(written.len(), data_text(text).len(), "{text}");
    }
}

#[test]
fn graphs_come_back_through_text() {
    for name in GRAPHS {
        let graph: GraphDef = from_bytes(model(name)).expect("TensorFlow wrote it");
        let text = to_text(&graph).expect("it is not deep");
        assert_eq!(read::<GraphDef>(&text), graph, "{name}");
    }
}

#[test]
fn op_list_comes_back_through_text() {
    let ops: OpList = from_bytes(data("tensorflow-2.21-ops.pb")).expect("TensorFlow wrote it");
    assert_eq!(read::<OpList>(&to_text(&ops).expect("it is not deep")), ops);
}

#[test]
fn every_way_to_write_a_field_is_read() {
    let spellings = [
        r#"name: "n" input: "a" input: "b" attr { key: "T" value { type: DT_FLOAT } }"#,
        "name: 'n', input: ['a', 'b']; attr < key: 'T' value < type: 1 > >",
        "# a comment\nname: \"\\x6e\" input: 'a' input: \"\\142\" attr: [{key: 'T', value: {type: DT_FLOAT}}]",
        r#"name: "" 'n' input: ["a"] input: ["b"] input: [] attr { value { type: DT_FLOAT } key: "T" }"#,
    ];
    let first: NodeDef = read(spellings[0]);
    assert_eq!((first.input.len(), first.attr.len()), (2, 1));
    for text in &spellings[1..] {
        assert_eq!(read::<NodeDef>(text), first, "{text}");
    }
}

#[test]
fn every_way_to_write_a_number_is_read() {
    let tensor: TensorProto = read(
        "float_val: [1, 1.5, -2e3, 1f, .5, 16, inf, -infinity, NaN] int_val: [-1, 0x1f, 017] bool_val: [true, f, 1]",
    );
    let expected = [1.0, 1.5, -2000.0, 1.0, 0.5, 16.0, f32::INFINITY, f32::NEG_INFINITY];
    assert_eq!(tensor.float_val[..8], expected);
    assert!(tensor.float_val[8].is_nan());
    assert_eq!(tensor.int_val, [-1, 31, 15]);
    assert_eq!(tensor.bool_val, [true, false, true]);
}
