//! Graphs of any size, each large in one way.

use oplink_proto::attr_value::{ListValue, Value};
use oplink_proto::op_def::{ArgDef, AttrDef};
use oplink_proto::{AttrValue, DataType, FunctionDef, GraphDef, NodeDef, OpDef, TensorProto, TensorShapeProto};

fn int(value: i64) -> AttrValue {
    AttrValue { value: Some(Value::I(value)) }
}

fn dtype(value: DataType) -> AttrValue {
    AttrValue { value: Some(Value::Type(value as i32)) }
}

fn node(name: &str, op: &str, inputs: &[&str]) -> NodeDef {
    let input = inputs.iter().map(|&input| input.to_owned()).collect();
    NodeDef { name: name.to_owned(), op: op.to_owned(), input, ..NodeDef::default() }
}

fn with(mut node: NodeDef, attrs: &[(&str, AttrValue)]) -> NodeDef {
    node.attr.extend(attrs.iter().map(|(name, value)| ((*name).to_owned(), value.clone())));
    node
}

fn float(name: &str, op: &str, inputs: &[&str]) -> NodeDef {
    with(node(name, op, inputs), &[("T", dtype(DataType::DtFloat))])
}

fn placeholder(name: &str) -> NodeDef {
    let shape = AttrValue { value: Some(Value::Shape(TensorShapeProto::default())) };
    with(node(name, "Placeholder", &[]), &[("dtype", dtype(DataType::DtFloat)), ("shape", shape)])
}

fn constant(name: &str, value: f32) -> NodeDef {
    let tensor = TensorProto {
        dtype: DataType::DtFloat as i32,
        tensor_shape: Some(TensorShapeProto::default()),
        float_val: vec![value],
        ..TensorProto::default()
    };
    let value = AttrValue { value: Some(Value::Tensor(tensor)) };
    with(node(name, "Const", &[]), &[("dtype", dtype(DataType::DtFloat)), ("value", value)])
}

fn integer(name: &str, value: i32) -> NodeDef {
    let tensor = TensorProto {
        dtype: DataType::DtInt32 as i32,
        tensor_shape: Some(TensorShapeProto::default()),
        int_val: vec![value],
        ..TensorProto::default()
    };
    let value = AttrValue { value: Some(Value::Tensor(tensor)) };
    with(node(name, "Const", &[]), &[("dtype", dtype(DataType::DtInt32)), ("value", value)])
}

fn graph(nodes: impl IntoIterator<Item = NodeDef>) -> GraphDef {
    let mut def = GraphDef { node: nodes.into_iter().collect(), ..GraphDef::default() };
    def.versions.get_or_insert_default().producer = oplink_graph::GRAPH_DEF_VERSION;
    def
}

fn with_functions(mut def: GraphDef, functions: impl IntoIterator<Item = FunctionDef>) -> GraphDef {
    def.library.get_or_insert_default().function.extend(functions);
    def
}

fn arg(name: &str) -> ArgDef {
    ArgDef { name: name.to_owned(), r#type: DataType::DtFloat as i32, ..ArgDef::default() }
}

/// A function of `inputs` that returns `result` as `y`.
fn function(name: &str, inputs: &[&str], nodes: Vec<NodeDef>, result: &str) -> FunctionDef {
    let signature = OpDef {
        name: name.to_owned(),
        input_arg: inputs.iter().map(|name| arg(name)).collect(),
        output_arg: vec![arg("y")],
        ..OpDef::default()
    };
    let ret = [("y".to_owned(), result.to_owned())].into();
    FunctionDef { signature: Some(signature), node_def: nodes, ret, ..FunctionDef::default() }
}

/// What many nodes do: each takes what the one before it gave.
fn in_a_row(count: usize, make: impl Fn(&str, &str) -> NodeDef) -> Vec<NodeDef> {
    let mut nodes = vec![placeholder("x")];
    for at in 0..count {
        let name = if at + 1 == count { "last".to_owned() } else { format!("n{at}") };
        let before = nodes.last().map(|node| node.name.clone()).unwrap_or_default();
        nodes.push(make(&name, &before));
    }
    nodes
}

pub(super) fn chain(count: usize) -> GraphDef {
    graph(in_a_row(count, |name, before| float(name, "Neg", &[before])))
}

pub(super) fn identities(count: usize) -> GraphDef {
    graph(in_a_row(count, |name, before| float(name, "Identity", &[before])))
}

fn names(count: usize) -> Vec<String> {
    (0..count).map(|at| format!("n{at}")).collect()
}

pub(super) fn inputs(count: usize) -> GraphDef {
    let names = names(count);
    let values = names.iter().zip(0..).map(|(name, value)| integer(name, value));
    let inputs: Vec<&str> = names.iter().map(String::as_str).collect();
    let attrs = [("T", dtype(DataType::DtInt32)), ("N", int(count as i64))];
    graph(values.chain([with(node("last", "Pack", &inputs), &attrs)]))
}

fn negations(count: usize, of: &str) -> Vec<NodeDef> {
    let mut nodes = vec![placeholder("x")];
    nodes.extend(names(count).iter().map(|name| float(name, "Neg", &[of])));
    nodes
}

fn control(count: usize) -> Vec<String> {
    names(count).iter().map(|name| format!("^{name}")).collect()
}

/// Nodes in a row, the last of which is `end`.
fn row_before(count: usize) -> Vec<NodeDef> {
    in_a_row(count, |name, before| float(if name == "last" { "end" } else { name }, "Neg", &[before]))
}

pub(super) fn control_inputs(count: usize) -> GraphDef {
    let mut last = float("last", "Neg", &["x"]);
    last.input.extend(control(count));
    let mut nodes = row_before(count + 1);
    nodes.push(last);
    graph(nodes)
}

pub(super) fn control_inputs_of_a_call(count: usize) -> GraphDef {
    let inner: Vec<NodeDef> = (0..count).map(|at| constant(&format!("c{at}"), at as f32)).collect();
    let mut sum = vec![float("s0", "AddV2", &["x", "c0:output:0"])];
    for at in 1..count {
        sum.push(float(&format!("s{at}"), "AddV2", &[&format!("s{}:z:0", at - 1), &format!("c{at}:output:0")]));
    }
    let result = format!("s{}:z:0", count - 1);
    let body = function("f", &["x"], inner.into_iter().chain(sum).collect(), &result);
    let mut call = node("last", "f", &["x"]);
    call.input.extend(control(count));
    let mut nodes = row_before(count + 1);
    nodes.push(call);
    with_functions(graph(nodes), [body])
}

pub(super) fn consumers(count: usize) -> GraphDef {
    let mut nodes = negations(count, "x");
    nodes.push(float("sum0", "AddV2", &["n0", "n1"]));
    for at in 2..count {
        let name = if at + 1 == count { "last".to_owned() } else { format!("sum{}", at - 1) };
        nodes.push(float(&name, "AddV2", &[&format!("sum{}", at - 2), &format!("n{at}")]));
    }
    graph(nodes)
}

pub(super) fn attrs(count: usize) -> GraphDef {
    let mut last = float("last", "Neg", &["x"]);
    last.attr.extend((0..count).map(|at| (format!("_a{at}"), int(at as i64))));
    graph([placeholder("x"), last])
}

pub(super) fn list(count: usize) -> GraphDef {
    let list = ListValue { i: (0..count as i64).collect(), ..ListValue::default() };
    let last = with(float("last", "Neg", &["x"]), &[("_list", AttrValue { value: Some(Value::List(list)) })]);
    graph([placeholder("x"), last])
}

pub(super) fn constants(count: usize) -> GraphDef {
    let mut nodes: Vec<NodeDef> = (0..count).map(|at| constant(&format!("c{at}"), at as f32)).collect();
    nodes.extend(in_a_row(count, |name, before| {
        let number = name.strip_prefix('n').unwrap_or("0");
        float(name, "AddV2", &[before, &format!("c{number}")])
    }));
    graph(nodes)
}

pub(super) fn folded(count: usize) -> GraphDef {
    let mut nodes = vec![constant("one", 1.0), float("c0", "AddV2", &["one", "one"])];
    for at in 1..count {
        nodes.push(float(&format!("c{at}"), "AddV2", &[&format!("c{}", at - 1), "one"]));
    }
    nodes.extend(in_a_row(count, |name, before| {
        let number = name.strip_prefix('n').unwrap_or("0");
        float(name, "AddV2", &[before, &format!("c{number}")])
    }));
    graph(nodes)
}

pub(super) fn functions(count: usize) -> GraphDef {
    let negates = |at: usize| function(&format!("f{at}"), &["x"], vec![float("n", "Neg", &["x"])], "n:y:0");
    let calls = in_a_row(count, |name, before| {
        let number = name.strip_prefix('n').unwrap_or("0");
        node(name, &format!("f{number}"), &[before])
    });
    with_functions(graph(calls), (0..count).map(negates))
}

pub(super) fn nested(count: usize) -> GraphDef {
    let calls = |at: usize| {
        let inner = match at + 1 < count {
            true => node("n", &format!("f{}", at + 1), &["x"]),
            false => float("n", "Neg", &["x"]),
        };
        function(&format!("f{at}"), &["x"], vec![inner], "n:y:0")
    };
    with_functions(graph([placeholder("x"), node("last", "f0", &["x"])]), (0..count).map(calls))
}

pub(super) fn calls(count: usize) -> GraphDef {
    let body = function("f", &["x"], vec![float("n", "Neg", &["x"])], "n:y:0");
    with_functions(graph(in_a_row(count, |name, before| node(name, "f", &[before]))), [body])
}

pub(super) fn arguments(count: usize) -> GraphDef {
    let names = names(count);
    let mut body = vec![float("s1", "AddV2", &["n0", "n1"])];
    for at in 2..count {
        body.push(float(&format!("s{at}"), "AddV2", &[&format!("s{}:z:0", at - 1), &format!("n{at}")]));
    }
    let arguments: Vec<&str> = names.iter().map(String::as_str).collect();
    let sums = function("sums", &arguments, body, &format!("s{}:z:0", count - 1));
    let values = names.iter().map(|_| "x").collect::<Vec<_>>();
    with_functions(graph([placeholder("x"), node("last", "sums", &values)]), [sums])
}

pub(super) fn body(count: usize) -> GraphDef {
    let mut nodes = vec![float("n0", "Neg", &["x"])];
    for at in 1..count {
        nodes.push(float(&format!("n{at}"), "Neg", &[&format!("n{}:y:0", at - 1)]));
    }
    let body = function("f", &["x"], nodes, &format!("n{}:y:0", count - 1));
    with_functions(graph([placeholder("x"), node("last", "f", &["x"])]), [body])
}

pub(super) fn split_in_body(count: usize) -> GraphDef {
    let attrs = [("T", dtype(DataType::DtFloat)), ("num_split", int(count as i64))];
    let mut nodes = vec![
        integer("axis", 0),
        with(node("split", "Split", &["axis:output:0", "x"]), &attrs),
        float("s1", "AddV2", &["split:output:0", "split:output:1"]),
    ];
    for at in 2..count {
        nodes.push(float(&format!("s{at}"), "AddV2", &[&format!("s{}:z:0", at - 1), &format!("split:output:{at}")]));
    }
    let body = function("f", &["x"], nodes, &format!("s{}:z:0", count - 1));
    let mut x = placeholder("x");
    x.attr.remove("shape");
    with_functions(graph([x, node("last", "f", &["x"])]), [body])
}

pub(super) fn function_attrs(count: usize) -> GraphDef {
    let mut body = function("f", &["x"], vec![float("n", "Neg", &["x"])], "n:y:0");
    let attr = |at: usize| AttrDef { name: format!("a{at}"), r#type: "int".to_owned(), ..AttrDef::default() };
    body.signature.get_or_insert_default().attr.extend((0..count).map(attr));
    let mut call = node("last", "f", &["x"]);
    call.attr.extend((0..count).map(|at| (format!("a{at}"), int(at as i64))));
    with_functions(graph([placeholder("x"), call]), [body])
}

pub(super) fn colocated(count: usize) -> GraphDef {
    let with_class = |name: &str, before: &str| {
        let number: usize = name.strip_prefix('n').and_then(|number| number.parse().ok()).unwrap_or(count - 1);
        let next = if number + 2 < count { format!("loc:@n{}", number + 1) } else { "loc:@last".to_owned() };
        let list = ListValue { s: vec![next.into()], ..ListValue::default() };
        with(float(name, "Neg", &[before]), &[("_class", AttrValue { value: Some(Value::List(list)) })])
    };
    graph(in_a_row(count, with_class))
}

/// Loops that never go on, one after the other.
pub(super) fn loops(count: usize) -> GraphDef {
    let bool_false = TensorProto {
        dtype: DataType::DtBool as i32,
        tensor_shape: Some(TensorShapeProto::default()),
        bool_val: vec![false],
        ..TensorProto::default()
    };
    let value = AttrValue { value: Some(Value::Tensor(bool_false)) };
    let mut nodes = vec![placeholder("x")];
    for at in 0..count {
        let before = if at == 0 { "x".to_owned() } else { format!("exit{}", at - 1) };
        let exit = if at + 1 == count { "last".to_owned() } else { format!("exit{at}") };
        let parts = ["enter", "merge", "no", "goes_on", "switch", "next"];
        let [enter, merge, no, goes_on, switch, next] = parts.map(|part| format!("{part}{at}"));
        let frame = AttrValue { value: Some(Value::S(format!("loop{at}").into_bytes().into())) };
        nodes.push(with(float(&enter, "Enter", &[&before]), &[("frame_name", frame)]));
        nodes.push(with(float(&merge, "Merge", &[&enter, &next]), &[("N", int(2))]));
        let attrs = [("dtype", dtype(DataType::DtBool)), ("value", value.clone())];
        nodes.push(with(node(&no, "Const", &[&format!("^{merge}")]), &attrs));
        nodes.push(node(&goes_on, "LoopCond", &[&no]));
        nodes.push(float(&switch, "Switch", &[&merge, &goes_on]));
        nodes.push(float(&next, "NextIteration", &[&format!("{switch}:1")]));
        nodes.push(float(&exit, "Exit", &[&switch]));
    }
    graph(nodes)
}

pub(super) fn long_name(count: usize) -> GraphDef {
    let mut nodes = vec![placeholder("x"), float(&vec!["a"; count].join("/"), "Neg", &["x"])];
    nodes.push(float("last", "Neg", &["x"]));
    graph(nodes)
}

pub(super) fn placeholders(count: usize) -> GraphDef {
    let mut nodes: Vec<NodeDef> = (0..count).map(|at| placeholder(&format!("x{at}"))).collect();
    nodes.push(float("i0", "Identity", &["x0"]));
    for at in 1..count {
        nodes.push(float(&format!("i{at}"), "Identity", &[&format!("x{at}")]));
    }
    nodes.push(float("s0", "AddV2", &["i0", "i1"]));
    for at in 2..count {
        let name = if at + 1 == count { "last".to_owned() } else { format!("s{}", at - 1) };
        nodes.push(float(&name, "AddV2", &[&format!("s{}", at - 2), &format!("i{at}")]));
    }
    graph(nodes)
}
