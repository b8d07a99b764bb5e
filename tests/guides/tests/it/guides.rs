//! A test for each chapter, and one more for each part that needs more than Rust.
//!
//! `cargo test -p oplink-guides -- --nocapture` prints the seconds; what was typed and printed is in
//! `target/debug/guides`.

use oplink_guides::chapter::Need;
use oplink_guides::run::run;

fn follow(chapter: &str, has: &[Need]) {
    run(chapter, has).unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn first_op() {
    follow("first-op", &[]);
}

#[test]
fn first_model() {
    follow("first-model", &[]);
}

#[test(Tensorflow)]
fn keras_to_binary() {
    follow("keras-to-binary", &[Need::Tensorflow]);
}

#[test]
fn train() {
    follow("train", &[]);
}

#[test(Tensorflow)]
fn train_in_tensorflow() {
    follow("train", &[Need::Tensorflow]);
}

#[test(Python)]
fn python() {
    follow("python", &[Need::Python]);
}

#[test]
fn plugin() {
    follow("plugin", &[]);
}

#[test(Tensorflow)]
fn plugin_in_tensorflow() {
    follow("plugin", &[Need::Tensorflow]);
}

#[test(Long, Torch)]
fn plugin_in_pytorch() {
    follow("plugin", &[Need::Torch]);
}

#[test]
fn device() {
    follow("device", &[]);
}

#[test(Tensorflow)]
fn device_in_tensorflow() {
    follow("device", &[Need::Tensorflow]);
}

#[test(Ray)]
fn beyond_one_machine_by_ray() {
    follow("beyond-one-machine", &[Need::Ray]);
}

#[test(Tensorflow)]
fn beyond_one_machine_by_tensorflow() {
    follow("beyond-one-machine", &[Need::Tensorflow]);
}
