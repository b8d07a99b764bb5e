//! Random numbers, TensorFlow's for the same seeds.

pub mod draws;
mod gamma;
mod key_counter;
mod multinomial;
mod shuffle;
mod standard_normal;
mod truncated_normal;
mod uniform;
mod uniform_full_int;
mod uniform_int;

pub use gamma::*;
pub use key_counter::*;
pub use multinomial::*;
pub use shuffle::*;
pub use standard_normal::*;
pub use truncated_normal::*;
pub use uniform::*;
pub use uniform_full_int::*;
pub use uniform_int::*;
