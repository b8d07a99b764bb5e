//! Random numbers, TensorFlow's for the same seeds.
//!
//! The ops with attrs `seed` and `seed2` hold a generator in their node, which goes on from run to run: the numbers of
//! a session's first run, of its second and so on are TensorFlow's; with both seeds 0 each node has a sequence that
//! nobody can foretell. The stateless ops compute their output from their inputs alone.
#![deny(unsafe_code)]
#![allow(clippy::inline_always, reason = "a loop is vectorised for an instruction set only with its body inlined")]
#![allow(clippy::return_self_not_must_use, reason = "arithmetic that nobody calls for an effect")]
#![cfg_attr(test, allow(clippy::approx_constant, reason = "tables hold what TensorFlow printed"))]

pub mod binomial;
mod box_muller;
pub mod candidates;
pub mod clustering;
mod cut_normal;
pub mod filling;
pub mod gamma;
pub mod index_shuffle;
pub mod key_counter;
mod lanes;
pub mod multinomial;
pub mod parameterized_truncated_normal;
pub mod poisson;
mod position;
mod range_sampler;
mod sampling;
pub mod shuffle;
pub mod sobol;
pub mod standard_normal;
pub mod stateful;
pub mod stochastic_cast;
pub mod truncated_normal;
pub mod uniform;
pub mod uniform_full_int;
pub mod uniform_int;
mod vocabulary;

pub use binomial::*;
pub use candidates::*;
pub use clustering::*;
pub use gamma::*;
pub use index_shuffle::*;
pub use key_counter::*;
pub use multinomial::*;
pub use parameterized_truncated_normal::*;
pub use poisson::*;
pub use shuffle::*;
pub use sobol::*;
pub use standard_normal::*;
pub use stateful::*;
pub use stochastic_cast::*;
pub use truncated_normal::*;
pub use uniform::*;
pub use uniform_full_int::*;
pub use uniform_int::*;

oplink::anchor!(ops = 0, kernels = 52);
