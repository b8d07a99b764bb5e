//! The costs that are promised: of an eager call, of a node, of a lookup, of sealing; and what threads must save.
//!
//! Measured where `OPLINK_SPEED` is set, optimised: `OPLINK_SPEED=1 cargo test --release -p oplink-speed-tests`, among
//! all built-in kernels with `--features full`. Each figure is the best of many short batches, so that other work
//! counts as little as it can; what is asserted leaves three times the promise, for machines that are slower, or share
//! their caches.

#[macro_use(test)]
extern crate oplink_test_harness;

use std::hint::black_box;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use oplink::graph::{Callable, Graph, Session, SessionOptions};
use oplink::ops::{add_v2, mat_mul, tanh};
use oplink::runtime::Registry;
use oplink::{DType, Output, PartialShape, Result, Tensor};

#[path = "../../../benches/support/add.rs"]
#[allow(dead_code, reason = "the benchmarks call in more ways")]
mod add;
#[path = "../../../benches/support/declarations.rs"]
mod declarations;
#[path = "../../../benches/support/lookups.rs"]
mod lookups;

use add::Add;
use declarations::Declarations;

/// What a slower machine may take beyond the promise.
const MARGIN: f64 = 3.0;

/// Nanoseconds that a call by cached handle may take beyond the bare kernel call.
const HANDLE: f64 = 150.0;
/// Nanoseconds that a call by the op's type may take beyond it.
const TYPED: f64 = 100.0;
/// Nanoseconds that a call by the op's name may take beyond it.
const BY_NAME: f64 = 120.0;
/// Nanoseconds that a node of a chain of scalar sums may take, its kernel included.
const NODE: f64 = 70.0;
/// Nanoseconds that a lookup among all built-in kernels may take.
const LOOKUP: f64 = 50.0;
/// Nanoseconds that sealing 1,000 kernels may take.
const SEAL: f64 = 2e6;

oplink_test_harness::main!();

static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// Held while a test measures.
fn measuring() -> MutexGuard<'static, ()> {
    ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Nanoseconds of one call, in the best of `batches` batches of `calls`.
fn best(batches: usize, calls: usize, mut call: impl FnMut()) -> f64 {
    let batch = |_| {
        let start = Instant::now();
        (0..calls).for_each(|_| call());
        start.elapsed().as_nanos() as f64 / calls as f64
    };
    (0..batches).map(batch).fold(f64::INFINITY, f64::min)
}

fn assert_within(what: &str, have: f64, promised: f64) {
    eprintln!("{what}: {have:.0} ns, promised {promised:.0} ns");
    assert!(have <= MARGIN * promised, "{what}: {have:.0} ns, promised {promised:.0} ns, at most {MARGIN} times that");
}

#[test(Speed)]
fn a_call_by_handle_costs_little_beyond_its_kernel() -> Result<()> {
    let _alone = measuring();
    let mut add = Add::new()?;
    let bare = best(500, 1000, || assert!(black_box(add.bare()).is_ok()));
    let handle = best(500, 1000, || assert!(black_box(add.handle()).is_ok()));
    assert_within("call by handle beyond its kernel", handle - bare, HANDLE);
    Ok(())
}

#[test(Speed)]
fn calls_by_type_and_by_name_cost_little_beyond_their_kernel() -> Result<()> {
    let _alone = measuring();
    let mut add = Add::new()?;
    let bare = best(500, 1000, || assert!(black_box(add.bare()).is_ok()));
    let typed = best(500, 1000, || assert!(black_box(add.typed()).is_ok()));
    let by_name = best(500, 1000, || assert!(black_box(add.by_name()).is_ok()));
    assert_within("call by type beyond its kernel", typed - bare, TYPED);
    assert_within("call by name beyond its kernel", by_name - bare, BY_NAME);
    Ok(())
}

#[test(Speed)]
fn a_node_costs_little_beyond_its_kernel() -> Result<()> {
    const NODES: usize = 1000;
    let _alone = measuring();
    let mut graph = Graph::new(Registry::global()?);
    let x = graph.scope().placeholder("x", DType::Float, PartialShape::new(&[]))?;
    let sum = (0..NODES).try_fold(x, |sum, _| add_v2(&mut graph.scope(), sum, x))?;
    let call = prepare(graph, sum, 1)?;
    let run = best(500, 1, || assert!(call.run(&[Tensor::scalar(1.0f32)]).is_ok()));
    assert_within("node of a chain", run / NODES as f64, NODE);
    Ok(())
}

/// The shape of the matrices in branches. A product of two takes some twenty microseconds, which is enough to be given
/// to another thread.
const BRANCH: [usize; 2] = [128, 128];

/// Blocks of four branches of products.
fn branches(threads: usize) -> Result<Callable> {
    let (mut graph, shape) = (Graph::new(Registry::global()?), BRANCH);
    let mut x = graph.scope().placeholder("x", DType::Float, PartialShape::new(&shape.map(Some)))?;
    for block in 0..24u16 {
        let mut sum = None;
        for branch in 0..4u16 {
            let weights = Tensor::full(shape, f32::from(block * 4 + branch + 1) * 1e-4);
            let first = mat_mul(&mut graph.scope(), x, &weights)?;
            let product = mat_mul(&mut graph.scope(), first, &weights)?;
            sum = Some(match sum {
                Some(sum) => add_v2(&mut graph.scope(), sum, product)?,
                None => product,
            });
        }
        x = tanh(&mut graph.scope(), sum.unwrap_or(x))?;
    }
    prepare(graph, x, threads)
}

fn prepare(graph: Graph, fetch: Output, threads: usize) -> Result<Callable> {
    let name = graph.output_name(fetch);
    let options = SessionOptions { intra_op_threads: threads, ..SessionOptions::default() };
    Session::new(graph, options)?.prepare(&["x:0"], &[&name], &[])
}

#[test(Speed)]
fn branches_of_small_nodes_gain_from_a_second_thread() -> Result<()> {
    let _alone = measuring();
    let x = [Tensor::full(BRANCH, 0.5f32)];
    let [one, two] = [branches(1)?, branches(2)?].map(|call| best(200, 1, || assert!(call.run(&x).is_ok())));
    eprintln!("branches: {one:.0} ns with one thread, {two:.0} with two");
    assert!(two < 0.9 * one, "branches take {one:.0} ns with one thread, {two:.0} with two");
    Ok(())
}

#[test(Speed)]
fn a_kernel_is_found_fast_among_all() -> Result<()> {
    let _alone = measuring();
    let registry = Registry::global()?;
    let nodes = lookups::nodes(registry);
    assert!(nodes.len() > 150, "{} kernels", nodes.len());
    let each = |node| assert!(lookups::find(registry, black_box(node)).is_ok());
    let all = best(500, 10, || nodes.iter().for_each(each));
    assert_within("lookup", all / nodes.len() as f64, LOOKUP);
    Ok(())
}

#[test(Speed)]
fn a_thousand_kernels_are_sealed_fast() {
    let _alone = measuring();
    let all = Declarations::new();
    assert_eq!(all.num_kernels(), 1000);
    let gathered = best(100, 1, || drop(black_box(all.builder())));
    let sealed = best(100, 1, || assert!(all.builder().seal().is_ok()));
    assert_within("sealing 1,000 kernels", sealed - gathered, SEAL);
}
