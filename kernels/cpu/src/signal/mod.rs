//! Fourier transforms.
