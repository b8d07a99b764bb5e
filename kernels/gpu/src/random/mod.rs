//! Random numbers, TensorFlow's for the same seeds.
