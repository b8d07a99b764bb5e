//! Names of nodes and scopes, against what `TensorFlow` 2.21 gives and accepts.

use oplink_api::{Scope, Tensor};
use oplink_graph::{Graph, GraphScope, TensorName, is_valid_node_name};

use crate::fixture::registry;

#[test]
fn tensorflow_accepts_the_same_names() {
    let accepted = ["a", "a>b", "a/", "a//b", ".a", "a-", "A.b_c-d/e", "0"];
    let refused = ["", "_a", "a>>b", "a>", ">a", "a b", "/a", "-a", "a:0", "é", "^a"];
    assert!(accepted.iter().all(|name| is_valid_node_name(name)));
    assert!(!refused.iter().any(|name| is_valid_node_name(name)));
}

#[test]
fn tensor_names() {
    assert_eq!(TensorName::parse("a"), TensorName::Data("a", 0));
    assert_eq!(TensorName::parse("a/b:12"), TensorName::Data("a/b", 12));
    assert_eq!(TensorName::parse("a:007"), TensorName::Data("a", 7));
    assert_eq!(TensorName::parse("^a"), TensorName::Control("a"));
    for odd in ["a:", "a:-1", "a:b", "a:99999999999", ""] {
        assert_eq!(TensorName::parse(odd), TensorName::Data(odd, 0));
    }
}

fn constant(scope: &mut GraphScope<'_>, name: &str) -> String {
    let output = scope.constant_named(name, Tensor::scalar(1.0f32)).unwrap();
    scope.graph().output_name(output)
}

/// The names are those that TensorFlow's Python gives for the same calls.
#[test]
fn names_are_made_unique_as_in_tensorflow() {
    let mut graph = Graph::new(registry());
    let mut root = graph.scope();
    assert_eq!(["x", "x", "X", "x_1", "x"].map(|n| constant(&mut root, n)), ["x", "x_1", "X_2", "x_1_1", "x_3"]);
    let mut a = root.name_scope("a");
    assert_eq!(["x", "x"].map(|n| constant(&mut a, n)), ["a/x", "a/x_1"]);
    assert_eq!(constant(&mut a.name_scope("b"), "x"), "a/b/x");
    assert_eq!(constant(&mut root.name_scope("a"), "x"), "a_1/x");
    assert_eq!(constant(&mut root.name_scope("a_1"), "x"), "a_1_1/x");
    assert_eq!(constant(&mut root.name_scope("a/"), "x"), "a/x_2");
    assert_eq!(constant(&mut root, "a"), "a_2");
    let unnamed = root.constant(Tensor::scalar(1i32)).unwrap();
    assert_eq!(root.graph().output_name(unnamed), "Const");
}
