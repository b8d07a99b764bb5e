//! Changes to a graph that stands: more is learned of a shape, an edge moves.

use std::collections::HashSet;
use std::sync::Arc;

use oplink_api::shape_inference::{HandleShape, merge_shapes};
use oplink_api::{Error, Output, PartialShape, Result, bail, ensure};

use oplink_proto::FullTypeDef;

use super::Graph;

impl Graph {
    /// The nodes as they are now, for a session that runs them while this graph goes on growing: the same nodes at the
    /// same positions, not to be found by name.
    #[must_use]
    pub fn snapshot(&self) -> Self {
        self.copy_nodes()
    }

    /// Lets the nodes that ask for no device ask for this one.
    pub(crate) fn place_on(&mut self, device: &str) {
        for node in &mut self.nodes {
            if node.info.device.is_empty() && !node.known.is_placeholder() {
                device.clone_into(&mut Arc::make_mut(&mut node.info).device);
            }
        }
    }

    /// Tells what the shape of an output is; what is known of it already must agree. Shapes that were inferred from it
    /// stay as they are.
    ///
    /// # Errors
    /// There is no such output, or its shape contradicts.
    pub fn set_shape(&mut self, output: Output, shape: &PartialShape) -> Result<()> {
        self.check_output(output)?;
        let known = &mut self.nodes[output.node as usize].output_shapes[output.index as usize];
        *known = merge_shapes(known, shape)?;
        self.constants.truncate(output.node);
        Ok(())
    }

    /// Tells what an output that is a handle refers to; what was known of it is forgotten. Shapes that were inferred
    /// from that stay as they are.
    ///
    /// # Errors
    /// There is no such output.
    pub fn set_handle_shapes(&mut self, output: Output, shapes: Vec<HandleShape>) -> Result<()> {
        self.check_output(output)?;
        let handles = &mut self.nodes[output.node as usize].handle_shapes;
        handles.retain(|(index, _)| *index != output.index as usize);
        if !shapes.is_empty() {
            handles.push((output.index as usize, shapes));
        }
        Ok(())
    }

    /// Makes an input of a node come from another output. This is how loops are closed: only the inputs of a `Merge`
    /// may come from a `NextIteration` that waits for it.
    ///
    /// # Errors
    /// There is no such node, input or output; the dtypes differ; a cycle would arise.
    pub fn set_input(&mut self, node: u32, index: usize, source: Output) -> Result<()> {
        self.check_output(source)?;
        let Some(target) = self.node(node) else { bail!("the graph has no node at position {node}") };
        let Some(&wanted) = target.info().input_dtypes.get(index) else {
            let count = target.inputs().len();
            let message =
                format!("node `{}` (op {}) has {count} inputs, there is no {index}", target.name(), target.op_name());
            return Err(Error::out_of_range(message));
        };
        let dtype = self.dtype(source);
        ensure!(
            dtype == Some(wanted),
            "input {index} of `{}` is of {wanted}, `{}` is not",
            target.name(),
            self.output_name(source)
        );
        let goes_back = target.known().is_merge() && self.nodes[source.node as usize].known().is_next_iteration();
        if !goes_back && self.waits_for(source.node, node) {
            bail!("`{}` waits for `{}`: the edge would close a cycle", self.output_name(source), target.name());
        }
        let target = &self.nodes[node as usize];
        let inferred_from = match target.known().is_merge() {
            true => target.output_shapes.first().cloned().unwrap_or_default(),
            false => self.shape(target.inputs[index]),
        };
        if !covers(&inferred_from, &self.shape(source)) {
            self.forget_shapes_from(node);
        }
        let target = &mut self.nodes[node as usize];
        target.inputs[index] = source;
        if let Some(origin) = &mut target.origin {
            (origin.inputs, origin.merged_inputs) = (None, None);
        }
        self.constants.truncate(0);
        Ok(())
    }

    /// Takes the shapes that were inferred for a node, and for all that follow from it, for unknown.
    fn forget_shapes_from(&mut self, node: u32) {
        let mut readers = vec![Vec::new(); self.nodes.len()];
        for (reader, node) in (0..).zip(&self.nodes) {
            node.inputs.iter().for_each(|input| readers[input.node as usize].push(reader));
        }
        let mut pending = vec![node];
        let mut seen = HashSet::new();
        while let Some(position) = pending.pop() {
            if seen.insert(position) {
                self.nodes[position as usize].output_shapes.fill(PartialShape::unknown());
                pending.append(&mut readers[position as usize]);
            }
        }
    }

    /// Makes a node wait for another.
    ///
    /// # Errors
    /// There is no such node, or a cycle would arise.
    pub fn add_control_input(&mut self, node: u32, before: u32) -> Result<()> {
        ensure!(self.node(node).is_some() && self.node(before).is_some(), "the graph has no such node");
        ensure!(!self.waits_for(before, node), "the edge would close a cycle");
        self.change_control_inputs(node, |inputs| {
            if !inputs.contains(&before) {
                inputs.push(before);
            }
        });
        Ok(())
    }

    /// Takes all control inputs from a node.
    ///
    /// # Errors
    /// There is no such node.
    pub fn clear_control_inputs(&mut self, node: u32) -> Result<()> {
        ensure!(self.node(node).is_some(), "the graph has no node at position {node}");
        self.change_control_inputs(node, Vec::clear);
        Ok(())
    }

    /// Asks for a device for a node; empty for none.
    ///
    /// # Errors
    /// There is no such node.
    pub fn set_device(&mut self, node: u32, device: &str) -> Result<()> {
        ensure!(self.node(node).is_some(), "the graph has no node at position {node}");
        device.clone_into(&mut Arc::make_mut(&mut self.nodes[node as usize].info).device);
        Ok(())
    }

    /// Tells the full type of a node, which export writes and nothing else reads.
    ///
    /// # Errors
    /// There is no such node.
    pub fn set_full_type(&mut self, node: u32, full_type: FullTypeDef) -> Result<()> {
        ensure!(self.node(node).is_some(), "the graph has no node at position {node}");
        self.nodes[node as usize].origin.get_or_insert_default().full_type = Some(full_type);
        Ok(())
    }

    fn change_control_inputs(&mut self, node: u32, change: impl FnOnce(&mut Vec<u32>)) {
        let node = &mut self.nodes[node as usize];
        change(&mut node.control_inputs);
        if let Some(origin) = &mut node.origin {
            (origin.inputs, origin.merged_inputs) = (None, None);
        }
    }

    /// Whether `node` is `other` or runs after it, edges that lead back into loops aside.
    fn waits_for(&self, node: u32, other: u32) -> bool {
        let (mut pending, mut seen) = (vec![node], HashSet::new());
        while let Some(position) = pending.pop() {
            if position == other {
                return true;
            }
            if seen.insert(position) {
                let node = &self.nodes[position as usize];
                let goes_back =
                    |source: &u32| node.known().is_merge() && self.nodes[*source as usize].known().is_next_iteration();
                pending.extend(node.predecessors().filter(|source| !goes_back(source)));
            }
        }
        false
    }

    /// Removes all nodes from this position on, which no earlier one refers to.
    pub(crate) fn truncate(&mut self, count: usize) {
        for node in self.nodes.drain(count..) {
            let added = self.index.get(node.name()).is_some_and(|&position| position as usize >= count);
            if added {
                self.index.remove(node.name());
            }
        }
        self.malformed = self.malformed.filter(|&position| (position as usize) < count);
        self.constants.truncate(count as u32);
    }

    /// Removes a function from the library; nodes that call it then fail to run.
    ///
    /// # Errors
    /// There is no such function.
    pub fn remove_function(&mut self, name: &str) -> Result<()> {
        self.functions.find(name).map_err(|error| Error::invalid_argument(error.message()).with_kind(error.kind()))?;
        Arc::make_mut(&mut self.functions).remove(name);
        Ok(())
    }
}

/// Whether every shape that `narrow` allows is one that `wide` allows.
fn covers(wide: &PartialShape, narrow: &PartialShape) -> bool {
    match (wide.dims(), narrow.dims()) {
        (None, _) => true,
        (Some(_), None) => false,
        (Some(wide), Some(narrow)) => {
            wide.len() == narrow.len() && wide.iter().zip(narrow).all(|(wide, narrow)| wide.is_none() || wide == narrow)
        }
    }
}
