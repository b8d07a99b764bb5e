//! Values that once did harm: each is an error with its code.

use std::time::{Duration, Instant};

use oplink::prelude::*;
use oplink_hostile::ops::run_until;

fn code(op: &str, attrs: &[(&str, AttrValue)], inputs: Vec<Tensor>) -> Code {
    let deadline = Instant::now() + Duration::from_secs(2);
    let error = run_until(op, attrs, inputs, deadline).unwrap_err();
    assert_ne!(error.kind(), ErrorKind::KernelPanicked, "{op}: {error:?}");
    error.code()
}

fn floats(shape: impl Into<Shape>) -> Tensor {
    Tensor::zeros(DType::Float, shape).unwrap()
}

#[test]
fn blocks_and_strides_beyond_32_bits_are_errors() {
    for size in [1i64 << 32, 1 << 62, i64::MAX] {
        let size = [("block_size", size.into())];
        assert_eq!(code("DepthToSpace", &size, vec![floats([1, 2, 1, 3])]), Code::InvalidArgument);
        assert_eq!(code("SpaceToDepth", &size, vec![floats([1, 2, 1, 3])]), Code::InvalidArgument);
        let crops = Tensor::from_vec([2, 2], vec![0i32; 4]).unwrap();
        assert_eq!(code("BatchToSpace", &size, vec![floats([4, 1, 1, 1]), crops]), Code::InvalidArgument);
    }
    let attrs = [("strides", AttrValue::Ints(vec![1, i64::MAX, i64::MAX, 1])), ("padding", "SAME".into())];
    let inputs = || vec![floats([1, 5, 5, 3]), floats([3, 2, 3, 1])];
    assert_eq!(code("DepthwiseConv2dNative", &attrs, inputs()), Code::InvalidArgument);
    assert_eq!(code("Conv2D", &attrs, inputs()), Code::InvalidArgument);
}

#[test]
fn shapes_whose_extents_overflow_are_errors() {
    let shape = || vec![Tensor::from([1, i32::MAX, i32::MAX])];
    assert_eq!(code("RandomUniform", &[("dtype", DType::Double.into())], shape()), Code::ResourceExhausted);
    assert_eq!(Tensor::zeros(DType::Half, [0, 16, 3, 3, 1 << 62]).unwrap_err().code(), Code::ResourceExhausted);
}

#[test]
#[cfg(target_os = "linux")]
fn a_file_without_an_end_is_read_until_the_deadline() {
    let code = code("ReadFile", &[], vec![TString::from("/dev/zero").into()]);
    assert!([Code::DeadlineExceeded, Code::ResourceExhausted].contains(&code), "{code:?}");
}
