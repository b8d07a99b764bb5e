//! Products that a loop makes of a list.

use oplink::Result;

use super::{check, filled, integers, placeholder, tensor};

/// A recurrent layer over 7 steps of 2 rows: `h = tanh(x[i] * w + h * r)`, with what `body` says is read in its place.
fn recurrent(step: &str, next_w: &str, more: &str) -> String {
    let arg = |name: &str, dtype: &str| format!("{{ name: \"{name}\" type: {dtype} }}");
    let args = [("i", "DT_INT32"), ("h", "DT_FLOAT"), ("xs", "DT_VARIANT"), ("w", "DT_FLOAT"), ("r", "DT_FLOAT")];
    let inputs: String = args.iter().map(|(name, dtype)| format!("input_arg {} ", arg(name, dtype))).collect();
    let outputs: String =
        args.iter().map(|(name, dtype)| format!("output_arg {} ", arg(&format!("next_{name}"), dtype))).collect();
    let int = |name: &str, value: i32| {
        format!(
            r#"node_def {{ name: "{name}" op: "Const" attr {{ key: "dtype" value {{ type: DT_INT32 }} }}
               attr {{ key: "value" value {{ tensor {{ dtype: DT_INT32 tensor_shape {{}} int_val: {value} }} }} }} }}"#
        )
    };
    let node = |name: &str, op: &str, inputs: &[&str], dtype: &str| {
        let inputs: String = inputs.iter().map(|input| format!("input: \"{input}\" ")).collect();
        format!(r#"node_def {{ name: "{name}" op: "{op}" {inputs} attr {{ key: "T" value {{ type: {dtype} }} }} }}"#)
    };
    let ret = |name: &str, source: &str| format!(r#"ret {{ key: "{name}" value: "{source}" }} "#);
    let body = int("one", 1)
        + r#"node_def { name: "any" op: "Const" attr { key: "dtype" value { type: DT_INT32 } } attr { key: "value"
              value { tensor { dtype: DT_INT32 tensor_shape { dim { size: 2 } } int_val: 2 int_val: 24 } } } }
              node_def { name: "x" op: "TensorListGetItem" input: "xs" input: "i" input: "any:output:0"
              attr { key: "element_dtype" value { type: DT_FLOAT } } }"#
        + &node("same_w", "Identity", &["w"], "DT_FLOAT")
        + &node("xw", "MatMul", &["x:item:0", "same_w:output:0"], "DT_FLOAT")
        + &node("hr", "MatMul", &["h", "r"], "DT_FLOAT")
        + &node("sum", "AddV2", &[step, "hr:product:0"], "DT_FLOAT")
        + &node("tanh", "Tanh", &["sum:z:0"], "DT_FLOAT")
        + &node("twice_w", "AddV2", &["w", "w"], "DT_FLOAT")
        + &node("next", "AddV2", &["i", "one:output:0"], "DT_INT32")
        + more
        + &ret("next_i", "next:z:0")
        + &ret("next_h", "tanh:y:0")
        + &ret("next_xs", "xs")
        + &ret("next_w", next_w)
        + &ret("next_r", "r");
    let cond = int("steps", 7) + &node("less", "Less", &["i", "steps:output:0"], "DT_INT32") + &ret("go", "less:z:0");
    let types: String = args.iter().map(|(_, dtype)| format!("type: {dtype} ")).collect();
    placeholder("x", &[7, 2, 24])
        + &filled("w", &[24, 32])
        + &filled("r", &[32, 32])
        + &filled("h", &[2, 32])
        + &format!(
            r#"node {{ name: "i" op: "Const" attr {{ key: "dtype" value {{ type: DT_INT32 }} }}
               attr {{ key: "value" value {{ tensor {{ dtype: DT_INT32 tensor_shape {{}} int_val: 0 }} }} }} }}
               node {{ name: "list" op: "TensorListFromTensor" input: "x" input: "of_element"
               attr {{ key: "element_dtype" value {{ type: DT_FLOAT }} }} attr {{ key: "shape_type" value {{ type: DT_INT32 }} }} }}
               node {{ name: "loop" op: "While" input: "i" input: "h" input: "list" input: "w" input: "r"
               attr {{ key: "T" value {{ list {{ {types} }} }} }}
               attr {{ key: "cond" value {{ func {{ name: "cond" }} }} }} attr {{ key: "body" value {{ func {{ name: "body" }} }} }} }}
               library {{ function {{ signature {{ name: "cond" {inputs} output_arg {{ name: "go" type: DT_BOOL }} }} {cond} }}
                         function {{ signature {{ name: "body" {inputs} {outputs} }} {body} }} }}"#
        )
        + &integers("of_element", &[2, 24])
}

#[test]
fn products_of_a_list_are_made_before_the_loop() -> Result<()> {
    let feeds = [("x", tensor(&[7, 2, 24], 3))];
    let check = |text: &str, count| check(text, &feeds, &["loop:1"], "loop_product_hoisting", "BatchMatMulV2", count);
    check(&recurrent("xw:product:0", "w", ""), 1)?;
    check(&recurrent("xw:product:0", "same_w:output:0", ""), 1)
}

#[test]
fn products_that_are_not_all_or_not_always_the_same_stay_in_the_loop() -> Result<()> {
    let feeds = [("x", tensor(&[7, 2, 24], 3))];
    let check = |text: &str| check(text, &feeds, &["loop:1"], "loop_product_hoisting", "BatchMatMulV2", 0);
    // The matrix is another one at each step.
    check(&recurrent("xw:product:0", "twice_w:z:0", ""))?;
    // The elements are read for something else too.
    let size = r#"node_def { name: "all" op: "Const" attr { key: "dtype" value { type: DT_INT32 } } attr { key: "value"
                  value { tensor { dtype: DT_INT32 tensor_shape { dim { size: 2 } } int_val: 0 int_val: 1 } } } }
                  node_def { name: "total" op: "Sum" input: "x:item:0" input: "all:output:0"
                  attr { key: "T" value { type: DT_FLOAT } } attr { key: "Tidx" value { type: DT_INT32 } } }
                  node_def { name: "both" op: "AddV2" input: "xw:product:0" input: "total:output:0"
                  attr { key: "T" value { type: DT_FLOAT } } }"#;
    check(&recurrent("both:z:0", "w", size))
}
