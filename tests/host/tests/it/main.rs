//! Plugins in C, built with the system's compiler and loaded into the runtime.

mod concurrency;
mod devices;
mod eager;
mod exports;
mod files;
mod gradients;
mod graphs;
mod handles;
mod load;
mod misuse;
mod refusals;
mod reports;
mod support;
mod variables;
