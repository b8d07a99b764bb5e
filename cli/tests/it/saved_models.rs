//! `oplink run` and `oplink graph` on SavedModels.

use std::collections::BTreeSet;
use std::fs::File;

use expect_test::expect;
use ndarray::IxDyn;
use ndarray_npy::NpzWriter;
use oplink::{DType, TString, Tensor};
use oplink_proto::{Message, MetaGraphDef, SavedModel};

use crate::command::{oplink, oplink_in, printed, temporary};
use crate::expected::{Call, calls, model, models, steps};
use crate::training::{TRAINED, write_with_training};

fn path(name: &str) -> String {
    model(name).to_str().expect("the repository's path is UTF-8").to_owned()
}

/// The first call of each signature, as each run of the command loads a model anew; without calls that only tell what
/// others have changed.
fn first_calls(model: &str) -> Vec<Call> {
    let mut seen = BTreeSet::new();
    let calls = calls(model).expect("recorded calls").into_iter();
    calls.filter(|call| call.signature != "state" && seen.insert(call.signature.clone())).collect()
}

/// Adds an array; `false` where NumPy has no such element type.
fn add(archive: &mut NpzWriter<File>, name: &str, tensor: &Tensor) -> bool {
    macro_rules! add {
        ($($dtype:ident => $ty:ty),*) => {
            match tensor.dtype() {
                $(DType::$dtype => archive
                    .add_array(name, &tensor.view::<$ty, IxDyn>().expect("its elements"))
                    .map(|()| true)
                    .expect("the archive is written"),)*
                _ => false,
            }
        };
    }
    add!(Float => f32, Double => f64, Int8 => i8, Int16 => i16, Int32 => i32, Int64 => i64, UInt8 => u8, UInt16 => u16,
        UInt32 => u32, UInt64 => u64, Bool => bool)
}

/// A tensor as it is written on the command line.
fn written(tensor: &Tensor) -> String {
    let list = |elements: Vec<String>| match tensor.shape().rank() {
        0 => elements[0].clone(),
        1 => format!("[{}]", elements.join(",")),
        rank => panic!("a value of rank {rank} is given in an archive"),
    };
    match tensor.dtype() {
        DType::String => {
            let texts = tensor.as_slice::<TString>().expect("texts").iter();
            list(texts.map(|text| format!("{:?}", text.to_str().expect("UTF-8"))).collect())
        }
        DType::Int32 => list(tensor.as_slice::<i32>().expect("numbers").iter().map(ToString::to_string).collect()),
        DType::Int64 => list(tensor.as_slice::<i64>().expect("numbers").iter().map(ToString::to_string).collect()),
        DType::Float => list(tensor.as_slice::<f32>().expect("numbers").iter().map(ToString::to_string).collect()),
        other => panic!("no value of {other} is written here"),
    }
}

/// Calls a signature of a model by the command, which compares what it can, and holds the rest against what it prints.
fn check(name: &str, model: &str, call: &Call, more: &[&str]) {
    let file = temporary(&format!("{name}-{}.npz", call.signature));
    let mut archive = NpzWriter::new(File::create(&file).expect("a file"));
    let (mut in_archive, mut arguments) = (0, vec!["run".to_owned(), model.to_owned()]);
    arguments.extend(["--signature".to_owned(), call.signature.clone()]);
    for (input, value) in &call.inputs {
        if !add(&mut archive, &format!("in:{input}"), value) {
            arguments.extend(["--input".to_owned(), format!("{input}={}", written(value))]);
        }
    }
    let mut printed_values = Vec::new();
    for (output, value) in &call.outputs {
        match add(&mut archive, &format!("out:{output}"), value) {
            true => in_archive += 1,
            false => printed_values.push(value),
        }
        arguments.extend(["--fetch".to_owned(), output.clone()]);
    }
    archive.finish().expect("the archive is written");
    if in_archive + call.inputs.len() > 0 {
        arguments.extend(["--npz".to_owned(), file.to_str().expect("UTF-8").to_owned()]);
    }
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).chain(more.iter().copied()).collect();
    let text = printed(&arguments);
    assert_eq!(text.matches(": agrees").count(), in_archive, "{name}: {text}");
    for value in printed_values {
        assert!(text.contains(&value.to_string()), "{name}: no {value} in {text}");
    }
}

#[test]
fn calls_of_every_model_agree_with_tensorflow() {
    for name in models() {
        first_calls(&name).iter().for_each(|call| check(&name, &path(&name), call, &[]));
    }
}

/// Each run of the command trains one session for as many steps as it is told.
#[test]
fn training_by_gradients_made_here_agrees_with_tensorflow() {
    for name in TRAINED {
        let folder = temporary(&format!("trained_{name}"));
        write_with_training(name, &folder).expect("the model is written");
        let steps = steps(name).expect("recorded steps");
        assert!(steps.len() > 1, "{name}");
        for (number, step) in steps.into_iter().enumerate() {
            let step = Call { signature: "train".to_owned(), ..step };
            check(name, folder.to_str().expect("UTF-8"), &step, &["--repeat", &(number + 1).to_string()]);
        }
    }
}

#[test]
fn values_are_written_out() {
    let divide =
        |a: &str, b: &str| printed(&["run", &path("signatures"), "--signature", "divide", "--input", a, "--input", b]);
    assert_eq!(divide("a=17", "b=-5"), "quotient   int32[] [-4]\nremainder  int32[] [-3]\n");
    let word = ["run", &path("string_lookup"), "--input", r#"word=["green","mauve"]"#, "--fetch", "index"];
    assert_eq!(printed(&word), "index  int64[2] [1, 6]\n");
    let scaled = ["run", &path("signatures"), "--signature", "scaled", "--input", "x=[[1, 2.5], [-3, 1e2]]"];
    assert_eq!(printed(&scaled), "scaled  float[2,2] [3.0, 7.5, -9.0, 300.0]\n");
}

#[test]
fn tensors_of_the_graph_are_fed_and_fetched() {
    let feed = ["--feed", "scaled_x=[[1,2]]", "--fetch", "StatefulPartitionedCall_1"];
    let text = printed(&[&["run", &path("signatures")], &feed[..]].concat());
    assert!(text.contains("float[1,2] [3.0, 6.0]"), "{text}");
    let mixed = oplink(&[&["run", &path("signatures"), "--signature", "scaled"], &feed[..]].concat());
    assert!(!mixed.success && mixed.stderr.contains("use one of both"), "{}", mixed.stderr);
}

#[test]
fn graphs_are_chosen_by_their_tags() {
    let run = |tags: &str| oplink(&["run", &path("v1_saver"), "--tags", tags, "--input", "x=[[1,2,3]]"]);
    assert!(run("serve").success);
    let training = run("train,cpu");
    assert!(
        !training.success && training.stderr.contains("the input target: float [?,2] is missing"),
        "{}",
        training.stderr
    );
    let nothing = run("tpu");
    assert!(
        nothing.stderr.contains("no graph with the tags {tpu}; it has graphs with {serve}, {train, cpu}"),
        "{}",
        nothing.stderr
    );
}

#[test]
fn a_model_is_summarised_by_its_signatures() {
    let run = oplink_in(&model(""), &["graph", "signatures"]);
    assert!(run.success, "{}{}", run.stdout, run.stderr);
    let (head, rest) = run.stdout.split_once("\nops:").expect("a list of ops");
    let head =
        head.lines().take_while(|line| !line.contains(" functions, producer version ")).collect::<Vec<_>>().join("\n");
    expect![[r"
        signatures: SavedModel for serve, in the form of TensorFlow 2.21.0; 2 variables, 0 assets

        signatures:
          count
            input  by     int64 []
            output calls  int64 []
          divide
            input  a          int32 []
            input  b          int32 []
            output quotient   int32 []
            output remainder  int32 []
          scaled
            input  x       float [?,2]
            output scaled  float [?,2]
          state
            output calls  int64 []
            output scale  float []

        call one: oplink run signatures --signature count --input by=VALUE
    "]]
    .assert_eq(&head);
    assert!(rest.ends_with("every node has a kernel\n"), "{rest}");
    for name in models() {
        assert!(printed(&["graph", &path(&name)]).contains("every node has a kernel"), "{name}");
    }
}

/// A copy of a model with an op that nobody declares in the place of another.
fn with_unknown_op(folder: &str, op: &str, change: impl FnOnce(&mut MetaGraphDef)) -> String {
    let folder = temporary(folder);
    std::fs::create_dir_all(folder.join("variables")).expect("a folder");
    for file in ["variables/variables.index", "variables/variables.data-00000-of-00001"] {
        std::fs::copy(model("signatures").join(file), folder.join(file)).expect("a copy");
    }
    let bytes = std::fs::read(model("signatures").join("saved_model.pb")).expect("a model");
    let mut file: SavedModel = oplink_proto::from_bytes(bytes).expect("a model");
    let meta = &mut file.meta_graphs[0];
    let library = meta.graph_def.as_mut().and_then(|graph| graph.library.as_mut()).expect("functions");
    let mut nodes = library.function.iter_mut().flat_map(|function| &mut function.node_def);
    "Frobnicate".clone_into(&mut nodes.find(|node| node.op == op).expect("a node of the op").op);
    change(meta);
    std::fs::write(folder.join("saved_model.pb"), file.encode_to_vec()).expect("a file");
    folder.to_str().expect("UTF-8").to_owned()
}

#[test]
fn an_op_that_a_signature_lacks_is_told_with_the_signature() {
    let needed = with_unknown_op("needed", "FloorMod", |_| {});
    let run = oplink(&["graph", &needed]);
    assert!(!run.success && run.stdout.contains("Frobnicate (1 node)"), "{}", run.stdout);
    assert!(run.stdout.contains("  Frobnicate is needed by divide\n"), "{}", run.stdout);
    let other = ["run", &needed, "--signature", "scaled", "--input", "x=[[1,2]]"];
    assert_eq!(printed(&other), "scaled  float[1,2] [3.0, 6.0]\n", "the other signatures run");
    let unneeded = with_unknown_op("unneeded", "FloorMod", |meta| drop(meta.signature_def.remove("divide")));
    let text = printed(&["graph", &unneeded]);
    assert!(
        text.contains("no signature needs Frobnicate") && text.ends_with("a signature needs has a kernel\n"),
        "{text}"
    );
}

#[test]
fn what_does_not_fit_is_told_with_what_does() {
    let fails = |arguments: &[&str], parts: &[&str]| {
        let run = oplink(arguments);
        assert!(!run.success && run.stderr.starts_with("error: "), "{arguments:?}: {}", run.stdout);
        parts
            .iter()
            .for_each(|part| assert!(run.stderr.contains(part), "{arguments:?}: no `{part}` in {}", run.stderr));
    };
    let (several, lookup) = (path("signatures"), path("string_lookup"));
    fails(&["run", &several], &["several signatures", "--signature", "count, divide, scaled, state"]);
    fails(&["run", &several, "--signature", "divid"], &["no signature `divid`", "did you mean `divide`?"]);
    fails(&["run", &lookup, "--input", "wort=red"], &["no input `wort`", "word: string [?]", "did you mean `word`?"]);
    fails(&["run", &lookup], &["the input word: string [?] is missing"]);
    fails(&["run", &lookup, "--input", r#"word=["red"]"#, "--fetch", "indx"], &["no output `indx`", "index, score"]);
    let value = |value: &str, part: &str| {
        fails(&["run", &several, "--signature", "divide", "--input", value], &["is no value of int32", part]);
    };
    value("a=seven", "`seven` is none");
    value("a=[1,2", "a list has no end");
    value("a=[[1],[2,3]]", "have 1 and 2 elements");
    value("a=[1,[2]]", "a list stands where a value is expected");
    value("a=[[1],2]", "a value stands where a list is expected");
    value("a=1]", "something follows the value");
    value("a=", "a value is missing");
    fails(
        &["run", &several, "--signature", "divide", "--input", "a=[1]"],
        &["a: int32 [] is given a value of int32 [1]"],
    );
}

#[test]
fn what_is_no_model_is_told() {
    let folder = temporary("no_models");
    std::fs::create_dir_all(&folder).expect("a folder");
    for (name, bytes, part) in [
        ("m.keras", &b"PK\x03\x04....model.weights.h5"[..], "is a Keras model (.keras)"),
        ("empty.pb", b"", "is empty"),
        ("noise.pb", b"\x00\x01\xfe\xff", "is no model that runs here"),
        ("saved_model.pb", b"\x08\x01", "has no graph"),
    ] {
        std::fs::write(folder.join(name), bytes).expect("a file");
        for command in ["run", "graph"] {
            let run = oplink(&[command, folder.join(name).to_str().expect("UTF-8")]);
            assert!(!run.success && run.stderr.contains(part), "{command} {name}: {}", run.stderr);
        }
    }
    let run = oplink(&["run", &path("")]);
    assert!(!run.success && run.stderr.contains("holds SavedModels; give one of them"), "{}", run.stderr);
}
