//! Graphs written node by node.

use std::fmt::Write as _;

use oplink_api::{Result, Tensor};
use oplink_graph::{Graph, Session, SessionOptions};

use crate::fixture::{self, TestDevice};

/// A graph of int32 values, as text.
#[derive(Clone, Default)]
pub(super) struct Text {
    nodes: String,
    count: usize,
}

/// How values come into a loop.
#[derive(Clone, Copy, Debug)]
pub(super) struct LoopOptions {
    pub(super) parallel_iterations: i64,
}

impl Default for LoopOptions {
    fn default() -> Self {
        Self { parallel_iterations: 10 }
    }
}

/// The inside of a loop that is being written.
pub(super) struct Loop {
    pub(super) name: String,
    /// The loop's values within an iteration.
    pub(super) values: Vec<String>,
    /// What nodes without inputs within an iteration wait for.
    pub(super) pivot: String,
    options: LoopOptions,
}

impl Text {
    /// A node; attrs are text, to which `T` of int32 is added where the op has it.
    pub(super) fn node(&mut self, name: &str, op: &str, inputs: &[&str], attrs: &str) -> String {
        let typed = !matches!(
            op,
            "NoOp" | "ControlTrigger" | "LoopCond" | "Const" | "Placeholder" | "VariableV2" | "Timestamp"
        );
        let inputs: String = inputs.iter().map(|input| format!(" input: {input:?}")).collect();
        let dtype = if typed && !attrs.contains("\"T\"") { attr_type("T", "DT_INT32") } else { String::new() };
        let _ = writeln!(self.nodes, "node {{ name: {name:?} op: {op:?}{inputs} {dtype} {attrs} }}");
        name.to_owned()
    }

    /// A name that no node has yet.
    pub(super) fn fresh(&mut self, what: &str) -> String {
        self.count += 1;
        format!("{what}_{}", self.count)
    }

    pub(super) fn placeholder(&mut self, name: &str) -> String {
        self.node(name, "Placeholder", &[], &attr_type("dtype", "DT_INT32"))
    }

    pub(super) fn constant(&mut self, name: &str, value: i32, control: &[&str]) -> String {
        let control: Vec<String> = control.iter().map(|node| format!("^{node}")).collect();
        let control: Vec<&str> = control.iter().map(String::as_str).collect();
        let value = format!(
            "{} attr {{ key: \"value\" value {{ tensor {{ dtype: DT_INT32 tensor_shape {{ }} int_val: {value} }} }} }}",
            attr_type("dtype", "DT_INT32")
        );
        self.node(name, "Const", &control, &value)
    }

    pub(super) fn switch(&mut self, value: &str, condition: &str) -> String {
        let name = self.fresh("switch");
        self.node(&name, "Switch", &[value, condition], "")
    }

    pub(super) fn merge(&mut self, values: &[&str]) -> String {
        let name = self.fresh("merge");
        self.node(&name, "Merge", values, &format!("attr {{ key: \"N\" value {{ i: {} }} }}", values.len()))
    }

    pub(super) fn enter(&mut self, name: &str, value: &str, frame: &str, constant: bool, parallel: i64) -> String {
        let attrs = format!(
            "attr {{ key: \"frame_name\" value {{ s: {frame:?} }} }} attr {{ key: \"is_constant\" value {{ b: {constant} }} }}
             attr {{ key: \"parallel_iterations\" value {{ i: {parallel} }} }}"
        );
        self.node(name, "Enter", &[value], &attrs)
    }

    /// Begins a loop over `values`, which goes on while `condition` of the values holds.
    pub(super) fn begin_loop(
        &mut self,
        values: &[&str],
        options: LoopOptions,
        condition: impl FnOnce(&mut Self, &Loop) -> String,
    ) -> Loop {
        let name = self.fresh("loop");
        let mut merges = Vec::new();
        for (index, value) in values.iter().enumerate() {
            let enter = self.enter(&format!("{name}/enter{index}"), value, &name, false, options.parallel_iterations);
            let back = format!("{name}/next{index}");
            let attrs = "attr { key: \"N\" value { i: 2 } }";
            merges.push(self.node(&format!("{name}/merge{index}"), "Merge", &[&enter, &back], attrs));
        }
        let mut inside = Loop { pivot: merges[0].clone(), name: name.clone(), values: merges, options };
        let condition = condition(self, &inside);
        let condition = self.node(&format!("{name}/cond"), "LoopCond", &[&condition], "");
        let switches: Vec<String> = inside
            .values
            .iter()
            .enumerate()
            .map(|(index, merge)| self.node(&format!("{name}/switch{index}"), "Switch", &[merge, &condition], ""))
            .collect();
        let body = |(index, switch): (usize, &String)| {
            self.node(&format!("{name}/body{index}"), "Identity", &[&format!("{switch}:1")], "")
        };
        inside.values = switches.iter().enumerate().map(body).collect();
        inside.pivot.clone_from(&inside.values[0]);
        inside
    }

    /// Brings an outer value into a loop.
    pub(super) fn bring_in(&mut self, inside: &Loop, value: &str) -> String {
        let name = self.fresh("invariant");
        self.enter(&name, value, &inside.name, true, inside.options.parallel_iterations)
    }

    /// Ends a loop with the values for the next iteration; returns those of the last one.
    pub(super) fn end_loop(&mut self, inside: &Loop, next: &[&str]) -> Vec<String> {
        let name = &inside.name;
        for (index, value) in next.iter().enumerate() {
            self.node(&format!("{name}/next{index}"), "NextIteration", &[value], "");
        }
        let exit = |index| self.node(&format!("{name}/exit{index}"), "Exit", &[&format!("{name}/switch{index}")], "");
        (0..next.len()).map(exit).collect()
    }

    /// `for i in 0..limit { x = x + step }`, as most loops are written; returns the exits of `i` and `x`.
    pub(super) fn counting_loop(&mut self, limit: &str, x: &str, step: &str, options: LoopOptions) -> Vec<String> {
        let zero = self.fresh("zero");
        let zero = self.constant(&zero, 0, &[]);
        let inside = self.begin_loop(&[&zero, x], options, |text, inside| {
            let limit = text.bring_in(inside, limit);
            let name = text.fresh("less");
            text.node(&name, "Less", &[&inside.values[0], &limit], "")
        });
        let next = self.count_on(&inside);
        let step = self.bring_in(&inside, step);
        let sum = self.fresh("sum");
        let sum = self.node(&sum, "AddV2", &[&inside.values[1], &step], "");
        self.end_loop(&inside, &[&next, &sum])
    }

    /// The loop's first value and 1.
    pub(super) fn count_on(&mut self, inside: &Loop) -> String {
        let (one, next) = (self.fresh("one"), self.fresh("count"));
        let one = self.constant(&one, 1, &[&inside.pivot]);
        self.node(&next, "AddV2", &[&inside.values[0], &one], "")
    }

    pub(super) fn import(&self) -> Result<Graph> {
        fixture::import(&self.nodes)
    }

    pub(super) fn session(&self) -> Session {
        let graph = self.import().unwrap_or_else(|error| panic!("{error}\n{}", self.nodes));
        Session::on_device(graph, TestDevice::new(), plain()).unwrap()
    }

    /// The values of fetches for int32 scalars.
    #[track_caller]
    pub(super) fn run(&self, feeds: &[(&str, i32)], fetches: &[&str]) -> Vec<i32> {
        run(&self.session(), feeds, fetches).unwrap()
    }
}

/// No passes: what is tested is how graphs run, as they are written.
pub(super) fn plain() -> SessionOptions {
    SessionOptions { passes: oplink_graph::PassOptions::none(), ..SessionOptions::default() }
}

pub(super) fn run(session: &Session, feeds: &[(&str, i32)], fetches: &[&str]) -> Result<Vec<i32>> {
    let feeds: Vec<(&str, Tensor)> = feeds.iter().map(|(name, value)| (*name, Tensor::scalar(*value))).collect();
    session.run(&feeds, fetches, &[])?.iter().map(Tensor::to_scalar).collect()
}

pub(super) fn attr_type(name: &str, dtype: &str) -> String {
    format!("attr {{ key: {name:?} value {{ type: {dtype} }} }}")
}
