//! Layers of neural networks.

mod activation;
mod bias;
mod convolution;
mod layer_norm;
mod loss;
mod normalization;
mod normalization_grad;
mod pooling;
mod quantization;
mod recurrent;
