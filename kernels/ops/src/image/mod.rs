//! Images: resizing, cropping, boxes, colours, file formats.

mod boxes;
mod codecs;
mod colors;
mod crop_and_resize;
pub mod geometry;
mod non_max_suppression;
mod projective_transform;
mod random_crops;
mod resize;
mod scale_and_translate;
mod sized;

pub use boxes::*;
pub use codecs::*;
pub use colors::*;
pub use crop_and_resize::*;
pub use non_max_suppression::*;
pub use projective_transform::*;
pub use random_crops::*;
pub use resize::*;
pub use scale_and_translate::*;
