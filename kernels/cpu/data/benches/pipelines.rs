//! Pipelines whose graphs `benches/pipelines.py` wrote into a folder, which is the argument: how long each takes.

use std::path::Path;
use std::time::{Duration, Instant};

use oplink::Result;
use oplink_core::Registry;
use oplink_device_cpu as _;
use oplink_graph::{Graph, Session, SessionOptions};

oplink::link!(oplink_kernels_cpu);

/// Runs of each, of which the shortest counts.
const ROUNDS: usize = 3;

fn measure(path: &Path) -> Result<(i64, Duration)> {
    let session = Session::new(Graph::load(path, Registry::global()?)?, SessionOptions::default())?;
    let (mut count, mut least) = (0, Duration::MAX);
    for _ in 0..ROUNDS {
        let start = Instant::now();
        count = session.run(&[], &["count:0"], &[])?[0].to_scalar()?;
        least = least.min(start.elapsed());
    }
    Ok((count, least))
}

fn main() {
    let Some(folder) = std::env::args().skip(1).find(|argument| !argument.starts_with('-')) else {
        println!("no folder with graphs is given: nothing is measured");
        return;
    };
    let mut paths: Vec<_> =
        std::fs::read_dir(&folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "pb"));
    paths.sort();
    for path in paths {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        match measure(&path) {
            Ok((count, time)) => println!("{name:16} {count:8} batches  {:9.1} ms", time.as_secs_f64() * 1000.0),
            Err(error) => println!("{name:16} {error}"),
        }
    }
}
