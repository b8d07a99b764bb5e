//! Loops of `Enter`, `Merge`, `Switch`, `NextIteration` and `Exit` with pieces that are missing, doubled or tied
//! wrongly.

use std::time::Instant;

use oplink_proto::attr_value::Value;
use oplink_proto::bytes::Bytes;
use oplink_proto::{GraphDef, NodeDef};

use super::nodes::{BOOL, FLOAT, constant, dtype, node};
use super::run::import_and_run;
use crate::drawn::Answer;
use crate::random::Random;

/// One case: a few loops, nested or one after the other, then a few mistakes.
///
/// # Errors
/// What is wrong with the answer.
pub(super) fn run(random: &mut Random, deadline: Instant) -> Answer {
    let mut nodes = vec![constant("start", FLOAT, 0.0), constant("limit", FLOAT, 3.0), constant("yes", BOOL, 1.0)];
    let mut value = "start".to_owned();
    for at in 0..=random.below(3) {
        let inner = random.below(3);
        value = add_loop(&mut nodes, &format!("l{at}"), (&value, "limit"), inner, random);
    }
    for _ in 0..random.below(4) {
        spoil(&mut nodes, random);
    }
    // Of what is inside a loop, `Exit` gives the last value; few cases ask for something else.
    let any = random.percent(6);
    import_and_run(&GraphDef { node: nodes, ..GraphDef::default() }, |node| any || node.op == "Exit", random, deadline)
}

/// `while value < limit: value += 1`, with so many loops inside; the name of the last value.
fn add_loop(
    nodes: &mut Vec<NodeDef>,
    name: &str,
    (value, limit): (&str, &str),
    inner: usize,
    random: &mut Random,
) -> String {
    let frame = Bytes::from(if random.percent(8) { "one".to_owned() } else { name.to_owned() });
    let enter = |of: &str, constant: bool| {
        vec![
            ("T", dtype(FLOAT)),
            ("frame_name", Value::S(frame.clone())),
            ("is_constant", Value::B(constant)),
            ("parallel_iterations", Value::I(if of.len().is_multiple_of(2) { 1 } else { 10 })),
        ]
    };
    let part = |part: &str| format!("{name}/{part}");
    let of_float = || vec![("T", dtype(FLOAT))];
    nodes.push(node(part("enter"), "Enter", vec![value.to_owned()], enter(value, false)));
    nodes.push(node(part("limit"), "Enter", vec![limit.to_owned()], enter(limit, true)));
    nodes.push(node(
        part("merge"),
        "Merge",
        vec![part("enter"), part("next")],
        vec![("T", dtype(FLOAT)), ("N", Value::I(2))],
    ));
    nodes.push(node(part("less"), "Less", vec![part("merge"), part("limit")], of_float()));
    nodes.push(node(part("cond"), "LoopCond", vec![part("less")], vec![]));
    nodes.push(node(part("switch"), "Switch", vec![part("merge"), part("cond")], of_float()));
    let mut body = part("switch:1");
    if inner > 0 && random.percent(50) {
        body = add_loop(nodes, &part("inner"), (&body, &part("limit")), inner - 1, random);
    }
    let step = *random.pick(&[1.0, 1.0, 0.5, 0.0, -1.0, f32::NAN]);
    // A constant is of the frame that it depends on.
    nodes.push(NodeDef { input: vec![format!("^{}", part("merge"))], ..constant(part("one"), FLOAT, step) });
    nodes.push(node(part("add"), "AddV2", vec![body, part("one")], of_float()));
    nodes.push(node(part("next"), "NextIteration", vec![part("add")], of_float()));
    nodes.push(node(part("exit"), "Exit", vec![part("switch")], of_float()));
    part("exit")
}

/// One mistake: an edge that leads elsewhere, a node that is missing, another op in its place, a control edge.
fn spoil(nodes: &mut Vec<NodeDef>, random: &mut Random) {
    let (at, other) = (random.below(nodes.len()), random.below(nodes.len()));
    let name = nodes[other].name.clone();
    let inputs = nodes[at].input.len();
    match random.below(6) {
        0 => drop(nodes.remove(at)),
        1 if inputs > 0 => nodes[at].input[random.below(inputs)] = name,
        2 if inputs > 0 => nodes[at].input[random.below(inputs)] = format!("{name}:1"),
        3 => nodes[at].input.push(format!("^{name}")),
        4 => {
            let ops = ["Identity", "Enter", "Exit", "NextIteration", "Switch", "Merge", "RefEnter", "LoopCond", "NoOp"];
            (*random.pick(&ops)).clone_into(&mut nodes[at].op);
        }
        _ => drop(nodes[at].input.pop()),
    }
}
