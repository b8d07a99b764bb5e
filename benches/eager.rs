//! What a call costs beyond its kernel: the scalar sum, from the bare function to the call by name. The result's
//! release counts, so that each call finds the memory of the one before.

use divan::Bencher;

#[path = "support/add.rs"]
mod add;

use add::Add;

fn main() {
    divan::main();
}

#[divan::bench(sample_size = 1000)]
fn bare(bencher: Bencher<'_, '_>) {
    let mut add = Add::new().expect("the sum is linked");
    bencher.bench_local(|| drop(divan::black_box(add.bare())));
}

#[divan::bench(sample_size = 1000)]
fn prepared(bencher: Bencher<'_, '_>) {
    let mut add = Add::new().expect("the sum is linked");
    bencher.bench_local(|| drop(divan::black_box(add.prepared())));
}

#[divan::bench(sample_size = 1000)]
fn handle(bencher: Bencher<'_, '_>) {
    let add = Add::new().expect("the sum is linked");
    bencher.bench_local(|| drop(divan::black_box(add.handle())));
}

#[divan::bench(sample_size = 1000)]
fn typed(bencher: Bencher<'_, '_>) {
    let add = Add::new().expect("the sum is linked");
    bencher.bench_local(|| drop(divan::black_box(add.typed())));
}

#[divan::bench(sample_size = 1000)]
fn by_name(bencher: Bencher<'_, '_>) {
    let add = Add::new().expect("the sum is linked");
    bencher.bench_local(|| drop(divan::black_box(add.by_name())));
}
