//! Trained and frozen TensorFlow graphs give TensorFlow's results.

use std::path::Path;

use oplink::graph::{Graph, Session, SessionOptions};
use oplink::runtime::Registry;
use oplink::{Result, Tensor};

use crate::arrays::{Archive, large_model, read_png, repository};

/// Pictures of `digits_test.npz` whose digit stock TensorFlow 2.21 reads right, of 1000.
const TENSORFLOW_READS_RIGHT: usize = 994;

/// Pictures in a run over all of them.
const BATCH: usize = 128;

fn session(path: &Path) -> Result<Session> {
    Session::new(Graph::load(path, Registry::global()?)?, SessionOptions::default())
}

fn digits() -> Result<Session> {
    session(&repository("tests/models/digits/digits.pb"))
}

/// The largest difference, relative to the largest magnitude that is wanted.
fn relative_error(have: &Tensor, want: &Tensor) -> Result<f32> {
    assert_eq!(have.shape(), want.shape());
    let (have, want) = (have.as_slice::<f32>()?, want.as_slice::<f32>()?);
    assert!(have.iter().all(|value| value.is_finite()));
    let scale = want.iter().fold(0.0f32, |most, value| most.max(value.abs()));
    Ok(have.iter().zip(want).fold(0.0f32, |most, (have, want)| most.max((have - want).abs())) / scale)
}

#[test]
fn digits_has_tensorflows_labels_and_probabilities() -> Result<()> {
    let mut archive = Archive::open(&repository("tests/models/digits/digits.npz"));
    let image = archive.read::<u8>("in:image:0");
    let (labels, want) = (archive.read::<i64>("out:Identity:0"), archive.read::<f32>("out:Identity_1:0"));
    let outputs = digits()?.run(&[("image:0", image)], &["Identity:0", "Identity_1:0"], &[])?;
    assert_eq!(outputs[0].as_slice::<i64>()?, labels.as_slice::<i64>()?);
    assert_eq!(outputs[1].shape(), want.shape());
    for (have, want) in outputs[1].as_slice::<f32>()?.iter().zip(want.as_slice::<f32>()?) {
        assert!((have - want).abs() <= 1e-5, "probability {have}, TensorFlow's is {want}");
    }
    Ok(())
}

#[test]
fn each_picture_is_read_as_its_digit() -> Result<()> {
    let session = digits()?;
    for digit in 0..10 {
        let image = read_png(&repository(&format!("tests/models/digits/digit-{digit}.png")));
        let label = session.run(&[("image", image)], &["label"], &[])?;
        assert_eq!(label[0].as_slice::<i64>()?, [digit], "digit-{digit}.png");
    }
    Ok(())
}

#[test]
fn accuracy_over_the_test_set_is_tensorflows() -> Result<()> {
    let mut archive = Archive::open(&repository("tests/models/digits/digits_test.npz"));
    let (images, digits_shown) = (archive.read::<u8>("x"), archive.read::<u8>("y"));
    let (images, digits_shown) = (images.as_slice::<u8>()?, digits_shown.as_slice::<u8>()?);
    let session = digits()?;
    let mut right = 0;
    for (pixels, shown) in images.chunks(BATCH * 28 * 28).zip(digits_shown.chunks(BATCH)) {
        let batch = Tensor::from_vec([shown.len(), 28, 28, 1], pixels.to_vec())?;
        let label = session.run(&[("image", batch)], &["label"], &[])?;
        right +=
            label[0].as_slice::<i64>()?.iter().zip(shown).filter(|(have, want)| **have == i64::from(**want)).count();
    }
    assert_eq!(right, TENSORFLOW_READS_RIGHT, "of {}", digits_shown.len());
    Ok(())
}

/// Runs a model of `tests/models` on the archive's inputs and holds its outputs against the archive's.
fn check_model(name: &str, tolerance: f32) -> Result<()> {
    let mut archive = Archive::open(&repository(&format!("tests/models/{name}.npz")));
    let session = session(&repository(&format!("tests/models/{name}.pb")))?;
    let names: Vec<String> = archive.names().iter().map(|name| name.trim_end_matches(".npy").to_owned()).collect();
    let feeds: Vec<&str> = names.iter().filter_map(|name| name.strip_prefix("in:")).collect();
    let feeds: Vec<(&str, Tensor)> =
        feeds.iter().map(|feed| (*feed, archive.read_any(&format!("in:{feed}")))).collect();
    let fetches: Vec<&str> = names.iter().filter_map(|name| name.strip_prefix("out:")).collect();
    let outputs = session.run(&feeds, &fetches, &[])?;
    for (fetch, have) in fetches.iter().zip(&outputs) {
        let error = relative_error(have, &archive.read::<f32>(&format!("out:{fetch}")))?;
        assert!(error <= tolerance, "{name}, {fetch}: relative error {error:.1e}");
    }
    Ok(())
}

#[test]
fn a_functional_loop_has_tensorflows_values() -> Result<()> {
    check_model("while_v2", 1e-5)
}

#[test]
fn a_loop_of_switch_and_merge_has_tensorflows_values() -> Result<()> {
    check_model("while_v1", 1e-5)
}

#[test]
fn a_recurrent_network_with_functional_loops_has_tensorflows_values() -> Result<()> {
    check_model("lstm", 1e-5)
}

#[test]
fn a_recurrent_network_of_switch_and_merge_has_tensorflows_values() -> Result<()> {
    check_model("lstm_v1", 1e-5)
}

#[test]
fn a_transformer_has_tensorflows_values() -> Result<()> {
    check_model("transformer", 1e-5)
}

/// Forty steps of Adam: the loss of each, and the weights after the last.
#[test]
fn training_follows_tensorflows_curve() -> Result<()> {
    let mut archive = Archive::open(&repository("tests/models/mlp_train.npz"));
    let session = session(&repository("tests/models/mlp_train.pb"))?;
    session.run(&[], &[], &["init"])?;
    let (inputs, labels) = (archive.read::<f32>("in:feed_0:0"), archive.read::<i32>("in:feed_1:0"));
    let losses = archive.read::<f32>("loss");
    for (step, want) in losses.as_slice::<f32>()?.iter().enumerate() {
        let row = |all: &Tensor| all.slice(step, step + 1)?.with_shape(&all.shape()[1..]);
        let feeds = [("feed_0:0", row(&inputs)?), ("feed_1:0", row(&labels)?)];
        let loss = session.run(&feeds, &["loss:0"], &["train"])?[0].to_scalar::<f32>()?;
        assert!((loss - want).abs() <= 1e-4, "step {step}: loss {loss}, TensorFlow's is {want}");
    }
    for name in ["w1", "b1", "w2", "b2"] {
        let have = session.run(&[], &[&format!("read_{name}:0")], &[])?;
        let want = archive.read::<f32>(&format!("final:{name}"));
        assert_eq!(have[0].shape(), want.shape());
        for (have, want) in have[0].as_slice::<f32>()?.iter().zip(want.as_slice::<f32>()?) {
            assert!((have - want).abs() <= 1e-3, "{name}: {have}, TensorFlow's is {want}");
        }
    }
    Ok(())
}

/// The archive's outputs reach into the network: probabilities of random weights are nearly uniform and hide errors.
#[test(Models)]
fn mobilenetv2_has_tensorflows_values() -> Result<()> {
    let graph = large_model("mobilenetv2.pb");
    let mut archive = Archive::open(&large_model("mobilenetv2.npz"));
    let names: Vec<String> = archive.names().iter().map(|name| name.trim_end_matches(".npy").to_owned()).collect();
    let fetches: Vec<&str> = names.iter().filter_map(|name| name.strip_prefix("out:")).collect();
    let outputs = session(&graph)?.run(&[("a:0", archive.read::<f32>("in:a:0"))], &fetches, &[])?;
    for (name, have) in fetches.iter().zip(&outputs) {
        let error = relative_error(have, &archive.read::<f32>(&format!("out:{name}")))?;
        eprintln!("{name}: relative error {error:.1e}");
        assert!(error <= 1e-4, "{name}: relative error {error:.1e}");
    }
    Ok(())
}
