//! `oplink plugin`: what plugins bring, and whether they load.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Subcommand, ValueEnum};
use oplink::runtime::DeviceAttributes;
use oplink::{PlatformInfo, PluginInfo, Result, Runtime, Strictness};

use crate::devices;
use crate::list::show_kernel;

/// What to do with plugins.
#[derive(Subcommand)]
pub(crate) enum PluginCommand {
    /// Show what a plugin exports and declares: its ops, and its kernels with devices and dtypes
    Inspect {
        /// A shared library
        file: PathBuf,
    },
    /// Load plugins together, to see whether they fit this build and each other
    Load {
        /// Shared libraries
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// What becomes of a plugin of which not everything is valid; by default those made with `plugin!` are refused,
        /// and others serve what is valid
        #[arg(long, value_name = "WHAT")]
        invalid: Option<Invalid>,
    },
}

/// What becomes of a plugin of which not everything is valid.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum Invalid {
    /// It is refused as a whole
    Refuse,
    /// What is valid serves
    LeaveOut,
}

impl Invalid {
    fn strictness(self) -> Strictness {
        match self {
            Self::Refuse => Strictness::AllOrNone,
            Self::LeaveOut => Strictness::WhatIsValid,
        }
    }
}

pub(crate) fn plugin(command: &PluginCommand) -> Result<ExitCode> {
    match command {
        PluginCommand::Inspect { file } => show(&*Runtime::inspect_plugin(file)?),
        PluginCommand::Load { files, invalid } => {
            let strictness = invalid.map_or_else(Strictness::default, Invalid::strictness);
            for file in files {
                let info = Runtime::load_plugin_with(file, strictness)?;
                println!("{}: {}", info.path.display(), counts(&info));
                show_rejected(&info);
                info.platform.iter().try_for_each(show_devices)?;
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// `8 ops, 9 kernels`, and what else there is.
fn counts(info: &PluginInfo) -> String {
    let mut text = format!("{} ops, {} kernels", info.ops.len(), info.kernels.len());
    for (count, what) in [(info.gradients.len(), "gradients"), (info.rejected.len(), "rejected")] {
        if count > 0 {
            text = format!("{text}, {count} {what}");
        }
    }
    text
}

/// What is left out of a plugin, each with its reason.
fn show_rejected(info: &PluginInfo) {
    for declaration in &info.rejected {
        println!("rejected: {declaration}\n    {}", declaration.reason.replace('\n', "\n    "));
    }
}

/// The devices of a platform that is loaded.
fn show_devices(platform: &PlatformInfo) -> Result<()> {
    let listed = devices::listed(Some(&platform.device_type))?;
    for device in listed.iter().filter(|device| device.device_type() == platform.device_type) {
        let DeviceAttributes { name, memory_limit, description, .. } = device.attributes();
        println!("  {name}: {memory_limit} bytes; {description}");
    }
    Ok(())
}

/// Loads the plugins of `--plugin`.
pub(crate) fn load_all(files: &[PathBuf]) -> Result<()> {
    files.iter().try_for_each(|file| Runtime::load_plugin(file).map(drop))
}

fn show(info: &PluginInfo) {
    println!("{}", info.path.display());
    if let Some((name, version)) = &info.package {
        println!("package: {name} {version}");
    }
    if let Some(version) = &info.sdk_version {
        println!("built with: oplink-plugin {version}");
    }
    let exports =
        if info.entry_points.is_empty() { "nothing for hosts".to_owned() } else { info.entry_points.join(", ") };
    println!("exports: {exports}");
    if let Some(PlatformInfo { name, device_type, device_count }) = &info.platform {
        println!("devices: {device_count} of type {device_type} (platform {name})");
    }
    println!("\nops:");
    for op in &info.ops {
        println!("{}", op.to_string().trim_end());
        if let Some((_, doc)) = info.docs.iter().find(|(name, _)| *name == op.name) {
            println!("{}", doc.trim());
        }
        println!();
    }
    println!("kernels:");
    info.kernels.iter().copied().for_each(show_kernel);
    if !info.gradients.is_empty() {
        println!("\ngradients:");
        info.gradients.iter().for_each(|gradient| println!("{:32} {}", gradient.op, gradient.location));
    }
    if !info.rejected.is_empty() {
        let fate = if info.is_all_or_none() { "the plugin is refused" } else { "the rest serves" };
        println!("\n{}; {fate}:", counts(info));
        show_rejected(info);
    }
}
