//! Whether a loop's body is a step of long short-term memory over the elements of a list.
//!
//! The cell is that of Hochreiter and Schmidhuber (1997) with a forget gate, its gates parts of one sum, in any order:
//! `c' = sigmoid(f) * c + sigmoid(i) * tanh(g)` and `h' = sigmoid(o) * tanh(c')`, where `i`, `f`, `g` and `o` are the
//! columns of `x * w + h * u + b`.

use oplink_api::shape_inference::int_values;
use oplink_api::{AttrValue, Output, Tensor};

use super::body::Body;
use super::list_products::source;
use crate::graph::Node;
use crate::known_ops::KnownOp;

/// Nodes of a sum that are looked at, at most.
const MAX_SUMMANDS: usize = 8;

/// A step of long short-term memory: what the arguments of the body are, by their positions.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Lstm {
    /// The list whose elements are the inputs of the steps.
    pub(crate) inputs: usize,
    /// The list that the outputs are written to.
    pub(crate) outputs: usize,
    /// Whether each step writes an element of its own, or all of them the first.
    pub(crate) writes_all: bool,
    /// The number of the step.
    pub(crate) step: usize,
    pub(crate) h: usize,
    pub(crate) c: usize,
    /// The weights of the inputs and of the last output.
    pub(crate) weights: [usize; 2],
    pub(crate) bias: Option<usize>,
    /// Which quarter of the columns is the input gate, the forget gate, the new state, the output gate.
    pub(crate) gates: [usize; 4],
    /// What grows by one at each step.
    pub(crate) counters: Vec<usize>,
}

/// What a counter stays below while a loop goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bound {
    Value(i64),
    Argument(usize),
}

/// The counters of a condition with what they have to stay below, where it asks nothing else.
pub(crate) fn bounds(condition: &Body) -> Option<Vec<(usize, Bound)>> {
    let view = View(condition);
    let &[result] = &condition.results[..] else { return None };
    let (mut waiting, mut bounds) = (vec![result], Vec::new());
    while let Some(output) = waiting.pop() {
        if let Some(both) = view.operands(output, &[KnownOp::LogicalAnd]) {
            waiting.extend(both);
            continue;
        }
        let [counter, bound] = view.operands(output, &[KnownOp::Less])?;
        let bound = match view.argument(bound) {
            Some(argument) => Bound::Argument(argument),
            None => Bound::Value(view.int(bound)?),
        };
        bounds.push((view.argument(counter)?, bound));
        if bounds.len() > MAX_SUMMANDS {
            return None;
        }
    }
    view.is_pure().then_some(bounds)
}

impl Lstm {
    /// The step that a body is, where it is one and nothing else.
    pub(crate) fn find(body: &Body) -> Option<Self> {
        let view = View(body);
        let counters: Vec<usize> = (0..body.results.len()).filter(|&at| view.is_counter(at)).collect();
        let written = |at: usize| view.written_to(at).map(|(index, item)| (at, index, item));
        let (outputs, index, h_next) = (0..body.results.len()).find_map(written)?;
        let (c_next, output_gate) = view.output(h_next)?;
        let of_result = |wanted: Output| (0..body.results.len()).find(|&at| view.source(body.results[at]) == wanted);
        let (h, c) = (of_result(h_next)?, of_result(c_next)?);
        let [input_gate, forget_gate, new] = view.state(c_next, c)?;
        let gates = [input_gate, forget_gate, new, output_gate];
        let mut order = gates.map(|gate| gate.index as usize);
        let (sum, columns) = (view.split(gates[0].node)?, order);
        order.sort_unstable();
        if order != [0, 1, 2, 3] || gates.iter().any(|gate| gate.node != gates[0].node) {
            return None;
        }
        let Sum { inputs, step, weights, bias } = view.sum(sum, h)?;
        let writes_all = view.argument(index) == Some(step);
        let writes_first = view.int(index) == Some(0);
        let is_known = |at: usize| view.is_kept(at) || counters.contains(&at) || [outputs, h, c].contains(&at);
        let is_whole = (0..body.results.len()).all(is_known) && counters.contains(&step) && h != c;
        let found = Self { inputs, outputs, writes_all, step, h, c, weights, bias, gates: columns, counters };
        (is_whole && (writes_all || writes_first) && view.is_pure()).then_some(found)
    }
}

/// What is added up before the gates are split.
struct Sum {
    inputs: usize,
    step: usize,
    weights: [usize; 2],
    bias: Option<usize>,
}

/// A body, read through identities.
struct View<'a>(&'a Body);

impl View<'_> {
    fn source(&self, output: Output) -> Output {
        source(&self.0.graph, output)
    }

    fn node(&self, output: Output) -> &Node {
        &self.0.graph.nodes()[output.node as usize]
    }

    /// Whether nothing in the body has an effect.
    fn is_pure(&self) -> bool {
        self.0.graph.nodes().iter().all(|node| !node.info().op.flags.stateful)
    }

    /// Which argument a value is.
    fn argument(&self, output: Output) -> Option<usize> {
        let output = self.source(output);
        self.0.arguments.iter().position(|&argument| argument == output)
    }

    /// Whether the result at a position is the argument there.
    fn is_kept(&self, at: usize) -> bool {
        self.0.results.get(at).is_some_and(|&result| self.argument(result) == Some(at))
    }

    /// The argument that a value is, where it stays what it is.
    fn kept(&self, output: Output) -> Option<usize> {
        self.argument(output).filter(|&at| self.is_kept(at))
    }

    /// The two values that a node of one of these ops computes its only output from.
    fn operands(&self, output: Output, ops: &[KnownOp]) -> Option<[Output; 2]> {
        let node = self.node(self.source(output));
        let &[a, b] = ops.contains(&node.known()).then(|| node.inputs())? else { return None };
        Some([self.source(a), self.source(b)])
    }

    /// The value that an op of one value is applied to.
    fn operand(&self, output: Output, op: KnownOp) -> Option<Output> {
        let node = self.node(self.source(output));
        let &[value] = (node.known() == op).then(|| node.inputs())? else { return None };
        Some(self.source(value))
    }

    /// A constant of one integer.
    fn int(&self, output: Output) -> Option<i64> {
        let node = self.node(self.source(output));
        let value: &Tensor = match (node.known(), node.info().attrs.get("value")) {
            (KnownOp::Const, Some(AttrValue::Tensor(value))) => value,
            _ => return None,
        };
        int_values(value).ok().filter(|values| values.len() == 1)?.first().copied()
    }

    /// Whether the argument at a position grows by one.
    fn is_counter(&self, at: usize) -> bool {
        let grown = self.operands(self.0.results[at], &[KnownOp::Add, KnownOp::AddV2]);
        grown.is_some_and(|[a, b]| {
            let adds = |counter, one| self.argument(counter) == Some(at) && self.int(one) == Some(1);
            adds(a, b) || adds(b, a)
        })
    }

    /// Index and item, where the list at a position has one written.
    fn written_to(&self, at: usize) -> Option<(Output, Output)> {
        let node = self.node(self.source(self.0.results[at]));
        let &[list, index, item] = (node.known() == KnownOp::TensorListSetItem).then(|| node.inputs())? else {
            return None;
        };
        (self.argument(list) == Some(at)).then(|| (self.source(index), self.source(item)))
    }

    /// The new state and the output gate's sum that an output is made of.
    fn output(&self, h: Output) -> Option<(Output, Output)> {
        let [a, b] = self.operands(h, &[KnownOp::Mul])?;
        let of = |gate, state| Some((self.operand(state, KnownOp::Tanh)?, self.operand(gate, KnownOp::Sigmoid)?));
        of(a, b).or_else(|| of(b, a))
    }

    /// The sums of the input gate, the forget gate and the new values that a state is made of, after the state that is
    /// the argument `c`.
    fn state(&self, c_next: Output, c: usize) -> Option<[Output; 3]> {
        let [a, b] = self.operands(c_next, &[KnownOp::Add, KnownOp::AddV2])?;
        let gated = |product: Output| {
            let [a, b] = self.operands(product, &[KnownOp::Mul])?;
            let of = |gate, value| Some((self.operand(gate, KnownOp::Sigmoid)?, value));
            Some([of(a, b), of(b, a)])
        };
        let of = |kept: Output, added: Output| {
            let is_state = |&(_, value): &(Output, Output)| self.argument(value) == Some(c);
            let (forget, _) = gated(kept)?.into_iter().flatten().find(is_state)?;
            let new = |(gate, value): (Output, Output)| Some((gate, self.operand(value, KnownOp::Tanh)?));
            let (input, new) = gated(added)?.into_iter().flatten().find_map(new)?;
            Some([input, forget, new])
        };
        of(a, b).or_else(|| of(b, a))
    }

    /// What a node splits into quarters of its columns.
    fn split(&self, position: u32) -> Option<Output> {
        let output = Output { node: position, index: 0 };
        let [axis, value] = self.operands(output, &[KnownOp::Split])?;
        let is_quarters = self.node(output).num_outputs() == 4;
        (is_quarters && matches!(self.int(axis)?, 1 | -1)).then_some(value)
    }

    /// The summands of the gates.
    fn sum(&self, sum: Output, h: usize) -> Option<Sum> {
        let (mut waiting, mut visited) = (vec![sum], 0);
        let (mut of_x, mut of_h, mut bias) = (None, None, None);
        while let Some(output) = waiting.pop() {
            visited += 1;
            if visited > MAX_SUMMANDS {
                return None;
            }
            if let Some(summands) = self.operands(output, &[KnownOp::Add, KnownOp::AddV2, KnownOp::BiasAdd]) {
                waiting.extend(summands);
            } else if let Some([left, right]) = self.operands(output, &[KnownOp::MatMul]) {
                let flag = |name| self.node(self.source(output)).info().attr::<bool>(name).unwrap_or(true);
                let weights = self.kept(right).filter(|_| !flag("transpose_a") && !flag("transpose_b"))?;
                let (summand, input) = match self.argument(left) {
                    Some(argument) if argument == h => (&mut of_h, (h, h)),
                    _ => (&mut of_x, self.element(left)?),
                };
                if summand.replace((weights, input)).is_some() {
                    return None;
                }
            } else {
                let vector = self.kept(output).filter(|_| self.0.graph.shape(output).rank() == Some(1))?;
                if bias.replace(vector).is_some() {
                    return None;
                }
            }
        }
        let ((of_x, (inputs, step)), (of_h, _)) = (of_x?, of_h?);
        Some(Sum { inputs, step, weights: [of_x, of_h], bias })
    }

    /// The list that a value is an element of, and the argument that is its number.
    fn element(&self, output: Output) -> Option<(usize, usize)> {
        let node = self.node(self.source(output));
        let &[list, index, _] = (node.known() == KnownOp::TensorListGetItem).then(|| node.inputs())? else {
            return None;
        };
        Some((self.kept(list)?, self.argument(index)?))
    }
}
