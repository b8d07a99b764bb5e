//! The crate behind a C function.

oplink_api::link!(collect_ops);

/// Prints the report.
#[unsafe(no_mangle)]
pub extern "C" fn collect_report_print() {
    println!("{}", collect_report::report());
}
