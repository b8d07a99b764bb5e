//! Integration tests of the runtime's foundation: sealing, lookup and misses, node construction, runs, memory.

#![allow(clippy::needless_raw_string_hashes, reason = "the form that expect-test writes")]
#![allow(clippy::unnecessary_wraps, clippy::trivially_copy_pass_by_ref, reason = "the signatures of kernels")]

mod allocator;
mod anchors;
mod defaults;
mod device_memory;
mod device_names;
mod device_run;
mod devices;
mod fixture;
mod host_fallback;
mod miss;
mod node;
mod order;
mod pinned;
mod pool;
mod run;
mod sealing;
mod tensorflow_ops;
mod valid_extension;
