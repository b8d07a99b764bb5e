//! Every device against what TensorFlow computes.

mod suite;
