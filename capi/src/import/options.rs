//! `TF_ImportGraphDefOptions`.
//!
//! The setters have no status. What is wrong with their arguments is kept, and the import tells the first.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::{c_char, c_int, c_uchar};

use oplink_abi::{TF_ImportGraphDefOptions, TF_Operation, TF_Output};
use oplink_api::{Error, Result};
use oplink_core::AttrRules;
use oplink_graph::{InputMapping, MergeOptions};
use oplink_host::guard::{borrow, delete, text, without_status};

use super::check_index;
use crate::graph::GraphState;
use crate::support::{as_invalid, c_count};

/// What a `TF_ImportGraphDefOptions` is here. Handles of operations are looked at when the graph is known.
#[derive(Debug, Default)]
pub(super) struct Options {
    merge: MergeOptions,
    data: Vec<(String, u32, TF_Output)>,
    control: Vec<(String, *mut TF_Operation)>,
    control_inputs: Vec<*mut TF_Operation>,
    problem: Option<Error>,
}

impl Options {
    /// The options behind a handle.
    ///
    /// # Errors
    /// The handle is null, or a setter was called with something wrong.
    ///
    /// # Safety
    /// A handle that is not null is alive for `'a`.
    pub(super) unsafe fn borrow<'a>(options: *const TF_ImportGraphDefOptions, function: &str) -> Result<&'a Self> {
        // SAFETY: `options` is null or alive (Safety section).
        let options = unsafe { borrow(options.cast::<Self>(), function, "options") }?;
        options.problem.clone().map_or(Ok(options), Err)
    }

    pub(super) fn num_return_outputs(&self) -> usize {
        self.merge.return_outputs.len()
    }

    /// The options for an import into this graph.
    ///
    /// # Errors
    /// An operation is null or of another graph.
    ///
    /// # Safety
    /// The operations are null or alive.
    pub(super) unsafe fn for_graph(&self, graph: &GraphState, function: &str) -> Result<MergeOptions> {
        let mut merge = self.merge.clone();
        for (node, index, to) in &self.data {
            // SAFETY: the operation that the mapping was given is null or alive as long as the options are used (Safety
            // section).
            let to = as_invalid(unsafe { graph.output(*to, function, "input mapping") })?;
            merge.input_mappings.push(InputMapping::Data { node: node.clone(), index: *index, to });
        }
        merge.limits.attrs = AttrRules::Any;
        for (node, to) in &self.control {
            // SAFETY: the operation that the mapping was given is null or alive as long as the options are used (Safety
            // section).
            let to = unsafe { graph.node(*to, function, "control dependency") }?;
            merge.input_mappings.push(InputMapping::Control { node: node.clone(), to });
        }
        for &operation in &self.control_inputs {
            // SAFETY: the operation that was given is null or alive as long as the options are used (Safety section).
            merge.control_inputs.push(unsafe { graph.node(operation, function, "control dependency") }?);
        }
        Ok(merge)
    }
}

/// Changes options; what is wrong is kept for the import. Null is passed over.
///
/// # Safety
/// The handle is null or alive.
unsafe fn change(options: *mut TF_ImportGraphDefOptions, change: impl FnOnce(&mut Options) -> Result<()>) {
    // SAFETY: `options` is null or alive (Safety section).
    let Some(options) = (unsafe { options.cast::<Options>().as_mut() }) else { return };
    let changed = without_status(Err(Error::internal("a setter panicked")), || change(options));
    if let Err(problem) = changed {
        options.problem.get_or_insert(problem);
    }
}

/// Options that import everything as it is.
#[unsafe(no_mangle)]
pub extern "C" fn TF_NewImportGraphDefOptions() -> *mut TF_ImportGraphDefOptions {
    Box::into_raw(Box::<Options>::default()).cast()
}

/// Frees options; null is allowed.
///
/// # Safety
/// The handle is alive and not used afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_DeleteImportGraphDefOptions(opts: *mut TF_ImportGraphDefOptions) {
    // SAFETY: `opts` is null or a box that this library made and that the caller gives up.
    unsafe { delete(opts.cast::<Options>()) }
}

/// Puts all names under a prefix.
///
/// # Safety
/// The handle is null or alive; `prefix` is null or a terminated string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_ImportGraphDefOptionsSetPrefix(opts: *mut TF_ImportGraphDefOptions, prefix: *const c_char) {
    // SAFETY: `opts` is null or alive and `prefix` is null or a terminated string (Safety section).
    unsafe {
        change(opts, |options| {
            text(prefix, "TF_ImportGraphDefOptionsSetPrefix", "prefix")?.clone_into(&mut options.merge.prefix);
            Ok(())
        });
    }
}

/// Sets the device of nodes that ask for none.
///
/// # Safety
/// The handle is null or alive; `device` is null or a terminated string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_ImportGraphDefOptionsSetDefaultDevice(
    opts: *mut TF_ImportGraphDefOptions,
    device: *const c_char,
) {
    // SAFETY: `opts` is null or alive and `device` is null or a terminated string (Safety section).
    unsafe {
        change(opts, |options| {
            let device = text(device, "TF_ImportGraphDefOptionsSetDefaultDevice", "device")?;
            device.clone_into(&mut options.merge.default_device);
            Ok(())
        });
    }
}

/// Whether nodes whose name is taken get another one.
///
/// # Safety
/// The handle is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_ImportGraphDefOptionsSetUniquifyNames(
    opts: *mut TF_ImportGraphDefOptions,
    uniquify_names: c_uchar,
) {
    // SAFETY: `opts` is null or alive (Safety section).
    unsafe {
        change(opts, |options| {
            options.merge.uniquify_names = uniquify_names != 0;
            Ok(())
        });
    }
}

/// Whether a prefix that is taken gets a suffix.
///
/// # Safety
/// The handle is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_ImportGraphDefOptionsSetUniquifyPrefix(
    opts: *mut TF_ImportGraphDefOptions,
    uniquify_prefix: c_uchar,
) {
    // SAFETY: `opts` is null or alive (Safety section).
    unsafe {
        change(opts, |options| {
            options.merge.uniquify_prefix = uniquify_prefix != 0;
            Ok(())
        });
    }
}

/// Makes nodes that read `src_name:src_index` read an output of the graph instead; an index of -1 makes those that wait
/// for `src_name` wait for the output's operation.
///
/// # Safety
/// The handles are null or alive, the operation until the import; `src_name` is null or a terminated string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_ImportGraphDefOptionsAddInputMapping(
    opts: *mut TF_ImportGraphDefOptions,
    src_name: *const c_char,
    src_index: c_int,
    dst: TF_Output,
) {
    const NAME: &str = "TF_ImportGraphDefOptionsAddInputMapping";
    // SAFETY: `opts` is null or alive, `src_name` is null or a terminated string and `dst.oper` is null or alive
    // (Safety section).
    unsafe {
        change(opts, |options| {
            let name = text(src_name, NAME, "src_name")?.to_owned();
            match src_index {
                -1 => options.control.push((name, dst.oper)),
                index => options.data.push((name, check_index(index, NAME)?, dst)),
            }
            Ok(())
        });
    }
}

/// Makes nodes that wait for `src_name` wait for an operation of the graph instead.
///
/// # Safety
/// The handles are null or alive, the operation until the import; `src_name` is null or a terminated string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_ImportGraphDefOptionsRemapControlDependency(
    opts: *mut TF_ImportGraphDefOptions,
    src_name: *const c_char,
    dst: *mut TF_Operation,
) {
    // SAFETY: `opts` is null or alive, `src_name` is null or a terminated string and `dst` is null or alive (Safety
    // section).
    unsafe {
        change(opts, |options| {
            let name = text(src_name, "TF_ImportGraphDefOptionsRemapControlDependency", "src_name")?;
            options.control.push((name.to_owned(), dst));
            Ok(())
        });
    }
}

/// Makes all imported nodes wait for an operation of the graph.
///
/// # Safety
/// The handles are null or alive, the operation until the import.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_ImportGraphDefOptionsAddControlDependency(
    opts: *mut TF_ImportGraphDefOptions,
    oper: *mut TF_Operation,
) {
    // SAFETY: `opts` is null or alive and `oper` is null or alive (Safety section).
    unsafe {
        change(opts, |options| {
            options.control_inputs.push(oper);
            Ok(())
        });
    }
}

/// Asks where an output of the message will be.
///
/// # Safety
/// The handle is null or alive; `oper_name` is null or a terminated string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_ImportGraphDefOptionsAddReturnOutput(
    opts: *mut TF_ImportGraphDefOptions,
    oper_name: *const c_char,
    index: c_int,
) {
    const NAME: &str = "TF_ImportGraphDefOptionsAddReturnOutput";
    // SAFETY: `opts` is null or alive and `oper_name` is null or a terminated string (Safety section).
    unsafe {
        change(opts, |options| {
            let name = text(oper_name, NAME, "oper_name")?.to_owned();
            options.merge.return_outputs.push((name, check_index(index, NAME)?));
            Ok(())
        });
    }
}

/// The number of outputs asked for; 0 for null.
///
/// # Safety
/// The handle is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_ImportGraphDefOptionsNumReturnOutputs(opts: *const TF_ImportGraphDefOptions) -> c_int {
    // SAFETY: `opts` is null or alive (Safety section).
    unsafe { opts.cast::<Options>().as_ref() }.map_or(0, |options| c_count(options.merge.return_outputs.len()))
}

/// Asks where an operation of the message will be.
///
/// # Safety
/// The handle is null or alive; `oper_name` is null or a terminated string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_ImportGraphDefOptionsAddReturnOperation(
    opts: *mut TF_ImportGraphDefOptions,
    oper_name: *const c_char,
) {
    // SAFETY: `opts` is null or alive and `oper_name` is null or a terminated string (Safety section).
    unsafe {
        change(opts, |options| {
            let name = text(oper_name, "TF_ImportGraphDefOptionsAddReturnOperation", "oper_name")?;
            options.merge.return_nodes.push(name.to_owned());
            Ok(())
        });
    }
}

/// The number of operations asked for; 0 for null.
///
/// # Safety
/// The handle is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_ImportGraphDefOptionsNumReturnOperations(opts: *const TF_ImportGraphDefOptions) -> c_int {
    // SAFETY: `opts` is null or alive (Safety section).
    unsafe { opts.cast::<Options>().as_ref() }.map_or(0, |options| c_count(options.merge.return_nodes.len()))
}

/// Nothing to switch: operations that run beside each other may always be imported without one another.
#[unsafe(no_mangle)]
pub extern "C" fn TF_ImportGraphDefOptionsSetValidateColocationConstraints(
    _opts: *mut TF_ImportGraphDefOptions,
    _enable: c_uchar,
) {
}
