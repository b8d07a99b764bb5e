//! Variables that a model's own saver leaves out. TensorFlow 2 restores variables as objects, by their names in the
//! checkpoint's graph of objects; in some models, such as ones of Keras with an optimizer, the saver that is in the
//! graph restores copies of the variables that the functions read.

use std::collections::BTreeMap;

use oplink_api::resource::Variable;
use oplink_api::{DType, Error, Op, Output, PartialShape, Result, ResultExt, Shape, TString, Tensor};
use oplink_bundle::{BundleReader, index_path};
use oplink_graph::{FeedShapes, Graph, RunOptions, Session};
use oplink_ops::{AssignVariableOp, RestoreV2, VarHandleOp};
use oplink_proto::TrackableObjectGraph;

use crate::MetaGraph;
use crate::checkpoint_path::{path_tensor, variables_prefix};

/// The tensor of a checkpoint that holds its graph of objects.
const OBJECT_GRAPH: &str = "_CHECKPOINTABLE_OBJECT_GRAPH";

/// The attribute of an object that is a variable's value.
const VARIABLE_VALUE: &str = "VARIABLE_VALUE";

/// What restores the variables of a graph from the objects of a checkpoint.
#[derive(Debug)]
pub(crate) struct ObjectRestore {
    /// The tensor to feed with the checkpoint's path.
    prefix: Output,
    /// The handle of each variable, and the node that restores it.
    variables: Vec<(Output, u32)>,
}

impl ObjectRestore {
    /// Adds the nodes for the variables that the checkpoint has as objects; `None` where there are none.
    pub(crate) fn add(meta: &MetaGraph, graph: &mut Graph) -> Result<Option<Self>> {
        let restoring = || format!("restoring the variables of {}", meta.dir().display());
        let values = values_of_objects(meta).context_with(restoring)?;
        let mut found: Vec<(Output, DType, String)> = Vec::new();
        for (at, node) in graph.nodes().iter().enumerate().filter(|(_, node)| node.op_name() == VarHandleOp::NAME) {
            let info = node.info();
            let dtype = info.attr("dtype").unwrap_or(DType::Invalid);
            let shape = info.attr::<&PartialShape>("shape").cloned().unwrap_or_default();
            // Nodes that the graph adds for assets may have the names of others.
            let fits = |value: &&Value| value.dtype == dtype && shape.accepts(&value.shape);
            let value = values.get(info.attr::<&str>("shared_name").unwrap_or_default());
            if let Some(value) = value.and_then(Option::as_ref).filter(fits) {
                found.push((Output { node: at as u32, index: 0 }, dtype, value.key.clone()));
            }
        }
        if found.is_empty() {
            return Ok(None);
        }
        let mut root = graph.scope();
        let mut scope = root.name_scope("restore_objects");
        let prefix = scope.placeholder("prefix", DType::String, PartialShape::scalar())?;
        let mut variables = Vec::with_capacity(found.len());
        for (handle, dtype, key) in found {
            let text = |text: &str| Tensor::from_slice(&[TString::from(text)]);
            let value = RestoreV2::builder(&[dtype]).build(&mut scope, prefix, text(&key), text(""))?.swap_remove(0);
            variables.push((handle, AssignVariableOp::builder().build(&mut scope, handle, value)?));
        }
        Ok(Some(Self { prefix, variables }))
    }

    /// Restores the variables that have no value yet; how many there were.
    pub(crate) fn run(&self, meta: &MetaGraph, session: &Session, options: &RunOptions) -> Result<usize> {
        let handles: Vec<Output> = self.variables.iter().map(|(handle, _)| *handle).collect();
        let call = session.prepare_outputs(&[], &handles, &[], FeedShapes::Static)?;
        let mut handles = Vec::new();
        call.run_with(options, Vec::new(), &mut handles)?;
        let mut targets = Vec::new();
        for (handle, (_, assign)) in handles.iter().zip(&self.variables) {
            let handle = handle.handle()?;
            if !handle.exists() || !handle.get::<Variable>()?.is_initialized() {
                targets.push(*assign);
            }
        }
        if !targets.is_empty() {
            let call = session.prepare_outputs(&[self.prefix], &[], &targets, FeedShapes::Static)?;
            let prefix = path_tensor(&variables_prefix(meta.dir()));
            call.run_with(options, vec![prefix], &mut Vec::new())
                .context_with(|| format!("restoring the variables of {}", meta.dir().display()))?;
        }
        Ok(targets.len())
    }
}

/// A variable's value in a checkpoint.
#[derive(Debug, PartialEq)]
struct Value {
    key: String,
    dtype: DType,
    shape: Shape,
}

/// The values of variables by the variables' own names; `None` where several have the name.
fn values_of_objects(meta: &MetaGraph) -> Result<BTreeMap<String, Option<Value>>> {
    let prefix = variables_prefix(meta.dir());
    let mut values: BTreeMap<String, Option<Value>> = BTreeMap::new();
    if meta.def().object_graph_def.is_none() || !index_path(&prefix).exists() {
        return Ok(values);
    }
    let reader = BundleReader::open(&prefix)?;
    if reader.get(OBJECT_GRAPH).is_none() {
        return Ok(values);
    }
    let bytes = reader.read(OBJECT_GRAPH)?.to_scalar::<TString>()?.as_bytes().to_vec();
    let objects: TrackableObjectGraph =
        oplink_proto::from_bytes(bytes).map_err(|error| Error::invalid_argument(error.to_string()))?;
    for attribute in objects.nodes.into_iter().flat_map(|node| node.attributes) {
        let Some(info) = reader.get(&attribute.checkpoint_key) else { continue };
        if attribute.name != VARIABLE_VALUE || attribute.full_name.is_empty() {
            continue;
        }
        let value = Value { dtype: info.dtype, shape: info.shape.clone(), key: attribute.checkpoint_key };
        match values.get_mut(&attribute.full_name) {
            Some(known) if known.as_ref() != Some(&value) => *known = None,
            Some(_) => {}
            None => drop(values.insert(attribute.full_name, Some(value))),
        }
    }
    Ok(values)
}
