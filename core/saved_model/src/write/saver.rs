//! The nodes that save and restore the variables of a written graph.

use oplink_api::{DType, Output, Result, Scope, TString, Tensor};
use oplink_graph::{Graph, GraphScope};
use oplink_ops::{Assign, AssignVariableOp, Identity, NoOp, PlaceholderWithDefault, ReadVariableOp, RestoreV2, SaveV2};
use oplink_proto::saver_def::CheckpointFormatVersion;
use oplink_proto::{SaverDef, VariableDef};

use super::signatures::tensor_name;
use super::variables::GraphVariable;

/// What was added.
#[derive(Debug)]
pub(super) struct Saved {
    pub(super) saver: SaverDef,
    pub(super) definitions: Vec<VariableDef>,
}

/// Where a variable is set from, and where its value is read.
struct Ends {
    assign: u32,
    value: Output,
}

/// Adds the nodes for all variables of a graph; `None` where it has none.
pub(super) fn add(graph: &mut Graph, variables: &[GraphVariable]) -> Result<Option<Saved>> {
    if variables.is_empty() {
        return Ok(None);
    }
    let mut root = graph.scope();
    let mut scope = root.name_scope("save");
    let default = scope.constant_named("filename/input", Tensor::scalar(TString::from("model")))?;
    let filename = PlaceholderWithDefault::builder(oplink_api::PartialShape::scalar())
        .name("filename")
        .build(&mut scope, default)?;
    let names = strings(variables.iter().map(|variable| variable.name.as_str()));
    let values: Vec<Output> = variables.iter().map(|variable| value(&mut scope, variable)).collect::<Result<_>>()?;
    let save = SaveV2::builder().build(&mut scope, filename, &names, whole(variables), &values)?;
    let saved =
        Identity::builder().name("control_dependency").build(&mut scope.with_control_inputs(&[save]), filename)?;
    let (restore, assigns) = add_restore(&mut scope, filename, &names, variables)?;
    let ends: Vec<Ends> = assigns.into_iter().zip(values).map(|(assign, value)| Ends { assign, value }).collect();
    let saver = SaverDef {
        filename_tensor_name: tensor_name(graph, filename),
        save_tensor_name: tensor_name(graph, saved),
        restore_op_name: node_name(graph, restore),
        max_to_keep: 5,
        keep_checkpoint_every_n_hours: 10000.0,
        version: CheckpointFormatVersion::V2 as i32,
        ..SaverDef::default()
    };
    let definitions = variables.iter().zip(&ends).map(|(variable, ends)| definition(graph, variable, ends)).collect();
    Ok(Some(Saved { saver, definitions }))
}

/// The node that restores all variables, and the one that sets each.
fn add_restore(
    scope: &mut GraphScope<'_>,
    filename: Output,
    names: &Tensor,
    variables: &[GraphVariable],
) -> Result<(u32, Vec<u32>)> {
    let dtypes: Vec<DType> = variables.iter().map(|variable| variable.dtype).collect();
    let values = RestoreV2::builder(&dtypes).build(scope, filename, names, whole(variables))?;
    let assign = |(variable, value): (&GraphVariable, Output)| match variable.is_resource {
        true => AssignVariableOp::builder().build(scope, variable.output(), value),
        false => Ok(Assign::builder().validate_shape(false).build(scope, variable.output(), value)?.node),
    };
    let assigns: Vec<u32> = variables.iter().zip(values).map(assign).collect::<Result<_>>()?;
    let all = NoOp::builder().name("restore_all").build(&mut scope.with_control_inputs(&assigns))?;
    Ok((all, assigns))
}

/// The value of a variable for saving it; of a reference the reference itself.
fn value(scope: &mut dyn Scope, variable: &GraphVariable) -> Result<Output> {
    match variable.is_resource {
        true => ReadVariableOp::builder(variable.dtype).build(scope, variable.output()),
        false => Identity::builder().build(scope, variable.output()),
    }
}

fn strings<'s>(texts: impl Iterator<Item = &'s str>) -> Tensor {
    let texts: Vec<TString> = texts.map(TString::from).collect();
    Tensor::from_slice(&texts)
}

/// Shapes and slices that stand for whole tensors.
fn whole(variables: &[GraphVariable]) -> Tensor {
    strings(variables.iter().map(|_| ""))
}

fn node_name(graph: &Graph, node: u32) -> String {
    graph.node(node).map_or_else(String::new, |node| node.name().to_owned())
}

/// The variable as TensorFlow's collections list it. A graph does not say which variables training changes: those of
/// floats are taken for such.
fn definition(graph: &Graph, variable: &GraphVariable, ends: &Ends) -> VariableDef {
    VariableDef {
        variable_name: tensor_name(graph, variable.output()),
        initializer_name: node_name(graph, ends.assign),
        snapshot_name: tensor_name(graph, ends.value),
        is_resource: variable.is_resource,
        trainable: variable.dtype.is_floating(),
        ..VariableDef::default()
    }
}
