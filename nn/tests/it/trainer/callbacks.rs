//! Early stopping, progress, and callbacks of a program.

use std::io::Write;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use oplink::nn::Variable;
use oplink::nn::trainer::*;
use oplink::prelude::*;

use super::{Folder, points, silent, trainer};

/// Gives numbers in place of those of the validation data.
struct Numbers(Vec<f64>, EarlyStopping);

impl Callback for Numbers {
    fn on_epoch_end(&mut self, progress: &mut Progress<'_>) -> Result<()> {
        // Learning is undone by hand, so that the loss is worse in later epochs.
        let factor = self.0.get(progress.epoch).copied().unwrap_or(1.0) as f32;
        for variable in progress.model.trainable_variables() {
            variable.assign(variable.read()? * factor)?;
        }
        self.1.on_epoch_end(progress)
    }

    fn on_train_end(&mut self, progress: &mut Progress<'_>) -> Result<()> {
        self.1.on_train_end(progress)
    }
}

#[test]
fn training_ends_where_the_loss_gets_worse() {
    let data = points(128);
    let mut stopping = EarlyStopping::new("val_loss").patience(2);
    let mut numbers = Numbers(vec![1.0, 30.0, 30.0, 30.0, 30.0], EarlyStopping::new("loss").patience(2));
    let history = trainer().unwrap().fit(&data, silent(20).validation_data(&data).callback(&mut numbers)).unwrap();
    assert!((3..6).contains(&history.epochs().len()), "{}", history.epochs().len());
    assert_eq!(numbers.1.stopped_epoch(), Some(history.epochs().len() - 1));

    let history = trainer().unwrap().fit(&data, silent(3).validation_data(&data).callback(&mut stopping)).unwrap();
    assert_eq!((history.epochs().len(), stopping.stopped_epoch()), (3, None));
}

#[test]
fn the_best_weights_come_back() {
    let data = points(128);
    let trainer = trainer().unwrap();
    let mut kept: Vec<Vec<Tensor>> = Vec::new();
    struct Keep<'b>(&'b mut Vec<Vec<Tensor>>);
    impl Callback for Keep<'_> {
        fn on_epoch_end(&mut self, progress: &mut Progress<'_>) -> Result<()> {
            let values = progress.model.trainable_variables().iter().map(Variable::tensor).collect::<Result<_>>();
            self.0.push(values?);
            Ok(())
        }
    }
    let stopping = EarlyStopping::new("best").mode(Direction::Max).restore_best_weights();
    let error = trainer.fit(&data, silent(1).callback(stopping)).unwrap_err().to_string();
    assert!(error.contains("`best` is to be monitored"), "{error}");

    let stopping = EarlyStopping::new("loss").patience(2).restore_best_weights();
    let worse = Numbers(vec![1.0, 1.0, 1.0, 40.0, 40.0, 40.0], stopping);
    // Behind the changes by hand.
    let fit = silent(6).callback(worse).callback(Keep(&mut kept));
    let history = trainer.fit(&data, fit).unwrap();
    let losses = history.get("loss");
    let best = (0..losses.len()).min_by(|&one, &other| losses[one].total_cmp(&losses[other])).unwrap();
    assert!(best >= 2 && best + 1 < losses.len(), "training gets better, then worse: {losses:?}");
    for (variable, kept) in trainer.model().trainable_variables().iter().zip(&kept[best]) {
        assert_eq!(variable.tensor().unwrap().as_bytes().unwrap(), kept.as_bytes().unwrap());
    }
}

#[derive(Clone, Default)]
struct Shared(Arc<Mutex<Vec<u8>>>);

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

struct Slow;

impl Callback for Slow {
    fn on_train_batch_end(&mut self, _: &mut Progress<'_>) -> Result<()> {
        std::thread::sleep(Duration::from_millis(150));
        Ok(())
    }
}

#[test]
fn without_a_terminal_there_is_a_line_a_second() {
    let (written, data) = (Shared::default(), points(160));
    let fit = silent(2).callback(Slow).callback(ProgbarLogger::lines(written.clone())).validation_data(&data);
    trainer().unwrap().fit(&data, fit).unwrap();
    let text = String::from_utf8(written.0.lock().unwrap().clone()).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    // Ten batches of 0.15 seconds: one line on the way, one at the end.
    assert!((3..=6).contains(&lines.len()), "{text}");
    assert!(lines[0].starts_with("Epoch 1/2 - ") && lines[0].contains("/10 - "), "{text}");
    let last = lines.last().unwrap();
    assert!(last.starts_with("Epoch 2/2 - 10/10 - "), "{text}");
    for part in
        [" examples/s - loss: ", " - accuracy: ", " - val_loss: ", " - val_accuracy: ", " - learning_rate: 0.0100"]
    {
        assert!(last.contains(part), "`{part}` in {last}");
    }
    assert!(!text.contains('\r') && !text.contains('\x1b'), "{text:?}");
}

#[test]
fn the_learning_curve_is_a_picture() {
    let (folder, data) = (Folder::new("curve"), points(64));
    let path = folder.0.join("curve.svg");
    let fit = silent(3).validation_data(&data).callback(LearningCurve::new(&path));
    trainer().unwrap().metric("a<b", |_, y| y.mean(..)).fit(&data, fit).unwrap();
    let svg = std::fs::read_to_string(&path).unwrap();
    assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n"));
    assert_eq!(svg.matches("<polyline").count(), 6);
    assert!(svg.contains(">val_loss<") && svg.contains(">a&lt;b<") && svg.contains("3 epochs"), "{svg}");
}
