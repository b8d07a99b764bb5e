//! The registry: finding a kernel, and sealing.

use divan::Bencher;
use oplink::runtime::{Registry, RegistryBuilder};

#[path = "support/declarations.rs"]
mod declarations;
#[path = "support/lookups.rs"]
mod lookups;

use declarations::Declarations;

fn main() {
    divan::main();
}

/// The kernel of one node, again and again.
#[divan::bench(sample_size = 1000)]
fn find_one(bencher: Bencher<'_, '_>) {
    let registry = Registry::global().expect("the kernels are linked");
    let nodes = lookups::nodes(registry);
    let add = nodes.iter().find(|node| node.op.name == "AddV2").expect("AddV2 is linked");
    bencher.bench(|| lookups::find(registry, divan::black_box(add)));
}

/// The kernel of each built-in op in turn, the last of its combinations of dtypes.
#[divan::bench(sample_size = 1000)]
fn find_in_turn(bencher: Bencher<'_, '_>) {
    let registry = Registry::global().expect("the kernels are linked");
    let nodes = lookups::nodes(registry);
    let mut node = nodes.iter().cycle();
    bencher.bench_local(|| node.next().map(|node| lookups::find(registry, node)));
}

/// 1,000 kernels of 500 ops.
#[divan::bench(sample_count = 300)]
fn seal_1000(bencher: Bencher<'_, '_>) {
    let all = Declarations::new();
    assert_eq!(all.num_kernels(), 1000);
    bencher.with_inputs(|| all.builder()).bench_values(RegistryBuilder::seal);
}

/// Everything that is built in.
#[divan::bench(sample_count = 300)]
fn seal_built_in(bencher: Bencher<'_, '_>) {
    bencher.with_inputs(RegistryBuilder::from_collected).bench_values(RegistryBuilder::seal);
}
