//! Explicit lists behind a C function.

use collect_ops::first::FIRST;
use collect_ops::second::SECOND;
use oplink_core::RegistryBuilder;

/// Prints what the lists hold.
#[unsafe(no_mangle)]
pub extern "C" fn collect_report_print() {
    match RegistryBuilder::empty().library(&FIRST).library(&SECOND).seal() {
        Ok(registry) => println!("ops={} kernels={}", registry.ops().count(), registry.kernels().count()),
        Err(error) => println!("error {:?}: {}", error.kind(), error.message()),
    }
}
