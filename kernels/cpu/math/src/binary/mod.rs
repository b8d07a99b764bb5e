//! Functions of two tensors.

mod add;
mod cross;
mod div;
mod div_no_nan;
mod floor_div;
mod floor_mod;
mod modulo;
mod next_after;
mod pow;
mod real_div;
mod squared_difference;
mod truncate_div;
mod truncate_mod;
mod xdivy;
mod xlog1py;
mod xlogy;

pub use div::*;
pub use floor_div::*;
pub use floor_mod::*;
pub use modulo::*;
pub use pow::*;
pub use real_div::*;
pub use truncate_div::*;
pub use truncate_mod::*;
