//! Where the headers of CUDA are that texts include.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

/// The header whose folder is looked for; the others stand beside it.
const HEADER: &str = "cuda_fp16.h";

/// The folder of CUDA's headers: that of the toolkit that `CUDA_HOME` or `CUDA_PATH` names, one beside the compiler's
/// library, or that of a toolkit in its usual place.
pub(crate) fn find() -> Option<PathBuf> {
    candidates().into_iter().find(|folder| folder.join(HEADER).is_file())
}

/// Whether a text needs them.
pub(crate) fn are_needed(text: &str) -> bool {
    text.contains("#include")
}

fn candidates() -> Vec<PathBuf> {
    let toolkits = ["CUDA_HOME", "CUDA_PATH"].iter().filter_map(env::var_os).map(PathBuf::from);
    let mut folders: Vec<PathBuf> = toolkits.map(|toolkit| toolkit.join("include")).collect();
    let maps = fs::read_to_string("/proc/self/maps").unwrap_or_default();
    folders.extend(library_of(&maps).map(beside).unwrap_or_default());
    folders.push(PathBuf::from("/usr/local/cuda/include"));
    folders.push(PathBuf::from("/usr/include"));
    folders
}

/// The compiler's library among the files that are mapped into the process.
fn library_of(maps: &str) -> Option<&Path> {
    let paths = maps.lines().filter_map(|line| line.find('/').map(|start| Path::new(&line[start..])));
    let is_compiler = |path: &&Path| {
        path.file_name().and_then(|name| name.to_str()).is_some_and(|name| name.starts_with("libnvrtc.so"))
    };
    paths.into_iter().find(is_compiler)
}

/// Folders beside a library: of a toolkit, and of Python packages of CUDA 13 and of CUDA 12.
fn beside(library: &Path) -> Vec<PathBuf> {
    let Some(folder) = library.parent() else { return Vec::new() };
    ["../include", "../../include", "../../cuda_runtime/include"].iter().map(|path| folder.join(path)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_compilers_library_is_found_among_mapped_files() {
        let maps = "7f00-7f01 r--p 00000000 fe:00 12   /usr/lib/libc.so.6\n\
                    7f02-7f03 r-xp 00000000 fe:00 13   /opt/some folder/lib/libnvrtc.so.13.0.88\n\
                    7f04-7f05 rw-p 00000000 00:00 0    [heap]\n";
        let library = library_of(maps).expect("found");
        assert_eq!(library, Path::new("/opt/some folder/lib/libnvrtc.so.13.0.88"));
        assert_eq!(beside(library)[0], Path::new("/opt/some folder/lib/../include"));
        assert_eq!(library_of("7f02-7f03 r-xp 0 fe:00 13 /opt/lib/libnvrtc-builtins.so.13.0\n"), None);
    }

    #[test]
    fn texts_that_include_headers_need_them() {
        assert!(are_needed("#include <cuda_fp16.h>\n"));
        assert!(!are_needed("typedef float f32;\n"));
    }
}
