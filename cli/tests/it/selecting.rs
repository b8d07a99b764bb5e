//! `oplink select`.

use crate::command::{graph_file, model, printed, temporary};

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

#[test]
fn without_a_file_the_selection_is_printed() {
    let text = printed(&["select", &graph_file("relu.pbtxt", RELUS)]);
    assert!(
        text.ends_with("version = 1\n\n[ops]\nPlaceholder = [\"dtype=double\"]\nRelu = [\"T=double\"]\n"),
        "{text}"
    );
}
