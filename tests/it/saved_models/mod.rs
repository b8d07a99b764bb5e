//! SavedModels: those that stock TensorFlow wrote give its results here, those written here give ours there.

mod expected;
mod reading;
