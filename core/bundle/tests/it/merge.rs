//! Merged bundles are those that TensorFlow makes, and a merge that fails changes nothing.

use std::fs;

use oplink_api::{Code, Tensor};
use oplink_bundle::{BundleReader, data_path, index_path, merge_bundles};

use crate::cases::{self, assert_same};
use crate::files::{Folder, assert_same_files, fixture};

fn save_parts(folder: &Folder) -> [std::path::PathBuf; 2] {
    let prefixes = ["part-0", "part-1"].map(|name| folder.join(name));
    cases::parts().iter().zip(&prefixes).for_each(|(cases, prefix)| cases::save(prefix, cases).unwrap());
    prefixes
}

#[test]
fn files_are_those_of_tensorflow() {
    let folder = Folder::new("merge");
    let prefixes = save_parts(&folder);
    merge_bundles(&prefixes, folder.join("merged"), false).unwrap();
    assert_same_files(&folder.join("merged"), &fixture("merged"), 2);
    assert_eq!(folder.names(), ["merged.data-00000-of-00002", "merged.data-00001-of-00002", "merged.index"]);
}

#[test]
fn into_another_folder_and_over_an_older_checkpoint() {
    let folder = Folder::new("merge-over");
    let prefixes = save_parts(&folder);
    let destination = folder.join("new/merged");
    fs::create_dir(folder.join("new")).unwrap();
    fs::write(index_path(&destination), "old").unwrap();
    merge_bundles(&prefixes, &destination, false).unwrap();
    assert_same(&BundleReader::open(&destination).unwrap().read("c").unwrap(), &Tensor::from([3.0f32]));
}

#[test]
fn missing_parts() {
    let folder = Folder::new("merge-missing");
    let prefixes = [save_parts(&folder)[0].clone(), folder.join("nowhere")];
    let before = folder.contents();
    assert_eq!(merge_bundles(&prefixes, folder.join("m"), false).unwrap_err().code(), Code::InvalidArgument);
    assert_eq!(merge_bundles(&prefixes[1..], folder.join("m"), true).unwrap_err().code(), Code::InvalidArgument);
    assert_eq!(folder.contents(), before);
    merge_bundles(&prefixes, folder.join("m"), true).unwrap();
    assert_same(&BundleReader::open(folder.join("m")).unwrap().read("a").unwrap(), &Tensor::scalar(1));
}

#[test]
fn a_merge_that_fails_changes_nothing() {
    let folder = Folder::new("merge-fails");
    let prefixes = save_parts(&folder);
    let unchanged = |why: &str, code| {
        let before = folder.contents();
        let error = merge_bundles(&prefixes, folder.join("merged"), false).unwrap_err();
        assert_eq!(error.code(), code, "{why}: {error}");
        assert_eq!(folder.contents(), before, "{why}");
    };
    // The last of the new names cannot be had: a folder has it.
    fs::create_dir(folder.join("merged.index")).unwrap();
    unchanged("folder", Code::FailedPrecondition);
    fs::remove_dir(folder.join("merged.index")).unwrap();
    // A data file is missing.
    let data = data_path(&prefixes[1], 0, 1);
    let bytes = fs::read(&data).unwrap();
    fs::remove_file(&data).unwrap();
    unchanged("data", Code::NotFound);
    fs::write(&data, bytes).unwrap();
    // A tensor is in both.
    cases::save(&prefixes[1], &cases::parts()[0][..1]).unwrap();
    unchanged("duplicate", Code::InvalidArgument);
    // An index is damaged.
    let index = index_path(&prefixes[1]);
    let bytes = fs::read(&index).unwrap();
    fs::write(&index, &bytes[1..]).unwrap();
    unchanged("index", Code::DataLoss);
}
