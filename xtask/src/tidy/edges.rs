//! The allowed edges between the workspace's crates, held against `cargo metadata`.

use std::process::Command;

use serde_json::Value;

/// What each crate may depend on, among the workspace's crates. Development dependencies are free.
const EDGES: &[(&str, &[&str])] = &[
    ("oplink-spec", &[]),
    ("oplink-vmath", &[]),
    ("oplink-abi", &[]),
    ("oplink-proto", &["oplink-spec"]),
    ("oplink-macros-expand", &["oplink-spec"]),
    ("oplink-macros", &["oplink-macros-expand"]),
    ("oplink-api", &["oplink-spec", "oplink-macros", "oplink-vmath"]),
    ("oplink-bundle", &["oplink-api"]),
    ("oplink-core", &["oplink-api", "oplink-spec"]),
    ("oplink-graph", &["oplink-core", "oplink-proto", "oplink-api", "oplink-spec"]),
    (
        "oplink-saved-model",
        &["oplink-graph", "oplink-bundle", "oplink-core", "oplink-ops", "oplink-proto", "oplink-api"],
    ),
    ("oplink-host", &["oplink-core", "oplink-proto", "oplink-api", "oplink-abi", "oplink-spec"]),
    ("oplink-build", &[]),
    ("oplink-wheel", &["oplink-spec"]),
    ("oplink-hosts-common", &["oplink-api", "oplink-cuda", "oplink-spec"]),
    ("oplink-host-torch", &["oplink-hosts-common", "oplink-api", "oplink-abi"]),
    ("oplink-host-jax", &["oplink-hosts-common", "oplink-api", "oplink-abi"]),
    ("oplink-host-onnxruntime", &["oplink-hosts-common", "oplink-api", "oplink-abi"]),
    (
        "oplink-plugin",
        &[
            "oplink-api",
            "oplink-abi",
            "oplink-spec",
            "oplink-macros",
            "oplink-hosts-common",
            "oplink-host-torch",
            "oplink-host-jax",
            "oplink-host-onnxruntime",
        ],
    ),
    (
        "oplink-capi",
        &[
            "oplink",
            "oplink-host",
            "oplink-graph",
            "oplink-saved-model",
            "oplink-device-pluggable",
            "oplink-core",
            "oplink-proto",
            "oplink-bundle",
            "oplink-api",
            "oplink-abi",
        ],
    ),
    ("oplink-device-cpu", &["oplink-core", "oplink-api"]),
    ("oplink-cuda", &["oplink-api"]),
    ("oplink-device-gpu", &["oplink-core", "oplink-cuda", "oplink-api"]),
    ("oplink-device-null", &["oplink-core", "oplink-api"]),
    ("oplink-device-pluggable", &["oplink-host", "oplink-core", "oplink-api", "oplink-abi"]),
    ("oplink-device-sim", &["oplink-plugin", "oplink-kernels-cpu"]),
    ("oplink-ops", &["oplink-api", "oplink-bundle"]),
    ("oplink-cpu-support", &["oplink-api", "oplink-ops", "oplink-vmath"]),
    ("oplink-cpu-contraction", &["oplink-api", "oplink-vmath", "oplink-cpu-support"]),
    ("oplink-cpu-array", &["oplink-api", "oplink-ops", "oplink-cpu-support"]),
    ("oplink-cpu-control-flow", &["oplink-api", "oplink-ops"]),
    ("oplink-cpu-data", &["oplink-api", "oplink-ops", "oplink-bundle", "oplink-cpu-support", "oplink-cpu-state"]),
    ("oplink-cpu-decomposition", &["oplink-api", "oplink-ops", "oplink-cpu-support"]),
    ("oplink-cpu-image", &["oplink-api", "oplink-ops", "oplink-cpu-support"]),
    ("oplink-cpu-io", &["oplink-api", "oplink-ops", "oplink-bundle", "oplink-cpu-support"]),
    ("oplink-cpu-linalg", &["oplink-api", "oplink-ops", "oplink-cpu-support", "oplink-cpu-contraction"]),
    ("oplink-kernels-elementwise", &["oplink-api", "oplink-ops"]),
    (
        "oplink-cpu-math",
        &["oplink-api", "oplink-ops", "oplink-kernels-elementwise", "oplink-vmath", "oplink-cpu-support"],
    ),
    (
        "oplink-cpu-nn",
        &[
            "oplink-api",
            "oplink-ops",
            "oplink-kernels-elementwise",
            "oplink-vmath",
            "oplink-cpu-support",
            "oplink-cpu-contraction",
        ],
    ),
    ("oplink-cpu-random", &["oplink-api", "oplink-ops", "oplink-vmath", "oplink-cpu-support"]),
    ("oplink-cpu-reduction", &["oplink-api", "oplink-ops", "oplink-vmath", "oplink-cpu-support"]),
    ("oplink-cpu-signal", &["oplink-api", "oplink-ops", "oplink-cpu-support"]),
    ("oplink-cpu-sparse", &["oplink-api", "oplink-ops", "oplink-cpu-support"]),
    ("oplink-cpu-state", &["oplink-api", "oplink-ops", "oplink-bundle", "oplink-cpu-support", "oplink-cpu-array"]),
    ("oplink-cpu-string", &["oplink-api", "oplink-ops", "oplink-bundle", "oplink-proto", "oplink-cpu-support"]),
    ("oplink-cpu-training", &["oplink-api", "oplink-ops", "oplink-cpu-support"]),
    // Links the families.
    (
        "oplink-kernels-cpu",
        &[
            "oplink-api",
            "oplink-ops",
            "oplink-cpu-contraction",
            "oplink-cpu-array",
            "oplink-cpu-control-flow",
            "oplink-cpu-data",
            "oplink-cpu-decomposition",
            "oplink-cpu-image",
            "oplink-cpu-io",
            "oplink-cpu-linalg",
            "oplink-cpu-math",
            "oplink-cpu-nn",
            "oplink-cpu-random",
            "oplink-cpu-reduction",
            "oplink-cpu-signal",
            "oplink-cpu-sparse",
            "oplink-cpu-state",
            "oplink-cpu-string",
            "oplink-cpu-training",
        ],
    ),
    ("oplink-gradients", &["oplink-api", "oplink-ops"]),
    ("oplink-opcheck", &["oplink-graph", "oplink-core", "oplink-api"]),
    (
        "oplink-nn",
        &[
            "oplink-graph",
            "oplink-saved-model",
            "oplink-bundle",
            "oplink-core",
            "oplink-ops",
            "oplink-macros",
            "oplink-api",
            "oplink-spec",
        ],
    ),
    ("oplink-kernels-gpu", &["oplink-api", "oplink-kernels-elementwise", "oplink-ops"]),
];

/// Crates that may depend on any other.
const FREE: &[&str] = &[
    "oplink",
    "oplink-cli",
    "oplink-python",
    "oplink-speed-tests",
    "oplink-device-tests",
    "oplink-differential",
    "oplink-example-plugin-host",
    "oplink-guides",
    "quickstart",
    "oplink-host-tests",
    "oplink-host-gpu-tests",
    "oplink-hostile",
    "oplink-test-attribute",
    "oplink-test-harness",
    "oplink-tests",
    "oplink-ui-tests",
    "oplink-ui-ops",
    "oplink-tests-plugin-source",
    "xtask",
];

pub(super) fn check() -> Vec<String> {
    match metadata() {
        Ok(metadata) => check_metadata(&metadata),
        Err(error) => vec![format!("cargo metadata: {error}")],
    }
}

fn metadata() -> Result<Value, String> {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let output = Command::new(cargo)
        .args(["metadata", "--format-version", "1", "--no-deps"])
        .current_dir(crate::source::root())
        .output()
        .map_err(|e| e.to_string())?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    serde_json::from_slice(&output.stdout).map_err(|e| e.to_string())
}

fn check_metadata(metadata: &Value) -> Vec<String> {
    let packages = metadata["packages"].as_array().map(Vec::as_slice).unwrap_or_default();
    let names: Vec<&str> = packages.iter().filter_map(|p| p["name"].as_str()).collect();
    packages.iter().flat_map(|package| check_package(package, &names)).collect()
}

fn check_package(package: &Value, workspace: &[&str]) -> Vec<String> {
    let name = package["name"].as_str().unwrap_or_default();
    if FREE.contains(&name) {
        return Vec::new();
    }
    let Some((_, allowed)) = EDGES.iter().find(|(n, _)| *n == name) else {
        return vec![format!("crate {name} is not in the table of xtask/src/tidy/edges.rs")];
    };
    let dependencies = package["dependencies"].as_array().map(Vec::as_slice).unwrap_or_default();
    dependencies
        .iter()
        .filter(|d| d["kind"].is_null())
        .filter_map(|d| d["name"].as_str())
        .filter(|d| workspace.contains(d) && !allowed.contains(d))
        .map(|d| format!("crate {name} depends on {d}, which it must not know"))
        .collect()
}
