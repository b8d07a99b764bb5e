//! The nodes of a loop that is made of `Enter`, `Merge`, `Switch`, `NextIteration` and `Exit`.

use oplink_api::{Error, Output, Result, bail, ensure};

use super::part::{Visit, part};
use crate::Graph;
use crate::graph::Node;
use crate::known_ops::KnownOp;

/// The attr by which the nodes of one loop know each other.
const FRAME_NAME: &str = "frame_name";

/// A loop.
#[derive(Debug)]
pub(super) struct Frame {
    pub(super) name: String,
    pub(super) variables: Vec<Variable>,
    /// The `Enter`s of values that no iteration changes, in the graph's order.
    pub(super) constants: Vec<u32>,
    /// Whether to go on.
    pub(super) condition: Output,
    /// The nodes of condition and body.
    pub(super) inside: Vec<u32>,
}

/// A variable of a loop.
#[derive(Debug)]
pub(super) struct Variable {
    pub(super) enter: u32,
    pub(super) merge: u32,
    pub(super) switch: u32,
    /// What the next iteration gets.
    pub(super) next: Output,
    pub(super) exits: Vec<u32>,
}

impl Frame {
    /// The loop that a node ends.
    ///
    /// # Errors
    /// The loop is malformed, or its condition and body share more than its variables.
    pub(super) fn of(graph: &Graph, exit: u32) -> Result<Self> {
        let node = |position: u32| &graph.nodes()[position as usize];
        let switch = input(node(exit), 0)?.node;
        ensure!(node(switch).known() == KnownOp::Switch, "it takes what `{}` gives, no Switch", node(switch).name());
        let loop_cond = input(node(switch), 1)?.node;
        ensure!(
            node(loop_cond).known() == KnownOp::LoopCond,
            "`{}` decides whether to go on, it is no LoopCond",
            node(loop_cond).name()
        );
        let readers = |of: u32, op: KnownOp| {
            let reads = move |node: &Node| node.known() == op && node.inputs().iter().any(|input| input.node == of);
            (0u32..).zip(graph.nodes()).filter(move |(_, node)| reads(node)).map(|(position, _)| position)
        };
        let mut variables = Vec::new();
        for switch in readers(loop_cond, KnownOp::Switch) {
            let exits = readers(switch, KnownOp::Exit).collect();
            variables.push(Variable::of(graph, switch, exits)?);
        }
        let name = node(variable_of(&variables, switch)?.enter).info().attr::<&str>(FRAME_NAME)?.to_owned();
        let condition = input(node(loop_cond), 0)?;
        let mut frame = Self { name, variables, constants: Vec::new(), condition, inside: Vec::new() };
        frame.find_constants(graph, loop_cond)?;
        Ok(frame)
    }

    /// Finds the constants that condition and body read, each of which must read no variable of the other.
    fn find_constants(&mut self, graph: &Graph, loop_cond: u32) -> Result<()> {
        let is_constant = |node: &Node| {
            node.known() == KnownOp::Enter
                && matches!(node.info().attr::<&str>(FRAME_NAME), Ok(name) if name == self.name)
        };
        let (mut constants, mut wrong) = (Vec::new(), None);
        let next: Vec<Output> = self.variables.iter().map(|variable| variable.next).collect();
        for (is_body, outputs) in [(false, vec![self.condition]), (true, next)] {
            let inside = part(graph, &outputs, |position, index| {
                let is_value = |variable: &Variable| match is_body {
                    false => variable.merge == position && index != Some(1),
                    true => variable.switch == position && index != Some(0),
                };
                if self.variables.iter().any(is_value) {
                    return Visit::Border;
                }
                let has = |variable: &Variable| [variable.enter, variable.merge, variable.switch].contains(&position);
                if position == loop_cond || self.variables.iter().any(has) {
                    wrong.get_or_insert((position, is_body));
                    return Visit::Border;
                }
                if is_constant(&graph.nodes()[position as usize]) {
                    constants.push(position);
                    return Visit::Border;
                }
                Visit::Inside
            });
            self.inside.extend(inside);
        }
        if let Some((position, is_body)) = wrong {
            let (reader, name) = (if is_body { "body" } else { "condition" }, graph.nodes()[position as usize].name());
            return Err(Error::unimplemented(format!(
                "the {reader} reads `{name}`, which is no value of a variable there: gradients of such loops are not supported"
            )));
        }
        constants.sort_unstable();
        constants.dedup();
        self.constants = constants;
        Ok(())
    }
}

impl Variable {
    fn of(graph: &Graph, switch: u32, exits: Vec<u32>) -> Result<Self> {
        let node = |position: u32| &graph.nodes()[position as usize];
        let merge = input(node(switch), 0)?.node;
        let (mut enter, mut next) = (None, None);
        for &from in node(merge).inputs() {
            match node(from.node).known() {
                KnownOp::Enter => enter = Some(from.node),
                KnownOp::NextIteration => next = Some(input(node(from.node), 0)?),
                _ => {}
            }
        }
        match (node(merge).known(), enter, next) {
            (KnownOp::Merge, Some(enter), Some(next)) => Ok(Self { enter, merge, switch, next, exits }),
            _ => bail!("`{}` is no Merge of an Enter and a NextIteration, as a variable is", node(merge).name()),
        }
    }
}

fn variable_of(variables: &[Variable], switch: u32) -> Result<&Variable> {
    let variable = variables.iter().find(|variable| variable.switch == switch);
    variable.ok_or_else(|| Error::internal("a loop lacks the variable that it was found by"))
}

/// An input of a node.
pub(super) fn input(node: &Node, index: usize) -> Result<Output> {
    let found = node.inputs().get(index).copied();
    found.ok_or_else(|| Error::invalid_argument(format!("node `{}` has no input {index}", node.name())))
}
