//! `oplink opcheck`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use clap::Args;
use oplink::runtime::Device;
use oplink::{Error, Result, Runtime, bail};
use oplink_opcheck::{Check, OpCheck, Outcome, Record, Report};

use crate::{devices, progress};

/// Check ops.
#[derive(Args)]
pub(crate) struct OpcheckArguments {
    /// Names of ops; without any, those of the plugins
    ops: Vec<String>,
    /// Load a plugin first; may be given several times
    #[arg(long, value_name = "FILE")]
    plugin: Vec<PathBuf>,
    /// Run this check only; may be given several times
    #[arg(long, value_name = "NAME")]
    check: Vec<Check>,
    /// Draw so many calls of each op
    #[arg(long, default_value_t = 10, value_name = "N")]
    samples: usize,
    /// Draw other calls
    #[arg(long, default_value_t = 0, value_name = "N")]
    seed: u64,
    /// Compare this device with the host, where it has kernels: `GPU`, `GPU:1`; may be given several times
    #[arg(long, value_name = "NAME")]
    device: Vec<String>,
    /// Write the programs that show what was found into this folder, in place of printing them
    #[arg(long, value_name = "FOLDER")]
    save: Option<PathBuf>,
    /// Check nothing: write the drawn calls with their outputs into this file, for `python -m oplink_hosts.check`
    #[arg(long, value_name = "FILE", conflicts_with_all = ["check", "device", "save"])]
    record: Option<PathBuf>,
}

pub(crate) fn opcheck(arguments: &OpcheckArguments) -> Result<ExitCode> {
    let mut ops = arguments.ops.clone();
    for file in &arguments.plugin {
        let info = Runtime::load_plugin(file)?;
        if arguments.ops.is_empty() {
            ops.extend(info.ops.iter().map(|op| op.name.clone()));
        }
    }
    if ops.is_empty() {
        bail!("name the ops to check, or a plugin with --plugin whose ops are checked");
    }
    if let Some(file) = &arguments.record {
        return record(&ops, arguments, file);
    }
    let devices = arguments.device.iter().map(|name| devices::named(name)).collect::<Result<Vec<_>>>()?;
    // Kernels that panic are findings, and are told as such.
    std::panic::set_hook(Box::new(|_| ()));
    let bar = progress::bar(ops.len(), "checking");
    let mut reports = Vec::new();
    for op in &ops {
        reports.push(check_of(op, arguments, &devices).run()?);
        bar.inc(1);
    }
    bar.finish_and_clear();
    show(&reports);
    show_findings(&reports, arguments)
}

/// Writes the calls; an op without any is named.
fn record(ops: &[String], arguments: &OpcheckArguments, file: &Path) -> Result<ExitCode> {
    std::panic::set_hook(Box::new(|_| ()));
    let mut lines = String::new();
    let (mut calls, mut without) = (0, 0);
    for op in ops {
        let recorded = check_of(op, arguments, &[]).record();
        let found: Vec<String> = match recorded {
            Ok(records) => records.iter().filter_map(Record::line).collect(),
            Err(error) => {
                println!("{}", error.message());
                Vec::new()
            }
        };
        without += usize::from(found.is_empty());
        calls += found.len();
        found.iter().for_each(|line| lines.extend([line, "\n"]));
    }
    std::fs::write(file, lines).map_err(|e| Error::invalid_argument(format!("{}: {e}", file.display())))?;
    println!("{calls} calls of {} ops in {}", ops.len() - without, file.display());
    Ok(if calls == 0 { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn check_of(op: &str, arguments: &OpcheckArguments, devices: &[Arc<dyn Device>]) -> OpCheck {
    let mut check = OpCheck::new(op).num_samples(arguments.samples).seed(arguments.seed);
    if !arguments.check.is_empty() {
        check = check.checks(&arguments.check);
    }
    devices.iter().fold(check, |check, device| check.on(device.clone()))
}

/// A row an op, a column a check.
fn show(reports: &[Report]) {
    let Some(first) = reports.first() else { return };
    let checks: Vec<Check> = first.checks.keys().copied().collect();
    let width = reports.iter().map(|report| report.op.len()).max().unwrap_or(0).max(2);
    let names: Vec<String> = checks.iter().map(|check| format!("{:>11}", check.name())).collect();
    println!("{:width$} {:>7} {:>7} {}", "op", "samples", "served", names.join(" "));
    for report in reports {
        let verdicts = report.checks.values().map(|outcome| match outcome {
            Outcome::Skipped(_) => format!("{:>11}", "-"),
            Outcome::Checked { cases, findings } if findings.is_empty() => format!("{:>11}", format!("ok {cases}")),
            Outcome::Checked { .. } => format!("{:>11}", "FAILED"),
        });
        let (called, all) = report.combinations;
        let verdicts: Vec<String> = verdicts.collect();
        println!("{:width$} {:>7} {:>7} {}", report.op, report.samples, format!("{called}/{all}"), verdicts.join(" "));
    }
    for report in reports {
        if let Some(reason) = &report.reason {
            println!("{}: {reason}", report.op);
        }
    }
}

/// What was found, each with its program; whether nothing was.
fn show_findings(reports: &[Report], arguments: &OpcheckArguments) -> Result<ExitCode> {
    let plugins: Vec<&Path> = arguments.plugin.iter().map(PathBuf::as_path).collect();
    let mut number = 0;
    for finding in reports.iter().flat_map(Report::findings) {
        number += 1;
        println!("\n{}, {}: {}", finding.call.op, finding.check, finding.message);
        let program = finding.program(&plugins);
        match &arguments.save {
            None => println!("\n{program}"),
            Some(folder) => {
                let file = folder.join(format!("{}_{}_{number}.rs", finding.call.op, finding.check));
                let written = std::fs::create_dir_all(folder).and_then(|()| std::fs::write(&file, program));
                written.map_err(|e| Error::invalid_argument(format!("{}: {e}", file.display())))?;
                println!("  wrote {}", file.display());
            }
        }
    }
    let without = reports.iter().any(|report| report.samples == 0);
    Ok(if number == 0 && !without { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
