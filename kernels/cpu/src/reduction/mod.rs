//! Sums, products, extrema and scans along axes.
//!
//! `layout`, `engine`, `reduced` and `kept` serve the ops that make one value of all elements over axes, `axis` serves
//! the ops along one axis, `segments` those over rows by segment.

pub mod all;
pub mod any;
pub mod arg_extremum;
pub mod arg_max;
pub mod arg_min;
mod axis;
pub mod cumprod;
pub mod cumsum;
pub mod cumulative_logsumexp;
mod engine;
pub mod euclidean_norm;
mod kept;
mod layout;
pub mod max;
pub mod mean;
pub mod min;
pub mod prod;
mod reduced;
mod scan;
pub mod segments;
mod strands;
pub mod sum;
pub mod top_k;
pub mod top_k_v2;

pub use all::*;
pub use any::*;
pub use arg_max::*;
pub use arg_min::*;
pub use cumprod::*;
pub use cumsum::*;
pub use cumulative_logsumexp::*;
pub use euclidean_norm::*;
pub use max::*;
pub use mean::*;
pub use min::*;
pub use prod::*;
pub use segments::*;
pub use sum::*;
pub use top_k::*;
pub use top_k_v2::*;
