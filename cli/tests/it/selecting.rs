//! `oplink select`.

use crate::command::{graph_file, model, oplink, printed, temporary};

const RELUS: &str = r#"
    node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_DOUBLE } } }
    node { name: "y" op: "Relu" input: "x" attr { key: "T" value { type: DT_DOUBLE } } }"#;

#[test]
fn two_graphs_are_united() {
    let (relus, file) = (graph_file("relus.pbtxt", RELUS), temporary("united.toml"));
    let output = file.to_str().expect("UTF-8");
    let text = printed(&["select", &model("digits/digits.pb"), &relus, "-o", output]);
    assert!(text.contains("20 ops; build with OPLINK_SELECTION=/"), "{text}");
    let selection = std::fs::read_to_string(&file).expect("the selection is written");
    for line in [
        "version = 1",
        r#"Relu = ["T=double", "T=float"]"#,
        r#"Cast = ["SrcT=uint8 DstT=float"]"#,
        r#"Placeholder = ["dtype=double", "dtype=uint8"]"#,
        r#"NoOp = "all""#,
    ] {
        assert!(selection.lines().any(|have| have == line), "no line {line} in:\n{selection}");
    }
}

/// A selection file of these lines.
fn selection(name: &str, ops: &str) -> String {
    let path = temporary(name);
    std::fs::write(&path, format!("version = 1\n\n[ops]\n{ops}\n")).expect("the file is written");
    path.to_str().expect("UTF-8").to_owned()
}

#[test]
fn what_is_written_passes_its_check() {
    let (digits, file) = (model("digits/digits.pb"), temporary("checked.toml"));
    let output = file.to_str().expect("UTF-8");
    printed(&["select", &digits, "-o", output]);
    assert!(printed(&["select", "--check", output]).contains(" ops, as this build declares them"));
    assert!(printed(&["select", "--check", output, &digits]).contains("checked.toml: "));
}

#[test]
fn names_in_a_selection_file_are_those_of_ops_and_attrs() {
    let file = selection("misspelt.toml", "Rellu = \"all\"\nCast = [\"SrT=float DstT=int32\"]");
    let told = oplink(&["select", "--check", &file]);
    assert!(!told.success && told.stderr.contains("misspelt.toml: 2 problems:"), "{}", told.stderr);
    for part in
        ["- no op is called `Rellu`; did you mean `Relu`?", "- op `Cast` has no type attr `SrT`; did you mean `SrcT`?"]
    {
        assert!(told.stderr.contains(part), "no {part} in {}", told.stderr);
    }
    let file = selection("malformed.toml", "Relu = \"some\"");
    let told = oplink(&["select", "--check", &file]).stderr;
    assert!(told.contains("malformed.toml: line 4: write `Relu = \"all\"`"), "{told}");
}

#[test]
fn a_check_tells_what_graphs_need_beyond_the_file() {
    let (relus, file) = (graph_file("needy.pbtxt", RELUS), selection("short.toml", "Relu = [\"T=float\"]"));
    let told = oplink(&["select", "--check", &file, &relus]);
    assert!(!told.success, "{}", told.stdout);
    for part in ["the graphs need `Placeholder`", "the graphs need `Relu` with `T=double`"] {
        assert!(told.stderr.contains(part), "no {part} in {}", told.stderr);
    }
}

#[test]
fn without_a_file_the_selection_is_printed() {
    let text = printed(&["select", &graph_file("relu.pbtxt", RELUS)]);
    assert!(
        text.ends_with("version = 1\n\n[ops]\nPlaceholder = [\"dtype=double\"]\nRelu = [\"T=double\"]\n"),
        "{text}"
    );
}
