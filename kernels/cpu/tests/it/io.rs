//! Files and checkpoints: against bundles that TensorFlow wrote, and what TensorFlow says of wrong inputs.

use std::fs;
use std::path::{Path, PathBuf};

use oplink::prelude::*;
use oplink_cpu_support::testing::{Threads, output_shapes, run, run_in};

/// A folder that is removed when dropped.
struct Folder(PathBuf);

impl Folder {
    fn new(test: &str) -> Self {
        let path = std::env::temp_dir().join(format!("oplink-io-{}-{test}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_owned()
    }

    fn names(&self) -> Vec<String> {
        let names = fs::read_dir(&self.0).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<_> = names.collect();
        names.sort();
        names
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn fixture(name: &str) -> String {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../core/bundle/tests/fixtures");
    fixtures.join(name).to_str().unwrap().to_owned()
}

fn strings(values: &[&str]) -> Tensor {
    Tensor::from(values.iter().map(|v| TString::from(*v)).collect::<Vec<_>>())
}

fn texts(tensor: &Tensor) -> Vec<&str> {
    tensor.as_slice::<TString>().unwrap().iter().map(|s| s.to_str().unwrap()).collect()
}

fn save(prefix: &str, names: &[&str], specs: &[&str], tensors: &[Tensor]) -> Result<Vec<Tensor>> {
    let fixed = [Tensor::from(prefix), strings(names), strings(specs)];
    run("SaveV2", &[], [&fixed[..], tensors].concat())
}

fn restore(prefix: &str, names: &[&str], specs: &[&str], dtypes: &[DType]) -> Result<Vec<Tensor>> {
    let inputs = vec![Tensor::from(prefix), strings(names), strings(specs)];
    run_in(&Threads(3), "RestoreV2", &[("dtypes", AttrValue::Types(dtypes.to_vec()))], inputs)
}

fn merge(prefixes: &[String], destination: &str, attrs: &[(&str, AttrValue)]) -> Result<Vec<Tensor>> {
    let prefixes: Vec<&str> = prefixes.iter().map(String::as_str).collect();
    run("MergeV2Checkpoints", attrs, vec![strings(&prefixes), destination.into()])
}

fn same(actual: &Tensor, expected: impl Into<Tensor>) {
    assert_eq!(AttrValue::Tensor(actual.clone()), AttrValue::Tensor(expected.into()));
}

#[track_caller]
fn fails(code: Code, outcome: Result<Vec<Tensor>>) {
    match outcome {
        Ok(outputs) => panic!("{outputs:?} in place of {code:?}"),
        Err(error) => assert_eq!(error.code(), code, "{error}"),
    }
}

#[test]
fn tensors_are_restored_as_saved() {
    let folder = Folder::new("round");
    let prefix = folder.path("sub/model");
    let matrix = Tensor::from_vec([2, 3], vec![1f32, 2.0, 3.0, 4.0, 5.0, 6.0]).unwrap();
    let tensors = [matrix.clone(), Tensor::from([true, false]), strings(&["a", ""]), Tensor::scalar(bf16::ONE)];
    save(&prefix, &["m", "b", "s", "h"], &["", "", "", ""], &tensors).unwrap();
    let dtypes = [DType::BFloat16, DType::String, DType::Float, DType::Bool, DType::Float];
    let names = ["h", "s", "m", "b", "m"];
    let out = restore(&prefix, &names, &["", "", "", "", "2 3 1,1:-"], &dtypes).unwrap();
    same(&out[0], bf16::ONE);
    same(&out[1], strings(&["a", ""]));
    same(&out[2], matrix);
    same(&out[3], [true, false]);
    same(&out[4], Tensor::from_vec([1, 3], vec![4f32, 5.0, 6.0]).unwrap());
}

#[test]
fn slices_are_saved_and_restored() {
    let folder = Folder::new("slices");
    let prefix = folder.path("model");
    let (left, right) = ([1, 2].into(), [3, 4].into());
    save(&prefix, &["x", "x"], &["4 0,2", "4 2,2"], &[left, right]).unwrap();
    let out = restore(&prefix, &["x", "x"], &["", "4 1,2"], &[DType::Int32; 2]).unwrap();
    same(&out[0], [1, 2, 3, 4]);
    same(&out[1], [2, 3]);
}

#[test]
fn what_tensorflow_saved_is_restored() {
    let out =
        restore(&fixture("merged"), &["b", "matrix"], &["", "4 5 3,1:0,1"], &[DType::String, DType::Float]).unwrap();
    same(&out[0], "b");
    assert_eq!(out[1].shape().dims(), [1, 1]);
    let out = restore(&fixture("v1"), &["scalar", "negative"], &["", "3 1,2"], &[DType::Float, DType::Int32]).unwrap();
    same(&out[0], 7.5f32);
    same(&out[1], [i32::MIN, 5]);
    same(&restore(&fixture("v1-?"), &["a"], &[""], &[DType::Int32]).unwrap()[0], 1);
}

#[test]
fn wrong_inputs_of_saving() {
    let folder = Folder::new("wrong-save");
    let prefix = folder.path("m");
    let x = || [Tensor::from([1, 2])];
    fails(Code::InvalidArgument, save(&prefix, &["a", "b"], &["", ""], &x()));
    fails(Code::InvalidArgument, save(&prefix, &["a"], &["", ""], &x()));
    fails(Code::InvalidArgument, save(&prefix, &["a"], &["2"], &x()));
    fails(Code::InvalidArgument, save(&prefix, &["a"], &["2 x"], &x()));
    fails(Code::InvalidArgument, save(&prefix, &["a"], &["4 0,3"], &x()));
    fails(Code::Internal, save(&prefix, &["a"], &["4 3,2"], &x()));
    fails(Code::InvalidArgument, save(&prefix, &["a", "a"], &["", ""], &[x(), x()].concat()));
    fails(Code::NotFound, save(&folder.path("no/such/m"), &["a"], &[""], &x()));
    let two = [strings(&["m", "m"]), strings(&["a"]), strings(&[""]), Tensor::from([1])];
    fails(Code::InvalidArgument, run("SaveV2", &[], two.to_vec()));
    assert!(folder.names().is_empty());
}

#[test]
fn wrong_inputs_of_restoring() {
    let prefix = fixture("sliced");
    let one = |name, spec, dtype| restore(&prefix, &[name], &[spec], &[dtype]);
    fails(Code::NotFound, one("none", "", DType::Float));
    fails(Code::InvalidArgument, one("matrix", "", DType::Double));
    fails(Code::InvalidArgument, one("matrix", "4 6 -:-", DType::Float));
    fails(Code::Internal, one("matrix", "4 5 2,3:-", DType::Float));
    fails(Code::Internal, one("matrix", "4 5 -", DType::Float));
    fails(Code::InvalidArgument, restore(&prefix, &["matrix"], &["", ""], &[DType::Float]));
    fails(Code::InvalidArgument, restore(&prefix, &["matrix"], &[""], &[DType::Float; 2]));
    fails(Code::NotFound, restore(&fixture("nothing"), &["matrix"], &[""], &[DType::Float]));
    // An index is no file of the format before bundles.
    fails(Code::DataLoss, restore(&fixture("sliced.index"), &["matrix"], &[""], &[DType::Float]));
}

#[test]
fn shapes_are_inferred_as_by_tensorflow() {
    let shapes = |specs: &[&str], names: &[&str]| {
        let dtypes = AttrValue::Types(vec![DType::Float; 2]);
        output_shapes("RestoreV2", &[("dtypes", dtypes)], &["p".into(), strings(names), strings(specs)])
    };
    let out = shapes(&["", "4 3 0,2:-"], &["x", "y"]).unwrap();
    assert_eq!(out, [PartialShape::unknown(), PartialShape::from(Shape::new(&[2, 3]))]);
    assert!(shapes(&["", "", ""], &["x", "y"]).is_err());
    assert!(shapes(&["", ""], &["x"]).is_err());
    assert_eq!(shapes(&["", "3 0,4"], &["x", "y"]).unwrap_err().code(), Code::Internal);
    let slice = |spec: &str| {
        let inputs = ["p".into(), "x".into(), Tensor::from(spec)];
        output_shapes("RestoreSlice", &[("dt", DType::Int32.into())], &inputs).unwrap().remove(0)
    };
    assert_eq!(slice("4 3 0,1:-"), PartialShape::from(Shape::new(&[1, 3])));
    assert_eq!(slice(""), PartialShape::unknown());
    let files = output_shapes("MatchingFiles", &[], &["p".into()]).unwrap().remove(0);
    assert_eq!(files, PartialShape::new(&[None]));
}

#[test]
fn checkpoints_are_merged() {
    let folder = Folder::new("merge");
    let parts = || {
        let prefixes = ["parts-0/model", "parts-1/model"].map(|name| folder.path(name));
        for (prefix, value) in prefixes.iter().zip([1, 2]) {
            save(prefix, &[&format!("x{value}")], &[""], &[value.into()]).unwrap();
        }
        prefixes
    };
    let prefixes = parts();
    let destination = folder.path("whole");
    let none = folder.path("none/model");
    fails(Code::InvalidArgument, merge(&[prefixes[0].clone(), none.clone()], &destination, &[]));
    fails(Code::InvalidArgument, merge(&[], &destination, &[]));
    fails(
        Code::InvalidArgument,
        merge(std::slice::from_ref(&none), &destination, &[("allow_missing_files", true.into())]),
    );
    fails(Code::InvalidArgument, merge(&[prefixes[0].clone(), prefixes[0].clone()], &destination, &[]));
    fails(Code::NotFound, merge(&prefixes, &folder.path("no/such/whole"), &[]));
    fails(Code::InvalidArgument, run("MergeV2Checkpoints", &[], vec![prefixes[0].as_str().into(), "d".into()]));

    merge(&prefixes, &destination, &[("delete_old_dirs", false.into())]).unwrap();
    assert_eq!(
        folder.names(),
        ["parts-0", "parts-1", "whole.data-00000-of-00002", "whole.data-00001-of-00002", "whole.index"]
    );
    let out = restore(&destination, &["x2", "x1"], &["", ""], &[DType::Int32; 2]).unwrap();
    same(&out[0], 2);
    same(&out[1], 1);

    let [first, second] = parts();
    merge(&[first, none, second], &destination, &[("allow_missing_files", true.into())]).unwrap();
    assert_eq!(folder.names().len(), 3);
}

#[test]
fn files_of_the_older_format() {
    let folder = Folder::new("v1");
    let file = folder.path("file");
    let save = |names: &[&str], tensors: &[Tensor]| {
        run("Save", &[], [&[file.as_str().into(), strings(names)], tensors].concat())
    };
    let restore = |name: &str, dt: DType| run("Restore", &[("dt", dt.into())], vec![file.as_str().into(), name.into()]);
    fails(Code::NotFound, restore("x", DType::Float));
    fails(Code::InvalidArgument, save(&["x", "y"], &[1.into()]));
    fails(Code::Unimplemented, save(&["x"], &[bf16::ONE.into()]));
    save(&["x", "y"], &[[1f32, 2.0].into(), "text".into()]).unwrap();
    same(&restore("x", DType::Float).unwrap()[0], [1f32, 2.0]);
    same(&restore("y", DType::String).unwrap()[0], "text");
    fails(Code::InvalidArgument, restore("x", DType::Int32));
    fails(Code::NotFound, restore("z", DType::Int32));

    for (part, spec) in ["4 0,2", "4 2,2"].iter().enumerate() {
        let inputs = [folder.path(&format!("part-{part}")).as_str().into(), strings(&["x"]), strings(&[spec])];
        run("SaveSlices", &[], [&inputs[..], &[[part as i32 * 2, part as i32 * 2 + 1].into()]].concat()).unwrap();
    }
    let slice = |pattern: &str, spec: &str| {
        let inputs = vec![folder.path(pattern).as_str().into(), "x".into(), spec.into()];
        run("RestoreSlice", &[("dt", DType::Int32.into()), ("preferred_shard", 1.into())], inputs)
    };
    same(&slice("part-?", "").unwrap()[0], [0, 1, 2, 3]);
    same(&slice("part-*", "4 1,2").unwrap()[0], [1, 2]);
    fails(Code::InvalidArgument, slice("part-0", ""));
    fails(Code::InvalidArgument, slice("part-?", "5 1,2"));
}

#[test]
fn contents_of_files() {
    let folder = Folder::new("contents");
    let write = |name: &str| run("WriteFile", &[], vec![folder.path(name).as_str().into(), "con\0tents".into()]);
    let read = |name: &str| run("ReadFile", &[], vec![folder.path(name).as_str().into()]);
    write("new/er/file").unwrap();
    write("new/er/file").unwrap();
    same(&read("new/er/file").unwrap()[0], "con\0tents");
    fails(Code::NotFound, read("none"));
    fails(Code::FailedPrecondition, read("new"));
    fails(Code::FailedPrecondition, read("new/er/file/below"));
    fails(Code::FailedPrecondition, write("new"));
    fails(Code::NotFound, run("ReadFile", &[], vec!["".into()]));
    fails(Code::InvalidArgument, run("ReadFile", &[], vec![strings(&["a"])]));
    fails(Code::InvalidArgument, run("WriteFile", &[], vec!["a".into(), strings(&["a"])]));
}

#[cfg(unix)]
#[test]
fn patterns_match_as_in_tensorflow() {
    let folder = Folder::new("patterns");
    for name in ["sub/deep", "sub2", ".hid"] {
        fs::create_dir_all(folder.path(name)).unwrap();
    }
    let files = ["a.txt", "b.txt", "ab.txt", ".hidden", "sub/a.txt", "sub/deep/x.txt", "sub2/a.txt", "[x].txt"];
    for name in files.iter().chain(&["back\\slash", ".hid/h.txt", "z-y"]) {
        fs::write(folder.path(name), "").unwrap();
    }
    std::os::unix::fs::symlink("nowhere", folder.path("dangling")).unwrap();
    let all =
        [".hid", ".hidden", "[x].txt", "a.txt", "ab.txt", "b.txt", "back\\slash", "dangling", "sub", "sub2", "z-y"];
    let cases: [(&str, &[&str]); 30] = [
        ("*", &all),
        ("**", &all),
        ("*/", &all),
        ("*.txt", &["[x].txt", "a.txt", "ab.txt", "b.txt"]),
        ("?.txt", &["a.txt", "b.txt"]),
        ("[ab].txt", &["a.txt", "b.txt"]),
        ("[!a].txt", &["b.txt"]),
        ("[^a].txt", &["b.txt"]),
        ("[a-b]*.txt", &["a.txt", "ab.txt", "b.txt"]),
        ("a.txt", &["a.txt"]),
        ("none", &[]),
        ("none/*", &[]),
        ("sub*/a.txt", &["sub/a.txt", "sub2/a.txt"]),
        ("*/*.txt", &[".hid/h.txt", "sub/a.txt", "sub2/a.txt"]),
        ("sub/", &["sub/"]),
        ("a.txt/", &["a.txt/"]),
        ("a.txt/*", &[]),
        (r"\[x\].txt", &["[x].txt"]),
        ("[[]x].txt", &["[x].txt"]),
        (r"back\\slash", &["back\\slash"]),
        (".*", &[".hid", ".hidden"]),
        ("**/x.txt", &[]),
        ("z[a-]y", &["z-y"]),
        ("[z-a]-y", &[]),
        ("[a", &[]),
        ("[[:alpha:]].txt", &["a.txt", "b.txt"]),
        ("dang*", &["dangling"]),
        ("{a,b}.txt", &[]),
        ("sub/../a*", &["sub/../a.txt", "sub/../ab.txt"]),
        ("*x*/..", &[]),
    ];
    for (pattern, expected) in cases {
        let out = run("MatchingFiles", &[], vec![folder.path(pattern).as_str().into()]).unwrap();
        let expected: Vec<String> = expected.iter().map(|name| folder.path(name)).collect();
        assert_eq!(texts(&out[0]), expected, "{pattern}");
    }
    let several = ["b*", "a*", "a.txt"].map(|pattern| folder.path(pattern));
    let out = run("MatchingFiles", &[], vec![strings(&several.each_ref().map(String::as_str))]).unwrap();
    let expected = ["a.txt", "a.txt", "ab.txt", "b.txt", "back\\slash"].map(|name| folder.path(name));
    assert_eq!(texts(&out[0]), expected);
    let none = run("MatchingFiles", &[], vec![strings(&[])]).unwrap();
    assert_eq!(none[0].num_elements(), 0);
    assert_eq!(run("MatchingFiles", &[], vec!["".into()]).unwrap()[0].num_elements(), 0);
    let matrix = Tensor::zeros(DType::String, [1, 1]).unwrap();
    fails(Code::InvalidArgument, run("MatchingFiles", &[], vec![matrix]));
}
