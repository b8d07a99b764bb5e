//! The repository's own files.

use std::fs;
use std::path::{Path, PathBuf};

/// One source file.
pub(crate) struct Source {
    /// Path from the repository root, with `/`.
    pub(crate) path: String,
    /// Content.
    pub(crate) text: String,
}

/// The repository root.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().map(Path::to_path_buf).unwrap_or_default()
}

/// All Rust sources outside build folders, in path order.
pub(crate) fn rust_files() -> Vec<Source> {
    files(&|path| path.extension().is_some_and(|extension| extension == "rs"))
}

/// All files of text outside build folders, in path order.
pub(crate) fn text_files() -> Vec<Source> {
    files(&|_| true)
}

/// The wanted files of text.
fn files(wanted: &dyn Fn(&Path) -> bool) -> Vec<Source> {
    let root = root();
    let mut files = Vec::new();
    collect(&root, &root, wanted, &mut files);
    files.sort_by(|a, b| a.path.cmp(&b.path));
    files
}

fn collect(root: &Path, folder: &Path, wanted: &dyn Fn(&Path) -> bool, files: &mut Vec<Source>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for path in entries.flatten().map(|entry| entry.path()) {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if path.is_dir() {
            if name != "target" && name != ".git" {
                collect(root, &path, wanted, files);
            }
        } else if wanted(&path)
            && let Ok(text) = fs::read_to_string(&path)
        {
            let path = path.strip_prefix(root).unwrap_or(&path).to_string_lossy().replace('\\', "/");
            files.push(Source { path, text });
        }
    }
}
