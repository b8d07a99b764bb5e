//! Images: resizing, cropping, boxes, colours, file formats.
#![deny(unsafe_code)]
#![allow(clippy::inline_always, reason = "a loop is vectorised for an instruction set only with its body inlined")]
#![cfg_attr(test, allow(clippy::approx_constant, reason = "tables hold what TensorFlow printed"))]

mod boxes;
mod codecs;
mod colors;
mod combined_suppression;
mod contrast;
mod crop_and_resize;
mod crop_gradients;
mod floats;
mod glimpse;
mod hsv;
mod non_max_suppression;
pub mod pixel;
mod projective_transform;
mod random_crops;
mod resize;
mod scale_and_translate;

pub use boxes::*;
pub use codecs::*;
pub use colors::*;
pub use combined_suppression::*;
pub use contrast::*;
pub use crop_and_resize::*;
pub use crop_gradients::*;
pub use glimpse::*;
pub use hsv::*;
pub use non_max_suppression::*;
pub use projective_transform::*;
pub use random_crops::*;
pub use resize::*;
pub use scale_and_translate::*;

oplink::anchor!(ops = 0, kernels = 46);
