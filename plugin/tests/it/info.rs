//! What a plugin tells of itself, and that it leaves programs alone.
#![allow(unsafe_code, reason = "room: the C ABI")]

use oplink_abi::{OPLINK_KernelInfo, OPLINK_OpInfo, OPLINK_PluginInfo, TF_StringView};
use oplink_plugin::__plugin::{self, Trampolines};
use oplink_plugin::descriptors::Library;
use oplink_plugin::{Op, Plugin, REQUIRED_FUNCTIONS};

use super::hygiene::bare::{BARE, Host, MORE};

static LIBRARIES: &[&Library] = &[&BARE, &MORE];
static PLUGIN: Plugin = Plugin::new("crate", "1.2.3", LIBRARIES, &[Host::DESCRIPTOR], Trampolines::of(LIBRARIES));

fn text(view: TF_StringView) -> &'static str {
    // SAFETY: the texts of the plugin are static.
    std::str::from_utf8(unsafe { std::slice::from_raw_parts(view.data.cast::<u8>(), view.len) }).unwrap()
}

fn info() -> &'static OPLINK_PluginInfo {
    // SAFETY: null, or alive as long as the program.
    unsafe { __plugin::info(&PLUGIN).as_ref() }.unwrap()
}

#[test]
fn documentation_and_places_are_told() {
    let info = info();
    assert_eq!((info.struct_size, info.version), (size_of::<OPLINK_PluginInfo>(), 1));
    assert_eq!((text(info.crate_name), text(info.crate_version)), ("crate", "1.2.3"));
    assert_eq!((info.num_ops, info.op_size), (1, size_of::<OPLINK_OpInfo>()));
    assert_eq!((info.num_kernels, info.kernel_size), (2, size_of::<OPLINK_KernelInfo>()));
    // SAFETY: there are as many as the numbers say.
    let (op, kernels) = unsafe { (&*info.ops, std::slice::from_raw_parts(info.kernels, info.num_kernels)) };
    assert_eq!((text(op.name), text(op.doc).trim()), ("PluginBare", "Adds one."));
    assert!(text(op.file).ends_with("hygiene.rs") && op.line > 1, "{}:{}", text(op.file), op.line);
    assert_eq!(text(op.crate_name), "oplink-plugin");
    let told: Vec<_> = kernels.iter().map(|k| (text(k.op), text(k.device), k.priority, k.num_entries)).collect();
    assert_eq!(told, [("PluginBare", "CPU", 0, 1), ("PluginHost", "CPU", 3, 1)]);
}

#[test]
fn a_program_that_is_no_host_is_left_alone_until_it_asks() {
    // SAFETY: the function may always be called.
    let failure = || text(unsafe { info().failure.unwrap()() });
    __plugin::on_load(&PLUGIN);
    assert_eq!(failure(), "");
    __plugin::init(&PLUGIN);
    assert!(failure().starts_with("plugin crate 1.2.3 is not registered: the host's C functions"), "{}", failure());
}

#[test]
fn the_functions_that_hosts_must_have_are_listed_once() {
    // SAFETY: there are as many as the number says.
    let imports = unsafe { std::slice::from_raw_parts(info().imports, info().num_imports) };
    let mut names: Vec<_> = imports.iter().map(|name| text(*name)).collect();
    assert_eq!(names, REQUIRED_FUNCTIONS);
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), REQUIRED_FUNCTIONS.len());
    assert!(names.iter().all(|name| name.starts_with("TF_")));
}
