//! Loops that are layers of long short-term memory.

use oplink::{Result, Tensor};

use super::{check, filled, integers, placeholder, tensor};

const STEPS: i64 = 7;
/// The step that a layer does: rows of 2, inputs of 24, a cell of 16.
const STEP: &str = "x = TensorListGetItem(xs, i, any:output:0)
                    xw = MatMul(x:item:0, same_w:output:0)
                    hu = MatMul(h, u)
                    sum = AddV2(xw:product:0, hu:product:0)
                    z = BiasAdd(sum:z:0, b)
                    q = Split(one:output:0, z:output:0)
                    f = Sigmoid(q:output:1)
                    g = Tanh(q:output:2)
                    o = Sigmoid(q:output:3)
                    input = Sigmoid(q:output:0)
                    kept = Mul(f:y:0, c)
                    added = Mul(input:y:0, g:y:0)
                    new_c = AddV2(kept:z:0, added:z:0)
                    tanh = Tanh(new_c:z:0)
                    new_h = Mul(o:y:0, tanh:y:0)
                    set = TensorListSetItem(out, i, new_h:z:0)
                    next = AddV2(i, one:output:0)
                    same_w = Identity(w)";
const CONDITION: &str = "below = Less(i, steps:output:0)\n among = Less(i, n)\n go = LogicalAnd(below:z:0, among:z:0)";
const NAMES: [&str; 9] = ["i", "n", "out", "h", "c", "xs", "w", "u", "b"];
const TYPES: [&str; 9] =
    ["DT_INT32", "DT_INT32", "DT_VARIANT", "DT_FLOAT", "DT_FLOAT", "DT_VARIANT", "DT_FLOAT", "DT_FLOAT", "DT_FLOAT"];

fn int(name: &str, shape: &str, values: &[i64]) -> String {
    let values: String = values.iter().map(|value| format!("int_val: {value} ")).collect();
    format!(
        r#"node_def {{ name: "{name}" op: "Const" attr {{ key: "dtype" value {{ type: DT_INT32 }} }}
           attr {{ key: "value" value {{ tensor {{ dtype: DT_INT32 tensor_shape {{ {shape} }} {values} }} }} }} }}"#
    )
}

/// Lines `name = Op(inputs)` of a function.
fn step_nodes(lines: &str) -> String {
    let mut text = String::new();
    for line in lines.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let (name, rest) = line.split_once(" = ").unwrap();
        let (op, inputs) = rest.trim_end_matches(')').split_once('(').unwrap();
        let read: String = inputs.split(", ").map(|input| format!(r#"input: "{input}" "#)).collect();
        let counts = matches!(name, "next" | "below" | "among");
        let attrs = match op {
            "LogicalAnd" => String::new(),
            "TensorListGetItem" | "TensorListSetItem" => {
                r#"attr { key: "element_dtype" value { type: DT_FLOAT } }"#.to_owned()
            }
            "Split" => {
                r#"attr { key: "T" value { type: DT_FLOAT } } attr { key: "num_split" value { i: 4 } }"#.to_owned()
            }
            _ => format!(r#"attr {{ key: "T" value {{ type: {} }} }}"#, if counts { "DT_INT32" } else { "DT_FLOAT" }),
        };
        text += &format!(r#"node_def {{ name: "{name}" op: "{op}" {read} {attrs} }}"#);
    }
    text
}

/// The layer, whose list of outputs has room for `written`, with what follows it.
fn layer(step: &str, condition: &str, written: i64) -> String {
    let args = |kind: &str, prefix: &str| -> String {
        let arg = |(name, dtype)| format!("{kind} {{ name: \"{prefix}{name}\" type: {dtype} }} ");
        NAMES.iter().zip(TYPES).map(arg).collect()
    };
    let results = ["next:z:0", "n", "set:output_handle:0", "new_h:z:0", "new_c:z:0", "xs", "same_w:output:0", "u", "b"];
    let returned: String = NAMES
        .iter()
        .zip(results)
        .map(|(name, source)| format!("ret {{ key: \"next_{name}\" value: \"{source}\" }} "))
        .collect();
    let body = int("any", "dim { size: 2 }", &[2, 24]) + &int("one", "", &[1]) + &step_nodes(step) + &returned;
    let condition = int("steps", "", &[STEPS]) + &step_nodes(condition) + "ret { key: \"go\" value: \"go:z:0\" }";
    let (inputs, outputs) = (args("input_arg", ""), args("output_arg", "next_"));
    let types: String = TYPES.iter().map(|dtype| format!("type: {dtype} ")).collect();
    let scalar = |name: &str, value: i64| super::shaped_integers(name, &[], &[value]);
    let list_type = r#"attr { key: "element_dtype" value { type: DT_FLOAT } }"#;
    let shape_type = r#"attr { key: "shape_type" value { type: DT_INT32 } }"#;
    placeholder("x", &[STEPS, 2, 24])
        + &[filled("w", &[24, 64]), filled("u", &[16, 64]), filled("b", &[64])].concat()
        + &[filled("h", &[2, 16]), filled("c", &[2, 16])].concat()
        + &[scalar("i", 0), scalar("n", STEPS), scalar("room", written)].concat()
        + &[integers("of_input", &[2, 24]), integers("of_output", &[2, 16])].concat()
        + &format!(
            r#"node {{ name: "xs" op: "TensorListFromTensor" input: "x" input: "of_input" {list_type} {shape_type} }}
               node {{ name: "out" op: "TensorListReserve" input: "of_output" input: "room" {list_type} {shape_type} }}
               node {{ name: "loop" op: "While" {read}
                 attr {{ key: "T" value {{ list {{ {types} }} }} }}
                 attr {{ key: "cond" value {{ func {{ name: "cond" }} }} }}
                 attr {{ key: "body" value {{ func {{ name: "body" }} }} }} }}
               node {{ name: "all" op: "TensorListStack" input: "loop:2" input: "of_output" {list_type} }}
               node {{ name: "done" op: "NoOp" input: "^loop" }}
               node {{ name: "count" op: "Cast" input: "loop:0" input: "^done"
                 attr {{ key: "SrcT" value {{ type: DT_INT32 }} }} attr {{ key: "DstT" value {{ type: DT_FLOAT }} }} }}
               library {{
                 function {{ signature {{ name: "cond" {inputs} output_arg {{ name: "go" type: DT_BOOL }} }} {condition} }}
                 function {{ signature {{ name: "body" {inputs} {outputs} }} {body} }} }}"#,
            read = NAMES.iter().map(|name| format!("input: \"{name}\" ")).collect::<String>(),
        )
}

#[track_caller]
fn check_layer(text: &str, count: usize) -> Result<()> {
    let feeds: [(&str, Tensor); 1] = [("x", tensor(&[STEPS as usize, 2, 24], 3))];
    check(text, &feeds, &["all", "loop:3", "loop:4", "count", "loop:6"], "lstm_fusion", "_FusedLSTM", count)
}

#[test]
fn layers_are_found_however_they_are_written() -> Result<()> {
    let below = "below = Less(i, steps:output:0)\n go = LogicalAnd(below:z:0, below:z:0)";
    check_layer(&layer(STEP, CONDITION, STEPS), 1)?;
    check_layer(&layer(STEP, below, STEPS), 1)?;
    let changes = [
        ("Mul(o:y:0, tanh:y:0)", "Mul(tanh:y:0, o:y:0)"),
        ("AddV2(kept:z:0, added:z:0)", "Add(added:z:0, kept:z:0)"),
        ("Mul(input:y:0, g:y:0)", "Mul(g:y:0, input:y:0)"),
        (
            "g = Tanh(q:output:2)\n                    o = Sigmoid(q:output:3)",
            "g = Tanh(q:output:3)\n o = Sigmoid(q:output:2)",
        ),
        ("z = BiasAdd(sum:z:0, b)", "biased = AddV2(b, sum:z:0)\n z = Identity(biased:z:0)"),
        ("z = BiasAdd(sum:z:0, b)", "z = Identity(sum:z:0)"),
        ("AddV2(i, one:output:0)", "AddV2(one:output:0, i)"),
    ];
    for (written, otherwise) in changes {
        assert!(STEP.contains(written));
        check_layer(&layer(&STEP.replace(written, otherwise), CONDITION, STEPS), 1)?;
    }
    Ok(())
}

#[test]
fn layers_may_keep_their_last_output_alone() -> Result<()> {
    let last = STEP.replace("TensorListSetItem(out, i,", "TensorListSetItem(out, zero:output:0,");
    let text = layer(&(last + "\n zero = Identity(nothing)"), CONDITION, 1);
    let zero = int("zero", "", &[0]);
    let identity = step_nodes("zero = Identity(nothing)");
    assert!(text.contains(&identity));
    check_layer(&text.replace(&identity, &zero), 1)
}

#[test]
fn what_is_no_layer_stays_a_loop() -> Result<()> {
    let changes = [
        ("input = Sigmoid(q:output:0)", "input = Tanh(q:output:0)"),
        ("f = Sigmoid(q:output:1)", "f = Sigmoid(q:output:0)"),
        ("Mul(f:y:0, c)", "Mul(f:y:0, h)"),
        ("MatMul(h, u)", "MatMul(c, u)"),
        ("AddV2(kept:z:0, added:z:0)", "AddV2(kept:z:0, g:y:0)"),
        ("TensorListSetItem(out, i, new_h:z:0)", "TensorListSetItem(out, i, new_c:z:0)"),
    ];
    for (written, otherwise) in changes {
        assert!(STEP.contains(written));
        check_layer(&layer(&STEP.replace(written, otherwise), CONDITION, STEPS), 0)?;
    }
    let changing = layer(&STEP.replace("same_w = Identity(w)", "same_w = AddV2(w, w)"), CONDITION, STEPS);
    check_layer(&changing.replace("same_w:output:0", "same_w:z:0"), 0)
}

#[test]
fn a_loop_that_ends_before_the_list_stays_a_loop() -> Result<()> {
    let condition = CONDITION.replace("Less(i, n)", "Less(i, one)");
    let text = layer(STEP, &condition, STEPS);
    let one = int("steps", "", &[STEPS]) + &int("one", "", &[4]);
    check_layer(
        &text.replace(&int("steps", "", &[STEPS]), &one).replace(r#"input: "one" "#, r#"input: "one:output:0" "#),
        0,
    )
}
