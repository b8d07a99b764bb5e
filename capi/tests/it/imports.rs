//! Imports: all or nothing, names, mappings.

use std::ptr;

use oplink_abi::*;
use oplink_capi::graph::listing::*;
use oplink_capi::host::buffer::TF_DeleteBuffer;
use oplink_capi::import::options::*;
use oplink_capi::import::*;

use crate::client::*;

fn product() -> Vec<u8> {
    let graph = Graph::new();
    let x = graph.placeholder("x", FLOAT, Some(&[-1, 2]));
    let two = graph.constant("two", &[], &[2.0]);
    graph.op("Mul", "y", &[x, two]);
    filled(|buffer, status| unsafe { TF_GraphToGraphDef(graph.0, buffer, status) })
}

fn import(graph: &Graph, def: &[u8], options: *mut TF_ImportGraphDefOptions) -> Status {
    let status = Status::new();
    unsafe {
        let def = buffer(def);
        TF_GraphImportGraphDef(graph.0, def, options, status.0);
        TF_DeleteBuffer(def);
        TF_DeleteImportGraphDefOptions(options);
    }
    status
}

fn names(graph: &Graph) -> Vec<String> {
    let mut position = 0;
    std::iter::from_fn(|| {
        let oper = unsafe { TF_GraphNextOperation(graph.0, &raw mut position) };
        (!oper.is_null()).then(|| name(oper))
    })
    .collect()
}

#[test]
fn a_failed_import_changes_nothing() {
    let graph = Graph::new();
    import(&graph, &product(), TF_NewImportGraphDefOptions()).ok();
    let before = names(&graph);
    let status = import(&graph, &product(), TF_NewImportGraphDefOptions());
    status.is(code::INVALID_ARGUMENT);
    let options = TF_NewImportGraphDefOptions();
    unsafe {
        TF_ImportGraphDefOptionsSetPrefix(options, c"p".as_ptr());
        TF_ImportGraphDefOptionsAddReturnOutput(options, c"nowhere".as_ptr(), 0);
    }
    import(&graph, &product(), options).is(code::INVALID_ARGUMENT);
    assert_eq!(names(&graph), before);
    let options = TF_NewImportGraphDefOptions();
    unsafe { TF_ImportGraphDefOptionsSetPrefix(options, c"p".as_ptr()) };
    import(&graph, &product(), options).ok();
    assert_eq!(names(&graph)[3..], ["p/x", "p/two", "p/y"]);
}

/// What an import maps runs on the mapped value.
#[test]
fn mapped_inputs_run() {
    let graph = Graph::new();
    let z = graph.constant("z", &[1, 2], &[3.0, 4.0]);
    let options = TF_NewImportGraphDefOptions();
    let mut result = [TF_Output { oper: ptr::null_mut(), index: 0 }];
    let status = Status::new();
    unsafe {
        TF_ImportGraphDefOptionsSetPrefix(options, c"in".as_ptr());
        TF_ImportGraphDefOptionsAddInputMapping(options, c"x".as_ptr(), 0, z);
        TF_ImportGraphDefOptionsAddReturnOutput(options, c"y".as_ptr(), 0);
        let def = buffer(&product());
        TF_GraphImportGraphDefWithReturnOutputs(graph.0, def, options, result.as_mut_ptr(), 1, status.0);
        TF_DeleteBuffer(def);
        TF_DeleteImportGraphDefOptions(options);
    }
    status.ok();
    assert_eq!(Session::new(&graph).run(&[], &result), [[6.0, 8.0]]);
}

#[test]
fn garbage_is_no_graph() {
    let graph = Graph::new();
    let status = import(&graph, b"\x0a\xff\xff\xff", TF_NewImportGraphDefOptions());
    status.is(code::INVALID_ARGUMENT);
    assert!(status.message().contains("GraphDef"), "{}", status.message());
}
