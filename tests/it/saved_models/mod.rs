//! SavedModels: those that stock TensorFlow wrote give its results here, those written here give ours there.

mod bad;
mod expected;
mod folder;
mod gradients;
mod reading;
mod training;
mod writing;
