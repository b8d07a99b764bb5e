//! Names of a bundle's files.

use std::path::{Path, PathBuf};

fn with_suffix(prefix: &Path, suffix: &str) -> PathBuf {
    let mut name = prefix.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

/// The index of the bundle `prefix`: `<prefix>.index`.
pub fn index_path(prefix: impl AsRef<Path>) -> PathBuf {
    with_suffix(prefix.as_ref(), ".index")
}

/// A data file of the bundle `prefix`: `<prefix>.data-SSSSS-of-NNNNN`.
pub fn data_path(prefix: impl AsRef<Path>, shard: u32, num_shards: u32) -> PathBuf {
    with_suffix(prefix.as_ref(), &format!(".data-{shard:05}-of-{num_shards:05}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        assert_eq!(index_path("a/model.ckpt-3"), Path::new("a/model.ckpt-3.index"));
        assert_eq!(data_path("a/model.ckpt-3", 1, 12), Path::new("a/model.ckpt-3.data-00001-of-00012"));
        assert_eq!(data_path("m", 123_456, 1_234_567), Path::new("m.data-123456-of-1234567"));
    }
}
