//! The frame of each node, worked out before anything runs, and what makes loops malformed.
//!
//! A frame is the inside of a loop: `Enter` leads into it, `Exit` out of it. All that a node reads must come from its
//! own frame.

use std::collections::{HashMap, HashSet};

use oplink_api::{Cancellation, Code, Error, ErrorKind, Output, Result};

use super::role::{Role, role};
use crate::Graph;
use crate::graph::topological_order;
use crate::signature::Signature;

/// Problems that an error describes.
const MAX_DESCRIBED: usize = 20;
/// Inputs of a `Merge` are counted in 16 bits.
const MAX_MERGE_INPUTS: usize = u16::MAX as usize - 1;

/// The frame outside of all loops.
pub(super) const ROOT: u32 = 0;

/// One loop of a graph.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct StaticFrame {
    pub(super) name: String,
    /// The frame around it; itself for the root.
    pub(super) parent: u32,
    pub(super) parallel_iterations: usize,
}

/// All loops, and where each node runs.
#[derive(Debug)]
pub(super) struct Frames {
    pub(super) frames: Vec<StaticFrame>,
    /// The nodes, each after those that it waits for; edges back from `NextIteration` aside.
    pub(super) order: Vec<u32>,
    /// The frame in which a node runs: for an `Enter` the outer one, for an `Exit` the inner one.
    of: HashMap<u32, u32>,
    /// The frame that an `Enter` leads into.
    entered: HashMap<u32, u32>,
}

impl Frames {
    /// The frames of the needed nodes.
    ///
    /// # Errors
    /// Everything that is malformed, by node: inputs from different frames; an `Exit` or a `NextIteration` outside of
    /// all loops; a `NextIteration` that leads to no `Merge` of its frame; a frame that is entered from two others; a
    /// fetch from inside a loop. The reason of the cancellation.
    pub(super) fn of(
        graph: &Graph,
        needed: &[u32],
        signature: &Signature,
        cancellation: &Cancellation,
    ) -> Result<Self> {
        let root = StaticFrame { name: String::new(), parent: ROOT, parallel_iterations: 1 };
        let frames = Self { frames: vec![root], order: Vec::new(), of: HashMap::new(), entered: HashMap::new() };
        let feeds = signature.feeds.iter().copied().collect();
        let mut check = Check { graph, feeds, frames, names: HashMap::new(), problems: Vec::new() };
        check.frames.order = check.order(needed);
        for at in 0..check.frames.order.len() {
            cancellation.check()?;
            check.place(check.frames.order[at]);
        }
        check.check_iterations(needed);
        if check.problems.is_empty() {
            let fetches = signature.fetches.iter().filter(|fetch| !signature.feeds.contains(fetch));
            fetches.for_each(|&fetch| check.check_fetch(fetch));
        }
        check.finish()
    }

    /// The frame in which a node runs.
    pub(super) fn of_node(&self, node: u32) -> u32 {
        self.of.get(&node).copied().unwrap_or(ROOT)
    }

    /// The frame that an `Enter` leads into.
    pub(super) fn entered_by(&self, node: u32) -> Option<u32> {
        self.entered.get(&node).copied()
    }
}

struct Check<'g> {
    graph: &'g Graph,
    feeds: HashSet<Output>,
    frames: Frames,
    names: HashMap<&'g str, u32>,
    problems: Vec<String>,
}

impl<'g> Check<'g> {
    fn role(&self, node: u32) -> Role {
        role(self.graph.nodes()[node as usize].known())
    }

    /// `node` (op name), for messages.
    fn named(&self, node: u32) -> String {
        let node = &self.graph.nodes()[node as usize];
        format!("`{}` (op {})", node.name(), node.op_name())
    }

    /// Each node after those that it waits for; edges back from `NextIteration` aside.
    fn order(&self, needed: &[u32]) -> Vec<u32> {
        let number: HashMap<u32, u32> = needed.iter().zip(0..).map(|(&node, number)| (node, number)).collect();
        let before = |&node: &u32| {
            let merges = self.role(node) == Role::Merge;
            let goes_back = |source: &u32| merges && self.role(*source) == Role::Next;
            let sources = self.sources(node).into_iter().filter(|source| !goes_back(source));
            sources.filter_map(|source| number.get(&source).copied()).collect()
        };
        let before: Vec<Vec<u32>> = needed.iter().map(before).collect();
        let order = topological_order(&before);
        order.sorted.iter().map(|&number| needed[number as usize]).collect()
    }

    /// What a node waits for: the nodes of inputs that are not fed, and of control inputs.
    fn sources(&self, node: u32) -> Vec<u32> {
        let node = &self.graph.nodes()[node as usize];
        let data = node.inputs().iter().filter(|input| !self.feeds.contains(input)).map(|input| input.node);
        let control = node
            .control_inputs()
            .iter()
            .copied()
            .filter(|&source| !self.graph.nodes()[source as usize].known().is_placeholder());
        data.chain(control).collect()
    }

    /// The frame that a node's outputs are in.
    fn output_frame(&self, node: u32) -> u32 {
        let frame = self.frames.of_node(node);
        match self.role(node) {
            Role::Enter => self.frames.entered_by(node).unwrap_or(frame),
            Role::Exit => self.frames.frames[frame as usize].parent,
            _ => frame,
        }
    }

    /// Gives the node the frame that its inputs come from.
    fn place(&mut self, node: u32) {
        let merges = self.role(node) == Role::Merge;
        let fed = self.graph.nodes()[node as usize].inputs().iter().filter(|input| self.feeds.contains(input));
        let mut known: Option<(u32, u32)> = fed.map(|input| (input.node, ROOT)).next();
        for source in self.sources(node) {
            if merges && self.role(source) == Role::Next {
                continue;
            }
            let frame = self.output_frame(source);
            match known {
                None => known = Some((source, frame)),
                Some((_, same)) if same == frame => {}
                Some((other, other_frame)) => {
                    self.mixed(node, (other, other_frame), (source, frame));
                    // Where it was probably meant to be, so that what follows is not reported too.
                    known = Some((other, other_frame.max(frame)));
                    break;
                }
            }
        }
        let frame = known.map_or(ROOT, |(_, frame)| frame);
        self.frames.of.insert(node, frame);
        match self.role(node) {
            Role::Enter => self.enter(node, frame),
            Role::Exit | Role::Next if frame == ROOT => self.outside(node),
            Role::Merge if self.graph.nodes()[node as usize].inputs().len() > MAX_MERGE_INPUTS => {
                self.problems.push(format!("node {} has more than {MAX_MERGE_INPUTS} inputs", self.named(node)));
            }
            _ => {}
        }
    }

    fn enter(&mut self, node: u32, parent: u32) {
        let graph: &'g Graph = self.graph;
        let info = graph.nodes()[node as usize].info();
        let name = info.attrs.get("frame_name").and_then(|name| match name {
            oplink_api::AttrValue::String(name) => std::str::from_utf8(name).ok(),
            _ => None,
        });
        let Some(name) = name else {
            self.problems.push(format!("node {} names no frame: give its attr `frame_name` a text", self.named(node)));
            return;
        };
        let frame = *self.names.entry(name).or_insert(self.frames.frames.len() as u32);
        if frame as usize == self.frames.frames.len() {
            let parallel = info.attr::<i64>("parallel_iterations").unwrap_or(10);
            if parallel < 1 {
                let named = self.named(node);
                self.problems
                    .push(format!("node {named} allows {parallel} parallel iterations: it must be at least 1"));
            }
            let parallel_iterations = usize::try_from(parallel).unwrap_or(1).max(1);
            self.frames.frames.push(StaticFrame { name: name.to_owned(), parent, parallel_iterations });
        }
        let known = self.frames.frames[frame as usize].parent;
        self.frames.entered.insert(node, frame);
        if known == parent && frame != parent {
            return;
        }
        let problem = format!(
            "node {} enters the frame `{name}` from {}, others enter it from {}: give each loop a frame name of its own",
            self.named(node),
            self.frame(parent),
            self.frame(known)
        );
        self.problems.push(problem);
    }

    fn frame(&self, frame: u32) -> String {
        match frame {
            ROOT => "outside of all loops".to_owned(),
            frame => format!("the frame `{}`", self.frames.frames[frame as usize].name),
        }
    }

    #[cold]
    fn mixed(&mut self, node: u32, one: (u32, u32), other: (u32, u32)) {
        let side = |(source, frame)| format!("{} is from {}", self.named(source), self.frame(frame));
        let problem = format!(
            "node {} has inputs from different frames: {}, {}; a value comes into a loop through an Enter and out through an Exit",
            self.named(node),
            side(one),
            side(other)
        );
        self.problems.push(problem);
    }

    #[cold]
    fn outside(&mut self, node: u32) {
        let problem = format!("node {} is in no loop: its input comes from no Enter", self.named(node));
        self.problems.push(problem);
    }

    /// Every `NextIteration` leads to a `Merge` of its own frame, and to nothing else.
    fn check_iterations(&mut self, needed: &[u32]) {
        let mut leads: HashSet<u32> = HashSet::new();
        for &node in needed {
            for source in self.sources(node) {
                if self.role(source) != Role::Next {
                    continue;
                }
                leads.insert(source);
                let (from, to) = (self.frames.of_node(source), self.frames.of_node(node));
                if self.role(node) != Role::Merge {
                    let problem = format!(
                        "node {} leads to {}: it must lead to a Merge, which also has a value for the first iteration",
                        self.named(source),
                        self.named(node)
                    );
                    self.problems.push(problem);
                } else if from != to {
                    let problem = format!(
                        "node {} is from {}, but leads to {} in {}",
                        self.named(source),
                        self.frame(from),
                        self.named(node),
                        self.frame(to)
                    );
                    self.problems.push(problem);
                }
            }
        }
        for &node in needed {
            if self.role(node) == Role::Next && !leads.contains(&node) {
                let problem = format!("node {} leads nowhere: it must lead to a Merge of its loop", self.named(node));
                self.problems.push(problem);
            }
        }
    }

    fn check_fetch(&mut self, fetch: Output) {
        let frame = self.output_frame(fetch.node);
        if frame != ROOT {
            let (name, frame) = (self.graph.output_name(fetch), self.frame(frame));
            let problem =
                format!("`{name}` is inside {frame}, where it has many values: fetch what an Exit gives of it");
            self.problems.push(problem);
        }
    }

    fn finish(self) -> Result<Frames> {
        let Some(first) = self.problems.first() else { return Ok(self.frames) };
        let count = self.problems.len();
        let message = match count {
            1 => first.clone(),
            _ => {
                let shown = self.problems.iter().take(MAX_DESCRIBED);
                let text = shown.fold(format!("the loops of the graph have {count} problems:"), |text, problem| {
                    format!("{text}\n- {problem}")
                });
                let more = count.saturating_sub(MAX_DESCRIBED);
                if more > 0 { format!("{text}\n- and {more} more") } else { text }
            }
        };
        Err(Error::new(Code::InvalidArgument, ErrorKind::InvalidGraph, message))
    }
}
