//! Handles that outlive the run that lent them.

use oplink::{Runtime, Tensor};

use crate::support::{build, call};

#[test]
fn kept_handles_keep_their_tensors() {
    Runtime::load_plugin(build("kept.c", "kept", &[])).unwrap();
    for step in 0..100u8 {
        let x = Tensor::scalar(f32::from(step));
        let y = call("KeptHandles", &[&x], &[]).unwrap();
        assert_eq!(y[0].to_scalar::<f32>().unwrap(), f32::from(step) + 1.0);
    }
    for step in 0..500u16 {
        let x = Tensor::scalar(f32::from(step));
        let y = call("HandlesElsewhere", &[&x], &[]).unwrap();
        assert_eq!(y[0].to_scalar::<f32>().unwrap(), f32::from(step));
        drop(y);
        while !x.is_unique() {
            std::thread::yield_now(); // until the other thread has deleted its handle
        }
    }
}
