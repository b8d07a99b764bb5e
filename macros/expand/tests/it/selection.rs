//! Selections: what files say, and what kernels make of them.

use expect_test::{Expect, expect};
use oplink_macros_expand::{Chosen, Selection};
use oplink_spec::DType;

use super::*;

const FILE: &str = r#"
# made from two models
version = 1

[ops]
Relu = ["T=float"] # one type
"MyOrg>Fuse" = "all"
Cast = [
    "SrcT=uint8 DstT=float",
    'SrcT=float DstT=half', # and back
]
Shape = []
"#;

#[test]
fn files_choose_ops_and_combinations_of_dtypes() {
    let selection = Selection::parse(FILE).unwrap();
    assert_eq!(selection.chosen("MyOrg>Fuse"), Chosen::All);
    assert_eq!(selection.chosen("Conv2D"), Chosen::Nothing);
    assert!(selection.has_op("Shape") && !selection.has_op("Conv2D"));
    let cast = selection.chosen("Cast");
    let allows = |from, to| cast.allows(&[("SrcT", Some(from)), ("DstT", Some(to))]);
    assert!(allows(DType::UInt8, DType::Float) && allows(DType::Float, DType::Half));
    assert!(!allows(DType::UInt8, DType::Half));
    assert!(
        cast.allows(&[("SrcT", Some(DType::UInt8))]) && cast.allows(&[("SrcT", None), ("DstT", Some(DType::Half))])
    );
    assert!(!selection.chosen("Shape").allows(&[]) && Chosen::All.allows(&[("T", Some(DType::Bool))]));
}

#[test]
fn mistakes_in_files_name_the_line() {
    let check = |text: &str, expected: Expect| expected.assert_eq(&Selection::parse(text).unwrap_err());
    check("[ops]\n", expect!["`version = 1` is missing"]);
    check("version = 2", expect!["line 1: this build reads `version = 1` only"]);
    check("version = 1\n[op]", expect!["line 2: unknown table `[op]`; the only one is `[ops]`"]);
    check("version = 1\nRelu = \"all\"", expect!["line 2: unknown key `Relu`; ops stand under `[ops]`"]);
    check(
        "version = 1\n[ops]\nRelu = \"some\"",
        expect![[r#"line 3: write `Relu = "all"` or `Relu = ["T=float", …]`"#]],
    );
    check("version = 1\n[ops]\nRelu = [\"T=flaot\"]", expect!["line 3: `flaot` is no dtype"]);
    check("version = 1\n[ops]\nRelu = [\"T\"]", expect!["line 3: `T` is not `attr=dtype`"]);
    check("version = 1\n[ops]\nRelu = \"all\"\nRelu = \"all\"", expect!["line 4: the op `Relu` is listed twice"]);
    check("version = 1\n[ops]\nRelu = [\"T=float\"", expect!["line 3: expected `]`"]);
    check("version = 1\n[ops]\nRelu = \"all", expect!["line 3: a string does not end"]);
    check("version = 1\n[ops]\nRelu \"all\"", expect!["line 3: expected `=`"]);
    check("version = 1 2", expect!["line 1: expected the end of the line"]);
    check("version = 1\n[ops]\nRelu = \"a\\n\"", expect!["line 3: strings here have no escapes"]);
}

fn entries(build: &Build, op: &str, attribute: &str, item: &str) -> String {
    let text = pretty(kernel_in(build, op, attribute, item));
    let from = text.find("entries:").unwrap();
    let to = text.find("location:").unwrap();
    text[from..to].split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn what_is_not_chosen_leaves_its_dtypes_only() {
    let build = Build::with(Selection::parse(FILE).unwrap());
    let relu = "fn relu<T: Real>(x: ArrayViewD<'_, T>) -> ArrayD<T> { body() }";
    expect!["entries: &[ ::oplink::__private::KernelEntry::new( &[::oplink::__private::DType::Float], ::oplink::__private::KernelFunction::Compute(__oplink_run::<f32>), ), ], excluded: &[::oplink::__private::DType::Double],"].assert_eq(&entries(&build, RELU, "Relu, device = CPU, T = [f32, f64]", relu));
    let pair = "fn pair(context: &mut KernelContext<'_>) { body() }";
    expect!["entries: &[], excluded: &[],"].assert_eq(&entries(&build, PAIR, "Pair, device = CPU, T = any", pair));
}

/// A user's build warns of what is imported and not used.
#[test]
fn types_that_are_not_chosen_are_named() {
    let check = |build: &Build, expected: &[&str]| {
        let relu = "fn relu<T: Real>(x: ArrayViewD<'_, T>) -> ArrayD<T> { body() }";
        let text = pretty(kernel_in(build, RELU, "Relu, device = CPU, T = [f32, f64, i32]", relu));
        let named: Vec<&str> = text.lines().map(str::trim).filter(|line| line.contains("__OplinkExcluded")).collect();
        assert_eq!(named, expected);
    };
    check(&Build::with(Selection::parse(FILE).unwrap()), &["type __OplinkExcluded = (f64, i32);"]);
    check(&Build::with(Selection::parse("version = 1\n[ops]\nRelu = \"all\"").unwrap()), &[]);
}

/// Where a list is no type parameter, nothing needs to have imported its types.
#[test]
fn dtypes_that_are_not_chosen_are_no_types() {
    let relu = "fn relu(x: &Tensor) -> Result<Tensor> { body() }";
    let build = Build::with(Selection::parse(FILE).unwrap());
    let text = pretty(kernel_in(&build, RELU, "Relu, device = CPU, T = [f32, f64, i32]", relu));
    assert!(text.contains("DType::Double") && !text.contains("__OplinkExcluded"), "{text}");
}

/// What a kernel or op adds to the collections.
fn collected(text: &str) -> Vec<String> {
    let calls = text.split("__collect!").skip(1).map(|call| call[..call.find(';').unwrap()].to_owned());
    calls.map(|call| call.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
}

#[test]
fn what_is_not_chosen_leaves_numbers_in_place_of_descriptors() {
    let build = Build::with(Selection::parse(FILE).unwrap());
    let op = pretty(oplink_macros_expand::op(
        &build,
        parse(r#""Tanh", input = "x: float", output = "y: float", shape = shape_fns::unchanged"#),
        parse("/// Long text.\npub struct Tanh;"),
    ));
    assert!(op.contains("excluded: true") && op.contains("doc: \"\""), "{op}");
    expect![[r#"( EXCLUDED_OPS, ExcludedOpNode, ::oplink::__private::ExcludedOp, ::oplink::__private::ExcludedOp::new("Tanh", ::core::env!("CARGO_PKG_NAME")) )"#]].assert_eq(&collected(&op).join("\n"));
    let pair = "fn pair(context: &mut KernelContext<'_>) { body() }";
    let pair = pretty(kernel_in(&build, PAIR, "Pair, device = CPU, T = any", pair));
    expect![[r#"( EXCLUDED_KERNELS, ExcludedKernelNode, ::oplink::__private::ExcludedKernel, ::oplink::__private::ExcludedKernel::new(::core::env!("CARGO_PKG_NAME")) )"#]].assert_eq(&collected(&pair).join("\n"));
}

#[test]
fn kernels_of_every_op_are_always_chosen() {
    let build = Build::with(Selection::parse(FILE).unwrap());
    let any = "{ ::oplink } { dynamic \"*\" } { } { device = CPU } { fn any(context: &mut KernelContext<'_>) } 0 false";
    let text = pretty(oplink_macros_expand::kernel_of_op(&build, parse(any)));
    assert!(collected(&text)[0].contains("KERNELS"), "{text}");
}
