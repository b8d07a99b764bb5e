//! Training whose process is killed, and goes on in another one.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::time::{Duration, Instant};

use oplink::nn::trainer::*;
use oplink::nn::weights;
use oplink::prelude::*;

use super::{Folder, points, silent, trainer};

/// The folder of a child process that trains.
const CHILD: &str = "OPLINK_TRAINER_CHILD";
/// What the child's callback waits behind each batch, in milliseconds.
const WAIT: &str = "OPLINK_TRAINER_WAIT";
const EPOCHS: usize = 4;
const BATCHES: usize = 12;

/// Writes the loss of each batch, to the bit.
struct Losses(File, Duration);

impl Callback for Losses {
    fn on_train_batch_end(&mut self, progress: &mut Progress<'_>) -> Result<()> {
        let loss = progress.logs.monitored("loss")?.to_bits();
        self.0.write_all(format!("{} {} {loss:x}\n", progress.step, progress.epoch).as_bytes())?;
        std::thread::sleep(self.1);
        Ok(())
    }
}

/// What a child process does.
fn train(folder: &Path, wait: Duration) -> Result<()> {
    let data = points(BATCHES * 16 - 5);
    let file = OpenOptions::new().create(true).append(true).open(folder.join("losses"))?;
    let trainer = trainer()?.learning_rate(|step| 0.01 / (1.0 + step as f64 / 20.0));
    let fit = silent(EPOCHS)
        .validation_data(&data)
        .backup_and_restore(BackupAndRestore::new(folder.join("backup")).save_freq(5))
        .callback(Losses(file, wait))
        .callback(EarlyStopping::new("val_loss").patience(10).restore_best_weights());
    let history = trainer.fit(&data, fit)?;
    std::fs::write(folder.join("history"), format!("{history:?}"))?;
    weights::save(trainer.model(), folder.join("end.safetensors"))
}

fn start(folder: &Path, wait: u32) -> Child {
    let test = "trainer::killed::training_that_is_killed_goes_on_with_the_same_losses";
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", test]).env(CHILD, folder).env(WAIT, wait.to_string());
    command.stdout(std::process::Stdio::null()).spawn().unwrap()
}

fn lines(folder: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(folder.join("losses")).unwrap_or_default();
    text.lines().map(str::to_owned).collect()
}

/// Waits for so many losses more, and kills the process.
fn kill_after(mut child: Child, folder: &Path, count: usize) {
    let (wanted, start) = (lines(folder).len() + count, Instant::now());
    while lines(folder).len() < wanted {
        assert!(start.elapsed() < Duration::from_mins(2), "the child process trains");
        assert!(child.try_wait().unwrap().is_none(), "the child process ended before it was killed");
        std::thread::sleep(Duration::from_millis(2));
    }
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn training_that_is_killed_goes_on_with_the_same_losses() {
    if let Some(folder) = std::env::var_os(CHILD) {
        let wait = std::env::var(WAIT).unwrap().parse().unwrap();
        return train(&PathBuf::from(folder), Duration::from_millis(wait)).unwrap();
    }
    let (whole, killed) = (Folder::new("whole"), Folder::new("killed"));
    assert!(start(&whole.0, 0).wait().unwrap().success());
    let expected: HashMap<String, String> = parse(&lines(&whole.0)).into_iter().collect();
    assert_eq!(expected.len(), EPOCHS * BATCHES);

    // Before the first backup, in the middle of an epoch, and in another one.
    for count in [3, 8, 13] {
        kill_after(start(&killed.0, 20), &killed.0, count);
    }
    assert!(start(&killed.0, 0).wait().unwrap().success());
    let losses = parse(&lines(&killed.0));
    let mut seen = HashMap::new();
    for (step, loss) in losses {
        assert_eq!(expected[&step], loss, "the loss at step {step}");
        *seen.entry(step).or_insert(0) += 1;
    }
    assert_eq!(seen.len(), EPOCHS * BATCHES);
    // The steps behind the last backup were done again, those before it not.
    assert!(seen.values().any(|&count| count > 1) && seen.values().filter(|&&count| count > 2).count() < 5, "{seen:?}");
    for name in ["history", "end.safetensors"] {
        let read = |folder: &Folder| std::fs::read(folder.0.join(name)).unwrap();
        assert!(read(&whole) == read(&killed), "`{name}` differs");
    }
    assert_eq!(std::fs::read_dir(killed.0.join("backup")).unwrap().count(), 0, "backups go at the end");
}

/// Steps, with epochs and losses.
fn parse(lines: &[String]) -> Vec<(String, String)> {
    let split = |line: &String| line.split_once(' ').map(|(step, rest)| (step.to_owned(), rest.to_owned()));
    lines.iter().filter_map(split).collect()
}

#[test]
fn a_backup_of_another_model_is_refused() {
    let (folder, data) = (Folder::new("other"), points(64));
    let backup = || BackupAndRestore::new(folder.0.join("backup")).delete_checkpoint(false);
    trainer().unwrap().fit(&data, silent(1).backup_and_restore(backup())).unwrap();
    let history = trainer().unwrap().fit(&data, silent(2).backup_and_restore(backup())).unwrap();
    assert_eq!(history.epochs().len(), 2);

    let other = oplink::nn::layers::Dense::new(2, 3).unwrap();
    let other = Trainer::new(
        other,
        oplink::nn::optimizers::Adam::new(0.1),
        oplink::nn::losses::sparse_categorical_crossentropy,
    );
    let error = other.unwrap().fit(&data, silent(3).backup_and_restore(backup())).unwrap_err().to_string();
    assert!(error.contains("delete the folder to start anew"), "{error}");
    std::fs::write(folder.0.join("backup/checkpoint"), "nothing").unwrap();
    let error = trainer().unwrap().fit(&data, silent(3).backup_and_restore(backup())).unwrap_err().to_string();
    assert!(error.contains("names no checkpoint"), "{error}");
}
