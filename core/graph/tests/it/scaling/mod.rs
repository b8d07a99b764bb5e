//! Time that grows with a graph and no faster: import, inference, passes, plans, placement and export, along each way
//! in which a graph can be large.

mod graphs;

use std::time::{Duration, Instant};

use oplink_graph::{Graph, MergeOptions, PassOptions, Session, SessionOptions};
use oplink_proto::GraphDef;

use crate::fixture::{TestDevice, registry, session};

/// Sizes are multiplied by this; time that grows with the size is too, time that grows with its square by this squared.
const FACTOR: usize = 4;
/// More than [`FACTOR`], less than its square.
const MOST: f64 = 9.0;
/// Times below this tell nothing.
const LEAST: Duration = Duration::from_millis(40);
/// What the shorter time is taken for at least: the system counts a thread's time in such steps.
const STEP: f64 = 0.004;

/// A way in which graphs grow.
struct Case {
    name: &'static str,
    size: usize,
    make: fn(usize) -> GraphDef,
    /// What is asked of the graph; empty where it is only imported and exported.
    fetch: &'static str,
}

const CASES: &[Case] = &[
    Case { name: "nodes", size: 1000, make: graphs::chain, fetch: "last" },
    Case { name: "inputs of a node", size: 1000, make: graphs::inputs, fetch: "last" },
    Case { name: "control inputs of a node", size: 1000, make: graphs::control_inputs, fetch: "last" },
    Case { name: "control inputs of a call", size: 1000, make: graphs::control_inputs_of_a_call, fetch: "last" },
    Case { name: "consumers of an output", size: 1000, make: graphs::consumers, fetch: "last" },
    Case { name: "attrs of a node", size: 2500, make: graphs::attrs, fetch: "last" },
    Case { name: "elements of a list", size: 10_000, make: graphs::list, fetch: "last" },
    Case { name: "constants", size: 1000, make: graphs::constants, fetch: "last" },
    Case { name: "folded constants", size: 500, make: graphs::folded, fetch: "last" },
    Case { name: "functions", size: 250, make: graphs::functions, fetch: "last" },
    Case { name: "functions inside each other", size: 250, make: graphs::nested, fetch: "last" },
    Case { name: "calls of a function", size: 250, make: graphs::calls, fetch: "last" },
    Case { name: "arguments of a function", size: 500, make: graphs::arguments, fetch: "last" },
    Case { name: "nodes of a function", size: 500, make: graphs::body, fetch: "last" },
    Case { name: "outputs of a node in a function", size: 500, make: graphs::split_in_body, fetch: "last" },
    Case { name: "attrs of a function", size: 1000, make: graphs::function_attrs, fetch: "" },
    Case { name: "colocated nodes", size: 1000, make: graphs::colocated, fetch: "last" },
    Case { name: "loops", size: 150, make: graphs::loops, fetch: "last" },
    Case { name: "parts of a name", size: 2500, make: graphs::long_name, fetch: "last" },
    Case { name: "identities", size: 1000, make: graphs::identities, fetch: "last" },
    Case { name: "placeholders", size: 500, make: graphs::placeholders, fetch: "last" },
];

/// What this thread has worked, so that other work on the machine counts little; the clock where that cannot be told.
fn worked(since: Instant) -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = text.split(' ').next().and_then(|number| number.parse().ok());
    nanoseconds.map_or_else(|| since.elapsed(), Duration::from_nanos)
}

/// The shorter of two times.
fn time<T>(mut prepare: impl FnMut() -> T, mut work: impl FnMut(T)) -> Duration {
    let since = Instant::now();
    let once = |_| {
        let prepared = prepare();
        let start = worked(since);
        work(prepared);
        worked(since).saturating_sub(start)
    };
    (0..2).map(once).min().unwrap_or_default()
}

/// Compares the times of two sizes; whether they grow too fast.
fn grows_too_fast(what: &str, size: usize, of_size: impl Fn(usize) -> Duration) -> bool {
    let (short, long) = (of_size(size), of_size(FACTOR * size));
    let growth = long.as_secs_f64() / short.as_secs_f64().max(STEP);
    let bad = long > LEAST && growth > MOST;
    let mark = if bad { " <---" } else { "" };
    println!("{what}: {size} in {short:.1?}, {} in {long:.1?}, {growth:.1} times{mark}", FACTOR * size);
    bad
}

/// The names of all placeholders.
fn feeds(def: &GraphDef) -> Vec<String> {
    def.node.iter().filter(|node| node.op == "Placeholder").map(|node| node.name.clone()).collect()
}

fn import(def: &GraphDef) -> Graph {
    Graph::import(def, registry()).unwrap()
}

fn plan(session: &Session, feeds: &[String], fetch: &str) {
    let feeds: Vec<&str> = feeds.iter().map(String::as_str).collect();
    drop(session.prepare(&feeds, &[fetch], &[]).unwrap());
}

/// Everything that is done with a graph, each by its own.
fn grow(case: &Case, only: &str) -> Vec<String> {
    let mut bad = Vec::new();
    let mut check = |what: &str, of_size: &dyn Fn(usize) -> Duration| {
        let what = format!("{}, {what}", case.name);
        if what.contains(only) && grows_too_fast(&what, case.size, of_size) {
            bad.push(what);
        }
    };
    let def = |size: usize| (case.make)(size);
    check("import", &|size| time(|| def(size), |def| drop(import(&def))));
    check("export", &|size| time(|| import(&def(size)), |graph| drop(graph.to_def().unwrap())));
    check("import into another graph", &|size| {
        let options = MergeOptions { prefix: "p".to_owned(), uniquify_prefix: true, ..MergeOptions::default() };
        let other = || import(&graphs::chain(2));
        time(|| (other(), def(size)), |(mut graph, def)| drop(graph.import_into(def, &options).unwrap()))
    });
    if case.fetch.is_empty() {
        return bad;
    }
    let with_passes = |passes: PassOptions| {
        move |size: usize| {
            let (def, passes) = (def(size), passes.clone());
            let feeds = feeds(&def);
            let make = || {
                let options = SessionOptions { passes: passes.clone(), ..SessionOptions::default() };
                Session::on_device(import(&def), TestDevice::new(), options).unwrap()
            };
            time(make, |session| plan(&session, &feeds, case.fetch))
        }
    };
    check("plan", &with_passes(PassOptions::default()));
    check("plan without passes", &with_passes(PassOptions::none()));
    check("placement", &|size| {
        let def = def(size);
        let feeds = feeds(&def);
        let make = || {
            let options = SessionOptions { passes: PassOptions::none(), ..SessionOptions::default() };
            crate::devices::session_of(import(&def), options)
        };
        time(make, |session| plan(&session, &feeds, case.fetch))
    });
    bad
}

#[test]
fn time_grows_with_the_size() {
    let only = std::env::var("OPLINK_SCALING").unwrap_or_default();
    let bad: Vec<String> = CASES.iter().flat_map(|case| grow(case, &only)).collect();
    assert!(bad.is_empty(), "grow faster than the graph: {bad:#?}");
}

#[test]
fn the_graphs_run() {
    for case in CASES.iter().filter(|case| !case.fetch.is_empty()) {
        let def = (case.make)(8);
        let session = session(import(&def));
        plan(&session, &feeds(&def), case.fetch);
    }
}
