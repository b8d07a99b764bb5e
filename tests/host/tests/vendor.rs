//! A vendor's plugin of 300 kernels, of which 100 are wrong: what is valid serves, as in stock TensorFlow.
//!
//! A process of its own: the plugin's duplicates of built-in kernels make these ambiguous. `vendor.py` writes what
//! stock TensorFlow serves.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use oplink::graph::eager::EagerContext;
use oplink::runtime::{Registry, RejectedItem};
use oplink::{Code, DType, Error, ErrorKind, Runtime, Strictness, Tensor};

fn folder() -> &'static Path {
    Path::new(env!("CARGO_TARGET_TMPDIR"))
}

/// The vendor's plugin, built once.
fn vendor() -> &'static Path {
    static VENDOR: OnceLock<PathBuf> = OnceLock::new();
    VENDOR.get_or_init(|| oplink_host_tests::build(folder(), "vendor.c", "vendor", &[]))
}

/// What a call of 4 in this dtype gives.
fn serve(op: &str, dtype: DType) -> Result<f64, Error> {
    let context = EagerContext::global()?;
    let cast = |x: &Tensor, from: DType, to: DType| -> Result<Tensor, Error> {
        let attrs = [("SrcT", from.into()), ("DstT", to.into())];
        if from == to { Ok(x.clone()) } else { Ok(context.call("Cast", &[x], &attrs)?.values[0].clone()) }
    };
    let x = cast(&Tensor::from_slice(&[4.0f64]), DType::Double, dtype)?;
    let y = &context.call(op, &[&x], &[])?.values[0];
    Ok(cast(y, dtype, DType::Double)?.as_slice::<f64>()?[0])
}

fn dtype(name: &str) -> DType {
    let name = match name {
        "float32" => "float",
        "float64" => "double",
        "float16" => "half",
        other => other,
    };
    DType::parse(name).unwrap_or_else(|| panic!("no dtype {name}"))
}

/// What is valid serves as in stock TensorFlow; where a node is refused there, it is refused here with the same code.
/// More is served of the op that has kernels with a constraint on an attr that it lacks: there all of it is lost.
fn serves_what_stock_serves() {
    let expected = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/expected/vendor.txt")).unwrap();
    for line in expected.lines() {
        let &[op, name, outcome] = line.split(' ').collect::<Vec<_>>().as_slice() else { panic!("{line}") };
        let served = serve(op, dtype(name));
        let told = match &served {
            _ if op == "VendorOdd" => format!("{:.1}", served.unwrap()),
            Ok(value) => format!("{value:.4}"),
            Err(error) => format!("{:?}", error.code()),
        };
        let wanted = match (op, name) {
            ("VendorOdd", "float32") => "8.0",
            ("VendorOdd", _) => "4.0",
            _ => outcome,
        };
        assert_eq!(told, wanted, "{line}");
    }
}

/// Checks the error of something that was left out.
#[track_caller]
fn refused(op: &str, dtype: DType, kind: ErrorKind, parts: &[&str]) {
    let error = serve(op, dtype).expect_err("an error");
    assert_eq!(error.kind(), kind, "{error}");
    for part in parts {
        assert!(error.to_string().contains(part), "{part:?} is not in: {error}");
    }
}

fn asking_for_what_was_left_out_gives_the_reason() {
    let rejected = ErrorKind::PluginRejected;
    refused(
        "VendorGone07",
        DType::Float,
        rejected,
        &["op `VendorGone07` is not declared", "libvendor.so", "which nothing in this binary declares"],
    );
    let both = ["Multiple OpKernel registrations match NodeDef at the same priority", "libvendor.so", "priority"];
    refused("Floor", DType::Float, rejected, &both);
    refused("VendorTwin", DType::UInt8, rejected, &both);
    let reasons = ["999 is the number of no dtype", "has no function to compute with", "both must be named"];
    let told = Runtime::inspect_plugin(vendor()).unwrap();
    for reason in reasons.into_iter().chain(["constrains attr `T` twice", "has `nothing` in host_memory"]) {
        let of_op = told.rejected.iter().filter(|one| one.op == "VendorBroken" && one.reason.contains(reason));
        assert_eq!(of_op.count(), 4, "{reason}");
    }
    let asked = ["op `VendorBroken` has no kernel for device CPU, T=float", "`nothing` in host_memory"];
    refused("VendorBroken", DType::Float, rejected, &asked);
}

fn the_strict_choice_refuses_it_and_the_registry_stays_as_it_was() {
    let before = Registry::global().unwrap().kernels().count();
    let error = Runtime::load_plugin_with(vendor(), Strictness::AllOrNone).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::PluginRejected);
    assert_eq!(Registry::global().unwrap().kernels().count(), before);
}

/// One test: its steps build on each other.
#[test]
fn a_plugin_that_is_partly_wrong_serves_the_rest() {
    the_strict_choice_refuses_it_and_the_registry_stays_as_it_was();
    let info = Runtime::inspect_plugin(vendor()).unwrap();
    assert_eq!((info.kernels.len(), info.ops.len(), info.rejected.len()), (200, 22, 101));
    let info = Runtime::load_plugin(vendor()).unwrap();
    let kernels = info.rejected.iter().filter(|one| matches!(one.item, RejectedItem::Kernel(_))).count();
    assert_eq!((info.kernels.len(), info.ops.len(), kernels), (200, 22, 100));
    let warning = info.warning().unwrap();
    assert!(warning.starts_with("100 of 300 kernels and 1 of 23 ops of the plugin"), "{warning}");
    let again = Runtime::load_plugin_with(vendor(), Strictness::AllOrNone).unwrap_err();
    assert!(again.to_string().contains("it is loaded already, with what is valid of it"), "{again}");
    assert_eq!(again.code(), Code::FailedPrecondition);
    serves_what_stock_serves();
    asking_for_what_was_left_out_gives_the_reason();
    kernels_of_ops_that_come_later_serve();
    a_later_plugin_is_checked_against_what_is_valid();
}

/// As in TensorFlow, a kernel may be registered before its op.
fn kernels_of_ops_that_come_later_serve() {
    let late = oplink_host_tests::build(folder(), "refused.c", "vendor_gone", &["ONE_OP=\"VendorGone03\""]);
    Runtime::load_plugin(late).unwrap();
    assert_eq!(serve("VendorGone03", DType::Float).unwrap(), 8.0);
    assert_eq!(serve("VendorGone04", DType::Float).unwrap_err().kind(), ErrorKind::PluginRejected);
}

/// The duplicates that are there are no conflict of what comes after them.
fn a_later_plugin_is_checked_against_what_is_valid() {
    let kernel = |name: &str, definitions: &[&str]| oplink_host_tests::build(folder(), "refused.c", name, definitions);
    let other = kernel("vendor_other", &["ONE_KERNEL=\"Floor\"", "DTYPE=TF_STRING"]);
    let error = Runtime::load_plugin_with(other, Strictness::AllOrNone).unwrap_err();
    assert!(error.to_string().contains("1 conflict:"), "{error}");
    let taken = kernel("vendor_taken", &["TAKEN_KERNEL"]);
    let error = Runtime::load_plugin(taken).unwrap_err();
    assert!(error.to_string().contains("two kernels of op `AddV2` serve device CPU, T=float"), "{error}");
    assert!(serve("AddV2", DType::Float).unwrap_err().kind() != ErrorKind::PluginRejected, "AddV2 is as it was");
}
