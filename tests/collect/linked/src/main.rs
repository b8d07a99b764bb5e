//! Names the crate by `link!` alone.

oplink_api::link!(collect_ops);

fn main() {
    println!("{}", collect_report::report());
}
