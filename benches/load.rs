//! From a graph's file to the first result, in a process of its own: the time of each part, and the most memory.
//!
//! `cargo bench -p oplink --bench load -- FILE FEED:0 EXTENT,… FETCH:0`; without a file it does nothing.
//! `benches/load.py` runs it beside TensorFlow. Where `OPLINK_READ_CONSTANTS` is set, all constants are read before the
//! graph is planned, and it tells how long that took.

use std::time::Instant;

use oplink::prelude::*;

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with("--")).collect();
    let [file, feed, extents, fetch] = arguments.as_slice() else { return Ok(()) };
    let extents: Vec<usize> = extents.split(',').map(|extent| extent.parse().expect("an extent")).collect();
    let input = Tensor::from_vec(extents.clone(), vec![0.5f32; extents.iter().product()])?;
    let registry = Registry::global()?;
    let start = Instant::now();
    let graph = Graph::load(file, registry)?;
    let loaded = start.elapsed();
    if std::env::var_os("OPLINK_READ_CONSTANTS").is_some() {
        graph.read_constants()?;
        println!("constants read after {:?}", start.elapsed());
    }
    let call = Session::new(graph, SessionOptions::default())?.prepare(&[feed], &[fetch], &[])?;
    let planned = start.elapsed();
    let first = call.run(std::slice::from_ref(&input))?;
    let ran = start.elapsed();
    let peak = memory("VmHWM");
    let after = (0..5).map(|_| {
        let start = Instant::now();
        call.run(std::slice::from_ref(&input)).map(|_| start.elapsed())
    });
    let after = after.collect::<Result<Vec<_>>>()?.into_iter().min().unwrap_or_default();
    let ms = |time: std::time::Duration| time.as_secs_f64() * 1e3;
    println!(
        "load {:.2} ms, plan {:.2} ms, first result {:.2} ms, later run {:.2} ms, peak {peak} kB, anonymous {} kB, sum {}",
        ms(loaded),
        ms(planned),
        ms(ran),
        ms(after),
        memory("RssAnon"),
        first[0].as_slice::<f32>()?.iter().sum::<f32>()
    );
    Ok(())
}

/// A figure of the process's memory in kilobytes, where the system tells it.
fn memory(name: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}
