//! Layers of neural networks.

mod activation;
mod bias;
mod convolution;
mod loss;
mod normalization;
mod pooling;
mod quantization;
