//! Blocks of images moved between space, depth and batch, and patches.

pub mod batch_to_space;
pub mod depth_to_space;
pub mod extract_image_patches;
pub mod extract_volume_patches;
mod layout;
pub mod space_to_batch;

pub use batch_to_space::*;
pub use depth_to_space::*;
pub use extract_image_patches::*;
pub use extract_volume_patches::*;
pub use space_to_batch::*;
