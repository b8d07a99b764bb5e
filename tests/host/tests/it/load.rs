//! Loading: once, twice, only looked into, and by the dynamic linker itself.

use std::sync::Arc;

use oplink::graph::eager::EagerContext;
use oplink::runtime::Registry;
use oplink::{ErrorKind, Runtime, Tensor};

use crate::support::{build, plugin};

#[test]
fn a_second_load_of_the_same_file_changes_nothing() {
    let first = Runtime::load_plugin(plugin()).unwrap();
    let registry = Registry::global().unwrap();
    let link = plugin().with_extension("link.so");
    std::fs::remove_file(&link).ok();
    std::os::unix::fs::symlink(plugin(), &link).unwrap();
    let second = Runtime::load_plugin(&link).unwrap();
    assert!(Arc::ptr_eq(&first, &second));
    assert!(first.ops.iter().any(|op| op.name == "HostScale"));
    assert_eq!(first.entry_points, ["TF_InitKernel"]);
    assert_eq!(registry.kernels_of("HostScale").count(), 2);
}

#[test]
fn looking_into_a_plugin_makes_none_of_its_ops_known() {
    let file = build("plugin.c", "looked_into", &["PREFIX=\"LookedInto\""]);
    let info = Runtime::inspect_plugin(&file).unwrap();
    assert_eq!(info.ops.len(), 8);
    assert_eq!(info.kernels.len(), 9);
    let error = Registry::global().unwrap().op("LookedIntoScale").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::OpNotDeclared);
    Runtime::load_plugin(&file).unwrap();
    assert!(Registry::global().unwrap().op("LookedIntoScale").is_ok());
}

#[test]
fn a_registry_that_is_held_stays_as_it_was() {
    let held = Registry::global().unwrap().clone();
    let before = held.ops().count();
    Runtime::load_plugin(build("plugin.c", "held", &["PREFIX=\"Held\""])).unwrap();
    assert_eq!(held.ops().count(), before);
    assert!(held.get_op("HeldScale").is_none());
    assert!(Registry::global().unwrap().get_op("HeldScale").is_some());
}

#[test]
fn a_library_that_somebody_else_opens_registers_itself() {
    let file = build("plugin.c", "opened", &["PREFIX=\"Opened\""]);
    crate::support::open(&file);
    let y = EagerContext::global().unwrap().call("OpenedScale", &[&Tensor::scalar(2.0f32)], &[]).unwrap();
    assert_eq!(y.values[0].to_scalar::<f32>().unwrap(), 4.0);
    let location = Registry::global().unwrap().op("OpenedScale").unwrap().location;
    assert!(location.file.ends_with("libopened.so"), "{location}");
    let info = Runtime::load_plugin(&file).unwrap();
    assert_eq!(info.ops.len(), 8);
}
