//! Any bytes of a `saved_model.pb` give graphs with signatures and what initialises them, or an error.
#![no_main]

use libfuzzer_sys::fuzz_target;
use oplink::graph::Graph;
use oplink::runtime::Registry;
use oplink::saved_model::MetaGraph;

fuzz_target!(|bytes: &[u8]| {
    let Ok(graphs) = MetaGraph::from_bytes("model", bytes.to_vec()) else { return };
    let registry = Registry::global().expect("what is linked fits together");
    for mut meta in graphs {
        let _ = (meta.signatures(), meta.assets(), meta.check_variables());
        if let Ok(graph) = Graph::import(&meta.take_graph(), registry) {
            let _ = meta.initialization(&graph);
        }
    }
});
