//! Time that grows with a graph and no faster: import, inference, passes, plans, placement and export, along each way in
//! which a graph can be large.

use std::time::{Duration, Instant};

use oplink_graph::{Graph, MergeOptions, PassOptions, Session, SessionOptions};
use oplink_proto::attr_value::{ListValue, Value};
use oplink_proto::op_def::{ArgDef, AttrDef};
use oplink_proto::{AttrValue, DataType, FunctionDef, GraphDef, NodeDef, OpDef, TensorProto, TensorShapeProto};

use crate::fixture::{TestDevice, registry, session};

/// Sizes are multiplied by this; time that grows with the size is too, time that grows with its square by this squared.
const FACTOR: usize = 4;
/// More than [`FACTOR`], less than its square.
const MOST: f64 = 9.0;
/// Times below this tell nothing.
const LEAST: Duration = Duration::from_millis(40);
/// What the shorter time is taken for at least: the system counts a thread's time in such steps.
const STEP: f64 = 0.004;

/// A way in which graphs grow.
struct Case {
    name: &'static str,
    size: usize,
    make: fn(usize) -> GraphDef,
    /// What is asked of the graph; empty where it is only imported and exported.
    fetch: &'static str,
}

const CASES: &[Case] = &[
    Case { name: "nodes", size: 1000, make: chain, fetch: "last" },
    Case { name: "inputs of a node", size: 1000, make: inputs, fetch: "last" },
    Case { name: "control inputs of a node", size: 1000, make: control_inputs, fetch: "last" },
    Case { name: "control inputs of a call", size: 1000, make: control_inputs_of_a_call, fetch: "last" },
    Case { name: "consumers of an output", size: 1000, make: consumers, fetch: "last" },
    Case { name: "attrs of a node", size: 2500, make: attrs, fetch: "last" },
    Case { name: "elements of a list", size: 10_000, make: list, fetch: "last" },
    Case { name: "constants", size: 1000, make: constants, fetch: "last" },
    Case { name: "folded constants", size: 500, make: folded, fetch: "last" },
    Case { name: "functions", size: 250, make: functions, fetch: "last" },
    Case { name: "functions inside each other", size: 250, make: nested, fetch: "last" },
    Case { name: "calls of a function", size: 250, make: calls, fetch: "last" },
    Case { name: "arguments of a function", size: 500, make: arguments, fetch: "last" },
    Case { name: "nodes of a function", size: 500, make: body, fetch: "last" },
    Case { name: "outputs of a node in a function", size: 500, make: split_in_body, fetch: "last" },
    Case { name: "attrs of a function", size: 1000, make: function_attrs, fetch: "" },
    Case { name: "colocated nodes", size: 1000, make: colocated, fetch: "last" },
    Case { name: "loops", size: 150, make: loops, fetch: "last" },
    Case { name: "parts of a name", size: 2500, make: long_name, fetch: "last" },
    Case { name: "identities", size: 1000, make: identities, fetch: "last" },
    Case { name: "placeholders", size: 500, make: placeholders, fetch: "last" },
];

/// What this thread has worked, so that other work on the machine counts little; the clock where that cannot be told.
fn worked(since: Instant) -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = text.split(' ').next().and_then(|number| number.parse().ok());
    nanoseconds.map_or_else(|| since.elapsed(), Duration::from_nanos)
}

/// The shorter of two times.
fn time<T>(mut prepare: impl FnMut() -> T, mut work: impl FnMut(T)) -> Duration {
    let since = Instant::now();
    let once = |_| {
        let prepared = prepare();
        let start = worked(since);
        work(prepared);
        worked(since).saturating_sub(start)
    };
    (0..2).map(once).min().unwrap_or_default()
}

/// Compares the times of two sizes; whether they grow too fast.
fn grows_too_fast(what: &str, size: usize, of_size: impl Fn(usize) -> Duration) -> bool {
    let (short, long) = (of_size(size), of_size(FACTOR * size));
    let growth = long.as_secs_f64() / short.as_secs_f64().max(STEP);
    let bad = long > LEAST && growth > MOST;
    let mark = if bad { " <---" } else { "" };
    println!("{what}: {size} in {short:.1?}, {} in {long:.1?}, {growth:.1} times{mark}", FACTOR * size);
    bad
}

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

fn chain(count: usize) -> GraphDef {
    graph(in_a_row(count, |name, before| float(name, "Neg", &[before])))
}

fn identities(count: usize) -> GraphDef {
    graph(in_a_row(count, |name, before| float(name, "Identity", &[before])))
}

fn names(count: usize) -> Vec<String> {
    (0..count).map(|at| format!("n{at}")).collect()
}

fn inputs(count: usize) -> GraphDef {
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

fn control_inputs(count: usize) -> GraphDef {
    let mut last = float("last", "Neg", &["x"]);
    last.input.extend(control(count));
    let mut nodes = row_before(count + 1);
    nodes.push(last);
    graph(nodes)
}

fn control_inputs_of_a_call(count: usize) -> GraphDef {
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

fn consumers(count: usize) -> GraphDef {
    let mut nodes = negations(count, "x");
    nodes.push(float("sum0", "AddV2", &["n0", "n1"]));
    for at in 2..count {
        let name = if at + 1 == count { "last".to_owned() } else { format!("sum{}", at - 1) };
        nodes.push(float(&name, "AddV2", &[&format!("sum{}", at - 2), &format!("n{at}")]));
    }
    graph(nodes)
}

fn attrs(count: usize) -> GraphDef {
    let mut last = float("last", "Neg", &["x"]);
    last.attr.extend((0..count).map(|at| (format!("_a{at}"), int(at as i64))));
    graph([placeholder("x"), last])
}

fn list(count: usize) -> GraphDef {
    let list = ListValue { i: (0..count as i64).collect(), ..ListValue::default() };
    let last = with(float("last", "Neg", &["x"]), &[("_list", AttrValue { value: Some(Value::List(list)) })]);
    graph([placeholder("x"), last])
}

fn constants(count: usize) -> GraphDef {
    let mut nodes: Vec<NodeDef> = (0..count).map(|at| constant(&format!("c{at}"), at as f32)).collect();
    nodes.extend(in_a_row(count, |name, before| {
        let number = name.strip_prefix('n').unwrap_or("0");
        float(name, "AddV2", &[before, &format!("c{number}")])
    }));
    graph(nodes)
}

fn folded(count: usize) -> GraphDef {
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

fn functions(count: usize) -> GraphDef {
    let negates = |at: usize| function(&format!("f{at}"), &["x"], vec![float("n", "Neg", &["x"])], "n:y:0");
    let calls = in_a_row(count, |name, before| {
        let number = name.strip_prefix('n').unwrap_or("0");
        node(name, &format!("f{number}"), &[before])
    });
    with_functions(graph(calls), (0..count).map(negates))
}

fn nested(count: usize) -> GraphDef {
    let calls = |at: usize| {
        let inner = match at + 1 < count {
            true => node("n", &format!("f{}", at + 1), &["x"]),
            false => float("n", "Neg", &["x"]),
        };
        function(&format!("f{at}"), &["x"], vec![inner], "n:y:0")
    };
    with_functions(graph([placeholder("x"), node("last", "f0", &["x"])]), (0..count).map(calls))
}

fn calls(count: usize) -> GraphDef {
    let body = function("f", &["x"], vec![float("n", "Neg", &["x"])], "n:y:0");
    with_functions(graph(in_a_row(count, |name, before| node(name, "f", &[before]))), [body])
}

fn arguments(count: usize) -> GraphDef {
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

fn body(count: usize) -> GraphDef {
    let mut nodes = vec![float("n0", "Neg", &["x"])];
    for at in 1..count {
        nodes.push(float(&format!("n{at}"), "Neg", &[&format!("n{}:y:0", at - 1)]));
    }
    let body = function("f", &["x"], nodes, &format!("n{}:y:0", count - 1));
    with_functions(graph([placeholder("x"), node("last", "f", &["x"])]), [body])
}

fn split_in_body(count: usize) -> GraphDef {
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

fn function_attrs(count: usize) -> GraphDef {
    let mut body = function("f", &["x"], vec![float("n", "Neg", &["x"])], "n:y:0");
    let attr = |at: usize| AttrDef { name: format!("a{at}"), r#type: "int".to_owned(), ..AttrDef::default() };
    body.signature.get_or_insert_default().attr.extend((0..count).map(attr));
    let mut call = node("last", "f", &["x"]);
    call.attr.extend((0..count).map(|at| (format!("a{at}"), int(at as i64))));
    with_functions(graph([placeholder("x"), call]), [body])
}

fn colocated(count: usize) -> GraphDef {
    let with_class = |name: &str, before: &str| {
        let number: usize = name.strip_prefix('n').and_then(|number| number.parse().ok()).unwrap_or(count - 1);
        let next = if number + 2 < count { format!("loc:@n{}", number + 1) } else { "loc:@last".to_owned() };
        let list = ListValue { s: vec![next.into()], ..ListValue::default() };
        with(float(name, "Neg", &[before]), &[("_class", AttrValue { value: Some(Value::List(list)) })])
    };
    graph(in_a_row(count, with_class))
}

/// Loops that never go on, one after the other.
fn loops(count: usize) -> GraphDef {
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

fn long_name(count: usize) -> GraphDef {
    let mut nodes = vec![placeholder("x"), float(&vec!["a"; count].join("/"), "Neg", &["x"])];
    nodes.push(float("last", "Neg", &["x"]));
    graph(nodes)
}

fn placeholders(count: usize) -> GraphDef {
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

/// The names of all placeholders.
fn feeds(def: &GraphDef) -> Vec<String> {
    def.node.iter().filter(|node| node.op == "Placeholder").map(|node| node.name.clone()).collect()
}

fn import(def: &GraphDef) -> Graph {
    Graph::import(def, registry()).unwrap()
}

fn plan(session: &Session, feeds: &[String], fetch: &str) {
    let feeds: Vec<&str> = feeds.iter().map(String::as_str).collect();
    drop(session.prepare(&feeds, &[fetch], &[]).unwrap());
}

/// Everything that is done with a graph, each by its own.
fn grow(case: &Case, only: &str) -> Vec<String> {
    let mut bad = Vec::new();
    let mut check = |what: &str, of_size: &dyn Fn(usize) -> Duration| {
        let what = format!("{}, {what}", case.name);
        if what.contains(only) && grows_too_fast(&what, case.size, of_size) {
            bad.push(what);
        }
    };
    let def = |size: usize| (case.make)(size);
    check("import", &|size| time(|| def(size), |def| drop(import(&def))));
    check("export", &|size| time(|| import(&def(size)), |graph| drop(graph.to_def().unwrap())));
    check("import into another graph", &|size| {
        let options = MergeOptions { prefix: "p".to_owned(), uniquify_prefix: true, ..MergeOptions::default() };
        let other = || import(&chain(2));
        time(|| (other(), def(size)), |(mut graph, def)| drop(graph.import_into(def, &options).unwrap()))
    });
    if case.fetch.is_empty() {
        return bad;
    }
    let with_passes = |passes: PassOptions| {
        move |size: usize| {
            let (def, passes) = (def(size), passes.clone());
            let feeds = feeds(&def);
            let make = || {
                let options = SessionOptions { passes: passes.clone(), ..SessionOptions::default() };
                Session::on_device(import(&def), TestDevice::new(), options).unwrap()
            };
            time(make, |session| plan(&session, &feeds, case.fetch))
        }
    };
    check("plan", &with_passes(PassOptions::default()));
    check("plan without passes", &with_passes(PassOptions::none()));
    check("placement", &|size| {
        let def = def(size);
        let feeds = feeds(&def);
        let make = || {
            let options = SessionOptions { passes: PassOptions::none(), ..SessionOptions::default() };
            crate::devices::session_of(import(&def), options)
        };
        time(make, |session| plan(&session, &feeds, case.fetch))
    });
    bad
}

#[test]
fn time_grows_with_the_size() {
    let only = std::env::var("OPLINK_SCALING").unwrap_or_default();
    let bad: Vec<String> = CASES.iter().flat_map(|case| grow(case, &only)).collect();
    assert!(bad.is_empty(), "grow faster than the graph: {bad:#?}");
}

#[test]
fn the_graphs_run() {
    for case in CASES.iter().filter(|case| !case.fetch.is_empty()) {
        let def = (case.make)(8);
        let session = session(import(&def));
        plan(&session, &feeds(&def), case.fetch);
    }
}
