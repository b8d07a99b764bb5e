//! Where the cases stand: the files beside the tests of the CPU's kernels.

use std::path::PathBuf;

use oplink_test_harness::package_folder;

/// Files of another form, which are looked at by the kernels' own tests: runs of one kernel, compressed pictures, and
/// what ops read.
const OTHERS: &[&str] = &["random_runs", "string_images", "vocabulary", "vocabulary_empty", "vocabulary_twice"];

/// The file of expected failures of a kind of device.
pub(crate) fn expected(kind: &str) -> PathBuf {
    package_folder("tests/devices", env!("CARGO_MANIFEST_DIR")).join(format!("expected/{kind}.txt"))
}

/// A file of cases.
pub(crate) struct Source {
    pub(crate) name: String,
    pub(crate) text: String,
}

/// All files of cases and of programs, by name. A file of programs begins with a title; one of shapes says so in its
/// name.
///
/// # Panics
/// Where they cannot be read.
pub(crate) fn sources() -> Vec<Source> {
    let package = package_folder("tests/devices", env!("CARGO_MANIFEST_DIR")).join("../../kernels/cpu");
    // Cases name files from there.
    std::env::set_current_dir(&package).expect("the package of the kernels");
    let folder = package.join("tests/oracle");
    let mut sources: Vec<Source> = Vec::new();
    for entry in std::fs::read_dir(&folder).expect("the folder of cases") {
        let path = entry.expect("the folder of cases").path();
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let of_cases = path.extension().is_some_and(|extension| extension == "txt")
            && !name.ends_with("_shapes")
            && !OTHERS.contains(&&*name);
        if of_cases {
            let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            sources.push(Source { name, text });
        }
    }
    sources.sort_by(|a, b| a.name.cmp(&b.name));
    sources
}
