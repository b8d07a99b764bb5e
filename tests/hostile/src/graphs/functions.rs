//! Functions that call each other at random: in circles, twice each time, with wrong arguments and results.

use std::time::Instant;

use oplink_proto::attr_value::Value;
use oplink_proto::op_def::ArgDef;
use oplink_proto::{FunctionDef, FunctionDefLibrary, GraphDef, NodeDef, OpDef};

use super::nodes::{BOOL, FLOAT, constant, dtype, dtypes, function, node};
use super::run::import_and_run;
use crate::drawn::Answer;
use crate::random::Random;

/// One case: some functions and a graph that calls one of them.
///
/// # Errors
/// What is wrong with the answer.
pub(super) fn run(random: &mut Random, deadline: Instant) -> Answer {
    let most = if random.percent(50) { 5 } else { 45 };
    let count = 1 + random.below(most - 1);
    // Half of the cases have no circle: a function calls those after it.
    let circles = random.percent(50);
    let functions = (0..count).map(|at| make(at, count, circles, random)).collect();
    let mut nodes = vec![constant("x", FLOAT, 1.0), constant("yes", BOOL, 1.0)];
    nodes.push(call("y", 0, "x", "yes", random, count));
    let library = Some(FunctionDefLibrary { function: functions, ..FunctionDefLibrary::default() });
    import_and_run(&GraphDef { node: nodes, library, ..GraphDef::default() }, |_| true, random, deadline)
}

/// Function `at` of `count`: `float -> float`, a few calls one after the other.
fn make(at: usize, count: usize, circles: bool, random: &mut Random) -> FunctionDef {
    let mut body = vec![constant("yes", BOOL, f32::from(random.percent(50)))];
    let mut value = "x".to_owned();
    for number in 0..random.below(3) {
        let callee = if circles { random.below(count) } else { at + 1 };
        if callee >= count {
            break;
        }
        let name = format!("c{number}");
        body.push(call(&name, callee, &value, "yes:output:0", random, count));
        value = format!("{name}:output:0");
    }
    body.push(node("sum", "AddV2", vec![value.clone(), value], vec![("T", dtype(FLOAT))]));
    let argument = |name: &str, number: i32| ArgDef { name: name.to_owned(), r#type: number, ..ArgDef::default() };
    let mut signature = OpDef {
        name: format!("f{at}"),
        input_arg: vec![argument("x", FLOAT)],
        output_arg: vec![argument("y", FLOAT)],
        ..OpDef::default()
    };
    let mut results = [("y".to_owned(), "sum:z:0".to_owned())];
    match random.below(80) {
        0 => signature.input_arg.clear(),
        1 => signature.input_arg.push(argument("x", FLOAT)),
        2 => signature.output_arg[0].r#type = BOOL,
        3 => "sum:z:9".clone_into(&mut results[0].1),
        4 => "nothing:z:0".clone_into(&mut results[0].1),
        5 => "z".clone_into(&mut results[0].0),
        6 => signature.input_arg[0].r#type = -7,
        _ => {}
    }
    FunctionDef { signature: Some(signature), node_def: body, ret: results.into(), ..FunctionDef::default() }
}

/// A call of a function, in one of the ways there are.
fn call(name: &str, callee: usize, value: &str, yes: &str, random: &mut Random, count: usize) -> NodeDef {
    let types = |names: [&'static str; 2]| names.map(|name| (name, dtypes(vec![FLOAT])));
    let (one, other) = (format!("f{callee}"), format!("f{}", random.below(count)));
    let mut made = match random.below(12) {
        0 | 1 => {
            let [tin, tout] = types(["Tin", "Tout"]);
            let branches = vec![
                ("Tcond", dtype(BOOL)),
                tin,
                tout,
                ("then_branch", function(&one)),
                ("else_branch", function(&other)),
            ];
            node(
                name,
                if random.percent(50) { "If" } else { "StatelessIf" },
                vec![yes.to_owned(), value.to_owned()],
                branches,
            )
        }
        2 => {
            let loops = vec![("T", dtypes(vec![FLOAT])), ("cond", function(&other)), ("body", function(&one))];
            node(name, if random.percent(50) { "While" } else { "StatelessWhile" }, vec![value.to_owned()], loops)
        }
        3 => node(name, &one, vec![value.to_owned()], vec![]),
        _ => {
            let [tin, tout] = types(["Tin", "Tout"]);
            let op = if random.percent(50) { "PartitionedCall" } else { "StatefulPartitionedCall" };
            node(name, op, vec![value.to_owned()], vec![tin, tout, ("f", function(&one))])
        }
    };
    match random.below(100) {
        0 => drop(made.input.pop()),
        1 => made.input.push(value.to_owned()),
        2 => drop(made.attr.insert("Tout".to_owned(), oplink_proto::AttrValue { value: Some(dtypes(vec![BOOL])) })),
        3 => drop(made.attr.insert("Tin".to_owned(), oplink_proto::AttrValue { value: Some(dtypes(vec![])) })),
        4 => drop(made.attr.insert("f".to_owned(), oplink_proto::AttrValue { value: Some(Value::I(7)) })),
        _ => {}
    }
    made
}
