//! Every program of the crate: its WGSL is valid, and with `OPLINK_CUDA_TEXTS` set to a folder its CUDA text is written
//! there, for a compiler.

use std::collections::BTreeMap;

use oplink::descriptors::{KernelFunction, collected_kernels, collected_programs};
use oplink::device::DeviceProgram;

/// All programs by name and entry.
fn programs() -> Vec<&'static DeviceProgram> {
    let mut all: Vec<&DeviceProgram> = Vec::new();
    for kernel in collected_kernels() {
        for entry in kernel.entries {
            if let KernelFunction::Program(program) = entry.function {
                all.extend(program.form.programs());
            }
        }
    }
    all.extend(collected_programs().iter().flat_map(|function| function.entries.iter().map(|entry| entry.program)));
    all.sort_by_key(|program| (program.name, program.params.len()));
    all
}

#[test(anywhere)]
fn every_text_for_vulkan_is_valid() {
    let all = programs();
    assert!(all.len() > 500, "{} programs", all.len());
    all.into_iter().for_each(check_wgsl);
}

/// The WGSL, if there is any, is valid.
pub(crate) fn check_wgsl(program: &DeviceProgram) {
    if program.wgsl.is_empty() {
        return;
    }
    let options = naga::front::wgsl::Options {
        capabilities: naga::valid::Capabilities::all(),
        ..naga::front::wgsl::Options::new()
    };
    let module = naga::front::wgsl::Frontend::new_with_options(options).parse(program.wgsl);
    let module = module
        .unwrap_or_else(|error| panic!("{}: {}\n{}", program.name, error.emit_to_string(program.wgsl), program.wgsl));
    let (flags, capabilities) = (naga::valid::ValidationFlags::all(), naga::valid::Capabilities::all());
    if let Err(error) = naga::valid::Validator::new(flags, capabilities).validate(&module) {
        panic!("{}: {}\n{}", program.name, error.emit_to_string(program.wgsl), program.wgsl);
    }
}

/// Programs that differ in their entries' names alone are compiled once.
#[test(anywhere)]
fn texts_for_cuda_are_there_and_written_for_a_compiler() {
    let mut texts = BTreeMap::new();
    for program in programs() {
        assert!(!program.cuda.is_empty() || !program.wgsl.is_empty(), "{} of {}", program.name, program.location);
        if !program.cuda.is_empty() {
            texts.entry(program.cuda.replace(program.entry, "oplink_entry")).or_insert(program.name);
        }
    }
    let Some(folder) = std::env::var_os("OPLINK_CUDA_TEXTS") else { return };
    for (index, (text, name)) in texts.iter().enumerate() {
        let path = std::path::Path::new(&folder).join(format!("kernel_{index:04}.cu"));
        std::fs::write(path, format!("// {name}\n{text}")).unwrap();
    }
}
