//! The texts of all kernels' programs in CUDA C++. With `OPLINK_CUDA_TEXTS` set to a folder they are written there, for a
//! compiler.

use std::collections::BTreeMap;

use oplink::{DeviceProgram, KernelFunction, collected_kernels, collected_programs};

oplink::link!(oplink_kernels_gpu);

/// Every program: of kernels, and those that kernels launch themselves.
fn programs() -> Vec<&'static DeviceProgram> {
    let kernels = collected_kernels();
    let of_kernels = kernels.iter().flat_map(|kernel| kernel.entries).flat_map(|entry| match entry.function {
        KernelFunction::Program(kernel) => kernel.form.programs().into_vec(),
        _ => Vec::new(),
    });
    let functions = collected_programs();
    let launched = functions.iter().flat_map(|function| function.entries).map(|entry| entry.program);
    of_kernels.chain(launched).collect()
}

#[test]
fn every_program_has_a_text_for_cuda() {
    let programs = programs();
    assert!(!programs.is_empty());
    for program in &programs {
        assert!(program.cuda.contains(program.entry), "{} of {} has no text for CUDA", program.name, program.location);
    }
    let Some(folder) = std::env::var_os("OPLINK_CUDA_TEXTS") else { return };
    let texts: BTreeMap<&str, &DeviceProgram> = programs.iter().map(|program| (program.cuda, *program)).collect();
    for (index, (text, program)) in texts.into_iter().enumerate() {
        let comment = format!("// {} of {}\n", program.name, program.location);
        let path = std::path::Path::new(&folder).join(format!("kernel{index:05}.cu"));
        std::fs::write(path, comment + text).expect("the folder is there");
    }
}
