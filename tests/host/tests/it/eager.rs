//! Eager calls of a plugin's kernels.

use oplink::{AttrValue, Code, ErrorKind, TString, Tensor};

use crate::support::{call, call_error};

#[test]
fn a_kernel_computes_with_its_attr_for_each_of_its_dtypes() {
    let x = Tensor::from_slice(&[1.0f32, -2.0, 3.5]);
    let y = call("HostScale", &[&x], &[("scale", AttrValue::Float(3.0))]).unwrap();
    assert_eq!(y[0].as_slice::<f32>().unwrap(), [3.0, -6.0, 10.5]);
    let x = Tensor::scalar(4.0f64);
    assert_eq!(call("HostScale", &[&x], &[]).unwrap()[0].to_scalar::<f64>().unwrap(), 8.0);
}

#[test]
fn a_dtype_without_kernel_is_refused_as_for_a_built_in_op() {
    let error = call_error("HostScale", &[&Tensor::scalar(1i32)], &[]);
    assert_eq!(error.kind(), ErrorKind::InvalidArgument);
    assert!(error.message().contains("attr `T` of op HostScale does not allow int32"), "{error}");
}

#[test]
fn strings_of_every_length_are_read_and_written() {
    let long = "a string that does not fit into the string itself";
    let parts = Tensor::from_slice(&["", "short", long].map(TString::from));
    let joined = call("HostJoin", &[&parts], &[]).unwrap();
    assert_eq!(joined[0].to_scalar::<TString>().unwrap().to_str().unwrap(), format!(",short,{long}"));
}

#[test]
fn a_failure_has_the_code_of_the_status_and_names_node_plugin_and_inputs() {
    for (number, code) in [(3, Code::InvalidArgument), (8, Code::ResourceExhausted), (12, Code::Unimplemented)] {
        let error = call_error("HostFail", &[&Tensor::scalar(number)], &[]);
        assert_eq!(error.code(), code);
        assert_eq!(error.message(), "the kernel does not like this");
        let told = error.to_string();
        for part in ["node `HostFail` (op HostFail)", "input 0 `code`: int32 []", "kernel `HostFail` of the plugin "] {
            assert!(told.contains(part), "{told}");
        }
        assert!(told.contains("libplugin.so"), "{told}");
    }
}

#[test]
fn a_constructor_that_fails_is_an_error() {
    let error = call_error("HostScale", &[&Tensor::scalar(1.0f32)], &[("scale", AttrValue::Float(0.0))]);
    assert_eq!(error.code(), Code::FailedPrecondition);
    assert!(error.to_string().contains("a scale of 0 is refused"), "{error}");
    assert!(error.to_string().contains("kernel `scale` of the plugin"), "{error}");
}

#[test]
fn an_asynchronous_kernel_is_waited_for_and_may_fail() {
    let y = call("HostSquare", &[&Tensor::scalar(3.0f32)], &[]).unwrap();
    assert_eq!(y[0].to_scalar::<f32>().unwrap(), 9.0);
    let error = call_error("HostSquare", &[&Tensor::scalar(-1.0f32)], &[]);
    assert_eq!(error.code(), Code::OutOfRange);
    assert!(error.to_string().contains("kernel `square` of the plugin"), "{error}");
}
