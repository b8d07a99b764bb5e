//! Layers of neural networks.
