//! Products that a loop makes of a list, and shapes that its values keep.

use oplink::graph::{Graph, PassOptions, Session, SessionOptions};
use oplink::runtime::Registry;
use oplink::{AttrValue, FuncAttr, PartialShape, Result, Tensor};

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

/// The graph with a second node like `loop`, `again`.
fn with_a_loop_beside(text: &str) -> String {
    let start = text.find("node { name: \"loop\"").unwrap();
    let end = text.find("library {").unwrap();
    format!("{}{text}", text[start..end].replace("\"loop\"", "\"again\""))
}

/// Runs both loops in sessions with one thread and with two, so often that all ways to run are tried.
fn check_side_by_side(text: &str, x: Tensor) -> Result<()> {
    let (text, feeds, fetches) = (with_a_loop_beside(text), [("x", x)], ["loop:1", "again:1"]);
    let session = |intra_op_threads| {
        let options = SessionOptions { intra_op_threads, ..SessionOptions::default() };
        Session::new(Graph::from_text(&text, Registry::global()?)?, options)
    };
    let expected = session(1)?.run(&feeds, &fetches, &[])?;
    assert_eq!(expected[0].as_slice::<f32>()?, expected[1].as_slice::<f32>()?);
    let session = session(2)?;
    for _ in 0..24 {
        for (actual, expected) in session.run(&feeds, &fetches, &[])?.iter().zip(&expected) {
            assert_eq!(actual.as_slice::<f32>()?, expected.as_slice::<f32>()?);
        }
    }
    Ok(())
}

#[test]
fn loops_side_by_side_give_what_they_give_one_by_one() -> Result<()> {
    check_side_by_side(&recurrent("xw:product:0", "w", ""), tensor(&[7, 2, 24], 3))
}

#[test]
fn loops_side_by_side_have_bodies_whose_nodes_run_side_by_side() -> Result<()> {
    let product = |name: &str, transposed: [bool; 2]| {
        let [a, b] = transposed;
        format!(
            r#"node_def {{ name: "{name}" op: "MatMul" input: "h" input: "h" attr {{ key: "T" value {{ type: DT_FLOAT }} }}
               attr {{ key: "transpose_a" value {{ b: {a} }} }} attr {{ key: "transpose_b" value {{ b: {b} }} }} }}
               node_def {{ name: "tanh_{name}" op: "Tanh" input: "{name}:product:0"
               attr {{ key: "T" value {{ type: DT_FLOAT }} }} }}"#
        )
    };
    let next_h = product("p1", [false, false])
        + &product("p2", [true, false])
        + &product("p3", [false, true])
        + r#"node_def { name: "sum" op: "AddN" input: "tanh_p1:y:0" input: "tanh_p2:y:0" input: "tanh_p3:y:0"
             attr { key: "N" value { i: 3 } } attr { key: "T" value { type: DT_FLOAT } } }
             node_def { name: "next_h" op: "Identity" input: "sum:sum:0" attr { key: "T" value { type: DT_FLOAT } } }"#;
    check_side_by_side(&repeated(&next_h, &[96, 96]), tensor(&[96, 96], 3))
}

/// A loop of 4 steps, from `x` of this shape, that makes `h` of `next_h`, a node of the body.
fn repeated(next_h: &str, shape: &[i64]) -> String {
    let int = |name: &str, value: i32| {
        format!(
            r#"node_def {{ name: "{name}" op: "Const" attr {{ key: "dtype" value {{ type: DT_INT32 }} }}
               attr {{ key: "value" value {{ tensor {{ dtype: DT_INT32 tensor_shape {{}} int_val: {value} }} }} }} }}"#
        )
    };
    let (one, zero, four) = (int("one", 1), int("zero", 0), int("four", 4));
    let inputs = r#"input_arg { name: "i" type: DT_INT32 } input_arg { name: "h" type: DT_FLOAT }"#;
    format!(
        r#"{x} node {{ name: "i" op: "Const" attr {{ key: "dtype" value {{ type: DT_INT32 }} }}
           attr {{ key: "value" value {{ tensor {{ dtype: DT_INT32 tensor_shape {{}} int_val: 0 }} }} }} }}
           node {{ name: "loop" op: "While" input: "i" input: "x"
             attr {{ key: "T" value {{ list {{ type: DT_INT32 type: DT_FLOAT }} }} }}
             attr {{ key: "cond" value {{ func {{ name: "cond" }} }} }} attr {{ key: "body" value {{ func {{ name: "body" }} }} }} }}
           library {{
             function {{ signature {{ name: "cond" {inputs} output_arg {{ name: "go" type: DT_BOOL }} }} {four}
               node_def {{ name: "less" op: "Less" input: "i" input: "four:output:0" attr {{ key: "T" value {{ type: DT_INT32 }} }} }}
               ret {{ key: "go" value: "less:z:0" }} }}
             function {{ signature {{ name: "body" {inputs} output_arg {{ name: "next_i" type: DT_INT32 }}
                                      output_arg {{ name: "next_h" type: DT_FLOAT }} }} {one} {zero} {next_h}
               node_def {{ name: "next" op: "AddV2" input: "i" input: "one:output:0" attr {{ key: "T" value {{ type: DT_INT32 }} }} }}
               ret {{ key: "next_i" value: "next:z:0" }} ret {{ key: "next_h" value: "next_h:output:0" }} }} }}"#,
        x = placeholder("x", shape),
    )
}

/// The shapes that the body of the loop is made for.
fn shapes_of_body(text: &str) -> Result<Option<Vec<PartialShape>>> {
    let graph = Graph::from_text(text, Registry::global()?)?;
    let optimized = graph.optimized(&["x"], &["loop:1"], &[], &PassOptions::default())?.graph;
    let node = optimized.nodes().iter().find(|node| node.name() == "loop").unwrap();
    let body: &FuncAttr = node.info().attr("body")?;
    Ok(match body.attrs.get("_argument_shapes") {
        Some(AttrValue::Shapes(shapes)) => Some(shapes.clone()),
        _ => None,
    })
}

#[test]
fn bodies_are_made_for_the_shapes_that_all_iterations_have() -> Result<()> {
    let twice = r#"node_def { name: "next_h" op: "ConcatV2" input: "h" input: "h" input: "zero:output:0"
                   attr { key: "N" value { i: 2 } } attr { key: "T" value { type: DT_FLOAT } }
                   attr { key: "Tidx" value { type: DT_INT32 } } }"#;
    let kept = r#"node_def { name: "sum" op: "AddV2" input: "h" input: "h" attr { key: "T" value { type: DT_FLOAT } } }
                  node_def { name: "next_h" op: "Identity" input: "sum:z:0" attr { key: "T" value { type: DT_FLOAT } } }"#;
    let deeper = r#"node_def { name: "next_h" op: "ExpandDims" input: "h" input: "zero:output:0"
                    attr { key: "T" value { type: DT_FLOAT } } attr { key: "Tdim" value { type: DT_INT32 } } }"#;
    let feeds = [("x", tensor(&[1, 3], 3))];
    let cases = [
        (kept, PartialShape::new(&[Some(1), Some(3)])),
        (twice, PartialShape::new(&[None, Some(3)])),
        (deeper, PartialShape::unknown()),
    ];
    for (next_h, shape) in cases {
        let text = repeated(next_h, &[1, 3]);
        check(&text, &feeds, &["loop:1"], "loop_shapes", "While", 1)?;
        assert_eq!(shapes_of_body(&text)?, Some(vec![PartialShape::scalar(), shape]), "{next_h}");
    }
    Ok(())
}
