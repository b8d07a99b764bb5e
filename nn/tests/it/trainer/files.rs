//! Weights, checkpoints and event files.

use std::path::{Path, PathBuf};
use std::process::Command;

use oplink::nn::trainer::*;
use oplink::nn::{Layer, Module, weights};

use super::{Folder, network, points, silent, trainer};

fn bytes(model: &(impl Module + ?Sized)) -> Vec<(String, Vec<u8>)> {
    let one = |(name, variable): (String, oplink::nn::Variable)| {
        (name, variable.tensor().unwrap().as_bytes().unwrap().to_vec())
    };
    model.variables().into_iter().map(one).collect()
}

#[test]
fn weights_come_back_from_both_formats() {
    let folder = Folder::new("weights");
    let written = network(1).unwrap();
    for name in ["model.safetensors", "model"] {
        let path = folder.0.join(name);
        weights::save(&written, &path).unwrap();
        let read = network(2).unwrap();
        assert_ne!(bytes(&written), bytes(&read));
        weights::load(&read, &path).unwrap();
        assert_eq!(bytes(&written), bytes(&read));
    }
}

#[test]
fn weights_that_do_not_fit_are_errors_and_change_nothing() {
    let folder = Folder::new("unfit");
    let path = folder.0.join("model.safetensors");
    let small = oplink::nn::layers::Dense::new(2, 24).unwrap();
    weights::save(&oplink::nn::layers::Sequential::new().then(small), &path).unwrap();
    let model = network(1).unwrap();
    let before = bytes(&model);
    let error = weights::load(&model, &path).unwrap_err().to_string();
    assert!(error.contains("model.safetensors") && error.contains("`layers.1.seed_generator_state`"), "{error}");
    weights::save(&oplink::nn::layers::Sequential::new().then(oplink::nn::layers::Dense::new(3, 24).unwrap()), &path)
        .unwrap();
    let error = weights::load(&model, &path).unwrap_err().to_string();
    assert!(error.contains("`layers.0.kernel`") && error.contains("[3,24]"), "{error}");
    std::fs::write(&path, b"\xff\xff\xff\xff\xff\xff\xff\x7fx").unwrap();
    assert!(weights::load(&model, &path).is_err());
    assert!(weights::load(&model, folder.0.join("none")).is_err());
    assert_eq!(before, bytes(&model));
}

#[test]
fn checkpoints_are_kept_as_many_as_asked_and_the_best() {
    let (folder, data) = (Folder::new("checkpoints"), points(64));
    let (all, best) = (folder.0.join("all"), folder.0.join("best"));
    let fit = silent(5)
        .validation_data(&data)
        .callback(ModelCheckpoint::new(&all).max_to_keep(2))
        .callback(ModelCheckpoint::new(&best).save_best_only("val_accuracy"));
    let trainer = trainer().unwrap();
    trainer.fit(&data, fit).unwrap();
    let mut names: Vec<String> =
        std::fs::read_dir(&all).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    let expected =
        ["checkpoint", "ckpt-4.data-00000-of-00001", "ckpt-4.index", "ckpt-5.data-00000-of-00001", "ckpt-5.index"];
    assert_eq!(names, expected);
    let read = network(3).unwrap();
    weights::load(&read, all.join("ckpt-5")).unwrap();
    assert_eq!(bytes(trainer.model()), bytes(&read));
    weights::load(&read, best.join("best")).unwrap();
}

/// Runs Python that has TensorFlow, with the folder as its argument; what it prints.
fn run(script: &str, folder: &Path) -> String {
    let venv = std::env::var_os("OPLINK_TENSORFLOW_VENV").expect("a test that needs `Tensorflow`");
    let mut command = Command::new(PathBuf::from(venv).join("bin/python"));
    command.envs([("TF_CPP_MIN_LOG_LEVEL", "3"), ("PYTHONDONTWRITEBYTECODE", "1")]).args(["-c", script]);
    let output = command.arg(folder).output().expect("python starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test(Tensorflow)]
fn tensorflow_reads_events_and_checkpoints() {
    let (folder, data) = (Folder::new("tensorflow"), points(64));
    let fit = silent(2)
        .validation_data(&data)
        .callback(TensorBoard::new(folder.0.join("logs")).update_freq(2))
        .callback(ModelCheckpoint::new(folder.0.join("checkpoints")));
    let trainer = trainer().unwrap();
    let history = trainer.fit(&data, fit).unwrap();
    let read = run(
        "
import glob, sys
import tensorflow as tf
for part in ['train', 'validation']:
    path, = glob.glob(f'{sys.argv[1]}/logs/{part}/*tfevents*')
    for event in tf.compat.v1.train.summary_iterator(path):
        assert event.wall_time > 1e9
        if event.file_version: print(part, event.file_version)
        for value in event.summary.value: print(part, event.step, value.tag, repr(value.simple_value))
path = tf.train.latest_checkpoint(sys.argv[1] + '/checkpoints')
kernel = tf.train.load_checkpoint(path).get_tensor('layers/0/kernel')
print('kernel', kernel.shape, repr(float(kernel.sum())))
",
        &folder.0,
    );
    let lines: Vec<&str> = read.lines().collect();
    assert!(lines.contains(&"train brain.Event:2") && lines.contains(&"validation brain.Event:2"), "{read}");
    let number = |start: String| -> f64 {
        let line = lines.iter().find_map(|line| line.strip_prefix(&start));
        line.unwrap_or_else(|| panic!("`{start}` in {read}")).parse().unwrap()
    };
    for (epoch, logs) in history.epochs().iter().enumerate() {
        for (name, value) in logs.iter() {
            let (part, name) = name.strip_prefix("val_").map_or(("train", name), |name| ("validation", name));
            let found = number(format!("{part} {epoch} epoch_{name} "));
            assert_eq!(found, f64::from(value as f32), "{part} {epoch} {name}");
        }
    }
    for step in [2, 4, 6, 8] {
        number(format!("train {step} batch_loss "));
    }
    let kernel = trainer.model().variables().remove(0).1.tensor().unwrap();
    let sum: f64 = kernel.as_slice::<f32>().unwrap().iter().map(|&x| f64::from(x)).sum();
    assert!((number("kernel (2, 24) ".to_owned()) - sum).abs() < 1e-5);
}

#[test]
fn a_layer_by_reference_is_the_layer() {
    let model = network(1).unwrap();
    let by_reference: &dyn Layer = &&model;
    assert_eq!(by_reference.variables().len(), model.variables().len());
}
