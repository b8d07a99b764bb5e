//! Folders for tests, and the fixtures.

use std::fs;
use std::path::{Path, PathBuf};

/// A folder that is removed when dropped.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new(test: &str) -> Self {
        let path = std::env::temp_dir().join(format!("oplink-bundle-{}-{test}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    pub(crate) fn join(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// Names of the files in it, in order.
    pub(crate) fn names(&self) -> Vec<String> {
        let names = fs::read_dir(&self.0).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<_> = names.collect();
        names.sort();
        names
    }

    /// Names and contents of the files in it, in order.
    pub(crate) fn contents(&self) -> Vec<(String, Vec<u8>)> {
        let read = |name: String| {
            let path = self.join(&name);
            let bytes = if path.is_dir() { Vec::new() } else { fs::read(path).unwrap() };
            (name, bytes)
        };
        self.names().into_iter().map(read).collect()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A file or prefix that TensorFlow wrote.
pub(crate) fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name)
}

/// The file `prefix` + `end` of a bundle.
pub(crate) fn read(prefix: &Path, end: &str) -> Vec<u8> {
    let mut path = prefix.as_os_str().to_owned();
    path.push(end);
    fs::read(path).unwrap()
}

/// Fails unless two bundles are of the same bytes.
#[track_caller]
pub(crate) fn assert_same_files(ours: &Path, theirs: &Path, shards: usize) {
    assert_eq!(read(ours, ".index"), read(theirs, ".index"), "index");
    for shard in 0..shards {
        let end = format!(".data-{shard:05}-of-{shards:05}");
        assert_eq!(read(ours, &end), read(theirs, &end), "{end}");
    }
}
