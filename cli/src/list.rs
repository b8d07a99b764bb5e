//! `oplink ops` and `oplink kernels`.

use std::process::ExitCode;

use oplink::Result;
use oplink::descriptors::KernelDescriptor;
use oplink::graph::{GradientKind, gradient_kind};
use oplink::runtime::Registry;

use crate::missing;

/// Lists ops, or shows one.
pub(crate) fn ops(name: Option<&str>) -> Result<ExitCode> {
    let registry = Registry::global()?;
    let Some(name) = name else {
        for op in registry.ops() {
            let summary = op.doc.trim().lines().next().unwrap_or_default();
            println!("{:32} {summary}", op.spec.name);
        }
        return Ok(ExitCode::SUCCESS);
    };
    missing::unknown_op(name, registry)?;
    let op = registry.op(name)?;
    println!("{}", op.spec);
    println!("declared at {}", op.location);
    if !op.doc.trim().is_empty() {
        println!("\n{}", op.doc.trim());
    }
    println!("\ngradient: {}", gradient(registry, name)?);
    println!("\nkernels:");
    registry.kernels_of(name).for_each(show_kernel);
    Ok(ExitCode::SUCCESS)
}

/// How an op is differentiated through.
fn gradient(registry: &Registry, op: &str) -> Result<String> {
    Ok(match gradient_kind(registry, op)? {
        GradientKind::Declared(gradient) => format!("declared at {}", gradient.location),
        GradientKind::Constant => "none: nothing is differentiated through it".to_owned(),
        GradientKind::OfFunctions => "that of the functions that it calls".to_owned(),
        GradientKind::OfLoop => "that of the loop that it is a part of".to_owned(),
        GradientKind::Missing => {
            "missing: graphs with it between what is differentiated and by what have none".to_owned()
        }
    })
}

/// Lists kernels, or those of one op.
pub(crate) fn kernels(name: Option<&str>) -> Result<ExitCode> {
    let registry = Registry::global()?;
    match name {
        Some(name) => {
            missing::unknown_op(name, registry)?;
            registry.kernels_of(name).for_each(show_kernel);
        }
        None => registry.kernels().for_each(show_kernel),
    }
    Ok(ExitCode::SUCCESS)
}

pub(crate) fn show_kernel(kernel: &'static KernelDescriptor) {
    print!("{:32} {}", kernel.op, kernel.device);
    if !kernel.label.is_empty() {
        print!(" label={}", kernel.label);
    }
    if kernel.priority != 0 {
        print!(" priority={}", kernel.priority);
    }
    for (at, attr) in kernel.type_attrs.iter().enumerate() {
        let mut dtypes: Vec<&str> = kernel.entries.iter().filter_map(|e| e.dtypes.get(at)).map(|d| d.name()).collect();
        dtypes.dedup();
        dtypes.sort_unstable();
        dtypes.dedup();
        print!(" {attr}={{{}}}", dtypes.join(", "));
    }
    if !kernel.excluded.is_empty() {
        print!(" ({} combinations left out by the selection)", kernel.excluded_combinations().len());
    }
    println!("  {}", kernel.location);
}
