//! `TF_ImportGraphDefResults`.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::{CString, c_char, c_int};

use oplink_abi::{TF_ImportGraphDefResults, TF_Operation, TF_Output};
use oplink_graph::{InputMapping, MergeOptions, Merged};
use oplink_host::guard::delete;

use crate::graph::GraphInner;
use crate::support::{c_count, c_string};

/// What a `TF_ImportGraphDefResults` is here; what it lends lives as long as it does.
#[derive(Debug)]
pub(super) struct Results {
    outputs: Vec<TF_Output>,
    operations: Vec<*mut TF_Operation>,
    #[allow(dead_code, reason = "holds what `unused` points to")]
    names: Vec<CString>,
    unused: Vec<*const c_char>,
    unused_indexes: Vec<c_int>,
}

impl Results {
    pub(super) fn new(inner: &GraphInner, options: &MergeOptions, merged: &Merged) -> Self {
        let unused = merged.unused_mappings.iter().filter_map(|&at| options.input_mappings.get(at));
        let (names, unused_indexes): (Vec<CString>, Vec<c_int>) = unused
            .map(|mapping| match mapping {
                InputMapping::Data { node, index, .. } => (c_string(node), *index as c_int),
                InputMapping::Control { node, .. } => (c_string(node), -1),
            })
            .unzip();
        Self {
            outputs: merged.return_outputs.iter().map(|&output| inner.output(output)).collect(),
            operations: merged.return_nodes.iter().map(|&node| inner.operation(node)).collect(),
            unused: names.iter().map(|name| name.as_ptr()).collect(),
            names,
            unused_indexes,
        }
    }

    pub(super) fn into_handle(self) -> *mut TF_ImportGraphDefResults {
        Box::into_raw(Box::new(self)).cast()
    }
}

/// Lends a list: its length, and where it is.
///
/// # Safety
/// The pointers are null or slots.
unsafe fn lend<T>(list: &mut [T], count: *mut c_int, array: *mut *mut T) {
    // SAFETY: `count` is null or a slot and `array` is null or a slot (Safety section).
    unsafe {
        if let Some(count) = count.as_mut() {
            *count = c_count(list.len());
        }
        if let Some(array) = array.as_mut() {
            *array = list.as_mut_ptr();
        }
    }
}

/// The outputs asked for; they live as long as the results.
///
/// # Safety
/// The handle is null or alive; the other pointers are null or slots.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_ImportGraphDefResultsReturnOutputs(
    results: *mut TF_ImportGraphDefResults,
    num_outputs: *mut c_int,
    outputs: *mut *mut TF_Output,
) {
    // SAFETY: `results` is null or alive, `num_outputs` is null or a slot and `outputs` is null or a slot (Safety
    // section).
    unsafe {
        let results = results.cast::<Results>().as_mut();
        lend(results.map_or(&mut [], |results| &mut results.outputs), num_outputs, outputs);
    }
}

/// The operations asked for; the array lives as long as the results.
///
/// # Safety
/// The handle is null or alive; the other pointers are null or slots.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_ImportGraphDefResultsReturnOperations(
    results: *mut TF_ImportGraphDefResults,
    num_opers: *mut c_int,
    opers: *mut *mut *mut TF_Operation,
) {
    // SAFETY: `results` is null or alive, `num_opers` is null or a slot and `opers` is null or a slot (Safety section).
    unsafe {
        let results = results.cast::<Results>().as_mut();
        lend(results.map_or(&mut [], |results| &mut results.operations), num_opers, opers);
    }
}

/// The mappings that nothing used and whose output the message does not have; they live as long as the results.
///
/// # Safety
/// The handle is null or alive; the other pointers are null or slots.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_ImportGraphDefResultsMissingUnusedInputMappings(
    results: *mut TF_ImportGraphDefResults,
    num_missing_unused_input_mappings: *mut c_int,
    src_names: *mut *mut *const c_char,
    src_indexes: *mut *mut c_int,
) {
    // SAFETY: `results` is null or alive, `num_missing_unused_input_mappings` is null or a slot, `src_names` is null or
    // a slot and `src_indexes` is null or a slot (Safety section).
    unsafe {
        match results.cast::<Results>().as_mut() {
            Some(results) => {
                lend(&mut results.unused, num_missing_unused_input_mappings, src_names);
                lend(&mut results.unused_indexes, num_missing_unused_input_mappings, src_indexes);
            }
            None => lend(&mut [], num_missing_unused_input_mappings, src_names),
        }
    }
}

/// Frees results; null is allowed.
///
/// # Safety
/// The handle is alive and not used afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_DeleteImportGraphDefResults(results: *mut TF_ImportGraphDefResults) {
    // SAFETY: `results` is null or a box that this library made and that the caller gives up.
    unsafe { delete(results.cast::<Results>()) }
}
