//! Compiled programs on disk, by the content that they were compiled from.
//!
//! A file has the whole of that content in it, so that it serves for nothing else, and a checksum, so that a damaged
//! one is passed over. A folder that cannot be read or written is no error: programs are compiled anew.

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// What files start with; the digit is that of the format.
const MAGIC: &[u8; 8] = b"oplinkc1";

/// A folder of compiled programs of one kind.
#[derive(Debug)]
pub struct ProgramCache {
    folder: Option<PathBuf>,
}

impl ProgramCache {
    /// The folder `kind` under `OPLINK_CACHE_DIR`, or else under the user's folder for caches. Where there is neither,
    /// nothing is kept.
    pub fn new(kind: &str) -> Self {
        Self { folder: root().map(|root| root.join(kind)) }
    }

    /// A folder of its own.
    pub fn in_folder(folder: PathBuf) -> Self {
        Self { folder: Some(folder) }
    }

    /// What was compiled from `content`; `None` where it is not here, or damaged.
    pub fn read(&self, content: &[u8]) -> Option<Vec<u8>> {
        let bytes = fs::read(self.path(content)?).ok()?;
        let rest = bytes.strip_prefix(MAGIC)?;
        let (length, rest) = rest.split_at_checked(8)?;
        let length = usize::try_from(u64::from_le_bytes(length.try_into().ok()?)).ok()?;
        let (same, rest) = rest.split_at_checked(length)?;
        let (sum, compiled) = rest.split_at_checked(8)?;
        let is_whole = same == content && sum == checksum(compiled).to_le_bytes();
        is_whole.then(|| compiled.to_vec())
    }

    /// Keeps what was compiled from `content`. The file gets its name when it is whole.
    pub fn write(&self, content: &[u8], compiled: &[u8]) {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let Some(path) = self.path(content) else { return };
        let Some(folder) = path.parent() else { return };
        let (length, sum) = ((content.len() as u64).to_le_bytes(), checksum(compiled).to_le_bytes());
        let bytes: [&[u8]; 5] = [MAGIC, &length, content, &sum, compiled];
        let unfinished = path.with_extension(format!("{}-{}", std::process::id(), NUMBER.fetch_add(1, Relaxed)));
        let written = fs::create_dir_all(folder).and_then(|()| fs::write(&unfinished, bytes.concat()));
        if written.and_then(|()| fs::rename(&unfinished, &path)).is_err() {
            let _ = fs::remove_file(&unfinished);
        }
    }

    fn path(&self, content: &[u8]) -> Option<PathBuf> {
        Some(self.folder.as_ref()?.join(format!("{:016x}", checksum(content))))
    }
}

fn root() -> Option<PathBuf> {
    let folder = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    if let Some(own) = folder("OPLINK_CACHE_DIR") {
        return Some(own);
    }
    let of_user = if cfg!(windows) {
        folder("LOCALAPPDATA")
    } else if cfg!(target_os = "macos") {
        folder("HOME").map(|home| home.join("Library/Caches"))
    } else {
        folder("XDG_CACHE_HOME").or_else(|| folder("HOME").map(|home| home.join(".cache")))
    };
    Some(of_user?.join("oplink"))
}

/// FNV-1a in 64 bits: it tells damage, not malice.
fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |sum, byte| (sum ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cache(name: &str) -> ProgramCache {
        let folder = std::env::temp_dir().join(format!("oplink-cache-{}-{name}", std::process::id()));
        ProgramCache { folder: Some(folder) }
    }

    #[test]
    fn gives_what_was_kept() {
        let cache = cache("kept");
        assert_eq!(cache.read(b"text"), None);
        cache.write(b"text", b"compiled");
        cache.write(b"other text", b"");
        assert_eq!(cache.read(b"text").as_deref(), Some(b"compiled".as_slice()));
        assert_eq!(cache.read(b"other text").as_deref(), Some([].as_slice()));
        fs::remove_dir_all(cache.folder.expect("a folder")).expect("the folder was written");
    }

    #[test]
    fn passes_over_damage() {
        let cache = cache("damaged");
        cache.write(b"text", b"compiled");
        let path = cache.path(b"text").expect("a path");
        let whole = fs::read(&path).expect("a file");
        for at in 0..whole.len() {
            let mut damaged = whole.clone();
            damaged[at] ^= 1;
            fs::write(&path, &damaged).expect("writable");
            assert_eq!(cache.read(b"text"), None, "byte {at} is wrong");
            fs::write(&path, &whole[..at]).expect("writable");
            assert_eq!(cache.read(b"text"), None, "{at} bytes are left");
        }
        fs::remove_dir_all(cache.folder.expect("a folder")).expect("the folder was written");
    }

    #[test]
    fn a_folder_that_cannot_be_written_is_no_error() {
        let file = std::env::temp_dir().join(format!("oplink-cache-{}-file", std::process::id()));
        fs::write(&file, b"").expect("writable");
        let cache = ProgramCache { folder: Some(file.join("below")) };
        cache.write(b"text", b"compiled");
        assert_eq!(cache.read(b"text"), None);
        assert_eq!(ProgramCache { folder: None }.read(b"text"), None);
        fs::remove_file(file).expect("the file was written");
    }
}
