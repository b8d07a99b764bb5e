//! Depends on the crate and never names it.

fn main() {
    println!("{}", collect_report::report());
}
