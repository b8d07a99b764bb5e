//! Optimisers: one step of a variable's update.

mod rows;
mod slots;

pub mod adagrad;
pub mod adam;
pub mod descent;
pub mod ftrl;
pub mod rms_prop;
pub mod sparse;
