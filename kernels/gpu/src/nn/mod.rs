//! Layers of neural networks.

mod l2_loss;
mod softmax;

pub use l2_loss::*;
pub use softmax::*;
