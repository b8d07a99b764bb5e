//! What each pass makes of a graph, and that values stay what they are.

use expect_test::{Expect, expect};
use oplink_api::{Scope, Tensor};
use oplink_graph::{Graph, PASSES, PassOptions, Session, SessionOptions};

use crate::fixture::{TestDevice, def, registry};

fn graph(nodes: &str) -> Graph {
    Graph::import(&def(nodes), registry()).unwrap()
}

/// Only this pass.
fn only(pass: &str) -> PassOptions {
    PassOptions::none().with(pass).unwrap()
}

/// The nodes that are left when `pass` has run, with what they read.
fn check(pass: &str, nodes: &str, feeds: &[&str], fetches: &[&str], expected: Expect) {
    let optimized = graph(nodes).optimized(feeds, fetches, &[], &only(pass)).unwrap();
    let mut text = String::new();
    let graph = &optimized.graph;
    for node in graph.nodes() {
        let inputs: Vec<String> = node.inputs().iter().map(|&input| graph.output_name(input)).collect();
        let control = node.control_inputs().iter().map(|&before| format!("^{}", graph.nodes()[before as usize].name()));
        let reads: Vec<String> = inputs.into_iter().chain(control).collect();
        text += &format!("{} = {}({})\n", node.name(), node.op_name(), reads.join(", "));
    }
    text += &format!("fetch {}\n", optimized.fetches.join(", "));
    expected.assert_eq(&text);
}

/// Nodes in short form: `name = Op(inputs)`, all of float.
fn float_nodes(lines: &str) -> String {
    let mut text = String::new();
    for line in lines.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let (name, rest) = line.split_once(" = ").unwrap();
        let (op, inputs) = rest.trim_end_matches(')').split_once('(').unwrap();
        text += &match op {
            "Placeholder" => format!(
                r#"node {{ name: "{name}" op: "Placeholder" attr {{ key: "dtype" value {{ type: DT_FLOAT }} }}
                   attr {{ key: "shape" value {{ shape {{ dim {{ size: 2 }} }} }} }} }}"#
            ),
            "Const" => format!(
                r#"node {{ name: "{name}" op: "Const" attr {{ key: "dtype" value {{ type: DT_FLOAT }} }}
                   attr {{ key: "value" value {{ tensor {{ dtype: DT_FLOAT tensor_shape {{}} float_val: {inputs} }} }} }} }}"#
            ),
            op => {
                let inputs: String =
                    inputs.split(", ").filter(|i| !i.is_empty()).map(|i| format!(r#"input: "{i}" "#)).collect();
                format!(
                    r#"node {{ name: "{name}" op: "{op}" {inputs} attr {{ key: "T" value {{ type: DT_FLOAT }} }} }}"#
                )
            }
        };
        text += "\n";
    }
    text
}

#[test]
fn identities_are_read_past() {
    let nodes = "x = Placeholder()\na = Identity(x)\nb = Neg(a)\nc = Identity(b)";
    check(
        "forwarding",
        &float_nodes(nodes),
        &["x"],
        &["c"],
        expect![[r#"
        x = Placeholder()
        b = Neg(x)
        fetch b
    "#]],
    );
}

#[test]
fn an_identity_that_waits_stays() {
    let nodes = "x = Placeholder()\nn = Neg(x)\na = Identity(x, ^n)";
    check(
        "forwarding",
        &float_nodes(nodes),
        &["x"],
        &["a"],
        expect![[r#"
        x = Placeholder()
        n = Neg(x)
        a = Identity(x, ^n)
        fetch a
    "#]],
    );
}

#[test]
fn constants_are_folded() {
    let nodes = "x = Placeholder()\ntwo = Const(2)\nsum = AddV2(two, two)\ny = Mul(x, sum)";
    check(
        "constant_folding",
        &float_nodes(nodes),
        &["x"],
        &["y"],
        expect![[r#"
        x = Placeholder()
        sum/folded = Const()
        y = Mul(x, sum/folded)
        fetch y
    "#]],
    );
}

#[test]
fn what_is_fed_is_not_folded() {
    let nodes = "x = Placeholder()\ntwo = Const(2)\nsum = AddV2(two, two)\ny = Mul(x, sum)";
    check(
        "constant_folding",
        &float_nodes(nodes),
        &["x", "two"],
        &["y"],
        expect![[r#"
        x = Placeholder()
        two = Placeholder()
        sum = AddV2(two, two)
        y = Mul(x, sum)
        fetch y
    "#]],
    );
}

#[test]
fn a_folded_value_waits_for_what_it_waited_for() {
    let nodes = "x = Placeholder()\nn = Neg(x)\ntwo = Const(2)\nsum = AddV2(two, two, ^n)\ny = Mul(x, sum)";
    check(
        "constant_folding",
        &float_nodes(nodes),
        &["x"],
        &["y"],
        expect![[r#"
        x = Placeholder()
        n = Neg(x)
        sum/folded = Const(^n)
        y = Mul(x, sum/folded)
        fetch y
    "#]],
    );
}

#[test]
fn equal_nodes_become_one() {
    let nodes = "x = Placeholder()\na = Neg(x)\nb = Neg(x)\nc = Mul(a, b)";
    check(
        "common_subexpressions",
        &float_nodes(nodes),
        &["x"],
        &["c"],
        expect![[r#"
        x = Placeholder()
        a = Neg(x)
        c = Mul(a, a)
        fetch c
    "#]],
    );
}

#[test]
fn what_nobody_reads_is_not_computed() {
    // `d` has an effect: `y` waits for it, though not for what only it waited for.
    let nodes = "x = Placeholder()\nd = RandomShuffle(x)\na = Neg(x, ^d)\nb = Mul(a, x)\ny = Neg(x, ^b)\nz = Neg(y)";
    check(
        "unread_values",
        &float_nodes(nodes),
        &["x"],
        &["z"],
        expect![[r#"
            x = Placeholder()
            d = RandomShuffle(x)
            y = Neg(x, ^d)
            z = Neg(y)
            fetch z
        "#]],
    );
}

#[test]
fn products_by_one_and_double_negations_go() {
    let nodes = "x = Placeholder()\none = Const(1)\na = Mul(x, one)\nb = Neg(a)\nc = Neg(b)\nd = Relu(c)";
    check(
        "arithmetic_identities",
        &float_nodes(nodes),
        &["x"],
        &["d"],
        expect![[r#"
        x = Placeholder()
        d = Relu(x)
        fetch d
    "#]],
    );
}

#[test]
fn a_sum_with_zero_stays() {
    let nodes = "x = Placeholder()\nzero = Const(0)\na = AddV2(x, zero)";
    check(
        "arithmetic_identities",
        &float_nodes(nodes),
        &["x"],
        &["a"],
        expect![[r#"
        x = Placeholder()
        zero = Const()
        a = AddV2(x, zero)
        fetch a
    "#]],
    );
}

#[test]
fn passes_have_switches_and_names() {
    assert!(PASSES.iter().all(|pass| PassOptions::default().is_on(pass.name) && !pass.description.is_empty()));
    let error = PassOptions::default().without("constant_foldin").unwrap_err();
    assert!(error.message().contains("did you mean `constant_folding`?"), "{error}");
}

#[test]
fn values_are_the_same_with_and_without() {
    let nodes = "x = Placeholder()\none = Const(1)\ntwo = Const(2)\nthree = AddV2(one, two)\na = Mul(x, three)
                 b = Mul(x, three)\nc = AddV2(a, b)\nd = Mul(c, one)\ne = Identity(d)\nf = Relu(e)";
    let run = |passes: PassOptions| {
        let options = SessionOptions { passes, ..SessionOptions::default() };
        let session = Session::on_device(graph(&float_nodes(nodes)), TestDevice::new(), options).unwrap();
        let outputs = session.run(&[("x", Tensor::from([1.5f32, -2.0]))], &["f", "c"], &[]).unwrap();
        outputs.iter().map(|output| output.as_slice::<f32>().unwrap().to_vec()).collect::<Vec<_>>()
    };
    assert_eq!(run(PassOptions::none()), run(PassOptions::default()));
}

#[test]
fn constants_from_two_parts_of_one_block_stay_apart() {
    let whole = Tensor::from_slice(&[1f32, 2.0, 3.0, 4.0]);
    let mut graph = Graph::new(registry());
    let parts = [(0, 2), (2, 4), (2, 4)];
    let parts = parts.map(|(start, end)| graph.scope().constant(whole.slice(start, end).unwrap()).unwrap());
    let names = parts.map(|part| graph.output_name(part));
    let fetches: Vec<&str> = names.iter().map(String::as_str).collect();
    let fetches = graph.optimized(&[], &fetches, &[], &only("common_subexpressions")).unwrap().fetches;
    assert_ne!(fetches[0], fetches[1]);
    assert_eq!(fetches[1], fetches[2]);
}
