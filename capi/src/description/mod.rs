//! `TF_OperationDescription`: a node on its way into a graph.
//!
//! The setters have no status. What is wrong with their arguments is kept, and `TF_FinishOperation` tells the first.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::collections::BTreeSet;
use std::ffi::{c_char, c_int};
use std::ptr;
use std::sync::Arc;

use oplink_abi::{TF_Graph, TF_Operation, TF_OperationDescription, TF_Output, TF_Status};
use oplink_api::call::Arg;
use oplink_api::{AttrValue, Code, Error, ErrorKind, Output, Result, bail, ensure};
use oplink_graph::NewNode;
use oplink_host::c_api;
use oplink_host::guard::{borrow, text, without_status};

use crate::graph::{GraphState, share_graph};
use crate::set_attrs::AttrTarget;
use crate::support::as_invalid;

/// The attr that names the groups of operations that run on one device.
const CLASS: &str = "_class";

/// What a `TF_OperationDescription` is here.
#[derive(Debug)]
pub(crate) struct Description {
    graph: Result<Arc<GraphState>>,
    op: String,
    name: String,
    device: String,
    inputs: Vec<Arg<Output>>,
    control_inputs: Vec<u32>,
    /// Groups of operations that run on one device, `loc:@` and the name of one of them: the attr `_class`.
    groups: BTreeSet<Vec<u8>>,
    attrs: Vec<(String, AttrValue)>,
    problem: Option<Error>,
}

impl AttrTarget for Description {
    fn set(&mut self, name: &str, value: AttrValue) {
        match value {
            AttrValue::Strings(groups) if name == CLASS => self.groups = groups.into_iter().collect(),
            AttrValue::EmptyList if name == CLASS => self.groups.clear(),
            value => match self.attrs.iter().find(|(known, _)| known == name) {
                None => self.attrs.push((name.to_owned(), value)),
                Some((_, known)) if *known == value => {}
                Some(_) => self.keep(Error::invalid_argument(format!("attr `{name}` is set to two values"))),
            },
        }
    }

    fn keep(&mut self, problem: Error) {
        self.problem.get_or_insert(problem);
    }
}

impl Description {
    fn finish(self) -> Result<*mut TF_Operation> {
        let graph = self.graph?;
        if let Some(problem) = self.problem {
            return as_invalid(Err(problem.context(format!("node `{}` (op {})", self.name, self.op))));
        }
        let mut attrs: Vec<(&str, AttrValue)> =
            self.attrs.iter().map(|(name, value)| (&**name, value.clone())).collect();
        if !self.groups.is_empty() {
            ensure!(attrs.iter().all(|(name, _)| *name != CLASS), "attr `{CLASS}` is both a list of groups and none");
            attrs.push((CLASS, AttrValue::Strings(self.groups.into_iter().collect())));
        }
        let state = graph.clone();
        let added = graph.change(|graph| {
            state.check_shape_fn(graph, &self.op)?;
            graph.add_leniently(NewNode {
                op: &self.op,
                name: &self.name,
                device: &self.device,
                inputs: &self.inputs,
                control_inputs: &self.control_inputs,
                attrs: &attrs,
            })
        });
        added.map(|position| graph.operation(position)).map_err(refused)
    }
}

/// An op that there is not, and an attr whose value is left to a function where it is needed, are wrong arguments of
/// the client here, as in TensorFlow.
pub(crate) fn refused(error: Error) -> Error {
    match error.kind() {
        ErrorKind::OpNotDeclared | ErrorKind::NotLinked | ErrorKind::PluginRejected | ErrorKind::AttrUnknown => {
            Error::new(Code::InvalidArgument, error.kind(), error.to_string())
        }
        _ => error,
    }
}

/// Changes a description; what is wrong is kept for the end. Null is passed over.
///
/// # Safety
/// The handle is null or alive.
unsafe fn change(desc: *mut TF_OperationDescription, change: impl FnOnce(&mut Description) -> Result<()>) {
    // SAFETY: `desc` is null or alive (Safety section).
    let Some(description) = (unsafe { desc.cast::<Description>().as_mut() }) else { return };
    let changed = without_status(Err(Error::internal("a setter panicked")), || change(description));
    if let Err(problem) = changed {
        description.keep(problem);
    }
}

/// Begins a node. It is added by `TF_FinishOperation`, which must follow.
///
/// # Safety
/// The graph is null or alive; the strings are null or terminated.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_NewOperation(
    graph: *mut TF_Graph,
    op_type: *const c_char,
    oper_name: *const c_char,
) -> *mut TF_OperationDescription {
    const NAME: &str = "TF_NewOperation";
    without_status(ptr::null_mut(), || {
        // SAFETY: `graph` is null or alive, `op_type` is null or a terminated string and `oper_name` is null or a
        // terminated string (Safety section).
        let (graph, op, name) = unsafe {
            (share_graph(graph, NAME, "graph"), text(op_type, NAME, "op_type"), text(oper_name, NAME, "oper_name"))
        };
        let problem = op.as_ref().err().or(name.as_ref().err()).cloned();
        let description = Description {
            graph,
            op: op.unwrap_or_default().to_owned(),
            name: name.unwrap_or_default().to_owned(),
            device: String::new(),
            inputs: Vec::new(),
            control_inputs: Vec::new(),
            groups: BTreeSet::new(),
            attrs: Vec::new(),
            problem,
        };
        Box::into_raw(Box::new(description)).cast()
    })
}

/// The same as [`TF_NewOperation`]: graphs lock themselves.
///
/// # Safety
/// As [`TF_NewOperation`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_NewOperationLocked(
    graph: *mut TF_Graph,
    op_type: *const c_char,
    oper_name: *const c_char,
) -> *mut TF_OperationDescription {
    // SAFETY: `graph` is null or alive, `op_type` is null or a terminated string and `oper_name` is null or a
    // terminated string (Safety section).
    unsafe { TF_NewOperation(graph, op_type, oper_name) }
}

/// Asks for a device.
///
/// # Safety
/// The handle is null or alive; `device` is null or a terminated string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_SetDevice(desc: *mut TF_OperationDescription, device: *const c_char) {
    // SAFETY: `desc` is null or alive and `device` is null or a terminated string (Safety section).
    unsafe {
        change(desc, |description| {
            text(device, "TF_SetDevice", "device")?.clone_into(&mut description.device);
            Ok(())
        });
    }
}

/// Adds the input of an argument that is a single tensor.
///
/// # Safety
/// The handles are null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_AddInput(desc: *mut TF_OperationDescription, input: TF_Output) {
    // SAFETY: `desc` is null or alive and `input.oper` is null or alive (Safety section).
    unsafe {
        change(desc, |description| {
            let input = description.graph()?.output(input, "TF_AddInput", "input")?;
            description.inputs.push(Arg::One(input));
            Ok(())
        });
    }
}

/// Adds the inputs of an argument that is a list.
///
/// # Safety
/// The handles are null or alive; `inputs` holds `num_inputs` outputs.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_AddInputList(
    desc: *mut TF_OperationDescription,
    inputs: *const TF_Output,
    num_inputs: c_int,
) {
    // SAFETY: `desc` is null or alive and `inputs` is null or has `num_inputs` elements (Safety section).
    unsafe {
        change(desc, |description| {
            let inputs = description.graph()?.outputs(inputs, num_inputs, "TF_AddInputList", "inputs")?;
            description.inputs.push(Arg::List(inputs));
            Ok(())
        });
    }
}

/// Adds a node that must have run before.
///
/// # Safety
/// The handles are null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_AddControlInput(desc: *mut TF_OperationDescription, input: *mut TF_Operation) {
    // SAFETY: `desc` is null or alive and `input` is null or alive (Safety section).
    unsafe {
        change(desc, |description| {
            let node = description.graph()?.node(input, "TF_AddControlInput", "input")?;
            if !description.control_inputs.contains(&node) {
                description.control_inputs.push(node);
            }
            Ok(())
        });
    }
}

/// Asks to run on the device of another node.
///
/// # Safety
/// The handles are null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_ColocateWith(desc: *mut TF_OperationDescription, op: *mut TF_Operation) {
    // SAFETY: `desc` is null or alive and `op` is null or alive (Safety section).
    unsafe {
        change(desc, |description| {
            description.graph()?.node(op, "TF_ColocateWith", "op")?;
            let operation = borrow(op.cast::<crate::graph::Operation>(), "TF_ColocateWith", "op")?;
            description.groups.insert(format!("loc:@{}", operation.info.name).into_bytes());
            Ok(())
        });
    }
}

impl Description {
    fn graph(&self) -> Result<&GraphState> {
        self.graph.as_deref().map_err(Clone::clone)
    }
}

c_api! {
    /// Adds the node and frees the description. Null and an error where the node is wrong; the graph is unchanged then.
    ///
    /// # Safety
    /// The handles are null or alive; the description is not used afterwards.
    fn TF_FinishOperation(desc: *mut TF_OperationDescription; status) -> (*mut TF_Operation = ptr::null_mut()) {
        if desc.is_null() {
            bail!("TF_FinishOperation: `desc` is null");
        }
        // SAFETY: made as a box by `TF_NewOperation`.
        let description = unsafe { Box::from_raw(desc.cast::<Description>()) };
        description.finish()
    }
}

/// The same as [`TF_FinishOperation`]: graphs lock themselves.
///
/// # Safety
/// As [`TF_FinishOperation`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_FinishOperationLocked(
    desc: *mut TF_OperationDescription,
    status: *mut TF_Status,
) -> *mut TF_Operation {
    // SAFETY: `desc` is null or alive and `status` is null or alive (Safety section).
    unsafe { TF_FinishOperation(desc, status) }
}
