//! What is generated, held against goldens.

use expect_test::expect_file;
use oplink_wheel::{File, files};

use crate::declarations::with_contents;

fn generated(name: &str) -> String {
    let files: Vec<File> = with_contents(files);
    let file = files.iter().find(|file| file.path == name).unwrap_or_else(|| panic!("no {name}"));
    String::from_utf8(file.content.clone()).expect("texts are UTF-8")
}

#[test]
fn the_module_of_torch() {
    expect_file!["../golden/torch.py"].assert_eq(&generated("my_ops/torch.py"));
}

#[test]
fn the_types_of_every_host() {
    expect_file!["../golden/torch.pyi"].assert_eq(&generated("my_ops/torch.pyi"));
    expect_file!["../golden/tf.pyi"].assert_eq(&generated("my_ops/tf.pyi"));
    expect_file!["../golden/jax.pyi"].assert_eq(&generated("my_ops/jax.pyi"));
    expect_file!["../golden/onnx.pyi"].assert_eq(&generated("my_ops/onnx.pyi"));
    expect_file!["../golden/numpy.pyi"].assert_eq(&generated("my_ops/numpy.pyi"));
}

#[test]
fn the_package_imports_modules_when_they_are_asked_for() {
    expect_file!["../golden/init.py"].assert_eq(&generated("my_ops/__init__.py"));
    let types = generated("my_ops/__init__.pyi");
    assert!(types.contains("from . import tf as tf\n") && types.contains("from . import numpy as numpy\n"), "{types}");
}

#[test]
fn what_a_module_calls_is_in_the_package() {
    let files = with_contents(files);
    for file in files.iter().filter(|file| !file.is_library()) {
        let text = String::from_utf8_lossy(&file.content);
        for adapter in text.lines().filter_map(|line| line.strip_prefix("from ._hosts import ")) {
            let adapter = adapter.split(" as ").next().unwrap_or_default();
            let module = format!("my_ops/_hosts/{adapter}.py");
            assert!(adapter == "given" || files.iter().any(|file| file.path == module), "{}: {module}", file.path);
        }
    }
    assert!(files.iter().any(|file| file.path == "my_ops/py.typed"));
}

#[test]
fn hosts_that_are_left_out_leave_nothing() {
    let files = with_contents(|contents| {
        let hosts = [oplink_wheel::Host::Jax];
        files(&oplink_wheel::Contents { hosts: &hosts, ..*contents })
    });
    let texts: Vec<&str> = files.iter().map(|file| &*file.path).filter(|path| !path.contains("_hosts")).collect();
    let expected = [
        "my_ops/__init__.py",
        "my_ops/__init__.pyi",
        "my_ops/libmy_ops.so",
        "my_ops/py.typed",
        "my_ops/jax.py",
        "my_ops/jax.pyi",
    ];
    assert_eq!(texts, expected);
}

#[test]
fn every_module_of_the_adapters_is_in_the_package() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/python/hosts");
    let text = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/src/modules.rs")).unwrap();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "py") {
            let name = path.file_name().and_then(std::ffi::OsStr::to_str).unwrap();
            assert!(text.contains(&format!("hosts/{name}")), "{name} is not carried by wheels");
        }
    }
}
