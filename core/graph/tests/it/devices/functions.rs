//! Functions whose nodes run on devices.

use oplink_api::Tensor;

use super::{attr_type, floats, node, with_fake, x};

fn function(name: &str, arguments: &[(&str, &str)], result: &str, nodes: &str, ret: &str) -> String {
    let arguments: String =
        arguments.iter().map(|(name, dtype)| format!("input_arg {{ name: {name:?} type: {dtype} }} ")).collect();
    let nodes = nodes.replace("node {", "node_def {");
    format!(
        "function {{ signature {{ name: {name:?} {arguments} output_arg {{ name: \"r\" type: {result} }} }}
         {nodes} ret {{ key: \"r\" value: {ret:?} }} }}\n"
    )
}

fn types(name: &str, dtypes: &[&str]) -> String {
    let list: String = dtypes.iter().map(|dtype| format!("type: {dtype} ")).collect();
    format!("attr {{ key: {name:?} value {{ list {{ {list} }} }} }}")
}

fn named(attr: &str, function: &str) -> String {
    format!("attr {{ key: {attr:?} value {{ func {{ name: {function:?} }} }} }}")
}

const FLOAT: &str = "DT_FLOAT";

#[test]
fn the_values_of_a_while_loop_stay_on_the_device() {
    let ten = "attr { key: \"value\" value { tensor { dtype: DT_FLOAT tensor_shape { } float_val: 10 } } }";
    let ten = node("ten", "Const", "", &[], &format!("{} {ten}", attr_type("dtype")));
    let text = node("x", "Placeholder", "", &[], "")
        + &node("w", "While", "", &["x"], &[types("T", &[FLOAT]), named("cond", "c"), named("body", "b")].join(" "))
        + "library {\n"
        + &function(
            "c",
            &[("v", FLOAT)],
            "DT_BOOL",
            &(ten + &node("less", "Greater", "", &["ten:output:0", "v"], "")),
            "less:z:0",
        )
        + &function("b", &[("v", FLOAT)], FLOAT, &node("sum", "AddV2", "", &["v", "v"], ""), "sum:z:0")
        + "}";
    let (fake, session) = with_fake(&text);
    assert_eq!(floats(session.run(&[("x", Tensor::scalar(1.0f32))], &["w"], &[])), [[16.0]]);
    // The start comes over once; of five comparisons the first reads what is fed.
    assert_eq!(fake.counters.take(), [1, 5, 4]);
}

#[test]
fn a_function_works_where_its_resources_are() {
    let shape = r#"attr { key: "shape" value { shape { } } }"#;
    for (device, count) in [("/cpu:0", [0, 0, 0]), ("/device:FAKE:0", [1, 1, 0])] {
        let call = [types("Tin", &["DT_RESOURCE"]), types("Tout", &[FLOAT]), named("f", "f")].join(" ");
        let text = node("x", "Placeholder", "", &[], "")
            + &node("v", "VarHandleOp", device, &[], shape)
            + &node("assign", "AssignVariableOp", "", &["v", "x"], "")
            + &node("call", "StatefulPartitionedCall", "", &["v", "^assign"], &call)
            + "library {\n"
            + &function(
                "f",
                &[("h", "DT_RESOURCE")],
                FLOAT,
                &node("read", "ReadVariableOp", "", &["h"], ""),
                "read:value:0",
            )
            + "}";
        let (fake, session) = with_fake(&text);
        assert_eq!(floats(session.run(&[x()], &["call"], &[])), [[1.0, 2.0]], "{device}");
        assert_eq!(fake.counters.take(), count, "{device}");
    }
}
