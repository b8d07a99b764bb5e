//! Optimisers: one step of a variable's update.

mod slots;

pub mod adagrad;
pub mod adam;
pub mod descent;
pub mod rms_prop;
