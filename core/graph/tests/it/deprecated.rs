//! Ops that were removed, and graphs that this runtime must not read.

use expect_test::{Expect, expect};

use oplink_api::Output;

use crate::fixture::import;

#[track_caller]
fn refused(text: &str, message: Expect) {
    message.assert_eq(&import(text).unwrap_err().to_string());
}

const OLD_OP: &str = r#"node { name: "b" op: "BatchNormWithGlobalNormalization" input: "x" input: "x" input: "x" input: "x" input: "x"
    attr { key: "T" value { type: DT_FLOAT } } attr { key: "variance_epsilon" value { f: 0.1 } }
    attr { key: "scale_after_normalization" value { b: true } } }
    node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } } }"#;

#[test]
fn a_removed_op_is_refused_in_new_graphs_only() {
    assert!(import(&format!("{OLD_OP} versions {{ producer: 8 }}")).is_ok());
    assert!(import(&format!("{OLD_OP} version: 8")).is_ok());
    refused(
        &format!("{OLD_OP} versions {{ producer: 9 }}"),
        expect![[r#"
        the graph has a problem:
        - node `b` (op BatchNormWithGlobalNormalization): op BatchNormWithGlobalNormalization is not available in GraphDef version 9; it was removed in version 9: Use tf.nn.batch_normalization()"#]],
    );
}

#[test]
fn scalar_placeholders_of_old_graphs_have_any_shape() {
    let text = r#"node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } }
                         attr { key: "shape" value { shape { } } } }"#;
    for (version, rank) in [("", Some(0)), ("versions { producer: 23 }", None), ("versions { producer: 24 }", Some(0))]
    {
        let graph = import(&format!("{text} {version}")).unwrap();
        assert_eq!(graph.shape(Output { node: 0, index: 0 }).rank(), rank, "{version}");
    }
}

#[test]
fn versions_that_exclude_this_runtime() {
    refused(
        "versions { producer: 3000 min_consumer: 2999 }",
        expect![
            "the graph asks for a runtime of GraphDef version 2999 or later, this one is of 2474 (TensorFlow 2.21)"
        ],
    );
    refused(
        "versions { producer: 2474 bad_consumers: 2474 }",
        expect!["the graph must not be read by runtimes of GraphDef version 2474, which this one is"],
    );
    refused("versions { producer: -1 }", expect!["the graph's producer version -1 is below 0; make the graph anew"]);
    assert!(import("versions { producer: 2500 min_consumer: 2474 bad_consumers: 2473 }").is_ok());
}
