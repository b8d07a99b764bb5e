//! Plugins that are refused, here because all or none is asked for: the reason is precise, and the registry stays as it
//! was.

use oplink::runtime::Registry;
use oplink::{Code, Error, ErrorKind, Runtime, Strictness};

use crate::support::build;

/// The error of loading `refused.c` with one of its mistakes; the same at the second time, and nothing is registered.
fn refused(mistake: &str) -> Error {
    let file = build("refused.c", &format!("refused_{}", mistake.to_lowercase()), &[mistake]);
    let error = Runtime::load_plugin_with(&file, Strictness::AllOrNone).expect_err("a refusal");
    let again = Runtime::load_plugin_with(&file, Strictness::AllOrNone).expect_err("a refusal");
    assert_eq!(error.to_string(), again.to_string());
    assert_eq!(error.kind(), ErrorKind::PluginRejected);
    assert!(error.message().contains(&*file.to_string_lossy()), "{error}");
    let declared = Registry::global().unwrap().ops().filter(|op| op.location.file == file.to_string_lossy()).count();
    assert_eq!(declared, 0, "{error}");
    error
}

#[track_caller]
fn check(mistake: &str, code: Code, parts: &[&str]) {
    let error = refused(mistake);
    assert_eq!(error.code(), code, "{error}");
    for part in parts {
        assert!(error.to_string().contains(part), "{part:?} is not in: {error}");
    }
}

#[test]
fn what_is_no_plugin_is_refused() {
    let missing = Runtime::load_plugin("no/such/file.so").unwrap_err();
    assert_eq!((missing.code(), missing.kind()), (Code::NotFound, ErrorKind::PluginRejected));
    check("NOTHING", Code::FailedPrecondition, &["registers no ops and no kernels", "is it a plugin?"]);
    check(
        "NO_ENTRY",
        Code::FailedPrecondition,
        &["registers no ops and no kernels, although it exports TF_InitKernel"],
    );
    check(
        "DEVICE",
        Code::FailedPrecondition,
        &["its SE_PlatformRegistrationParams lacks `destroy_platform`, `destroy_platform_fns`, which are required"],
    );
}

#[test]
fn a_missing_function_is_named() {
    check("MISSING", Code::Unimplemented, &["`TF_FunctionOfTheFuture`", "does not export"]);
}

#[test]
fn clashes_name_both_sources_and_nothing_of_the_plugin_stays() {
    check(
        "TAKEN_OP",
        Code::FailedPrecondition,
        &[
            "2 conflicts",
            "op `AddV2` is declared twice",
            "op `Sub` is declared twice",
            "oplink-ops",
            "librefused_taken_op.so (plugin)",
        ],
    );
    let miss = Registry::global().unwrap().op("RefusedFresh").unwrap_err();
    assert_eq!(miss.kind(), ErrorKind::PluginRejected);
    assert!(miss.to_string().contains("librefused_taken_op.so, which was rejected"), "{miss}");
    check(
        "TAKEN_KERNEL",
        Code::FailedPrecondition,
        &[
            "two kernels of op `AddV2` serve device CPU, T=float",
            "oplink-kernels-elementwise",
            "librefused_taken_kernel.so (plugin)",
        ],
    );
    check("TWICE", Code::FailedPrecondition, &["op `RefusedTwice` is declared twice"]);
}

#[test]
fn broken_declarations_are_refused() {
    check("BROKEN_OP", Code::InvalidArgument, &["op `RefusedBroken` is broken", "nothing"]);
    check(
        "NO_OP",
        Code::FailedPrecondition,
        &["kernel for op `RefusedUnknownOp`, which nothing in this binary declares"],
    );
    check("NO_COMPUTE", Code::InvalidArgument, &["kernel `idle` of op `RefusedIdle` has no function to compute with"]);
}

#[test]
fn a_description_of_another_version_or_size_is_refused() {
    check("OLD_INFO", Code::FailedPrecondition, &["is of version 7, this host reads version 1"]);
    check("SHORT_INFO", Code::FailedPrecondition, &["has 16 bytes, this host reads 136"]);
}
