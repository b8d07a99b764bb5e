//! The kernels of `nn`.

mod softmax;
