//! Checkpoints of either format, opened by one name.

use oplink_api::{Code, Tensor};
use oplink_bundle::{BundleWriter, Checkpoint, V1Writer};

use crate::files::Folder;

#[test]
fn the_files_tell_the_format() {
    let folder = Folder::new("either");
    let mut bundle = BundleWriter::new(folder.join("new")).unwrap();
    bundle.add("b", &Tensor::from([1.0f32, 2.0])).unwrap();
    bundle.add("a", &Tensor::scalar(7i64)).unwrap();
    bundle.finish().unwrap();
    let mut v1 = V1Writer::new(folder.join("old"));
    v1.add("b", &Tensor::from([3.0f32])).unwrap();
    v1.finish().unwrap();
    let new = Checkpoint::open(folder.join("new")).unwrap();
    let names: Vec<&[u8]> = new.tensors().iter().map(|info| info.name).collect();
    assert_eq!(names, [b"a", b"b"]);
    assert_eq!(new.read("b").unwrap().as_slice::<f32>().unwrap(), [1.0, 2.0]);
    let old = Checkpoint::open(folder.join("old")).unwrap();
    assert_eq!(old.read("b").unwrap().as_slice::<f32>().unwrap(), [3.0]);
    assert!(old.get("a").is_none() && new.get("a").is_some());
    assert_eq!(Checkpoint::open(folder.join("none")).unwrap_err().code(), Code::NotFound);
}
