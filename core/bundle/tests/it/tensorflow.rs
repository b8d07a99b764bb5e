//! TensorFlow itself reads what is written here.

use std::path::PathBuf;
use std::process::Command;

use oplink_api::{DType, TString, Tensor};
use oplink_bundle::{BundleReader, BundleWriter, merge_bundles};

use crate::cases::{self, assert_same};
use crate::files::Folder;

fn run(script: &str, folder: &Folder) {
    let venv = std::env::var_os("OPLINK_TENSORFLOW_VENV").expect("a test that needs `Tensorflow`");
    let python = PathBuf::from(venv).join("bin/python");
    let script = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/oracle").join(script);
    let output = Command::new(python)
        .envs([("TF_CPP_MIN_LOG_LEVEL", "3"), ("PYTHONDONTWRITEBYTECODE", "1")])
        .arg(script)
        .arg(folder.join(""))
        .output()
        .expect("python starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

fn save_large(folder: &Folder) {
    let mut writer = BundleWriter::new(folder.join("large")).unwrap();
    let values: Vec<f32> = (0..3_000_000).map(|i| i as f32 * 0.5).collect();
    writer.add("values", &Tensor::from_vec([3000, 1000], values).unwrap()).unwrap();
    let strings = (0..1000).map(|i| TString::from("x".repeat(i * 7))).collect();
    writer.add("strings", &Tensor::from_vec([10, 100], strings).unwrap()).unwrap();
    for i in 0..24000 {
        writer.add(format!("many/{i}"), &Tensor::scalar(i)).unwrap();
    }
    writer.finish().unwrap();
}

#[test(Tensorflow)]
fn tensorflow_reads_what_is_written_here() {
    let folder = Folder::new("tensorflow");
    cases::save(&folder.join("dtypes"), &cases::dtypes()).unwrap();
    cases::save(&folder.join("sliced"), &cases::sliced()).unwrap();
    let parts = ["p0", "p1"].map(|name| folder.join(name));
    cases::parts().iter().zip(&parts).for_each(|(cases, prefix)| cases::save(prefix, cases).unwrap());
    merge_bundles(&parts, folder.join("merged"), false).unwrap();
    save_large(&folder);
    for (name, cases) in cases::v1() {
        cases::save_v1(&folder.join(name), &cases).unwrap();
    }
    run("read_back.py", &folder);
    // The script has saved what it read.
    let reader = BundleReader::open(folder.join("again")).unwrap();
    assert_same(
        &reader.read("strings").unwrap(),
        &BundleReader::open(folder.join("large")).unwrap().read("strings").unwrap(),
    );
    assert_same(&reader.read("matrix").unwrap(), &cases::plain(DType::Float, &[4, 5]));
}
