//! Guesses at misspelt names, and function names of ops.

use oplink_spec::{nearest, snake_case};

/// Op names with digits or runs of capitals and the functions that TensorFlow's Python gives them.
#[test]
fn snake_case_is_tensorflows() {
    for line in include_str!("data/snake_case.tsv").lines() {
        let (op, function) = line.split_once('\t').unwrap();
        assert_eq!(snake_case(op), function);
    }
}

#[test]
fn snake_case_of_internal_and_namespaced_ops() {
    assert_eq!(snake_case("_FusedConv2D"), "_fused_conv2d");
    assert_eq!(snake_case("Namespace>TestStringOutput"), "namespace_test_string_output");
    assert_eq!(snake_case(""), "");
}

fn guess(wanted: &str) -> Option<&'static str> {
    nearest(wanted, ["MatMul", "BatchMatMul", "Relu", "Relu6", "Conv2D", "N", "T"].into_iter())
}

#[test]
fn near_names_are_guessed() {
    assert_eq!(guess("MatMull"), Some("MatMul"));
    assert_eq!(guess("matmul"), Some("MatMul"));
    assert_eq!(guess("MaMtul"), Some("MatMul"));
    assert_eq!(guess("Rleu"), Some("Relu"));
    assert_eq!(guess("Conv2d"), Some("Conv2D"));
    assert_eq!(guess("n"), Some("N"));
}

#[test]
fn far_names_are_not() {
    assert_eq!(guess("U"), None);
    assert_eq!(guess("Softmax"), None);
    assert_eq!(guess(""), None);
    assert_eq!(guess(&"x".repeat(100_000)), None);
}
