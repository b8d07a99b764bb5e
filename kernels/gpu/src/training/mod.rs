//! Optimisers: one step of a variable's update.
