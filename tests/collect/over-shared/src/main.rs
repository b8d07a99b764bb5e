//! Uses the shared library.

fn main() {
    println!("{}", collect_shared::report());
}
