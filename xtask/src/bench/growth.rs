//! How cost grows with the work: tables and pictures.

use std::fs;
use std::io;
use std::path::Path;
use std::process::Command;

use super::chart::{Chart, Line};
use super::runtime::{Programs, Runtime};
use super::table::{shown, table};
use super::worker::Worker;
use super::{Options, machine, number};
use crate::source::root;

/// A network whose inputs grow along some axes.
struct Series {
    name: &'static str,
    title: &'static str,
    network: &'static str,
    unit: &'static str,
    axes: &'static [usize],
    extents: &'static [usize],
}

const SERIES: [Series; 3] = [
    Series {
        name: "batch",
        title: "MobileNetV2, pictures of a batch",
        network: "mobilenetv2",
        unit: "batch",
        axes: &[0],
        extents: &[1, 2, 4, 8, 16, 32, 64, 128, 256],
    },
    Series {
        name: "sequence",
        title: "a layer of attention, 256 wide, 4 heads",
        network: "attention",
        unit: "tokens",
        axes: &[1],
        extents: &[64, 128, 256, 512, 1024, 2048, 4096, 8192],
    },
    Series {
        name: "image",
        title: "MobileNetV2, size of the picture",
        network: "mobilenetv2_any",
        unit: "pixels a side",
        axes: &[1, 2],
        extents: &[64, 96, 128, 192, 256, 384, 512, 768, 1024],
    },
];

/// Nodes of the graphs, and numbers of sessions.
const NODES: [usize; 5] = [10, 100, 1_000, 10_000, 100_000];
const SESSIONS: [usize; 4] = [1, 10, 100, 1_000];

/// More sessions are not given to TensorFlow, which takes minutes for them.
const TENSORFLOW_SESSIONS: usize = 100;

/// The network of which there are many sessions.
const SHARED: &str = "mobilenetv2";

/// Runs the series that are wanted; writes `docs/growth/NAME.md` and pictures beside it.
pub(super) fn run(options: &Options) -> io::Result<Vec<String>> {
    let programs = Programs::new()?;
    fs::create_dir_all(folder())?;
    let where_measured = format!("{}. {}.\n\n", machine::describe(), programs.versions());
    let mut problems = Vec::new();
    let mut done = |name: &str, text: io::Result<String>| match text {
        Ok(text) => fs::write(folder().join(format!("{name}.md")), where_measured.clone() + &text),
        Err(error) => {
            problems.push(format!("{name}: {error}"));
            Ok(())
        }
    };
    for series in SERIES.iter().filter(|series| options.wants(series.name)) {
        done(series.name, grow(series, &programs, options))?;
    }
    if options.wants("nodes") {
        done("nodes", nodes(&programs, options))?;
    }
    if options.wants("sessions") {
        done("sessions", sessions(&programs, options))?;
    }
    Ok(problems)
}

fn folder() -> std::path::PathBuf {
    root().join("docs/growth")
}

/// A network with inputs of growing extents: milliseconds of a run with each number of threads, peak of memory.
fn grow(series: &Series, programs: &Programs, options: &Options) -> io::Result<String> {
    let network = options.models.join(series.network);
    let columns: Vec<(Runtime, usize)> = [Runtime::Oplink, Runtime::TensorFlow]
        .into_iter()
        .flat_map(|runtime| options.threads.iter().map(move |&threads| (runtime, threads)))
        .collect();
    let mut times: Vec<Line> = columns.iter().map(|&column| line(column)).collect();
    let mut peaks: Vec<Line> = columns.iter().map(|&column| line(column)).collect();
    for &extent in series.extents {
        for (position, &(runtime, threads)) in columns.iter().enumerate() {
            let Some(mut command) = programs.serve(runtime, &network, threads) else { continue };
            command.args(series.axes.iter().map(|axis| format!("{axis}={extent}")));
            // One after the other: the largest inputs take gigabytes.
            let mut worker = Worker::new(&mut command)?;
            (0..options.rounds).try_for_each(|_| worker.turn(options.seconds))?;
            times[position].points.push((extent as f64, worker.best));
            peaks[position].points.push((extent as f64, worker.start.peak));
        }
        eprintln!("{}: {extent}", series.name);
    }
    for lines in [&mut times, &mut peaks] {
        lines.retain(|line| !line.points.is_empty());
    }
    let mut text = written(series.name, series.title, series.unit, "ms", times)?;
    text += "\n";
    text += &written(&format!("{}-memory", series.name), series.title, series.unit, "peak of memory, MiB", peaks)?;
    Ok(text)
}

fn line((runtime, threads): (Runtime, usize)) -> Line {
    let plural = if threads == 1 { "" } else { "s" };
    Line { name: format!("{}, {threads} thread{plural}", runtime.title()), points: Vec::new() }
}

/// Writes the picture of lines over the same values; the same as a table.
fn written(name: &str, title: &str, x_label: &str, y_label: &str, lines: Vec<Line>) -> io::Result<String> {
    let chart = Chart { title, x_label, y_label, lines };
    fs::write(folder().join(format!("{name}.svg")), chart.svg())?;
    let titles: Vec<String> = chart.lines.iter().map(|line| format!("{}, {y_label}", line.name)).collect();
    let head: Vec<&str> = std::iter::once(x_label).chain(titles.iter().map(String::as_str)).collect();
    let rows = (0..chart.lines.first().map_or(0, |line| line.points.len())).map(|row| {
        let figures = chart.lines.iter().map(|line| shown(line.points.get(row).map_or(f64::NAN, |point| point.1)));
        let at = chart.lines[0].points[row].0;
        std::iter::once(format!("{at}")).chain(figures).collect()
    });
    Ok(table(&head, &rows.collect::<Vec<_>>()))
}

/// Chains of scalar sums: milliseconds to load, to the first result after that, and of a run.
fn nodes(programs: &Programs, options: &Options) -> io::Result<String> {
    let runtimes = [Runtime::Oplink, Runtime::TensorFlow];
    let named =
        |what: &str| runtimes.map(|runtime| Line { name: format!("{}, {what}", runtime.title()), points: Vec::new() });
    let (mut load, mut plan, mut run) = (named("load"), named("plan and first run"), named("run"));
    for count in NODES {
        let network = options.models.join(format!("chain-{count}"));
        let status =
            programs.networks().arg("chain").arg(count.to_string()).arg(network.with_extension("pb")).status()?;
        if !status.success() {
            return Err(io::Error::other("the graph cannot be written"));
        }
        for (position, runtime) in runtimes.into_iter().enumerate() {
            // TensorFlow's optimiser would replace the chain with one product.
            let command = programs.serve(runtime, &network, 1);
            let Some(mut command) = command else { continue };
            let mut worker = Worker::new(command.env("AS_WRITTEN", "1"))?;
            (0..options.rounds).try_for_each(|_| worker.turn(options.seconds))?;
            let at = count as f64;
            load[position].points.push((at, worker.start.load));
            plan[position].points.push((at, worker.start.first - worker.start.load));
            run[position].points.push((at, worker.best));
        }
        remove(&network);
        eprintln!("nodes: {count}");
    }
    written("nodes", "a chain of scalar sums", "nodes", "ms", load.into_iter().chain(plan).chain(run).collect())
}

fn remove(network: &Path) {
    for extension in ["pb", "npz"] {
        let _ = fs::remove_file(network.with_extension(extension));
    }
}

/// Sessions of one graph: milliseconds to make one and to its first result, of a run, MiB of each but the first.
fn sessions(programs: &Programs, options: &Options) -> io::Result<String> {
    let network = options.models.join(SHARED);
    let [mut make, mut run, mut memory] = [(), (), ()].map(|()| Vec::new());
    let programs = [(Runtime::Oplink, Some(programs.networks())), (Runtime::TensorFlow, programs.tensorflow())];
    for (runtime, program) in programs {
        let Some(program) = program else { continue };
        let named = |what: &str| Line { name: format!("{}, {what}", runtime.title()), points: Vec::new() };
        let mut lines = [named("a session's first result, ms"), named("a run, ms"), named("MiB a session")];
        for count in SESSIONS {
            if runtime == Runtime::TensorFlow && count > TENSORFLOW_SESSIONS {
                continue;
            }
            let each = lines[2].points.last().map_or(0.0, |(_, each)| *each);
            // Of a single session there is nothing to tell.
            let expected = if each.is_finite() { each * count as f64 } else { 0.0 };
            if expected > machine::available_memory() / 2.0 {
                eprintln!("sessions: {} {count} would take {expected:.0} MiB", runtime.title());
                continue;
            }
            let [first, later, with_one, with_all] = counted(&program, &network, count)?;
            let figures = [first, later, (with_all - with_one) / (count as f64 - 1.0)];
            for (line, figure) in lines.iter_mut().zip(figures) {
                line.points.push((count as f64, figure));
            }
            eprintln!("sessions: {} {count}", runtime.title());
        }
        let [first, later, each] = lines;
        make.push(first);
        run.push(later);
        memory.push(each);
    }
    let lines = make.into_iter().chain(run).chain(memory).collect();
    written("sessions", "sessions of MobileNetV2 in a process", "sessions", "each", lines)
}

fn counted(program: &Command, network: &Path, count: usize) -> io::Result<[f64; 4]> {
    let mut command = Command::new(program.get_program());
    command.args(program.get_args()).arg("sessions").arg(network.with_extension("pb"));
    let output = command.arg(network.with_extension("npz")).arg(count.to_string()).output()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let figures = text.split_whitespace().map(number).collect::<io::Result<Vec<f64>>>()?;
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    figures.try_into().map_err(|_| io::Error::other(message))
}
