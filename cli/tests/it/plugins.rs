//! `oplink plugin` and `--plugin`.

use std::process::Command;

use crate::command::{graph_file, oplink, printed, temporary};

/// The test plugin, its ops named by `prefix`.
fn plugin(prefix: &str) -> String {
    let library = temporary(&format!("lib{prefix}.so"));
    let built = Command::new(std::env::var("CC").unwrap_or_else(|_| "cc".to_owned()))
        .args(["-std=c11", "-O1", "-shared", "-fPIC", "-pthread", "-o"])
        .arg(&library)
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/host/c/plugin.c"))
        .arg(format!("-DPREFIX=\"{prefix}\""))
        .status();
    assert!(built.expect("a C compiler").success());
    library.to_str().expect("the target folder's path is UTF-8").to_owned()
}

#[test]
fn inspecting_shows_ops_and_kernels() {
    let text = printed(&["plugin", "inspect", &plugin("Inspected")]);
    for part in [
        "exports: TF_InitKernel\n",
        "op InspectedScale\ninput x: T\noutput y: T\noutput in_place: bool\nattr T: {float, double}\n",
        "InspectedScale                   CPU T={float}",
        "libInspected.so (plugin)",
    ] {
        assert!(text.contains(part), "{part:?} is not in: {text}");
    }
}

#[test]
fn plugins_are_loaded_together() {
    let (first, second) = (plugin("First"), plugin("Second"));
    let text = printed(&["plugin", "load", &first, &second]);
    assert!(text.contains("libFirst.so: 8 ops, 9 kernels\n") && text.contains("libSecond.so: 8 ops"), "{text}");
    let refused = oplink(&["plugin", "load", &first, "Cargo.toml"]);
    assert!(!refused.success);
    assert!(refused.stderr.contains("not a library that this process can map"), "{}", refused.stderr);
}

#[test]
fn a_command_runs_a_graph_with_the_ops_of_a_plugin() {
    let library = plugin("Ran");
    let graph = graph_file(
        "ran.pbtxt",
        "node { name: 'x' op: 'Const' attr { key: 'dtype' value { type: DT_FLOAT } }
           attr { key: 'value' value { tensor { dtype: DT_FLOAT tensor_shape { } float_val: 3 } } } }
         node { name: 'y' op: 'RanScale' input: 'x' attr { key: 'T' value { type: DT_FLOAT } } }",
    );
    let text = printed(&["run", &graph, "--fetch", "y", "--plugin", &library]);
    assert!(text.contains('6'), "{text}");
    assert!(!oplink(&["run", &graph, "--fetch", "y"]).success);
    let selected = printed(&["select", &graph, "--plugin", &library]);
    assert!(selected.contains("RanScale = [\"T=float\"]"), "{selected}");
    assert!(printed(&["graph", &graph, "--plugin", &library]).contains("every node has a kernel"));
    assert!(printed(&["ops", "RanJoin", "--plugin", &library]).contains("op RanJoin"));
    assert!(printed(&["kernels", "RanSquare", "--plugin", &library]).contains("libRan.so (plugin)"));
}
