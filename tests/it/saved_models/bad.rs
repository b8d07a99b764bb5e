//! Models that are damaged, incomplete or none, and calls that do not fit: each is an error that says what and where.

use oplink::saved_model::{LoadOptions, MetaGraph, ModelFile};
use oplink::{Code, Error, SavedModel, Tensor};
use oplink_proto::attr_value::Value;
use oplink_proto::tensor_shape_proto::Dim;
use oplink_proto::{Message, SavedModel as File, TensorShapeProto};

use super::expected::model;
use super::folder::Folder;

const DATA: &str = "variables/variables.data-00000-of-00001";
const INDEX: &str = "variables/variables.index";

#[track_caller]
fn assert_error(error: &Error, code: Code, parts: &[&str]) {
    let text = error.to_string();
    assert_eq!(error.code(), code, "{text}");
    parts.iter().for_each(|part| assert!(text.contains(part), "no `{part}` in: {text}"));
}

/// The error of loading a copy of a model that was changed.
fn damaged(test: &str, name: &str, change: impl FnOnce(&Folder)) -> Error {
    let folder = Folder::with_model(test, name);
    change(&folder);
    SavedModel::load(folder.path()).expect_err("a damaged model is refused")
}

#[test]
fn changed_values_are_noticed_by_their_checksum() {
    let error = damaged("values", "embedding", |folder| folder.edit(DATA, |bytes| bytes[100] ^= 1));
    assert_error(&error, Code::DataLoss, &["variables.data-00000-of-00001", "damaged", "restoring the variables of"]);
    let error = damaged("index", "embedding", |folder| folder.edit(INDEX, |bytes| bytes[20] ^= 1));
    assert_error(&error, Code::DataLoss, &["variables.index", "damaged"]);
}

#[test]
fn missing_files_are_named() {
    let remove = |name: &'static str| move |folder: &Folder| std::fs::remove_file(folder.join(name)).expect("a file");
    let error = damaged("no_data", "embedding", remove(DATA));
    assert_error(&error, Code::NotFound, &["variables.data-00000-of-00001", "restoring the variables of"]);
    let error = damaged("no_index", "embedding", remove(INDEX));
    assert_error(&error, Code::NotFound, &["variables.index is missing", "2 variables", "copy the folder `variables`"]);
    let error = damaged("no_asset", "string_lookup", |folder| {
        std::fs::remove_dir_all(folder.join("assets")).expect("a folder");
    });
    assert_error(&error, Code::NotFound, &["string_lookup.txt is missing", "copy the folder `assets`"]);
    let error = damaged("no_model", "embedding", remove("saved_model.pb"));
    assert_error(&error, Code::NotFound, &["no_model", "has no `saved_model.pb`"]);
    let error = SavedModel::load("/nowhere/model").expect_err("nothing is there");
    assert_error(&error, Code::NotFound, &["/nowhere/model", "No such file"]);
}

#[test]
fn a_shorter_file_is_no_model() {
    let error = damaged("short", "embedding", |folder| folder.edit("saved_model.pb", |bytes| bytes.truncate(2000)));
    assert_error(&error, Code::InvalidArgument, &["short/saved_model.pb", "tensorflow.SavedModel"]);
    let error = damaged("emptied", "embedding", |folder| folder.edit("saved_model.pb", Vec::clear));
    assert_error(&error, Code::InvalidArgument, &["emptied", "has no graph"]);
    let error = damaged("cut", "embedding", |folder| folder.edit(DATA, |bytes| bytes.truncate(500)));
    assert_error(&error, Code::DataLoss, &["variables.data-00000-of-00001"]);
}

/// Sets the shape of the first constant that has several elements to something that no machine holds.
fn make_huge(bytes: &mut Vec<u8>) {
    let mut file: File = oplink_proto::from_bytes(std::mem::take(bytes)).expect("a model");
    let graph = file.meta_graphs[0].graph_def.as_mut().expect("a graph");
    let constant = graph.node.iter_mut().find(|node| node.op == "Const").expect("a constant");
    let Some(Value::Tensor(tensor)) = constant.attr.get_mut("value").and_then(|attr| attr.value.as_mut()) else {
        panic!("a constant has a value")
    };
    let huge = Dim { size: 1 << 50, name: String::new() };
    tensor.tensor_shape = Some(TensorShapeProto { dim: vec![huge], unknown_rank: false });
    tensor.tensor_content.clear();
    *bytes = file.encode_to_vec();
}

#[test]
fn huge_tensors_are_refused_before_memory_is_asked_for() {
    let error = damaged("huge", "v1_saver", |folder| folder.edit("saved_model.pb", make_huge));
    let text = error.to_string();
    assert!(text.contains("huge") && text.contains("attr `value`"), "{text}");
}

/// Every byte that is changed gives an error or the same model, and never a panic.
#[test]
fn any_changed_byte_is_an_error_or_nothing() {
    let folder = Folder::with_model("bytes", "no_variables");
    for (file, step) in [(INDEX, 1), (DATA, 1), ("saved_model.pb", 37)] {
        let whole = std::fs::read(folder.join(file)).expect("a file");
        for at in (0..whole.len()).step_by(step) {
            for change in [0x01, 0x80] {
                let mut bytes = whole.clone();
                bytes[at] ^= change;
                std::fs::write(folder.join(file), bytes).expect("the file is written");
                let loaded = SavedModel::load(folder.path());
                if let Err(error) = loaded {
                    let text = error.to_string();
                    assert!(!text.contains("panic") && text.contains("bytes"), "{file} at {at}: {text}");
                }
            }
        }
        std::fs::write(folder.join(file), whole).expect("the file is written");
    }
    SavedModel::load(folder.path()).expect("the model is whole again");
}

#[test]
fn tags_and_signatures_that_are_not_there_are_answered_with_those_that_are() {
    let tagged = |tags: &[&str]| {
        let mut options = LoadOptions::default();
        options.tags = tags.iter().map(|&tag| tag.to_owned()).collect();
        SavedModel::load_with(model("v1_saver"), &options)
    };
    let error = tagged(&["predict"]).expect_err("no such tags");
    assert_error(&error, Code::NotFound, &["{predict}", "{serve}, {train, cpu}"]);
    let error = tagged(&["train"]).expect_err("tags are all given");
    assert_error(&error, Code::NotFound, &["{train}"]);
    let training = tagged(&["cpu", "train"]).expect("a model for training");
    assert_eq!(training.signatures().map(|signature| signature.name()).collect::<Vec<_>>(), ["train"]);
    let error = training.signature("trian").expect_err("no such signature");
    assert_error(&error, Code::NotFound, &["v1_saver", "`trian`", "it has `train`", "did you mean `train`?"]);
}

#[test]
fn inputs_that_do_not_fit_are_answered_with_those_that_do() {
    let model = SavedModel::load(model("signatures")).expect("a model");
    let divide = model.signature("divide").expect("a signature");
    let (a, b) = (Tensor::scalar(7i32), Tensor::scalar(2i32));
    let error = |inputs: &[(&str, Tensor)]| divide.run(inputs).expect_err("the inputs do not fit");
    let wrong = [
        (error(&[("a", a.clone())]), "the input b: int32 [] is missing"),
        (
            error(&[("a", a.clone()), ("b", b.clone()), ("c", b.clone())]),
            "no input `c`: it takes a: int32 [], b: int32 []",
        ),
        (error(&[("a", a.clone()), ("b", b.clone()), ("a", b.clone())]), "the input `a` is given twice"),
        (error(&[("a", a.clone()), ("b", Tensor::scalar(2i64))]), "the input b: int32 [] is given a value of int64 []"),
        (error(&[("a", a.clone()), ("b", [1, 2].into())]), "the input b: int32 [] is given a value of int32 [2]"),
    ];
    for (error, part) in wrong {
        assert_error(&error, Code::InvalidArgument, &[part, "calling the signature `divide` of"]);
    }
    let error = divide.run(&[("a", a), ("b", Tensor::scalar(0i32))]).expect_err("the kernel's error");
    assert_error(&error, Code::InvalidArgument, &["calling the signature `divide` of"]);
    assert!(divide.run(&[("b", b.clone()), ("a", b)]).is_ok(), "the model stays usable");
}

#[test]
fn what_a_path_is_and_what_to_do() {
    let folder = Folder::new("paths");
    let file = |name: &str, bytes: &[u8]| {
        std::fs::write(folder.join(name), bytes).expect("a file");
        ModelFile::read(folder.join(name)).expect_err("it is no model").to_string()
    };
    let cases = [
        (file("empty.pb", b""), "empty.pb is empty"),
        (file("m.keras", b"PK\x03\x04....model.weights.h5...."), "a Keras model (.keras); it has layers, not a graph"),
        (file("m.h5", b"\x89HDF\r\n\x1a\n...."), "a Keras model or its weights in HDF5"),
        (file("m.pt", b"PK\x03\x04....archive/data.pkl...."), "a PyTorch model"),
        (file("a.npz", b"PK\x03\x04....x.npy...."), "a NumPy archive; it holds arrays"),
        (file("m.tflite", b"\x1c\0\0\0TFL3...."), "a TensorFlow Lite model; give the SavedModel"),
        (file("m.onnx", b"\x08\x07\x12\x07pytorch"), "an ONNX model"),
        (file("checkpoint", b"model_checkpoint_path: \"model\""), "a list of checkpoints"),
        (file("m.data-00000-of-00001", b"...."), "a data file of a checkpoint"),
        (file("x.npy", b"\x93NUMPY...."), "a NumPy array"),
        (file("notes.txt", b"my model"), "no GraphDef in the text format"),
        (file("noise.bin", b"\x00\x01\xfe\xff"), "no model that runs here"),
    ];
    for (text, part) in cases {
        assert!(text.contains(part), "no `{part}` in: {text}");
    }
    let index = ModelFile::read(model("embedding").join(INDEX)).expect_err("no model").to_string();
    assert!(index.contains("the index of a checkpoint; it holds values of variables and no graph"), "{index}");
}

#[test]
fn what_a_folder_is_and_what_to_do() {
    let text = |path| ModelFile::read(path).expect_err("no model").to_string();
    let all = text(model(""));
    assert!(all.contains("holds SavedModels; give one of them: `assets`, `control_flow`"), "{all}");
    let part = text(model("embedding").join("variables"));
    assert!(part.contains("is a part of the SavedModel") && part.contains("embedding; give that"), "{part}");
    let folder = Folder::new("folders");
    assert!(text(folder.path().to_owned()).contains("the folder is empty"));
    folder.edit("model.keras", |bytes| bytes.push(0));
    assert!(text(folder.path().to_owned()).contains("holds the Keras model `model.keras`"));
}

#[test]
fn a_model_is_known_by_its_folder_its_file_and_its_bytes() {
    let folder = model("embedding");
    for path in [folder.clone(), folder.join("saved_model.pb")] {
        assert!(matches!(ModelFile::read(path), Ok(ModelFile::SavedModel(found)) if found == folder));
    }
    let mut meta = MetaGraph::read_default(&folder).expect("a model");
    let graph = meta.take_graph();
    let copies = Folder::new("bytes_of_a_graph");
    let text = oplink_proto::to_text(&graph).expect("a graph in text");
    for (name, bytes) in [("graph.bin", graph.encode_to_vec()), ("graph.txt", text.into_bytes())] {
        copies.edit(name, |file| *file = bytes);
        let found = ModelFile::read(copies.join(name)).expect("a graph");
        assert!(matches!(found, ModelFile::Graph(found) if *found == graph), "{name}");
    }
    // A SavedModel in text.
    let file: File =
        oplink_proto::from_bytes(std::fs::read(folder.join("saved_model.pb")).expect("a file")).expect("a model");
    let in_text = Folder::with_model("in_text", "embedding");
    std::fs::remove_file(in_text.join("saved_model.pb")).expect("a file");
    in_text.edit("saved_model.pbtxt", |bytes| *bytes = oplink_proto::to_text(&file).expect("text").into_bytes());
    let names =
        |model: &SavedModel| model.signatures().map(|signature| signature.name().to_owned()).collect::<Vec<_>>();
    let (binary, text) = (SavedModel::load(&folder), SavedModel::load(in_text.path()));
    assert_eq!(names(&binary.expect("a model")), names(&text.expect("a model in text")));
    let renamed = copies.join("model.pb");
    std::fs::copy(folder.join("saved_model.pb"), &renamed).expect("a copy");
    let error = ModelFile::read(renamed).expect_err("under another name").to_string();
    assert!(error.contains("the file of a SavedModel under another name; name it saved_model.pb"), "{error}");
}
