//! Many runs from many threads: no wrong result, no growth in memory, no deadlock.

use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use oplink::graph::{Callable, Graph, Session, SessionOptions};
use oplink::runtime::Registry;
use oplink::{Result, Tensor};

use crate::arrays::{Archive, repository};
use crate::counting;

/// Set for the process that measures: there nothing else runs.
const ALONE: &str = "OPLINK_TEST_SOAKS_ALONE";
/// Runs where slow tests run, and where they do not.
const RUNS: [usize; 2] = [100_000, 4_000];
const THREADS: usize = 8;
/// Parts of the runs after which memory is counted.
const ROUNDS: usize = 4;
/// Bytes that a round may leave behind.
const GROWTH: usize = 256 << 10;
/// No run takes this long unless it is stuck.
const STUCK: Duration = Duration::from_mins(5);

/// A counter that each run adds 1 to, and a division of which some runs fail.
const COUNTER: &str = r#"
node { name: "counter" op: "VarHandleOp" attr { key: "dtype" value { type: DT_INT64 } }
       attr { key: "shape" value { shape {} } } attr { key: "shared_name" value { s: "counter" } } }
node { name: "zero" op: "Const" attr { key: "dtype" value { type: DT_INT64 } }
       attr { key: "value" value { tensor { dtype: DT_INT64 tensor_shape {} int64_val: 0 } } } }
node { name: "one" op: "Const" attr { key: "dtype" value { type: DT_INT64 } }
       attr { key: "value" value { tensor { dtype: DT_INT64 tensor_shape {} int64_val: 1 } } } }
node { name: "init" op: "AssignVariableOp" input: "counter" input: "zero" attr { key: "dtype" value { type: DT_INT64 } } }
node { name: "count" op: "AssignAddVariableOp" input: "counter" input: "one" attr { key: "dtype" value { type: DT_INT64 } } }
node { name: "read" op: "ReadVariableOp" input: "counter" attr { key: "dtype" value { type: DT_INT64 } } }
node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_INT32 } } }
node { name: "divided" op: "FloorDiv" input: "x" input: "x" attr { key: "T" value { type: DT_INT32 } } }
versions { producer: 2474 }
"#;

/// A graph with a loop, and what it gives.
struct Loop {
    callable: Callable,
    feeds: Vec<Tensor>,
    expected: Tensor,
}

fn load(name: &str) -> Result<Loop> {
    let mut archive = Archive::open(&repository(&format!("tests/models/{name}.npz")));
    let graph = Graph::load(repository(&format!("tests/models/{name}.pb")), Registry::global()?)?;
    let names: Vec<String> = archive.names().iter().map(|name| name.trim_end_matches(".npy").to_owned()).collect();
    let starting = |prefix: &str| names.iter().filter_map(|name| name.strip_prefix(prefix)).collect::<Vec<_>>();
    let (feeds, fetches) = (starting("in:"), starting("out:"));
    let callable = Session::new(graph, SessionOptions::default())?.prepare(&feeds, &fetches, &[])?;
    let feeds: Vec<Tensor> = feeds.iter().map(|feed| archive.read_any(&format!("in:{feed}"))).collect();
    let expected = callable.run(&feeds)?.remove(0);
    Ok(Loop { callable, feeds, expected })
}

struct Soak {
    counter: Session,
    loops: Vec<Loop>,
    runs: AtomicUsize,
}

impl Soak {
    /// One run of each graph.
    fn once(&self, number: usize) -> Result<()> {
        self.counter.run(&[], &[], &["count"])?;
        let x = Tensor::scalar(i32::from(!number.is_multiple_of(3)));
        match self.counter.run(&[("x", x)], &["divided"], &[]) {
            Ok(outputs) => assert!(!number.is_multiple_of(3) && outputs[0].to_scalar::<i32>()? == 1),
            Err(error) => assert!(number.is_multiple_of(3) && error.to_string().contains("`divided`"), "{error}"),
        }
        let model = &self.loops[number % self.loops.len()];
        let outputs = model.callable.run(&model.feeds)?;
        assert_eq!(outputs[0].as_slice::<f32>()?, model.expected.as_slice::<f32>()?);
        self.runs.fetch_add(3, Ordering::Relaxed);
        Ok(())
    }

    /// Runs from all threads; watches that they come to an end.
    fn run(self: &Arc<Self>, runs: usize) -> Result<()> {
        let each = runs / 3 / THREADS;
        let threads: Vec<_> = (0..THREADS)
            .map(|_| {
                let soak = self.clone();
                std::thread::spawn(move || (0..each).try_for_each(|number| soak.once(number)))
            })
            .collect();
        let (mut seen, mut since) = (0, Instant::now());
        while threads.iter().any(|thread| !thread.is_finished()) {
            let runs = self.runs.load(Ordering::Relaxed);
            if runs != seen {
                (seen, since) = (runs, Instant::now());
            }
            assert!(since.elapsed() < STUCK, "no run ended for {STUCK:?}, after {runs} runs");
            std::thread::sleep(Duration::from_millis(20));
        }
        threads.into_iter().try_for_each(|thread| thread.join().expect("no thread panics"))
    }
}

#[test]
fn runs_from_many_threads() {
    let mut command = Command::new(std::env::current_exe().expect("the path of the tests"));
    let arguments = ["soak::soaked_alone", "--exact", "--nocapture"];
    let output = command.args(arguments).env(ALONE, "1").output().expect("the tests run again");
    let text = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    eprintln!("{text}");
    assert!(output.status.success() && text.contains("runs"), "{text}");
}

/// The runs themselves; counts whatever the process holds.
#[test(part = ALONE)]
fn soaked_alone() -> Result<()> {
    let slow = std::env::var_os("OPLINK_SLOW").is_some();
    let runs = if slow { RUNS[0] } else { RUNS[1] };
    let counter = Session::new(Graph::from_text(COUNTER, Registry::global()?)?, SessionOptions::default())?;
    counter.run(&[], &[], &["init"])?;
    let loops = ["while_v1", "while_v2", "lstm", "lstm_v1"].map(load).into_iter().collect::<Result<_>>()?;
    let soak = Arc::new(Soak { counter, loops, runs: AtomicUsize::new(0) });
    soak.run(runs / 10)?;
    let mut held = vec![counting::held()];
    for _ in 0..ROUNDS {
        soak.run(runs / ROUNDS)?;
        held.push(counting::held());
    }
    let done = soak.runs.load(Ordering::Relaxed);
    eprintln!("{done} runs from {THREADS} threads; held after each round: {held:?} bytes");
    assert_eq!(
        soak.counter.run(&[], &["read"], &[])?[0].to_scalar::<i64>()? as usize,
        done / 3,
        "each run counted once"
    );
    // What is kept for runs at the same time rises until the most have met; a leak grows in every round.
    let is_steady = held.windows(2).any(|round| round[1] <= round[0] + GROWTH);
    assert!(is_steady, "each round left more than {GROWTH} bytes behind: {held:?}");
    Ok(())
}
