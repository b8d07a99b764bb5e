//! Tests of values, contexts, and what `#[op]` and `#[kernel]` expand to.

extern crate oplink_api as oplink;

mod device;
mod macros;
mod memory;
mod shapes;
mod tensor;
mod values;
