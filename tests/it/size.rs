//! A program built by a selection is small, and hardly larger than one built from an explicit list.
//!
//! The programs stand in `tests/size`. The test is slow, since it builds them with full optimisation.

use std::path::{Path, PathBuf};
use std::process::Command;

use oplink::call::Arg;
use oplink::graph::{Graph, NewNode};
use oplink::runtime::Registry;
use oplink::{AttrValue, DType, Output, PartialShape, Result};

use crate::arrays::{read_png, repository};

/// Bytes that the selected program stays under.
const LIMIT: u64 = 1_500_000;
/// By how many per cent the selected program may be larger than the listed one.
const LIMIT_OVER_LISTED: u64 = 5;

/// The ops and dtypes of the digits model.
fn select(folder: &Path) -> PathBuf {
    let selection = folder.join("select.toml");
    let mut command = Command::new(oplink_command());
    command.args(["select", "tests/models/digits/digits.pb", "-o"]);
    run(command.arg(&selection).current_dir(env!("CARGO_MANIFEST_DIR")));
    selection
}

/// The `oplink` command, built with the features of the tests, so that their builds serve it.
fn oplink_command() -> PathBuf {
    let test = std::env::current_exe().expect("a test has a path");
    let folder = test.ancestors().nth(2).expect("tests stand in PROFILE/deps");
    let mut command = Command::new(env!("CARGO"));
    command.args(["build", "--quiet", "--workspace", "--bin", "oplink", "--example", "on_devices"]);
    command.arg("--target-dir").arg(folder.parent().expect("profiles stand in a folder"));
    if folder.ends_with("release") {
        command.arg("--release");
    }
    run(command.current_dir(env!("CARGO_MANIFEST_DIR")));
    folder.join("oplink")
}

/// Builds a program for the selection and returns its path.
fn build(package: &str, selection: &Path, target: &Path) -> PathBuf {
    let mut command = Command::new(env!("CARGO"));
    command.args(["build", "--release", "--locked", "-p", package]).current_dir(repository("tests/size"));
    run(command.env("CARGO_TARGET_DIR", target).env("OPLINK_SELECTION", selection).env_remove("RUSTFLAGS"));
    target.join("release").join(package)
}

/// Runs a command that must succeed.
fn run(command: &mut Command) -> std::process::Output {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    output
}

/// The pictures as files of raw bytes.
fn raw_pictures(folder: &Path) -> Vec<PathBuf> {
    let raw = |digit| {
        let image = read_png(&repository(&format!("tests/models/digits/digit-{digit}.png")));
        let path = folder.join(format!("digit-{digit}.raw"));
        std::fs::write(&path, image.as_bytes().expect("host memory")).expect("a picture is written");
        path
    };
    (0..10).map(raw).collect()
}

/// Writes a graph with the node `label` of this op, on the picture as this dtype.
fn graph_with(folder: &Path, op: &str, dtype: DType) -> Result<PathBuf> {
    let mut graph = Graph::new(Registry::global()?);
    let image =
        graph.scope().placeholder("image", DType::UInt8, PartialShape::new(&[Some(1), Some(28), Some(28), Some(1)]))?;
    let (device, control_inputs, attrs) = ("", &[][..], &[("DstT", AttrValue::Type(dtype))]);
    let inputs = &[Arg::One(image)];
    let node = graph.add(NewNode { op: "Cast", name: "cast", device, inputs, control_inputs, attrs })?;
    let inputs = &[Arg::One(Output { node, index: 0 })];
    graph.add(NewNode { op, name: "label", device, inputs, control_inputs, attrs: &[] })?;
    let path = folder.join(format!("{op}.pb"));
    std::fs::write(&path, graph.to_bytes()?).expect("a graph is written");
    Ok(path)
}

/// Writes a graph with a function.
fn graph_with_function(folder: &Path) -> Result<PathBuf> {
    let text = r#"library { function { signature { name: "doubled" } } }"#;
    let path = folder.join("function.pb");
    std::fs::write(&path, Graph::from_text(text, Registry::global()?)?.to_bytes()?).expect("a graph is written");
    Ok(path)
}

fn assert_refused(program: &Path, graph: &Path, picture: &Path, kind: &str, named: &[&str]) {
    let output = Command::new(program).args([graph, picture]).output().expect("the program runs");
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && error.starts_with(kind), "{named:?}: {error}");
    assert!(named.iter().all(|part| error.contains(part)), "{named:?}: {error}");
}

/// Builds the program `package` for the digits model; it must tell the pictures. Returns it and its size.
fn telling_program(package: &str, folder: &Path) -> (PathBuf, u64) {
    std::fs::create_dir_all(folder).expect("a folder for the programs");
    let program = build(package, &select(folder), folder);
    let digits = repository("tests/models/digits/digits.pb");
    let labels = run(Command::new(&program).arg(digits).args(raw_pictures(folder))).stdout;
    assert_eq!(String::from_utf8_lossy(&labels), "0\n1\n2\n3\n4\n5\n6\n7\n8\n9\n", "{package}");
    let size = std::fs::metadata(&program).expect("the program was built").len();
    eprintln!("{package}: {size} bytes");
    (program, size)
}

/// Where the programs are built.
fn folder() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("size")
}

#[test(Slow)]
fn a_selected_program_is_small_and_refuses_what_it_leaves_out() {
    let folder = folder();
    let (selected, size) = telling_program("size-selected", &folder);
    assert!(size < LIMIT, "the selected program has {size} bytes");

    let pictures = raw_pictures(&folder);
    let other_op = graph_with(&folder, "Abs", DType::Float).expect("a graph of known ops");
    assert_refused(&selected, &other_op, &pictures[0], "Excluded", &["excluded", "Abs"]);
    let other_dtype = graph_with(&folder, "Relu", DType::Double).expect("a graph of known ops");
    assert_refused(&selected, &other_dtype, &pictures[0], "Excluded", &["excluded", "double"]);
    let function = graph_with_function(&folder).expect("a graph of known ops");
    assert_refused(&selected, &function, &pictures[0], "Unimplemented", &["`doubled`", "feature `functions`"]);
}

#[test(Long)]
fn a_selected_program_is_hardly_larger_than_a_listed_one() {
    let folder = folder();
    let ((_, selected), (_, listed)) =
        (telling_program("size-selected", &folder), telling_program("size-listed", &folder));
    let close = selected * 100 <= listed * (100 + LIMIT_OVER_LISTED);
    assert!(close, "{selected} bytes by selection, {listed} by list: more than {LIMIT_OVER_LISTED} % apart");
}
