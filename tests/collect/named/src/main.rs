//! Names the crate in code.

fn main() {
    collect_ops::named();
    println!("{}", collect_report::report());
}
