//! `oplink opcheck`.

use std::path::Path;
use std::process::Command;

use crate::command::{oplink, printed, temporary};

/// A plugin in C of the examples.
fn plugin() -> String {
    let library = temporary("libchecked.so");
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/plugins/c");
    let include = Path::new(env!("CARGO_MANIFEST_DIR")).join("../capi/include");
    let built = Command::new(std::env::var("CC").unwrap_or_else(|_| "cc".to_owned()))
        .args(["-std=c11", "-O1", "-shared", "-fPIC", "-o"])
        .arg(&library)
        .args(["plugin.c", "affine.c", "join.c"].map(|source| sources.join(source)))
        .arg("-I")
        .arg(include)
        .status();
    assert!(built.expect("a C compiler").success());
    library.to_str().expect("the target folder's path is UTF-8").to_owned()
}

#[test]
fn ops_without_a_mistake_are_a_row_each() {
    let text = printed(&["opcheck", "Softplus", "AddV2", "--samples", "3"]);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 3, "{text}");
    assert!(lines[0].starts_with("op       samples  served       shape"), "{text}");
    assert!(lines[1].starts_with("Softplus       3     4/4       ok 12"), "{text}");
    assert!(!text.contains("FAILED"), "{text}");
}

#[test]
fn what_is_found_fails_and_comes_with_a_program() {
    let folder = temporary("opcheck_found");
    let _ = std::fs::remove_dir_all(&folder);
    let save = folder.to_str().expect("UTF-8");
    // Half of the gradient that differences have: the op stops the other half.
    let run = oplink(&["opcheck", "Betainc", "--check", "gradient", "--save", save]);
    assert!(!run.success);
    assert!(run.stdout.contains("FAILED") && run.stdout.contains("(there is none), the slope"), "{}", run.stdout);
    let program = std::fs::read_to_string(folder.join("Betainc_gradient_1.rs")).expect("a program");
    assert!(program.contains(r#".call("Betainc", &[&input_0, &input_1, &input_2], &attrs)?"#), "{program}");
}

#[test]
fn drawn_calls_are_written_with_what_the_kernel_gives() {
    let file = temporary("opcheck_calls.jsonl");
    let file = file.to_str().expect("UTF-8");
    let text = printed(&["opcheck", "AddV2", "ConcatV2", "RandomUniform", "--samples", "3", "--record", file]);
    let lines = std::fs::read_to_string(file).expect("the file");
    assert!(text.contains(&format!("{} calls of", lines.lines().count())), "{text}");
    let calls: Vec<serde_json::Value> = lines.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let of = |op: &str| calls.iter().filter(|call| call["op"] == op).collect::<Vec<_>>();
    let double = of("AddV2").into_iter().find(|call| call["inputs"][0]["dtype"] == "double").expect("of doubles");
    let (x, sum) = (&double["inputs"][0], &double["outputs"][0]);
    let elements: u64 =
        sum["shape"].as_array().expect("extents").iter().filter_map(serde_json::Value::as_u64).product();
    assert_eq!(sum["data"].as_str().map(str::len), Some(16 * elements as usize), "two digits a byte: {sum}");
    assert!(x["dtype"] == "double" && double["repeatable"] == true && double["attrs"] == serde_json::json!({}));
    assert!(of("ConcatV2").iter().all(|call| call["lengths"][0].as_u64().is_some_and(|length| length >= 2)));
    assert!(of("RandomUniform").iter().all(|call| call["repeatable"] == false));
}

#[test]
fn the_ops_of_a_plugin_are_checked() {
    let run = oplink(&["opcheck", "--plugin", &plugin()]);
    assert!(run.stdout.contains("OplinkAffineC"), "{}{}", run.stdout, run.stderr);
}

#[test]
fn nothing_to_check_and_unknown_checks_are_errors() {
    let run = oplink(&["opcheck"]);
    assert!(!run.success && run.stderr.contains("name the ops to check, or a plugin"), "{}", run.stderr);
    let run = oplink(&["opcheck", "Softplus", "--check", "shapes"]);
    assert!(
        !run.success && run.stderr.contains(r#"no check is called "shapes"; there are shape, dtypes"#),
        "{}",
        run.stderr
    );
    let run = oplink(&["opcheck", "Softpluss"]);
    assert!(!run.success && run.stderr.contains("Softplus"), "{}", run.stderr);
}
