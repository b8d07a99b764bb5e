//! `oplink plugin` and `--plugin`.

use std::path::Path;
use std::process::Command;

use expect_test::expect_file;

use crate::command::{graph_file, oplink, printed, temporary};

/// The test plugin, its ops named by `prefix`.
fn plugin(prefix: &str) -> String {
    build("plugin.c", prefix)
}

/// A plugin of the tests of hosts.
fn build(source: &str, prefix: &str) -> String {
    let library = temporary(&format!("lib{prefix}.so"));
    let built = Command::new(std::env::var("CC").unwrap_or_else(|_| "cc".to_owned()))
        .args(["-std=c11", "-O1", "-shared", "-fPIC", "-pthread", "-o"])
        .arg(&library)
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/host/c").join(source))
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

/// The text without what differs between builds: the library's folder, and lines of the sources.
fn stable(text: &str, library: &str) -> String {
    let text = text.replace(library, "[PLUGIN]");
    let mut stable = String::with_capacity(text.len());
    for (at, part) in text.split(".rs:").enumerate() {
        stable.push_str(if at == 0 { "" } else { ".rs:LINE" });
        stable.push_str(if at == 0 { part } else { part.trim_start_matches(|c: char| c.is_ascii_digit()) });
    }
    stable
}

#[test]
fn inspecting_a_plugin_that_is_partly_wrong_lists_what_is_rejected_and_why() {
    let library = build("vendor.c", "VendorInspected");
    let text = printed(&["plugin", "inspect", &library]);
    assert_eq!(text.lines().filter(|line| line.starts_with("rejected: kernel ")).count(), 100);
    expect_file!["../golden/vendor.txt"].assert_eq(&stable(&text, &library));
}

#[test]
fn a_plugin_that_is_partly_wrong_is_loaded_with_a_warning_or_refused() {
    let library = build("vendor.c", "VendorLoaded");
    let loaded = oplink(&["plugin", "load", &library]);
    assert!(loaded.success, "{}", loaded.stderr);
    assert!(loaded.stdout.contains("libVendorLoaded.so: 22 ops, 200 kernels, 101 rejected\n"), "{}", loaded.stdout);
    assert!(loaded.stdout.contains("rejected: kernel of op `VendorGone00` for device `CPU`, T=float\n"));
    let warning = "oplink: 100 of 300 kernels and 1 of 23 ops of the plugin";
    assert!(loaded.stderr.starts_with(warning), "{}", loaded.stderr);
    let refused = oplink(&["plugin", "load", &library, "--invalid", "refuse"]);
    assert!(!refused.success && refused.stderr.contains("op `Neg` is declared twice"), "{}", refused.stderr);
    let used = oplink(&["kernels", "VendorOp03", "--plugin", &library]);
    assert_eq!(used.stdout.lines().count(), 10, "{}", used.stdout);
    assert!(used.stderr.starts_with(warning), "{}", used.stderr);
}

#[test]
fn a_library_cut_in_half_is_refused() {
    let library = plugin("Cut");
    let bytes = std::fs::read(&library).unwrap();
    std::fs::write(&library, &bytes[..bytes.len() / 2]).unwrap();
    let cut = oplink(&["plugin", "inspect", &library]);
    let told = format!("it is truncated at byte {}: ", bytes.len() / 2);
    assert!(!cut.success && cut.stderr.contains(&told), "{}", cut.stderr);
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
