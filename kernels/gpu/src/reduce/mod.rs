//! Reductions over any axes: the dimensions that matter (`layout`), how many threads share the work (`plan`), the
//! programs (`program`, and `sums` for what several families need), and their launches (`run`).

mod layout;
mod plan;
pub(crate) mod program;
mod run;
pub(crate) mod sums;

pub(crate) use layout::{Layout, MOST_ELEMENTS};
pub(crate) use run::{Fold, Geometry, Reduction, Steps, fold};
