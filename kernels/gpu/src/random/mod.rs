//! Random numbers: the sequences of the CPU's kernels, which are TensorFlow's.
//!
//! Uniform numbers and integers are those of the CPU bit for bit, normal ones up to the last places. Shapes, seeds,
//! keys, counters and bounds are in host memory, and so is a stateful node's position in its sequence: a run moves it
//! on without waiting for the device. A thread computes a group of numbers from the group's own position.

mod box_muller;
mod integers;
pub mod key_counter;
mod normal;
mod philox;
pub mod shuffle;
pub mod stateful;
pub mod stateless;
mod truncated;
mod uniform;
