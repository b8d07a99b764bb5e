//! Steps of loops ask the system for no memory: what one frees, the next one takes. Products of matrices are the
//! exception, whose scratch memory the crate `gemm` asks for at each.

use oplink::graph::{Callable, Graph, Session, SessionOptions};
use oplink::runtime::Registry;
use oplink::{Result, Tensor};

use crate::arrays::{Archive, repository};
use crate::counting::requests;

/// Runs after which every block that a run needs has been there.
const RUNS_BEFORE: usize = 4;

fn model(name: &str, feeds: &[&str]) -> Result<(Callable, Archive)> {
    let archive = Archive::open(&repository(&format!("tests/models/{name}.npz")));
    let graph = Graph::load(repository(&format!("tests/models/{name}.pb")), Registry::global()?)?;
    let options = SessionOptions { intra_op_threads: 1, ..SessionOptions::default() };
    Ok((Session::new(graph, options)?.prepare(feeds, &["Identity:0"], &[])?, archive))
}

/// The requests of a run, once its like has run before.
fn requests_of_run(callable: &Callable, feeds: &[Tensor]) -> Result<usize> {
    for _ in 0..RUNS_BEFORE {
        callable.run(feeds)?;
    }
    let before = requests();
    callable.run(feeds)?;
    Ok(requests() - before)
}

#[test]
fn an_iteration_of_a_loop_with_a_condition_inside_asks_for_no_memory() -> Result<()> {
    for name in ["while_v1", "while_v2"] {
        let (callable, mut archive) = model(name, &["x:0", "n:0"])?;
        let x = archive.read_any("in:x:0");
        let of = |steps: i32| requests_of_run(&callable, &[x.clone(), Tensor::scalar(steps)]);
        let (few, many) = (of(5)?, of(205)?);
        println!("{name}: {few} requests for 5 iterations, {many} for 205");
        assert!(many <= few, "{name}: {few} requests for 5 iterations, {many} for 205");
    }
    Ok(())
}

#[test]
fn a_step_of_a_recurrent_layer_asks_for_no_memory_but_that_of_its_products() -> Result<()> {
    /// Steps of the two layers.
    const STEPS: usize = 2 * 20;
    /// Requests for the scratch memory of a step's products, and what a run has beside its steps.
    const OF_PRODUCTS: usize = 5;
    for name in ["lstm", "lstm_v1"] {
        let (callable, mut archive) = model(name, &["a:0"])?;
        let count = requests_of_run(&callable, &[archive.read_any("in:a:0")])?;
        println!("{name}: {count} requests for {STEPS} steps");
        assert!(count < OF_PRODUCTS * STEPS, "{name}: {count} requests for {STEPS} steps");
    }
    Ok(())
}
