//! Graphs read without their functions.

use oplink_proto::{
    EncodedFunctionsGraphDef, FunctionDef, FunctionDefLibrary, GraphDef, NodeDef, OpDef, VersionDef, from_bytes,
    to_bytes,
};

fn graph(functions: &[&str]) -> GraphDef {
    let signature = |name: &&str| Some(OpDef { name: (*name).to_owned(), ..OpDef::default() });
    let function = functions.iter().map(|name| FunctionDef { signature: signature(name), ..Default::default() });
    let library = FunctionDefLibrary { function: function.collect(), ..Default::default() };
    let node = vec![NodeDef { name: "x".to_owned(), op: "NoOp".to_owned(), ..NodeDef::default() }];
    let versions = Some(VersionDef { producer: 1087, ..VersionDef::default() });
    GraphDef { node, versions, library: Some(library), ..GraphDef::default() }
}

#[test]
fn all_but_the_functions_is_read() {
    for (functions, first) in [(&[][..], None), (&["f", "g"], Some("f")), (&[""], Some(""))] {
        let graph = graph(functions);
        let read: EncodedFunctionsGraphDef = from_bytes(to_bytes(&graph)).expect("it was written as a graph");
        assert_eq!(read.first_function().as_deref(), first);
        assert_eq!(read.without_functions(), GraphDef { library: None, ..graph });
    }
}

#[test]
fn damaged_functions_are_named_as_far_as_they_can_be() {
    // The library is field 2: a function cut off, one whose signature is no message, no message at all.
    for (library, first) in [(&b"\x0a\x05"[..], None), (b"\x0a\x02\xff\xff", Some("")), (b"\xff", None)] {
        let bytes = [&[0x12, library.len() as u8], library].concat();
        let read: EncodedFunctionsGraphDef = from_bytes(bytes).expect("the library is not read");
        assert_eq!(read.first_function().as_deref(), first, "{library:?}");
    }
}
