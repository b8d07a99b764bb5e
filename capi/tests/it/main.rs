//! Tests of the exported functions, called in this process as a client in C calls them.
#![allow(unsafe_code, reason = "room: the C ABI")]
#![allow(clippy::undocumented_unsafe_blocks, reason = "each test is a client that keeps the API's contract")]

mod client;

mod clusters;
mod custom_devices;
mod eager;
#[path = "../../../tests/it/saved_models/expected.rs"]
mod expected;
mod experimental;
mod functions;
mod gradients;
mod graphs;
mod imports;
mod loops;
mod misuse;
mod nulls;
mod nulls_experimental;
mod queues;
mod saved_model;
mod sessions;
mod threads;
mod training;
