//! Any text gives a graph or an error; a graph's text is read back as a graph of the same text.
#![no_main]

use libfuzzer_sys::fuzz_target;
use oplink_proto::{GraphDef, from_text, to_text};

fuzz_target!(|text: &str| {
    let Ok(graph) = from_text::<GraphDef>(text) else { return };
    let written = to_text(&graph).expect("what was read is not too deep to be written");
    let again: GraphDef = from_text(&written).expect("what was written can be read");
    assert_eq!(to_text(&again).as_ref(), Ok(&written));
});
