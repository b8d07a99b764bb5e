//! A save that does not come to its end leaves the older checkpoint whole, and nothing else.

use std::fs;

use oplink_api::{Code, DType, Tensor};
use oplink_bundle::{BundleReader, BundleWriter, index_path};

use crate::cases::assert_same;
use crate::files::Folder;

fn save(prefix: &std::path::Path, value: i32) -> oplink_api::Result<()> {
    let mut writer = BundleWriter::new(prefix)?;
    writer.add("x", &Tensor::scalar(value))?;
    writer.finish()
}

#[test]
fn a_new_save_replaces_the_older_one() {
    let folder = Folder::new("replace");
    let prefix = folder.join("sub/model");
    save(&prefix, 1).unwrap();
    save(&prefix, 2).unwrap();
    assert_same(&BundleReader::open(&prefix).unwrap().read("x").unwrap(), &Tensor::scalar(2));
    assert_eq!(fs::read_dir(folder.join("sub")).unwrap().count(), 2);
}

#[test]
fn a_dropped_writer_leaves_the_older_one() {
    let folder = Folder::new("dropped");
    let prefix = folder.join("model");
    save(&prefix, 1).unwrap();
    let before = folder.contents();
    let mut writer = BundleWriter::new(&prefix).unwrap();
    writer.add("y", &Tensor::zeros(DType::Float, [1 << 20]).unwrap()).unwrap();
    drop(writer);
    assert_eq!(folder.contents(), before);
}

#[test]
fn a_failure_after_the_data_is_in_place_leaves_the_older_one() {
    let folder = Folder::new("index-fails");
    let prefix = folder.join("model");
    save(&prefix, 1).unwrap();
    // The index cannot be put into place, as a folder has its name; by then the data file has been.
    fs::rename(index_path(&prefix), folder.join("kept")).unwrap();
    fs::create_dir(index_path(&prefix)).unwrap();
    let before = folder.contents();
    assert_eq!(save(&prefix, 2).unwrap_err().code(), Code::FailedPrecondition);
    assert_eq!(folder.contents(), before);
    fs::remove_dir(index_path(&prefix)).unwrap();
    fs::rename(folder.join("kept"), index_path(&prefix)).unwrap();
    assert_same(&BundleReader::open(&prefix).unwrap().read("x").unwrap(), &Tensor::scalar(1));
}

#[test]
fn a_failure_without_an_older_one_leaves_nothing() {
    let folder = Folder::new("nothing");
    let prefix = folder.join("model");
    fs::create_dir(index_path(&prefix)).unwrap();
    assert!(save(&prefix, 2).is_err());
    assert_eq!(folder.names(), ["model.index"]);
}

#[test]
fn folders_are_made_one_deep() {
    let folder = Folder::new("folders");
    save(&folder.join("a/model"), 1).unwrap();
    assert_eq!(save(&folder.join("b/c/model"), 1).unwrap_err().code(), Code::NotFound);
    fs::write(folder.join("file"), "").unwrap();
    assert!(save(&folder.join("file/model"), 1).is_err());
}

#[test]
fn writers_at_once() {
    let folder = Folder::new("at-once");
    let prefix = folder.join("model");
    save(&prefix, 0).unwrap();
    std::thread::scope(|scope| {
        for value in 1..4 {
            let prefix = &prefix;
            scope.spawn(move || (0..10).for_each(|_| save(prefix, value).unwrap()));
        }
    });
    let value: i32 = BundleReader::open(&prefix).unwrap().read("x").unwrap().to_scalar().unwrap();
    assert!((1..4).contains(&value));
    assert_eq!(folder.names().len(), 2);
}
