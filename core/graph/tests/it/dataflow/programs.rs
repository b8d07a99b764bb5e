//! Random programs of sums, conditions and loops, written as graphs and computed directly.

use oplink_api::Tensor;
use oplink_graph::{Session, SessionOptions};
use proptest::prelude::*;

use super::text::{Loop, LoopOptions, Text, plain};
use crate::fixture::TestDevice;

/// All numbers are below this.
const MODULUS: i32 = 97;
const INPUTS: usize = 2;

/// Statements, each of which adds a value to those before it; the last value is the result.
#[derive(Clone, Debug, Default)]
struct Block(Vec<Statement>);

#[derive(Clone, Debug)]
enum Statement {
    Constant(i32),
    /// `(a op b) mod 97`, after a third value where there is one.
    Arithmetic {
        op: &'static str,
        a: usize,
        b: usize,
        after: Option<usize>,
    },
    /// `if a < b { … } else { … }`
    If {
        a: usize,
        b: usize,
        branches: [Block; 2],
    },
    /// `for i in 0..count { x = … }`; inside, the last two values are `i` and `x`.
    For {
        count: usize,
        x: usize,
        parallel: i64,
        carried: bool,
        body: Block,
    },
}

/// Decisions, from bytes.
struct Choices<'a>(std::slice::Iter<'a, u8>);

impl Choices<'_> {
    fn below(&mut self, bound: usize) -> usize {
        usize::from(self.0.next().copied().unwrap_or(0)) % bound
    }

    fn block(&mut self, mut known: usize, depth: usize, statements: usize) -> Block {
        let mut block = Block::default();
        for _ in 0..=self.below(statements) {
            block.0.push(self.statement(known, depth));
            known += 1;
        }
        block
    }

    fn statement(&mut self, known: usize, depth: usize) -> Statement {
        let kinds = if depth > 0 { 8 } else { 5 };
        match self.below(kinds) {
            0 => Statement::Constant(self.below(MODULUS as usize) as i32),
            1..=4 => Statement::Arithmetic {
                op: ["AddV2", "Sub", "Mul"][self.below(3)],
                a: self.below(known),
                b: self.below(known),
                after: [None, Some(self.below(known))][self.below(2)],
            },
            5 | 6 => Statement::For {
                count: self.below(known),
                x: self.below(known),
                parallel: [1, 2, 10][self.below(3)],
                carried: self.below(2) == 0,
                body: self.block(known + 2, depth - 1, 4),
            },
            _ => {
                let (a, b) = (self.below(known), self.below(known));
                Statement::If { a, b, branches: [self.block(known, depth - 1, 3), self.block(known, depth - 1, 3)] }
            }
        }
    }
}

impl Block {
    fn compute(&self, known: &[i32]) -> i32 {
        let mut values = known.to_vec();
        for statement in &self.0 {
            let value = match statement {
                Statement::Constant(value) => *value,
                Statement::Arithmetic { op, a, b, .. } => {
                    let (a, b) = (values[*a], values[*b]);
                    let value = match *op {
                        "AddV2" => a + b,
                        "Sub" => a - b,
                        _ => a * b,
                    };
                    value.rem_euclid(MODULUS)
                }
                Statement::If { a, b, branches } => branches[usize::from(values[*a] >= values[*b])].compute(&values),
                Statement::For { count, x, body, .. } => {
                    (0..values[*count] % 4).fold(values[*x], |x, i| body.compute(&[&values[..], &[i, x]].concat()))
                }
            };
            values.push(value);
        }
        values[values.len() - 1]
    }

    /// Writes the block; `scope` says how it reaches values around it.
    fn write(&self, text: &mut Text, mut scope: Scope<'_>) -> (String, Vec<Option<String>>) {
        for statement in &self.0 {
            let value = scope.write(text, statement);
            scope.values.push(Some(value));
        }
        (scope.values[scope.values.len() - 1].clone().unwrap(), scope.outer)
    }
}

/// What a block sees. A value from around it is brought in when it is first read.
struct Scope<'a> {
    values: Vec<Option<String>>,
    /// The same values around the block.
    outer: Vec<Option<String>>,
    inside: Inside<'a>,
}

enum Inside<'a> {
    Nothing,
    Branch { condition: String, taken: bool, pivot: String },
    Loop(&'a Loop),
}

impl Scope<'_> {
    fn value(&mut self, text: &mut Text, index: usize) -> String {
        if let Some(value) = &self.values[index] {
            return value.clone();
        }
        let outer = self.outer[index].clone().unwrap();
        let value = match &self.inside {
            Inside::Nothing => outer,
            Inside::Branch { condition, taken, .. } => {
                let switch = text.switch(&outer, condition);
                if *taken { format!("{switch}:1") } else { switch }
            }
            // A copy that waits for the iteration to be taken, so that it may be the iteration's result.
            Inside::Loop(inside) => {
                let invariant = text.bring_in(inside, &outer);
                let name = text.fresh("copy");
                text.node(&name, "Identity", &[&invariant, &format!("^{}", inside.pivot)], "")
            }
        };
        self.values[index] = Some(value.clone());
        value
    }

    fn constant(&self, text: &mut Text, value: i32) -> String {
        let name = text.fresh("constant");
        match &self.inside {
            Inside::Nothing => text.constant(&name, value, &[]),
            Inside::Branch { pivot, .. } => text.constant(&name, value, &[pivot]),
            Inside::Loop(inside) => text.constant(&name, value, &[&inside.pivot]),
        }
    }

    fn arithmetic(&self, text: &mut Text, op: &str, a: &str, b: &str, after: Option<&str>) -> String {
        let (result, reduced) = (text.fresh("result"), text.fresh("reduced"));
        let after = after.map(|after| format!("^{}", after.trim_end_matches(":1")));
        let inputs: Vec<&str> = [a, b].into_iter().chain(after.as_deref()).collect();
        text.node(&result, op, &inputs, "");
        let modulus = self.constant(text, MODULUS);
        text.node(&reduced, "FloorMod", &[&result, &modulus], "")
    }

    fn write(&mut self, text: &mut Text, statement: &Statement) -> String {
        match statement {
            Statement::Constant(value) => self.constant(text, *value),
            Statement::Arithmetic { op, a, b, after } => {
                let (a, b) = (self.value(text, *a), self.value(text, *b));
                let after = after.map(|after| self.value(text, after));
                self.arithmetic(text, op, &a, &b, after.as_deref())
            }
            Statement::If { a, b, branches } => self.write_if(text, *a, *b, branches),
            Statement::For { count, x, parallel, carried, body } => {
                self.write_for(text, *count, *x, *parallel, *carried, body)
            }
        }
    }

    /// Everything that a block inside may read, read here.
    fn all(&mut self, text: &mut Text) -> Vec<Option<String>> {
        (0..self.values.len()).map(|index| Some(self.value(text, index))).collect()
    }

    fn write_if(&mut self, text: &mut Text, a: usize, b: usize, branches: &[Block; 2]) -> String {
        let (a, b) = (self.value(text, a), self.value(text, b));
        let name = text.fresh("condition");
        let condition = text.node(&name, "Less", &[&a, &b], "");
        let outer = self.all(text);
        let pivots = text.switch(&a, &condition);
        let mut results = Vec::new();
        for (branch, block) in branches.iter().enumerate() {
            let taken = branch == 0;
            let name = text.fresh("pivot");
            let pivot = text.node(&name, "Identity", &[&format!("{pivots}:{}", i32::from(taken))], "");
            let inside = Inside::Branch { condition: condition.clone(), taken, pivot };
            let scope = Scope { values: vec![None; outer.len()], outer: outer.clone(), inside };
            results.push(block.write(text, scope).0);
        }
        text.merge(&[&results[1], &results[0]])
    }

    fn write_for(
        &mut self,
        text: &mut Text,
        count: usize,
        x: usize,
        parallel: i64,
        carried: bool,
        body: &Block,
    ) -> String {
        let (count, x) = (self.value(text, count), self.value(text, x));
        let (four, zero) = (self.constant(text, 4), self.constant(text, 0));
        let name = text.fresh("count");
        let count = text.node(&name, "FloorMod", &[&count, &four], "");
        let outer = self.all(text);
        // The first value may also go from iteration to iteration, unchanged.
        let first = outer[0].clone().unwrap();
        let mut starts = vec![zero.as_str(), &x];
        starts.extend(carried.then_some(first.as_str()));
        let options = LoopOptions { parallel_iterations: parallel };
        let inside = text.begin_loop(&starts, options, |text, inside| {
            let count = text.bring_in(inside, &count);
            let name = text.fresh("less");
            text.node(&name, "Less", &[&inside.values[0], &count], "")
        });
        let mut values = vec![None; outer.len()];
        if carried {
            values[0] = Some(inside.values[2].clone());
        }
        values.extend([Some(inside.values[0].clone()), Some(inside.values[1].clone())]);
        let outer = [outer, vec![None, None]].concat();
        let scope = Scope { values, outer, inside: Inside::Loop(&inside) };
        let (result, _) = body.write(text, scope);
        let next = text.count_on(&inside);
        let mut nexts = vec![next.as_str(), &result];
        nexts.extend(inside.values.get(2).map(String::as_str));
        text.end_loop(&inside, &nexts)[1].clone()
    }
}

/// The graph of a program, and the name of its result.
fn written(program: &Block) -> (Text, String) {
    let mut text = Text::default();
    let inputs: Vec<Option<String>> = (0..INPUTS).map(|index| Some(text.placeholder(&format!("x{index}")))).collect();
    let scope = Scope { values: inputs, outer: Vec::new(), inside: Inside::Nothing };
    let (result, _) = program.write(&mut text, scope);
    (text, result)
}

/// Runs a program several times in sessions with one thread and with all.
fn check(program: &Block, inputs: [i32; INPUTS]) {
    let expected = program.compute(&inputs);
    let (text, result) = written(program);
    for options in [SessionOptions { intra_op_threads: 1, ..plain() }, plain(), SessionOptions::default()] {
        let graph = text.import().unwrap();
        let session = Session::on_device(graph, TestDevice::new(), options).unwrap();
        let call = session.prepare(&["x0", "x1"], &[&result, &result], &[]).unwrap();
        for _ in 0..3 {
            let values = call.run(&inputs.map(Tensor::scalar)).unwrap();
            let values: Vec<i32> = values.iter().map(|value| value.to_scalar().unwrap()).collect();
            assert_eq!(values, [expected; 2], "{program:?}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn graphs_compute_what_the_program_says(choices in prop::collection::vec(any::<u8>(), 4..200), x0 in 0..MODULUS, x1 in 0..MODULUS) {
        let program = Choices(choices.iter()).block(INPUTS, 3, 6);
        check(&program, [x0, x1]);
    }
}
