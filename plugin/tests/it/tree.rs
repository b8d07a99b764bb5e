//! What a plugin links.

use std::process::Command;

/// The runtime is in the host, and only there.
#[test]
fn a_plugin_never_links_the_runtime() {
    let mut tree = Command::new(env!("CARGO"));
    tree.args(["tree", "--package", "oplink-plugin", "--edges", "normal", "--prefix", "none", "--offline"]);
    let output = tree.current_dir(env!("CARGO_MANIFEST_DIR")).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8_lossy(&output.stdout);
    let linked: Vec<&str> = text.lines().filter_map(|line| line.split(' ').next()).collect();
    assert!(linked.contains(&"oplink-api"), "{text}");
    for runtime in ["oplink", "oplink-core", "oplink-graph", "oplink-host", "oplink-kernels-cpu", "oplink-proto"] {
        assert!(!linked.contains(&runtime), "{runtime} is linked:\n{text}");
    }
}
