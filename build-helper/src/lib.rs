//! For build scripts of executables that load oplink plugins.
//!
//! A plugin calls its host's C functions (`TF_GetInput`, …) by their names, which the dynamic linker looks up in the
//! executable. Executables do not export functions unless the linker is asked to:
//!
//! ```no_run
//! // In the `main` of build.rs, with `oplink-build` among the build-dependencies:
//! oplink_build::export_plugin_host();
//! ```
#![forbid(unsafe_code)]

use std::env;

/// The linker's arguments on a system, for the executables, tests, benches and examples of a package.
///
/// On Linux (GNU `ld` from 2.35, `lld`, `mold`) the functions that start with `TF_` or `OPLINK_` are exported; on
/// macOS, whose linker has no such pattern, all functions. Elsewhere plugins are not loaded, and there is nothing to
/// tell.
pub fn plugin_host_link_args(target_os: &str) -> &'static [&'static str] {
    match target_os {
        "linux" | "android" | "freebsd" => {
            &["-Wl,--export-dynamic-symbol=TF_*", "-Wl,--export-dynamic-symbol=OPLINK_*"]
        }
        "macos" => &["-Wl,-export_dynamic"],
        _ => &[],
    }
}

/// Makes what the package builds export the functions that plugins call. Call it from the package's build script.
pub fn export_plugin_host() {
    println!("cargo::rerun-if-changed=build.rs");
    let target_os = env::var("CARGO_CFG_TARGET_OS").unwrap_or_default();
    for argument in plugin_host_link_args(&target_os) {
        println!("cargo::rustc-link-arg={argument}");
    }
}

#[cfg(test)]
mod tests {
    use super::plugin_host_link_args;

    #[test]
    fn only_the_functions_of_the_abi_are_exported_on_linux() {
        let exported = ["TF_*", "OPLINK_*"].map(|names| format!("-Wl,--export-dynamic-symbol={names}"));
        assert_eq!(plugin_host_link_args("linux"), exported);
        assert!(plugin_host_link_args("windows").is_empty());
    }
}
