//! Images: resizing, boxes cut from them, colours. Computed in f32, as on the CPU; the geometry is that of
//! `oplink_ops::image::geometry`.
#![allow(
    clippy::manual_clamp,
    clippy::manual_is_multiple_of,
    clippy::manual_range_contains,
    reason = "programs have the operators of GPU languages, and NaN becomes 0"
)]

mod colors;
mod contrast;
mod crop_and_resize;
mod crop_gradients;
mod hsv;
mod interpolation;
mod resize_bilinear;
mod resize_gradients;
mod resize_nearest;

pub use colors::*;
pub use contrast::*;
pub use crop_and_resize::*;
pub use crop_gradients::*;
pub use hsv::*;
pub use resize_bilinear::*;
pub use resize_gradients::*;
pub use resize_nearest::*;
