//! Any bytes are refused or imported, without a panic; what was imported is written as it was, and reads again.
#![no_main]

use libfuzzer_sys::fuzz_target;
use oplink::runtime::{AttrRules, Registry};
use oplink_graph::{Graph, ImportOptions};
use oplink_proto::GraphDef;

/// Small limits: a fuzzer's memory is.
const OPTIONS: ImportOptions = ImportOptions {
    max_constant_bytes: 1 << 20,
    max_outputs: 1 << 14,
    max_problems: 20,
    attrs: AttrRules::Declared,
};

fuzz_target!(|bytes: &[u8]| {
    let registry = Registry::global().expect("the linked declarations agree with each other");
    let Ok(def) = oplink_proto::from_bytes::<GraphDef>(bytes.to_vec()) else { return };
    if let Ok(graph) = Graph::import_with(&def, registry, OPTIONS) {
        let written = graph.to_bytes().expect("an imported graph can be written");
        assert_eq!(written, oplink_proto::to_bytes(&def));
        let read = oplink_proto::from_bytes(written).expect("a written graph can be read");
        assert!(Graph::import_with(&read, registry, OPTIONS).is_ok());
    }
});
