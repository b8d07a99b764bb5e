//! `cargo xtask build-cost [FIGURE...]` measures what builds cost, each from a clean target, and prints processor time
//! and time on the clock beside the goals. `cargo xtask build-cost --gate` measures the README's main command in the
//! repository's own target, which must not have been built in release before, and holds its processor time.

mod generated;
mod measure;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use measure::{Cost, cargo, cost_of};

use crate::source::root;

/// A figure: what is built, and the seconds of processor time that it may take.
struct Figure {
    name: &'static str,
    what: &'static str,
    /// What is aimed at on a quiet machine of two cores.
    goal: f64,
    build: fn(&Path) -> io::Result<Cost>,
}

const FIGURES: [Figure; 4] = [
    Figure { name: "quickstart", what: "the README's main command", goal: 180.0, build: quickstart },
    Figure { name: "command", what: "the command line with every kernel", goal: 300.0, build: command },
    Figure { name: "user", what: "a user's crate, default features, dev profile", goal: 120.0, build: user },
    Figure { name: "kernels", what: "100 further kernels of a crate", goal: 5.0, build: generated::hundred_kernels },
];

/// Seconds of processor time that `--gate` lets the README's main command take. A machine whose cores are shared counts
/// up to half as much again as a quiet one.
const HELD: f64 = 500.0;

/// Runs the task; what went wrong, or takes too long, comes back.
pub(crate) fn run(arguments: &[String]) -> Vec<String> {
    if arguments == ["--gate"] {
        return hold().unwrap_or_else(|error| vec![error.to_string()]);
    }
    let known = |name: &&String| FIGURES.iter().any(|figure| figure.name == **name);
    if let Some(unknown) = arguments.iter().find(|name| !known(name)) {
        let names = FIGURES.map(|figure| figure.name).join(", ");
        return vec![format!("no figure is called {unknown}; there are {names}")];
    }
    let wanted =
        FIGURES.iter().filter(|figure| arguments.is_empty() || arguments.iter().any(|name| name == figure.name));
    let mut problems = Vec::new();
    println!("| figure | processor, s | clock, s | goal, s of processor |\n|---|---|---|---|");
    for figure in wanted {
        match clean(figure.name).and_then(|target| (figure.build)(&target)) {
            Ok(cost) => {
                println!("| {} | {:.1} | {:.1} | {:.0} |", figure.what, cost.processor, cost.clock, figure.goal);
            }
            Err(error) => problems.push(format!("{}: {error}", figure.what)),
        }
    }
    problems
}

/// An empty target folder.
fn clean(name: &str) -> io::Result<PathBuf> {
    let folder = target().join("build-cost").join(name);
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(&folder)?;
    Ok(folder)
}

/// The repository's target folder.
fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

/// The README's main command as a build: its words between `cargo run` and the comment.
fn main_command() -> io::Result<Vec<String>> {
    let readme = fs::read_to_string(root().join("README.md"))?;
    let line =
        readme.lines().find_map(|line| line.strip_prefix("cargo run ")).filter(|line| line.contains("--release"));
    let line = line.ok_or_else(|| io::Error::other("README.md names no main command"))?;
    let words = line.split('#').next().unwrap_or_default().split_whitespace();
    Ok(["build"].into_iter().chain(words).map(str::to_owned).collect())
}

fn quickstart(target: &Path) -> io::Result<Cost> {
    cost_of(cargo(&root(), target).args(main_command()?))
}

fn command(target: &Path) -> io::Result<Cost> {
    cost_of(cargo(&root(), target).args(["build", "--release", "--package", "oplink-cli"]))
}

/// The crate that `oplink new` makes, with the lock file of the repository.
fn user(target: &Path) -> io::Result<Cost> {
    let folder = target.join("made");
    for file in ["Cargo.toml.in", "src/lib.rs", "src/main.rs"] {
        let text = fs::read_to_string(root().join("cli/template/op").join(file))?;
        let dependency = format!("oplink = {{ path = \"{}\" }}", root().display());
        let text = text.replace("{name}", "made").replace("{crate_name}", "made").replace("{dependency}", &dependency);
        let (file, text) = match file.strip_suffix(".in") {
            Some(manifest) => (manifest, text + "\n[workspace]\n"),
            None => (file, text),
        };
        let path = folder.join(file);
        fs::create_dir_all(path.parent().unwrap_or(&folder))?;
        fs::write(path, text)?;
    }
    fs::copy(root().join("Cargo.lock"), folder.join("Cargo.lock"))?;
    cost_of(cargo(&folder, target).arg("build"))
}

/// Builds the README's main command in the repository's own target and holds its processor time.
fn hold() -> io::Result<Vec<String>> {
    let mut build = cargo(&root(), &target());
    let cost = cost_of(build.args(main_command()?))?;
    let Cost { processor, clock, fresh } = cost;
    println!("{}: {processor:.1} s of processor, {clock:.1} s on the clock; at most {HELD:.0}", FIGURES[0].what);
    if fresh > 0 {
        println!("{fresh} crates were built before, so the figure says nothing: the gate runs it from a clean target");
    }
    let over = processor > HELD;
    let problem = || {
        let at_most = "find what it builds more than before: cargo build --timings";
        format!("{} takes {processor:.0} s of processor, at most {HELD:.0}; {at_most}", FIGURES[0].what)
    };
    Ok(over.then(problem).into_iter().collect())
}
