//! Adding a node: checked against its op, shapes inferred at once.

use std::sync::Arc;

use oplink_api::call::Arg;
use oplink_api::{AttrValue, DType, Error, ErrorKind, NodeInfo, Output, Result, ResultExt, ensure};
use oplink_core::{ArgDTypes, AttrRules, group_inputs, node_for_call_under};

use crate::graph::{Graph, Node, Provenance};
use crate::infer::infer_node;
use crate::names::{bad_name, is_valid_node_name};

/// A node to add.
#[derive(Clone, Copy, Debug)]
pub struct NewNode<'a> {
    /// The op's name.
    pub op: &'a str,
    /// The node's name, taken as it is.
    pub name: &'a str,
    /// The device asked for; empty for none.
    pub device: &'a str,
    /// Declared inputs in order.
    pub inputs: &'a [Arg<Output>],
    /// Nodes that must have run before.
    pub control_inputs: &'a [u32],
    /// Attrs; those that follow from inputs or have defaults may be left out.
    pub attrs: &'a [(&'a str, AttrValue)],
}

impl Graph {
    /// Adds a node and returns its position.
    ///
    /// # Errors
    /// The name is malformed or taken; the op is not declared, or deprecated for the graph's producer version; an input
    /// does not exist, is of the wrong dtype, or is a value where the op wants a reference; an attr is wrong; the op's
    /// shape function refuses the input shapes. The graph is unchanged then.
    pub fn add(&mut self, new: NewNode<'_>) -> Result<u32> {
        self.add_under(AttrRules::Declared, new)
    }

    /// As [`Graph::add`], and takes what TensorFlow's C library takes: any name that is not taken, attrs that the op
    /// does not declare, and attrs that stand for those of a function. Sessions refuse to run a graph with a malformed
    /// name, and a node with an attr that has no value.
    ///
    /// # Errors
    /// As [`Graph::add`], those aside that do not matter here.
    pub fn add_leniently(&mut self, new: NewNode<'_>) -> Result<u32> {
        self.add_under(AttrRules::Any, new)
    }

    fn add_under(&mut self, rules: AttrRules, new: NewNode<'_>) -> Result<u32> {
        self.try_add(rules, new).context_with(|| format!("node `{}` (op {})", new.name, new.op))
    }

    /// Adds a node whose inputs are given one by one, as a program that does not know the op's arguments has them.
    ///
    /// # Errors
    /// As [`Graph::add`]; and where several list arguments leave it open which inputs belong to which.
    pub fn add_flat(&mut self, new: NewNode<'_>, inputs: &[Output]) -> Result<u32> {
        let spec = self.op(new.op)?.spec.clone();
        let ranges = group_inputs(&spec, inputs.len(), new.attrs)?;
        let args = spec.inputs.iter().zip(ranges).map(|(arg, range)| {
            let values = &inputs[range];
            if arg.is_sequence() { Arg::List(values.to_vec()) } else { Arg::One(values[0]) }
        });
        let args: Vec<_> = args.collect();
        self.add(NewNode { inputs: &args, ..new })
    }

    fn try_add(&mut self, rules: AttrRules, new: NewNode<'_>) -> Result<u32> {
        self.check_new_name(rules, new.name)?;
        let info = self.make_info(rules, &new)?;
        let flat = new.inputs.iter().flat_map(|arg| match arg {
            Arg::One(output) => std::slice::from_ref(output),
            Arg::List(outputs) => outputs,
        });
        let inputs: Vec<Output> = flat.copied().collect();
        for &position in new.control_inputs {
            self.check_output_node(position)?;
        }
        check_refs(self, &info, &inputs)?;
        let inferred = infer_node(self, &info, &inputs)?;
        Ok(self.push(Node {
            known: self.known_ops.get(info.op_id()),
            info: Arc::new(info),
            inputs,
            control_inputs: new.control_inputs.to_vec(),
            output_shapes: inferred.shapes,
            handle_shapes: inferred.handles,
            provenance: Provenance::default(),
            origin: None,
        }))
    }

    fn push(&mut self, node: Node) -> u32 {
        let position = self.nodes.len() as u32;
        self.names.mark(node.name());
        if self.malformed.is_none() && !is_valid_node_name(node.name()) {
            self.malformed = Some(position);
        }
        self.index.insert(node.name().to_owned(), position);
        self.nodes.push(node);
        position
    }

    /// Whether every node has a name that sessions and messages take.
    ///
    /// # Errors
    /// The first node of which the name is malformed.
    pub(crate) fn check_names(&self) -> Result<()> {
        match self.malformed.and_then(|position| self.node(position)) {
            None => Ok(()),
            Some(node) => Err(Error::invalid_argument(bad_name(node.name())).with_kind(ErrorKind::InvalidGraph)),
        }
    }

    fn check_new_name(&self, rules: AttrRules, name: &str) -> Result<()> {
        let message = match self.position(name) {
            Some(_) => format!("the graph already has a node `{name}`"),
            None if rules == AttrRules::Any || is_valid_node_name(name) => return Ok(()),
            None => bad_name(name),
        };
        Err(Error::invalid_argument(message).with_kind(ErrorKind::InvalidGraph))
    }

    fn check_output_node(&self, position: u32) -> Result<()> {
        match self.node(position) {
            Some(_) => Ok(()),
            None => Err(Error::invalid_argument(format!("the graph has no node at position {position}"))),
        }
    }

    fn make_info(&self, rules: AttrRules, new: &NewNode<'_>) -> Result<NodeInfo> {
        let op = self.op(new.op)?;
        let dtypes: Vec<Vec<DType>> = new.inputs.iter().map(|arg| self.arg_dtypes(arg)).collect::<Result<_>>()?;
        let args: Vec<ArgDTypes<'_>> = new
            .inputs
            .iter()
            .zip(&dtypes)
            .map(|(arg, dtypes)| match arg {
                Arg::One(_) => ArgDTypes::One(dtypes[0]),
                Arg::List(_) => ArgDTypes::List(dtypes),
            })
            .collect();
        let attrs = new.attrs.iter().map(|(name, value)| (*name, value.clone()));
        let info = node_for_call_under(rules, op, new.name, new.device, &args, attrs)?;
        check_deprecation(op, self.producer())?;
        Ok(info)
    }

    fn arg_dtypes(&self, arg: &Arg<Output>) -> Result<Vec<DType>> {
        let outputs = match arg {
            Arg::One(output) => std::slice::from_ref(output),
            Arg::List(outputs) => outputs,
        };
        let dtype = |&output: &Output| {
            self.check_output(output)?;
            Ok(self.dtype(output).unwrap_or(DType::Invalid))
        };
        outputs.iter().map(dtype).collect()
    }
}

/// Whether references come only from outputs that are some.
pub(crate) fn check_refs(graph: &Graph, info: &NodeInfo, inputs: &[Output]) -> Result<()> {
    for (index, input) in inputs.iter().enumerate().filter(|(index, _)| info.is_ref_input(*index)) {
        let source = &graph.nodes[input.node as usize];
        ensure!(
            source.info.is_ref_output(input.index as usize),
            "input {index} is a reference, but `{}` (op {}) gives a value: connect the variable itself",
            source.name(),
            source.op_name()
        );
    }
    Ok(())
}

/// Refuses an op that graphs of this version must not use any more.
pub(crate) fn check_deprecation(op: &oplink_core::OpEntry, producer: i32) -> Result<()> {
    let Some(deprecation) = op.deprecated_in(producer) else { return Ok(()) };
    Err(Error::unimplemented(format!(
        "op {} is not available in GraphDef version {producer}; it was removed in version {}: {}",
        op.name(),
        deprecation.version,
        deprecation.explanation
    ))
    .with_kind(ErrorKind::InvalidGraph))
}
