//! From a graph to numbered nodes, slots and edges.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};

use oplink_api::{Cancellation, Error, Output, Result, Tensor};
use oplink_core::IntraOpPool;
use oplink_spec::sorting::sort_by_key;

use super::frames::{Frames, ROOT};
use super::role::Role;
use super::wiring::{Signal, Source, Wired, Wiring};
use super::{Dataflow, Edge, Fetch, Input, Invariant, Layout, NONE, Node, Pending, To};
use crate::Graph;
use crate::dataflow::cost::Costs;
use crate::graph::{constant_of, is_reference};
use crate::kernels::{Envs, Feed, Kernels, Promise, calls_functions, may_wait};
use crate::signature::Signature;

impl Dataflow {
    /// Works out how to run the needed nodes.
    ///
    /// # Errors
    /// Malformed loops; see [`Frames::of`]. The reason of the cancellation.
    pub(crate) fn build(
        graph: &Graph,
        signature: &Signature,
        needed: &[u32],
        kernels: &Kernels,
        envs: Envs,
        pool: Option<Arc<IntraOpPool>>,
        cancellation: &Cancellation,
    ) -> Result<Self> {
        let frames = Frames::of(graph, needed, signature, cancellation)?;
        let wiring = Wiring::new(graph, &frames, signature, cancellation)?;
        let mut builder = Builder::new(graph, signature, &frames, wiring.nodes);
        builder.find_invariants();
        builder.make_nodes(kernels, &envs, cancellation)?;
        let fetches = builder.fetches(&wiring.fetches)?;
        Ok(builder.finish(fetches, envs, pool))
    }
}

struct Builder<'g> {
    graph: &'g Graph,
    signature: &'g Signature,
    frames: &'g Frames,
    /// Frame by frame.
    wired: Vec<Wired>,
    /// Number of a node by its position in the graph.
    numbers: HashMap<u32, u32>,
    invariants: HashMap<u32, Invariant>,
    constants: Vec<Tensor>,
    constant_of: HashMap<u32, u32>,
    layouts: Vec<Layout>,
    nodes: Vec<Node>,
    inputs: Vec<Input>,
    num_outputs: u32,
    /// By entry of `outputs`.
    promises: Vec<Promise>,
    /// By entry of `outputs`.
    edges: Vec<Vec<Edge>>,
    feed_outputs: Vec<u32>,
}

impl<'g> Builder<'g> {
    fn new(graph: &'g Graph, signature: &'g Signature, frames: &'g Frames, mut wired: Vec<Wired>) -> Self {
        sort_by_key(&mut wired, |wired| frames.of_node(wired.node));
        let numbers = wired.iter().zip(0..).map(|(wired, number)| (wired.node, number)).collect();
        let layouts = layouts(frames, &wired);
        Self {
            graph,
            signature,
            frames,
            wired,
            numbers,
            invariants: HashMap::new(),
            constants: Vec::new(),
            constant_of: HashMap::new(),
            layouts,
            nodes: Vec::new(),
            inputs: Vec::new(),
            num_outputs: 0,
            promises: Vec::new(),
            edges: Vec::new(),
            feed_outputs: Vec::new(),
        }
    }

    /// Decides for each `Enter` how its value comes into the frame: one that a `Merge` waits for is sent.
    fn find_invariants(&mut self) {
        let mut merged: HashSet<u32> = HashSet::new();
        for wired in self.wired.iter().filter(|wired| wired.role == Role::Merge) {
            merged.extend(wired.inputs.iter().filter_map(|source| match source {
                Source::Output(output) => Some(output.node),
                _ => None,
            }));
            merged.extend(wired.signals.iter().map(|signal| match signal {
                Signal::Node(node) => *node,
                Signal::Output(output) => output.node,
            }));
        }
        for wired in self.wired.iter().filter(|wired| wired.role == Role::Enter) {
            let Some(frame) = self.frames.entered_by(wired.node) else { continue };
            let layout = &mut self.layouts[frame as usize];
            let constant = self.graph.nodes()[wired.node as usize].info().attr::<bool>("is_constant");
            let invariant = match constant.unwrap_or(false) {
                false => Invariant::No,
                true if merged.contains(&wired.node) => Invariant::Sent,
                true => {
                    layout.num_invariants += 1;
                    Invariant::Kept(layout.num_invariants - 1)
                }
            };
            self.invariants.insert(wired.node, invariant);
        }
    }

    fn make_nodes(&mut self, kernels: &Kernels, envs: &Envs, cancellation: &Cancellation) -> Result<()> {
        let wired = std::mem::take(&mut self.wired);
        for wired in &wired {
            cancellation.check()?;
            let node = self.make_node(wired, kernels, envs)?;
            // One more entry than outputs, for edges that wait for the node itself.
            self.num_outputs += node.num_outputs + 1;
            let of_graph = &self.graph.nodes()[wired.node as usize];
            self.promises.extend(Promise::of_node(self.graph, of_graph).chain([Promise::nothing()]));
            self.nodes.push(node);
        }
        self.edges.resize(self.num_outputs as usize, Vec::new());
        for _ in &self.signature.feeds {
            self.feed_outputs.push(self.edges.len() as u32);
            self.edges.push(Vec::new());
        }
        for (number, wired) in wired.iter().enumerate() {
            cancellation.check()?;
            self.connect(number as u32, wired)?;
        }
        Ok(())
    }

    fn make_node(&self, wired: &Wired, kernels: &Kernels, envs: &Envs) -> Result<Node> {
        let node = &self.graph.nodes()[wired.node as usize];
        let frame = self.frames.of_node(wired.node);
        let kernel = match wired.role {
            Role::Kernel => Some(kernels.of(wired.node)?.clone()),
            _ => None,
        };
        let references = |(index, input): (usize, &Output)| {
            let taken = !self.signature.feeds.contains(input) && is_reference(self.graph, *input);
            taken && !node.info().is_ref_input(index)
        };
        Ok(Node {
            role: wired.role,
            env: kernel.as_ref().map_or(0, |kernel| envs.position(&kernel.node().device)),
            may_wait: kernel.as_ref().is_some_and(|kernel| may_wait(self.graph, kernel)),
            calls_functions: kernel.as_ref().is_some_and(|kernel| calls_functions(self.graph, kernel)),
            is_async: kernel.as_ref().is_some_and(|kernel| kernel.is_async()),
            reads_references: node.inputs().iter().enumerate().any(references),
            layout: self.frames.entered_by(wired.node).unwrap_or(frame),
            invariant: self.invariants.get(&wired.node).copied().unwrap_or(Invariant::No),
            first_input: 0,
            num_inputs: wired.inputs.len() as u32,
            first_output: self.num_outputs,
            num_outputs: node.num_outputs() as u32,
            provenance: node.provenance.clone(),
            info: kernel.as_ref().map_or(node.info(), |kernel| kernel.node()).clone(),
            kernel,
        })
    }

    /// Lays out a node's inputs and the edges to it.
    fn connect(&mut self, number: u32, wired: &Wired) -> Result<()> {
        self.nodes[number as usize].first_input = self.inputs.len() as u32;
        let frame = self.frames.of_node(wired.node) as usize;
        let merges = wired.role == Role::Merge;
        let mut pending = Pending::default();
        let mut merge_slot = NONE;
        for (index, &source) in wired.inputs.iter().enumerate() {
            let input = self.place(frame, source, &mut merge_slot, merges);
            self.inputs.push(input);
            let Some(from) = self.entry(source)? else { continue };
            let edge = match input {
                Input::Slot(slot) if merges => Edge { to: To::MergeValue, node: number, slot, index: index as u16 },
                Input::Slot(slot) => Edge { to: To::Value, node: number, slot, index: 0 },
                _ => Edge { to: To::Signal, node: number, slot: NONE, index: 0 },
            };
            self.edges[from as usize].push(edge);
            pending.waiting += u32::from(!merges);
        }
        if merges {
            pending.inputs = wired.inputs.len() as u16;
        }
        let to = match wired.role {
            Role::Merge => To::MergeSignal,
            Role::Trigger => To::Trigger,
            _ => To::Signal,
        };
        for signal in &wired.signals {
            let from = match *signal {
                Signal::Node(node) => {
                    let source = &self.nodes[self.number(node)? as usize];
                    source.first_output + source.num_outputs
                }
                Signal::Output(output) => self.output_entry(output)?,
            };
            self.edges[from as usize].push(Edge { to, node: number, slot: NONE, index: 0 });
            pending.waiting += 1;
        }
        self.layouts[frame].template.push(pending);
        Ok(())
    }

    /// Where a node of a frame finds an input.
    fn place(&mut self, frame: usize, source: Source, merge_slot: &mut u32, merges: bool) -> Input {
        match source {
            Source::Constant(node) => Input::Constant(self.constant(node)),
            Source::Output(output) => match self.invariants.get(&output.node) {
                Some(Invariant::Kept(number)) => Input::Invariant(*number),
                _ => Input::Slot(self.slot(frame, merge_slot, merges)),
            },
            Source::Feed(_) => Input::Slot(self.slot(frame, merge_slot, merges)),
        }
    }

    /// A slot of its own for each input; one for all inputs of a `Merge`.
    fn slot(&mut self, frame: usize, merge_slot: &mut u32, merges: bool) -> u32 {
        if merges && *merge_slot != NONE {
            return *merge_slot;
        }
        let layout = &mut self.layouts[frame];
        layout.num_slots += 1;
        *merge_slot = layout.num_slots - 1;
        *merge_slot
    }

    fn constant(&mut self, node: u32) -> u32 {
        let constants = &mut self.constants;
        *self.constant_of.entry(node).or_insert_with(|| {
            constants.extend(constant_of(&self.graph.nodes()[node as usize]).cloned());
            constants.len() as u32 - 1
        })
    }

    /// The entry of `outputs` that a source's edges are in; `None` for a constant.
    fn entry(&self, source: Source) -> Result<Option<u32>> {
        match source {
            Source::Constant(_) => Ok(None),
            Source::Feed(feed) => Ok(Some(self.feed_outputs[feed])),
            Source::Output(output) => self.output_entry(output).map(Some),
        }
    }

    fn output_entry(&self, output: Output) -> Result<u32> {
        Ok(self.nodes[self.number(output.node)? as usize].first_output + output.index)
    }

    fn number(&self, node: u32) -> Result<u32> {
        let number = self.numbers.get(&node).copied();
        number.ok_or_else(|| Error::internal(format!("node {node} is read but does not run")))
    }

    fn fetches(&mut self, sources: &[Source]) -> Result<Vec<Fetch>> {
        let mut fetches = Vec::with_capacity(sources.len());
        for (index, &source) in sources.iter().enumerate() {
            if let Source::Constant(node) = source {
                let number = self.constant(node);
                fetches.push(Fetch::Constant(self.constants[number as usize].clone()));
                continue;
            }
            if let Some(entry) = self.entry(source)? {
                self.edges[entry as usize].push(Edge { to: To::Fetch, node: index as u32, slot: NONE, index: 0 });
            }
            let is_reference = matches!(source, Source::Output(output) if is_reference(self.graph, output));
            let name = self.graph.output_name(self.signature.fetches[index]);
            fetches.push(Fetch::Delivered { is_reference, name });
        }
        Ok(fetches)
    }

    fn finish(mut self, fetches: Vec<Fetch>, envs: Envs, pool: Option<Arc<IntraOpPool>>) -> Dataflow {
        let mut outputs = Vec::with_capacity(self.edges.len() + 1);
        let mut edges = Vec::new();
        for of_output in &mut self.edges {
            outputs.push(edges.len() as u32);
            // Values last, so that the last of them takes the value and need not clone it. What comes to be ready last
            // runs first: it should be what a plan would run first.
            sort_by_key(of_output, |edge| (edge.to, Reverse(edge.node)));
            edges.append(of_output);
        }
        outputs.push(edges.len() as u32);
        let root = &self.layouts[ROOT as usize].template;
        let free = |number: &usize| root[*number].waiting == 0 && self.nodes[*number].role != Role::Merge;
        let starts = (0..root.len()).filter(free).map(|number| number as u32).collect();
        let feeds = self.signature.feeds.iter().map(|&feed| Feed::new(self.graph, feed, 0)).collect();
        Dataflow {
            costs: Costs::new(self.nodes.len()),
            nodes: self.nodes,
            inputs: self.inputs,
            promises: self.promises,
            outputs,
            edges,
            constants: self.constants,
            layouts: self.layouts,
            starts,
            feeds,
            feed_outputs: self.feed_outputs,
            fetches,
            envs,
            pool,
            spreads: AtomicBool::new(false),
            idle: Mutex::default(),
        }
    }
}

/// The layouts of all frames, without nodes yet.
fn layouts(frames: &Frames, wired: &[Wired]) -> Vec<Layout> {
    let mut layouts: Vec<Layout> = Vec::with_capacity(frames.frames.len());
    let mut num_enters = vec![0; frames.frames.len()];
    wired.iter().filter_map(|wired| frames.entered_by(wired.node)).for_each(|frame| num_enters[frame as usize] += 1);
    for (index, frame) in frames.frames.iter().enumerate() {
        let mut layout = Layout {
            parallel_iterations: u32::try_from(frame.parallel_iterations).unwrap_or(NONE),
            num_enters: num_enters[index],
            ..Layout::default()
        };
        layout.first_node = wired.partition_point(|wired| (frames.of_node(wired.node) as usize) < index) as u32;
        if index as u32 != ROOT {
            let parent = &mut layouts[frame.parent as usize];
            layout.child = parent.num_children;
            parent.num_children += 1;
        }
        layouts.push(layout);
    }
    layouts
}
