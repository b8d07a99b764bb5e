//! `oplink wheel`: what it refuses. What it makes is tested by the crate `oplink-wheel` and by `tests/hosts/wheel`.

use std::fs;
use std::path::{Path, PathBuf};

use crate::command::{Run, oplink_in, temporary};

/// A crate that depends on nothing.
fn written(name: &str, library: &str, source: &str) -> PathBuf {
    let folder = temporary(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(folder.join("src")).expect("a folder");
    let manifest = format!(
        "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[lib]\n{library}\n[workspace]\n"
    );
    fs::write(folder.join("Cargo.toml"), manifest).expect("writable");
    fs::write(folder.join("src/lib.rs"), source).expect("writable");
    folder
}

const SHARED: &str = "crate-type = [\"cdylib\"]\n";

/// Makes the wheel of a crate, which must fail, and leave nothing.
fn refused(folder: &Path, arguments: &[&str]) -> Run {
    let target = folder.join("target");
    let target = target.to_str().expect("UTF-8");
    let cargo = ["--", "--offline", "--target-dir", target];
    let run = oplink_in(folder, &[&["wheel", "--profile", "dev"], arguments, &cargo].concat());
    assert!(!run.success && !folder.join("dist").exists(), "{}{}", run.stdout, run.stderr);
    run
}

#[test]
fn a_crate_without_a_shared_library_is_told_what_to_write() {
    let run = refused(&written("wheel-rlib", "", ""), &[]);
    assert!(run.stderr.contains("makes no shared library: write `crate-type = [\"cdylib\"]`"), "{}", run.stderr);
    assert!(run.stderr.contains("wheel-rlib/Cargo.toml"), "{}", run.stderr);
}

#[test]
fn a_library_without_plugin_is_told_what_to_write() {
    let run = refused(&written("wheel-plain", SHARED, ""), &[]);
    assert!(run.stderr.contains("no entry of any framework: write `plugin! { … }`"), "{}", run.stderr);
}

#[test]
fn a_crate_that_does_not_build_shows_what_cargo_says() {
    let run = refused(&written("wheel-broken", SHARED, "compile_error!(\"wrong here\");"), &[]);
    assert!(run.stderr.contains("wrong here"), "{}", run.stderr);
    assert!(run.stderr.contains("does not build; cargo's messages stand above"), "{}", run.stderr);
}

#[test]
fn a_host_without_an_entry_is_told_by_its_feature() {
    let entry = "#[unsafe(no_mangle)]\npub extern \"C\" fn TF_InitKernel() {}\n";
    let folder = written("wheel-entry", SHARED, entry);
    for (host, feature) in [("torch", "host-torch"), ("jax", "host-jax"), ("onnxruntime", "host-onnxruntime")] {
        let run = refused(&folder, &["--hosts", host]);
        assert!(run.stderr.contains(&format!("add the feature `{feature}`")), "{}", run.stderr);
        assert!(run.stderr.contains(&format!("leave `{host}` out of --hosts")), "{}", run.stderr);
    }
    let run = refused(&folder, &["--hosts", "tensorflow,torche"]);
    assert!(run.stderr.contains("`torche` is no host; there are tensorflow, torch"), "{}", run.stderr);
    // It registers nothing.
    let run = refused(&folder, &[]);
    assert!(run.stderr.contains("libwheel_entry.so"), "{}", run.stderr);
}

#[test]
fn declarations_are_read_by_the_entry_of_tensorflow() {
    let entry = "#[unsafe(no_mangle)]\npub extern \"C\" fn oplink_torch_register() {}\n";
    let run = refused(&written("wheel-torch-only", SHARED, entry), &[]);
    assert!(run.stderr.contains("leave the feature `host-tensorflow`"), "{}", run.stderr);
}

#[test]
fn folders_without_a_crate_are_refused() {
    let folder = temporary("wheel-workspace");
    let _ = fs::remove_dir_all(&folder);
    written("wheel-workspace/member", "", "");
    fs::write(folder.join("Cargo.toml"), "[workspace]\nmembers = [\"member\"]\nresolver = \"3\"\n").expect("writable");
    let manifest = "[package]\nname = \"member\"\nversion = \"0.1.0\"\nedition = \"2024\"\n";
    fs::write(folder.join("member/Cargo.toml"), manifest).expect("writable");
    let run = refused(&folder, &[]);
    assert!(run.stderr.contains("is a workspace; name one of its crates by --manifest-path"), "{}", run.stderr);
    assert!(run.stderr.contains("member/Cargo.toml"), "{}", run.stderr);
    let run = refused(&folder, &["--manifest-path", "nowhere/Cargo.toml"]);
    assert!(run.stderr.contains("nowhere/Cargo.toml: No such file"), "{}", run.stderr);
}

#[test]
fn options_of_editable_packages_need_it() {
    let run = oplink_in(Path::new("."), &["wheel", "--python", "python3"]);
    assert!(!run.success && run.stderr.contains("--editable"), "{}", run.stderr);
}
