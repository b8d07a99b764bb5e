//! Where the time of a run goes.

use std::collections::HashMap;

use oplink::Result;
use oplink::graph::{NodeStats, RunMetadata, RunOptions, TraceLevel};

/// Runs that are traced; of each node the median counts.
const RUNS: usize = 9;

/// Nodes that are shown, unless `PROFILE_NODES` says how many.
const SHOWN: usize = 25;

struct Node {
    op: String,
    name: String,
    shape: String,
    milliseconds: Vec<f64>,
}

/// Prints tables of the ops and of the nodes that take the most time in traced runs of one graph; `run` makes one.
pub(crate) fn print(mut run: impl FnMut(&RunOptions) -> Result<RunMetadata>) -> Result<()> {
    let options = RunOptions { trace: TraceLevel::Nodes, ..RunOptions::default() };
    let mut nodes: Vec<Node> = Vec::new();
    let mut positions = HashMap::new();
    for _ in 0..RUNS {
        let mut this_run: HashMap<usize, f64> = HashMap::new();
        for run in run(&options)?.nodes {
            let position = *positions.entry(run.name.clone()).or_insert_with(|| {
                nodes.push(node(&run));
                nodes.len() - 1
            });
            *this_run.entry(position).or_default() += run.duration.as_secs_f64() * 1e3;
        }
        this_run.into_iter().for_each(|(position, time)| nodes[position].milliseconds.push(time));
    }
    let mut timed: Vec<(f64, &Node)> = nodes.iter().map(|node| (median(&node.milliseconds), node)).collect();
    timed.sort_by(|one, other| other.0.total_cmp(&one.0));
    let total: f64 = timed.iter().map(|(time, _)| time).sum();
    print_ops(&timed, total);
    println!("\n| node | op | output | ms |\n|---|---|---|---|");
    let shown = std::env::var("PROFILE_NODES").ok().and_then(|count| count.parse().ok()).unwrap_or(SHOWN);
    for (time, node) in timed.iter().take(shown) {
        println!("| `{}` | {} | {} | {time:.3} |", node.name, node.op, node.shape);
    }
    Ok(())
}

fn print_ops(timed: &[(f64, &Node)], total: f64) {
    let mut ops: HashMap<&str, (f64, usize)> = HashMap::new();
    for (time, node) in timed {
        let op = ops.entry(&node.op).or_default();
        *op = (op.0 + time, op.1 + 1);
    }
    let mut ops: Vec<_> = ops.into_iter().collect();
    ops.sort_by(|one, other| other.1.0.total_cmp(&one.1.0));
    println!("{} nodes, {total:.3} ms\n\n| op | nodes | ms | share |\n|---|---|---|---|", timed.len());
    for (op, (time, count)) in ops.iter().take(12) {
        println!("| {op} | {count} | {time:.3} | {:.1} % |", time / total * 100.0);
    }
}

fn node(run: &NodeStats) -> Node {
    let shape = run.outputs.first().map(|output| output.shape.to_string()).unwrap_or_default();
    Node { op: run.op.clone(), name: run.name.clone(), shape, milliseconds: Vec::new() }
}

fn median(times: &[f64]) -> f64 {
    let mut sorted = times.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or_default()
}
