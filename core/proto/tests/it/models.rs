//! The files that other tests read.

use std::path::{Path, PathBuf};

/// Graphs that TensorFlow wrote, under 3 MB each.
pub(crate) const GRAPHS: [&str; 7] =
    ["digits/digits.pb", "lstm.pb", "lstm_v1.pb", "mlp_train.pb", "transformer.pb", "while_v1.pb", "while_v2.pb"];

/// The bytes of one of the models that the whole repository shares.
pub(crate) fn model(name: &str) -> Vec<u8> {
    read(&root().join("../../tests/models").join(name))
}

/// The bytes of one of this crate's test files.
pub(crate) fn data(name: &str) -> Vec<u8> {
    read(&root().join("tests/data").join(name))
}

/// The text of one of this crate's test files.
pub(crate) fn data_text(name: &str) -> String {
    String::from_utf8(data(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
}

/// The crate's folder.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &PathBuf) -> Vec<u8> {
    std::fs::read(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}
