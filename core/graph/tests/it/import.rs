//! Graphs that are refused: each problem with the node's name and the reason, all in one error.

use expect_test::{Expect, expect};
use oplink_api::ErrorKind;
use oplink_graph::{Graph, ImportOptions};

use crate::fixture::{def, import, read, registry};

const C: &str = r#"node { name: "c" op: "Const" attr { key: "dtype" value { type: DT_FLOAT } }
    attr { key: "value" value { tensor { dtype: DT_FLOAT tensor_shape { } float_val: 1 } } } }"#;
const T: &str = r#"attr { key: "T" value { type: DT_FLOAT } }"#;

#[track_caller]
fn refused(nodes: &str, message: Expect) {
    let error = import(&format!("{C} {nodes}")).unwrap_err();
    message.assert_eq(&format!("{:?}: {error}", error.kind()));
}

#[test]
fn ops() {
    refused(
        r#"node { name: "i" op: "Identiti" }"#,
        expect![[r#"
            OpNotDeclared: the graph has a problem:
            - node `i` (op Identiti): op `Identiti` is not declared: none of the 1908 ops of this process; did you mean `Identity`? (if a dependency declares it, name that crate with `oplink::link!(the_crate);`)"#]],
    );
    refused(
        r#"node { name: "i" op: "" }"#,
        expect![[r#"
            InvalidGraph: the graph has a problem:
            - node `i`: it names no op"#]],
    );
    let call = r#"node { name: "call" op: "my_function" input: "c" } library { function { signature { name: "my_function" } } }"#;
    refused(
        call,
        expect![[r#"
            InvalidGraph: the graph has a problem:
            - node `call` (op my_function): op my_function takes 0 inputs here, 1 are given"#]],
    );
}

#[test]
fn nodes_of_one_problem() {
    let nodes: String =
        (0..30).map(|n| format!(r#"node {{ name: "n{n}" op: "Negg" }} node {{ name: "i{n}" op: "" }}"#)).collect();
    let told = import(&nodes).unwrap_err().to_string();
    let lines: Vec<&str> = told.lines().collect();
    assert_eq!(lines.len(), 3, "{told}");
    assert_eq!(lines[0], "the graph has 60 problems:");
    assert!(lines[1].starts_with("- 30 nodes, such as `n0` and `n1` (op Negg): op `Negg` is not declared"), "{told}");
    assert!(lines[2].starts_with("- 30 nodes, such as `i0` and `i1`: it names no op"), "{told}");
    let two = import(r#"node { name: "a" op: "Negg" } node { name: "b" op: "Negg" }"#).unwrap_err().to_string();
    assert!(two.contains("\n- nodes `a` and `b` (op Negg): "), "{two}");
}

#[test]
fn names() {
    refused(
        r#"node { name: "c" op: "NoOp" }"#,
        expect![[r#"
        InvalidGraph: the graph has a problem:
        - node `c` (op NoOp): another node has the same name"#]],
    );
    refused(
        r#"node { name: "_a b" op: "NoOp" } node { op: "NoOp" }"#,
        expect![[r#"
        InvalidGraph: the graph has 2 problems:
        - node `_a b` (op NoOp): `_a b` is no name for a node: it must start with a letter, digit or `.`, and go on with those, `_`, `-`, `/`
        - node `` (op NoOp): `` is no name for a node: it must start with a letter, digit or `.`, and go on with those, `_`, `-`, `/`"#]],
    );
}

#[test]
fn attrs() {
    let identity = |attrs: &str| format!(r#"node {{ name: "i" op: "Identity" input: "c" {attrs} }}"#);
    refused(
        &identity(""),
        expect![[r#"
        InvalidGraph: the graph has a problem:
        - node `i` (op Identity): attr `T` of op Identity has no value: give one, the inputs do not tell it"#]],
    );
    refused(
        &identity(r#"attr { key: "T" value { i: 1 } }"#),
        expect![[r#"
        InvalidGraph: the graph has a problem:
        - node `i` (op Identity): attr `T` of op Identity must be type, it is int"#]],
    );
    refused(
        &identity(r#"attr { key: "T" value { } }"#),
        expect![[r#"
            InvalidGraph: the graph has a problem:
            - node `i` (op Identity): attr `T`: no value is set"#]],
    );
    refused(
        &identity(r#"attr { key: "T" value { type: 99 } }"#),
        expect![[r#"
            InvalidGraph: the graph has a problem:
            - node `i` (op Identity): attr `T`: 99 is the number of no dtype"#]],
    );
    refused(
        &identity(&format!(r#"{T} attr {{ key: "TT" value {{ i: 1 }} }}"#)),
        expect![[r#"
        InvalidGraph: the graph has a problem:
        - node `i` (op Identity): op Identity has no attr `TT`; it has T"#]],
    );
    let mixed = r#"attr { key: "_x" value { list { i: 1 f: 2 } } }"#;
    refused(
        &identity(&format!("{T} {mixed}")),
        expect![[r#"
            InvalidGraph: the graph has a problem:
            - node `i` (op Identity): attr `_x`: a list has values of several kinds"#]],
    );
    refused(
        r#"node { name: "m" op: "MatMul" input: "c" input: "c" attr { key: "T" value { type: DT_STRING } } }"#,
        expect![[r#"
            InvalidGraph: the graph has a problem:
            - node `m` (op MatMul): attr `T` of op MatMul does not allow string as given; it allows bfloat16, half, float, double, int32, int64, uint8, uint16, uint32, uint64, complex64, complex128"#]],
    );
}

#[test]
fn inputs() {
    let identity = |inputs: &str| format!(r#"node {{ name: "i" op: "Identity" {inputs} {T} }}"#);
    refused(
        &identity(r#"input: "d""#),
        expect![[r#"
        InvalidGraph: the graph has a problem:
        - node `i` (op Identity): its input `d` is no node of the graph"#]],
    );
    refused(
        &identity(r#"input: "c:1""#),
        expect![[r#"
        InvalidGraph: the graph has a problem:
        - node `i` (op Identity): node `c` (op Const) has 1 output, there is no `c:1`"#]],
    );
    refused(
        &identity(r#"input: "c:""#),
        expect![[r#"
        InvalidGraph: the graph has a problem:
        - node `i` (op Identity): its input `c:` is no node of the graph"#]],
    );
    refused(
        &identity(""),
        expect![[r#"
        InvalidGraph: the graph has a problem:
        - node `i` (op Identity): op Identity takes 1 inputs here, 0 are given"#]],
    );
    refused(
        &identity(r#"input: "c" input: "c""#),
        expect![[r#"
        InvalidGraph: the graph has a problem:
        - node `i` (op Identity): op Identity takes 1 inputs here, 2 are given"#]],
    );
    refused(
        &identity(r#"input: "^c" input: "c""#),
        expect![[r#"
        InvalidGraph: the graph has a problem:
        - node `i` (op Identity): input `c` stands behind a control input; control inputs come last"#]],
    );
    refused(
        &identity(r#"input: "c" input: "^nobody""#),
        expect![[r#"
        InvalidGraph: the graph has a problem:
        - node `i` (op Identity): its input `^nobody` is no node of the graph"#]],
    );
    refused(
        r#"node { name: "i" op: "Identity" input: "c" attr { key: "T" value { type: DT_INT32 } } }"#,
        expect![[r#"
            InvalidGraph: the graph has a problem:
            - node `i` (op Identity): input `input` of op Identity must be int32, it is float"#]],
    );
}

#[test]
fn cycles() {
    let negs = |edges: &[(&str, &str)]| {
        let node =
            |(name, input): &(&str, &str)| format!(r#"node {{ name: "{name}" op: "Neg" input: "{input}" {T} }}"#);
        edges.iter().map(node).collect::<Vec<_>>().join("\n")
    };
    refused(
        &negs(&[("a", "b"), ("b", "a"), ("after", "a")]),
        expect![[r#"
        InvalidGraph: the graph has a problem:
        - node `a` (op Neg): it waits for itself: a -> b -> a"#]],
    );
    refused(
        &format!(r#"node {{ name: "i" op: "Neg" input: "c" input: "^i" {T} }}"#),
        expect![[r#"
        InvalidGraph: the graph has a problem:
        - node `i` (op Neg): it waits for itself: i -> i"#]],
    );
}

#[test]
fn loops_of_switch_and_merge() {
    let graph = Graph::from_bytes(read("tests/models/while_v1.pb"), registry()).unwrap();
    let leads_back = |node: &oplink_graph::Node| {
        node.op_name() == "Merge"
            && node.inputs().iter().any(|i| graph.nodes()[i.node as usize].op_name() == "NextIteration")
    };
    assert!(graph.nodes().iter().any(leads_back), "a merge reads the next iteration");
}

#[test]
fn shapes() {
    let wide = r#"node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } }
        attr { key: "shape" value { shape { dim { size: 2 } dim { size: 3 } } } } }"#;
    let product = format!(r#"node {{ name: "product" op: "MatMul" input: "x" input: "x" {T} }}"#);
    let after = format!(r#"node {{ name: "after" op: "Neg" input: "product" {T} }}"#);
    refused(
        &format!("{wide} {product} {after}"),
        expect![[r#"
        ShapeInference: the graph has a problem:
        - node `product` (op MatMul): matrix size-incompatible: [2,3] and [2,3] have the inner extents 3 and 2, which must be equal
            input 0: float [2,3]
            input 1: float [2,3]"#]],
    );
}

#[test]
fn all_problems_are_told_at_once() {
    refused(
        &format!(
            r#"node {{ name: "unknown" op: "Nope" }}
               node {{ name: "behind" op: "Neg" input: "unknown" {T} }}
               node {{ name: "lost" op: "Neg" input: "nobody" {T} }}
               node {{ name: "mistyped" op: "Neg" input: "c" attr {{ key: "T" value {{ type: DT_INT32 }} }} }}"#
        ),
        expect![[r#"
            InvalidGraph: the graph has 3 problems:
            - node `lost` (op Neg): its input `nobody` is no node of the graph
            - node `unknown` (op Nope): op `Nope` is not declared: none of the 1908 ops of this process; did you mean `None`? (if a dependency declares it, name that crate with `oplink::link!(the_crate);`)
            - node `mistyped` (op Neg): input `x` of op Neg must be int32, it is float"#]],
    );
}

#[test]
fn many_problems_are_counted() {
    let nodes: Vec<String> =
        (0..50).map(|i| format!(r#"node {{ name: "n{i}" op: "Neg" input: "m{i}" {T} }}"#)).collect();
    let options = ImportOptions { max_problems: 2, ..ImportOptions::default() };
    let error = Graph::import_with(&def(&nodes.join(" ")), registry(), options).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidGraph);
    expect![[r#"
        the graph has 50 problems:
        - node `n0` (op Neg): its input `m0` is no node of the graph; did you mean `n0`?
        - node `n1` (op Neg): its input `m1` is no node of the graph; did you mean `n1`?
        - and 48 more"#]]
    .assert_eq(&error.to_string());
}

#[test]
fn bytes_and_text_that_are_no_graph() {
    let error = Graph::from_bytes(vec![0x0a, 0xff], registry()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidGraph);
    let error = Graph::from_text("nodes { }", registry()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidGraph);
}

#[test]
fn abbreviated_constants_are_bounded() {
    let text = r#"node { name: "c" op: "Const" attr { key: "dtype" value { type: DT_FLOAT } }
        attr { key: "value" value { tensor { dtype: DT_FLOAT tensor_shape { dim { size: 1000000 } } float_val: 1 } } } }"#;
    assert!(import(text).is_ok());
    let options = ImportOptions { max_constant_bytes: 1 << 16, ..ImportOptions::default() };
    let error = Graph::import_with(&def(text), registry(), options).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Resource);
    assert!(error.to_string().contains("exceed the limit of 65536 bytes"), "{error}");
}

#[test]
fn shapes_of_absurd_rank_are_unknown() {
    let graph = import(
        r#"node { name: "dims" op: "Placeholder" attr { key: "dtype" value { type: DT_INT32 } }
                  attr { key: "shape" value { shape { dim { size: 4611686018427387904 } } } } }
           node { name: "one" op: "Const" attr { key: "dtype" value { type: DT_FLOAT } }
                  attr { key: "value" value { tensor { dtype: DT_FLOAT float_val: 1 } } } }
           node { name: "x" op: "Fill" input: "dims" input: "one" attr { key: "T" value { type: DT_FLOAT } } }"#,
    );
    let graph = graph.unwrap();
    assert_eq!(graph.shape(graph.output_named("x").unwrap()).rank(), None);
}

#[test]
fn outputs_are_bounded() {
    let split = format!(
        r#"node {{ name: "s" op: "Split" input: "a" input: "c" attr {{ key: "num_split" value {{ i: 1000000 }} }} {T} }}
           node {{ name: "a" op: "Const" attr {{ key: "dtype" value {{ type: DT_INT32 }} }}
                   attr {{ key: "value" value {{ tensor {{ dtype: DT_INT32 int_val: 0 }} }} }} }}"#
    );
    let options = ImportOptions { max_outputs: 1000, ..ImportOptions::default() };
    let error = Graph::import_with(&def(&format!("{C} {split}")), registry(), options).unwrap_err();
    assert!(error.to_string().contains("more than 1000 outputs"), "{error}");
}
