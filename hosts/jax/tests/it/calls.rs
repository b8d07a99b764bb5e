//! What handlers compute, and what they refuse.

use oplink_abi::xla_ffi::dtype;

use crate::frame::{Frame, Value};
use crate::ops::handler_of;

#[test]
fn a_call_reads_and_writes_the_frame() {
    let add = handler_of("JaxAdd");
    let mut frame = Frame::new(&[&[2, 2], &[2, 2]], &[&[2, 2]], &[]);
    frame.call(add).unwrap();
    assert_eq!(frame.output(0), [3.0; 4]);
    frame.set_input(1, 5.0);
    frame.call(add).unwrap();
    assert_eq!(frame.output(0), [6.0; 4]);
}

#[test]
fn calls_of_other_shapes_take_turns() {
    let add = handler_of("JaxAdd");
    let mut frames =
        [&[4][..], &[2, 2], &[], &[0, 3], &[1, 1, 1, 1, 2]].map(|dims| Frame::new(&[dims; 2], &[dims], &[]));
    for _ in 0..3 {
        for frame in &mut frames {
            frame.call(add).unwrap();
            assert!(frame.output(0).iter().all(|z| *z == 3.0));
        }
    }
}

#[test]
fn attrs_are_those_of_the_call() {
    let scale = handler_of("JaxScale");
    let with = |attrs: &[(&'static str, Value)]| {
        let mut frame = Frame::new(&[&[3]], &[&[3]], attrs);
        frame.call(scale).map(|()| frame.output(0)[2])
    };
    for _ in 0..3 {
        assert_eq!(with(&[]), Ok(2.0));
        assert_eq!(with(&[("scale", Value::Float(0.5))]), Ok(0.5));
        assert_eq!(with(&[("scale", Value::Float(1.5))]), Ok(1.5));
        assert_eq!(with(&[("scale", Value::Text("3.5"))]), Ok(3.5));
        assert_eq!(with(&[("mode", Value::Text("twice")), ("scale", Value::Float(1.5))]), Ok(3.0));
        let error = with(&[("mode", Value::Text("thrice"))]).unwrap_err();
        assert!(error.contains("mode"), "{error}");
        let error = with(&[("sale", Value::Float(1.5))]).unwrap_err();
        assert_eq!(error, "op JaxScale has no attr `sale`; it has scale, mode");
    }
}

#[test]
fn another_shape_or_dtype_than_the_program_was_made_for_is_an_error() {
    let add = handler_of("JaxAdd");
    let mut fits = Frame::new(&[&[4], &[4]], &[&[4]], &[]);
    fits.call(add).unwrap();
    let error = Frame::new(&[&[4], &[4]], &[&[5]], &[]).call(add).unwrap_err();
    assert!(error.contains("output 0 is float [4], and the program was made for float [5]"), "{error}");
    let error = Frame::new(&[&[4], &[5]], &[&[4]], &[]).call(add).unwrap_err();
    assert!(error.contains("shapes [4] and [5] must be equal"), "{error}");
    let error = Frame::new(&[&[4]], &[&[4]], &[]).call(add).unwrap_err();
    assert!(error.contains("JaxAdd takes 2 inputs here, 1 are given"), "{error}");
    let error = Frame::new(&[&[4], &[4]], &[&[4], &[4]], &[]).call(add).unwrap_err();
    assert!(error.contains("JaxAdd gives 1 outputs, the program was made for 2"), "{error}");
    fits.set_input_dtype(1, dtype::S32);
    let error = fits.call(add).unwrap_err();
    assert!(error.contains("int32"), "{error}");
    fits.set_input_dtype(1, dtype::F32);
    fits.call(add).unwrap();
}

#[test]
fn a_shape_that_values_tell_is_asked_for_at_each_call() {
    let zeros = handler_of("JaxZeros");
    let mut frame = Frame::new(&[&[1]], &[&[1]], &[]);
    frame.call(zeros).unwrap();
    frame.set_input(0, 2.0);
    let error = frame.call(zeros).unwrap_err();
    assert!(error.contains("output 0 is float [2], and the program was made for float [1]"), "{error}");
}

#[test]
fn a_gradient_is_called_again_as_an_op_is() {
    let scale = handler_of("JaxScaleGrad");
    let mut frame = Frame::new(&[&[3], &[0], &[3]], &[&[3]], &[("scale", Value::Float(0.5))]);
    for dy in [4.0, 6.0, 8.0] {
        frame.set_input(2, dy);
        frame.call(scale).unwrap();
        assert_eq!(frame.output(0), [dy / 2.0; 3]);
    }
    // What comes in is what goes out, twice.
    let add = handler_of("JaxAddGrad");
    let mut frame = Frame::new(&[&[2], &[2], &[2], &[2]], &[&[2], &[2]], &[]);
    for dz in [4.0, 6.0, 8.0] {
        frame.set_input(3, dz);
        frame.call(add).unwrap();
        assert_eq!((frame.output(0), frame.output(1)), (&[dz; 2][..], &[dz; 2][..]));
    }
    assert_eq!(frame.input(3), [8.0; 2]);
}
