//! Import and export give back the same message.

use oplink_graph::Graph;
use oplink_proto::GraphDef;

use crate::fixture::{def, digits, read, registry};

#[track_caller]
fn check(def: &GraphDef) {
    let graph = Graph::import(def, registry()).unwrap();
    let back = graph.to_def().unwrap();
    for (was, is) in def.node.iter().zip(&back.node) {
        assert_eq!(was, is, "node {}", was.name);
    }
    assert_eq!(def, &back);
}

#[test]
fn binary_graphs_come_back_byte_by_byte() {
    let bytes = digits();
    let def: GraphDef = oplink_proto::from_bytes(bytes.clone()).unwrap();
    check(&def);
    let graph = Graph::from_bytes(bytes, registry()).unwrap();
    assert_eq!(graph.to_bytes().unwrap(), oplink_proto::to_bytes(&def));
}

#[test]
fn graphs_of_other_models_come_back() {
    for model in ["mlp_train", "lstm", "transformer"] {
        check(&oplink_proto::from_bytes(read(&format!("tests/models/{model}.pb"))).unwrap());
    }
}

#[test]
fn a_function_library_is_kept() {
    let def: GraphDef = oplink_proto::from_bytes(read("tests/models/while_v2.pb")).unwrap();
    assert!(!def.library.as_ref().unwrap().function.is_empty());
    check(&def);
}

#[test]
fn text_graphs_come_back() {
    let def: GraphDef = oplink_proto::from_bytes(digits()).unwrap();
    let text = oplink_proto::to_text(&def).unwrap();
    let graph = Graph::from_text(&text, registry()).unwrap();
    assert_eq!(graph.to_text().unwrap(), text);
}

/// Unknown attrs with underscores, defaults left out, other spellings of inputs and constants, devices, debug info.
#[test]
fn what_is_written_in_an_unusual_way_stays_so() {
    check(&def(r#"
        node { name: "i" op: "Identity" input: "c:0" input: "^n" input: "^n" device: "/job:a/device:GPU:1"
               attr { key: "T" value { type: DT_FLOAT } }
               attr { key: "_output_shapes" value { list { shape { dim { size: 2 name: "rows" } } } } }
               attr { key: "_class" value { list { s: "loc:@c" } } }
               attr { key: "_none" value { list { } } }
               attr { key: "_function" value { func { name: "f" attr { key: "x" value { placeholder: "y" } } } } }
               experimental_debug_info { original_node_names: "was" } }
        node { name: "n" op: "NoOp" }
        node { name: "c" op: "Const" attr { key: "dtype" value { type: DT_FLOAT } }
               attr { key: "value" value { tensor { dtype: DT_FLOAT tensor_shape { dim { size: 2 } } float_val: 1 float_val: 2 } } } }
        node { name: "all_seven" op: "Const" attr { key: "dtype" value { type: DT_INT32 } }
               attr { key: "value" value { tensor { dtype: DT_INT32 tensor_shape { dim { size: 9 } } int_val: 7 } } } }
        node { name: "split" op: "Split" input: "axis" input: "x" attr { key: "num_split" value { i: 2 } }
               attr { key: "T" value { type: DT_FLOAT } } }
        node { name: "axis" op: "Const" attr { key: "dtype" value { type: DT_INT32 } }
               attr { key: "value" value { tensor { dtype: DT_INT32 tensor_shape { } int_val: 0 } } } }
        node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } } }
        node { name: "second" op: "Neg" input: "split:01" attr { key: "T" value { type: DT_FLOAT } } }
        node { name: "other" op: "Neg" input: "split:1" attr { key: "T" value { type: DT_FLOAT } } }
        versions { producer: 1000 min_consumer: 12 bad_consumers: 99 }
        version: 3
        library { function { signature { name: "f" } } gradient { function_name: "f" gradient_func: "g" } }
    "#));
}
