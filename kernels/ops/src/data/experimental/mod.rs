//! Ops by the names that they had first.

mod a_to_m;
mod m_to_z;

pub use a_to_m::*;
pub use m_to_z::*;
