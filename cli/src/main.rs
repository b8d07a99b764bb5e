//! The `oplink` command: run graphs, list ops and kernels, look into graphs and plugins, make selections, crates, and
//! Python wheels of crates of ops.
#![forbid(unsafe_code)]

#[macro_use]
mod output;

mod devices;
mod freeze;
mod inputs;
mod inspect;
mod list;
mod load;
mod missing;
mod new;
mod opcheck;
mod plugin;
mod progress;
mod run;
mod select;
mod selection_check;
mod wheel;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};

/// Run TensorFlow graphs with oplink's kernels.
#[derive(Parser)]
#[command(name = "oplink", version, arg_required_else_help = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Run a SavedModel or a graph on files or values, and print, save or compare what it computes
    Run(Box<run::RunArguments>),
    /// List the ops of this build, or show one: inputs, outputs, attrs, documentation
    Ops {
        /// Name of one op
        name: Option<String>,
        #[command(flatten)]
        plugins: Plugins,
    },
    /// List the kernels of this build, or those of one op: device, dtypes, where they are declared
    Kernels {
        /// Name of an op
        name: Option<String>,
        #[command(flatten)]
        plugins: Plugins,
    },
    /// Summarise a SavedModel or a graph: signatures, inputs, outputs, ops; what this build lacks to run it, and why
    Graph {
        /// The folder of a SavedModel, or a GraphDef, binary (.pb) or text (.pbtxt)
        model: PathBuf,
        #[command(flatten)]
        plugins: Plugins,
    },
    /// Write a signature of a SavedModel as a graph in one file, with the values of its variables as constants
    Freeze(freeze::FreezeArguments),
    /// Look into plugins, or see whether they load
    #[command(subcommand)]
    Plugin(plugin::PluginCommand),
    /// Check ops against themselves: shapes, dtypes, memory, threads, extremes, gradients; those of a plugin by default
    Opcheck(opcheck::OpcheckArguments),
    /// Make a crate with an op, its kernels and their tests
    New(new::NewArguments),
    /// Write the selection file with which a build ships only what these graphs need
    Select(select::SelectArguments),
    /// Make a Python wheel of a crate of ops: a module of functions for each framework
    Wheel(wheel::WheelArguments),
}

/// Plugins that a command uses.
#[derive(Args)]
struct Plugins {
    /// Load a plugin first; may be given several times
    #[arg(long, value_name = "FILE")]
    plugin: Vec<PathBuf>,
}

impl Plugins {
    fn load(&self) -> oplink::Result<()> {
        plugin::load_all(&self.plugin)
    }
}

fn main() -> ExitCode {
    let result = match Arguments::parse().command {
        Command::Run(arguments) => run::run(&arguments),
        Command::Ops { name, plugins } => plugins.load().and_then(|()| list::ops(name.as_deref())),
        Command::Kernels { name, plugins } => plugins.load().and_then(|()| list::kernels(name.as_deref())),
        Command::Graph { model, plugins } => plugins.load().and_then(|()| inspect::inspect(&model)),
        Command::Freeze(arguments) => freeze::freeze(&arguments),
        Command::Plugin(command) => plugin::plugin(&command),
        Command::Opcheck(arguments) => opcheck::opcheck(&arguments),
        Command::New(arguments) => new::new(&arguments),
        Command::Select(arguments) => select::select(&arguments),
        Command::Wheel(arguments) => wheel::wheel(&arguments),
    };
    match result {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
