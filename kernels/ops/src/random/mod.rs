//! Random numbers, TensorFlow's for the same seeds.

mod binomial;
mod candidates;
mod clustering;
pub mod draws;
mod gamma;
mod key_counter;
mod multinomial;
mod parameterized_truncated_normal;
mod poisson;
mod shapes;
mod shuffle;
mod sobol;
mod standard_normal;
mod stateful;
mod stochastic_cast;
mod truncated_normal;
mod uniform;
mod uniform_full_int;
mod uniform_int;

pub use binomial::*;
pub use candidates::*;
pub use clustering::*;
pub use gamma::*;
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
