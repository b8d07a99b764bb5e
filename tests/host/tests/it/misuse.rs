//! Kernels that do something wrong: an error that names the plugin's kernel, and the process goes on.

use oplink::{Code, Tensor};

use crate::support::{call, call_error};

#[test]
fn each_mistake_is_an_error_that_names_the_kernel() {
    let cases = [
        (0, Code::Internal, "did not set output `y`"),
        (1, Code::Internal, "element 0 of a bool tensor is a byte other than 0 and 1"),
        (2, Code::InvalidArgument, "output 0 is of bool, a tensor of float is given"),
        (3, Code::InvalidArgument, "dims [-3] are no shape"),
        (4, Code::InvalidArgument, "exceeds the address space"),
        (5, Code::InvalidArgument, "TF_SetOutput: `tensor` is null"),
        (6, Code::OutOfRange, "there is no output 4, the node has 1"),
        (7, Code::InvalidArgument, "a tensor of no dtype (4711) is given"),
        (8, Code::InvalidArgument, "TF_AllocateOutput: `dims` is null"),
        (9, Code::InvalidArgument, "a tensor of float is given"),
        (10, Code::Internal, "did not set output `y`"),
    ];
    for (which, code, message) in cases {
        let error = call_error("HostWrong", &[&Tensor::scalar(which)], &[]);
        let told = error.to_string();
        assert_eq!(error.code(), code, "{which}: {told}");
        assert!(told.contains(message), "{which}: {told}");
        assert!(told.contains("kernel `HostWrong` of the plugin "), "{which}: {told}");
    }
}

#[test]
fn the_plugin_works_on_after_mistakes() {
    call_error("HostWrong", &[&Tensor::scalar(1i32)], &[]);
    let y = call("HostScale", &[&Tensor::scalar(1.0f32)], &[]).unwrap();
    assert_eq!(y[0].to_scalar::<f32>().unwrap(), 2.0);
}
