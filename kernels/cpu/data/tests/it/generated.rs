//! A dataset of what functions make of a state, which ends with the iterator.

use crate::pipeline::{Pipeline, folder};

fn finalized(pipeline: &Pipeline) -> i32 {
    pipeline.session.run(&[], &["finalized:0"], &[]).unwrap()[0].to_scalar().unwrap()
}

#[test]
fn a_state_is_finalized_at_the_end_or_with_its_iterator() {
    let text = std::fs::read_to_string(folder().join("stateful/generated.txt")).unwrap();
    let wanted: Vec<&str> = text.lines().collect();
    let pipeline = Pipeline::start("stateful/generated").unwrap();
    assert_eq!(pipeline.take(2), wanted[..2]);
    assert_eq!(finalized(&pipeline), 0);
    let folder = oplink::Tensor::scalar(oplink::TString::from(""));
    pipeline.session.run(&[("folder:0", folder)], &[], &["init"]).unwrap();
    assert_eq!(finalized(&pipeline), 1, "the iterator went before its end");
    assert_eq!(pipeline.take(50), wanted);
    assert_eq!(finalized(&pipeline), 2, "the iterator came to its end");
}
