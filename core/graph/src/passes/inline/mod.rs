//! `function_inlining`: the body of a function takes the place of its call.
//!
//! Calls are inlined level by level, the outermost first, until there are none or a limit is reached; those that are
//! left are called when the graph runs. A function that calls itself is inlined once along each way.
//!
//! `template` is a body made ready to be copied, once for all calls with the same attrs and shapes; `copy` puts it into
//! the graph; `budget` counts the nodes that come in; `ends` tells what waits for a call that is gone.

mod budget;
mod copy;
mod ends;
mod template;

use std::collections::{HashMap, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::rc::Rc;
use std::sync::Arc;

use oplink_api::{AttrMap, NodeInfo, Output, PartialShape, Result};
use oplink_proto::attr_value::Value;

use super::rewrite::Replacements;
use super::{BODY_PASSES, Pass, Rewrite};
use crate::attr_hash::hash_attrs;
use crate::functions::called;
use crate::graph::{Node, NodeMap};
use crate::library::ARE_LINKED;
use ends::Inlined;
use template::Template;

pub(crate) use budget::{InlinedNodes, InliningBudget};

pub(super) const PASS: Pass =
    Pass { name: "function_inlining", description: "puts the bodies of functions in the place of their calls", run };

/// A function with this attr set is called, not inlined,
const NO_INLINE: &str = "_noinline";
/// unless it has this one too: then the first only keeps it whole for a compiler, which does not see it here.
const MUST_COMPILE: &str = "_XlaMustCompile";

fn run(rewrite: &mut Rewrite) -> Result<()> {
    if !ARE_LINKED || rewrite.graph.functions.library().is_none() {
        return Ok(());
    }
    let calls = |rewrite: &Rewrite| -> Result<VecDeque<u32>> {
        Ok(rewrite.needed()?.into_iter().filter(|&node| is_call(rewrite, node)).collect())
    };
    if calls(rewrite)?.is_empty() {
        return Ok(());
    }
    // Calls that return the same are one before their bodies are copied.
    rewrite.run_passes(BODY_PASSES)?;
    let calls = calls(rewrite)?;
    Inliner::new(rewrite, calls).run()
}

/// Whether the node does nothing but call a function.
fn is_call(rewrite: &Rewrite, position: u32) -> bool {
    !rewrite.is_fed(position) && called(&rewrite.graph, rewrite.node(position).info()).is_some()
}

/// The functions inside which a node stands, the innermost first.
struct Inside {
    name: Arc<str>,
    outer: Option<Rc<Inside>>,
    depth: usize,
}

impl Inside {
    fn is_inside(&self, name: &str) -> bool {
        *self.name == *name || self.outer.as_ref().is_some_and(|outer| outer.is_inside(name))
    }
}

/// What decides on a template.
struct Key {
    name: Arc<str>,
    attrs: AttrMap,
    shapes: Vec<PartialShape>,
}

/// A graph on the way to having no calls.
struct Inliner<'r> {
    rewrite: &'r mut Rewrite,
    calls: VecDeque<u32>,
    /// By a hash; `None` for a body that cannot be made, which a run reports.
    #[allow(clippy::type_complexity, reason = "a table by hash")]
    templates: HashMap<u64, Vec<(Key, Option<Rc<Template>>)>>,
    /// By call that is not at the outermost level.
    inside: NodeMap<Rc<Inside>>,
    replacements: Replacements,
    inlined: HashMap<u32, Inlined>,
    /// Nodes with effects that came in.
    effects: Vec<u32>,
    /// Whether a call may stand in a loop or a branch.
    may_be_dead: bool,
}

impl<'r> Inliner<'r> {
    fn new(rewrite: &'r mut Rewrite, calls: VecDeque<u32>) -> Self {
        let may_be_dead = rewrite.has_control_flow();
        Self {
            rewrite,
            calls,
            templates: HashMap::new(),
            inside: NodeMap::default(),
            replacements: Replacements::default(),
            inlined: HashMap::new(),
            effects: Vec::new(),
            may_be_dead,
        }
    }

    fn run(mut self) -> Result<()> {
        while let Some(call) = self.calls.pop_front() {
            self.rewrite.check_time()?;
            let Some((name, template)) = self.template_of(call)? else { continue };
            if self.rewrite.inlined.take(template.parts.len()) {
                self.inline(call, name, template)?;
            }
        }
        self.finish()
    }

    /// The body of a call that may be inlined, with the function's name.
    fn template_of(&mut self, position: u32) -> Result<Option<(Arc<str>, Rc<Template>)>> {
        let graph = &self.rewrite.graph;
        let info = graph.nodes[position as usize].info().clone();
        let Some((name, attrs)) = called(graph, &info) else { return Ok(None) };
        if !self.may_inline(position, name) {
            return Ok(None);
        }
        let shape = |&input: &Output| graph.shape(self.replacements.resolve(input));
        let shapes: Vec<PartialShape> = graph.nodes[position as usize].inputs().iter().map(shape).collect();
        let mut hasher = DefaultHasher::new();
        (name, hash_attrs(attrs), &shapes).hash(&mut hasher);
        let same_hash = self.templates.entry(hasher.finish()).or_default();
        let is_same = |key: &Key| *key.name == *name && key.shapes == shapes && key.attrs == *attrs;
        if let Some((key, template)) = same_hash.iter().find(|(key, _)| is_same(key)) {
            return Ok(template.as_ref().map(|template| (key.name.clone(), template.clone())));
        }
        let template = Template::of_call(self.rewrite, name, attrs, &shapes)?.filter(|body| fits(body, &info));
        let (template, name) = (template.map(Rc::new), Arc::<str>::from(name));
        let found = template.as_ref().map(|template| (name.clone(), template.clone()));
        same_hash.push((Key { name, attrs: attrs.clone(), shapes }, template));
        Ok(found)
    }

    fn may_inline(&self, position: u32, name: &str) -> bool {
        let Some(entry) = self.rewrite.graph.functions.get(name) else { return false };
        let is_set =
            |attr: &str| matches!(entry.def.attr.get(attr).and_then(|attr| attr.value.as_ref()), Some(Value::B(true)));
        let outer = self.inside.get(position);
        (!is_set(NO_INLINE) || is_set(MUST_COMPILE))
            && !outer
                .is_some_and(|outer| outer.depth >= self.rewrite.options.max_inlining_depth() || outer.is_inside(name))
    }

    /// Puts a body in the place of a call, which nobody reads any more when all are done.
    fn inline(&mut self, position: u32, name: Arc<str>, template: Rc<Template>) -> Result<()> {
        self.may_be_dead |= template.has_control_flow;
        let call: Node = self.rewrite.node(position).clone();
        let copied = copy::copy(self.rewrite, &call, &template, &name, self.may_be_dead)?;
        let outer = self.inside.get(position).cloned();
        let depth = outer.as_ref().map_or(0, |outer| outer.depth) + 1;
        let inside = Rc::new(Inside { name, outer, depth });
        for &inner in &template.calls {
            self.inside.insert(copied.first + inner, inside.clone());
            self.calls.push_back(copied.first + inner);
        }
        for (index, &result) in copied.results.iter().enumerate() {
            self.replacements.set(Output { node: position, index: index as u32 }, result);
        }
        self.effects.extend(&copied.effects);
        self.inlined.insert(position, Inlined::new(copied));
        Ok(())
    }
}

/// Whether a body is one of this call: a call that does not fit its function is reported by a run.
fn fits(template: &Template, call: &NodeInfo) -> bool {
    template.input_dtypes == call.input_dtypes && template.output_dtypes == call.output_dtypes
}
