//! Tests of the whole system, through the facade.
//!
//! Tests that build other programs, or need models larger than the repository holds, run where `OPLINK_SLOW` or
//! `OPLINK_MODELS` is set, as in `.ci/run`.

mod arrays;
mod collectors;
mod counting;
mod functions;
mod memory;
mod models;
mod shapes;
mod size;
mod soak;
mod speed;
mod typed_calls;

#[global_allocator]
static ALLOCATOR: counting::Counting = counting::Counting;
