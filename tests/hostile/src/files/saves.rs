//! A process that saves checkpoints under one name is killed: the checkpoint is that of one save, or says that it is
//! damaged.

use std::io::Read;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use oplink::Tensor;
use oplink_bundle::BundleReader;

use super::checkpoints::save;
use crate::drawn::{Answer, refused};
use crate::random::Random;
use crate::suite::Outcome;

/// Variables of a checkpoint, and elements of each: so much that a save takes a while.
const VARIABLES: usize = 12;
const ELEMENTS: usize = 20_000;

/// One case: the process is killed after some milliseconds, then the checkpoint is read.
///
/// # Errors
/// The checkpoint has values of different saves.
pub(super) fn run(random: &mut Random, _deadline: Instant) -> Answer {
    let _ = std::fs::remove_file("saved.index");
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let mut saving = Command::new(program)
        .arg("--save")
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| format!("the saving process does not start: {error}"))?;
    let mut first = [0];
    let started = saving.stdout.take().map(|mut output| output.read_exact(&mut first));
    std::thread::sleep(Duration::from_micros(random.below(60_000) as u64));
    let killed = saving.kill().and_then(|()| saving.wait());
    if !matches!(started, Some(Ok(()))) || killed.is_err() {
        return Err(format!("the saving process did not save once: {killed:?}"));
    }
    // The index and the data are two files, which are replaced one after the other: between the two, the checkpoint is
    // damaged, and has to say so.
    let reader = match BundleReader::open("saved") {
        Ok(reader) => reader,
        Err(error) => return refused(&error),
    };
    let mut numbers = Vec::new();
    for at in 0..VARIABLES {
        let read = match reader.read(format!("v{at}")) {
            Ok(read) => read,
            Err(error) => return refused(&error),
        };
        let values = read.as_slice::<f32>().map_err(|error| error.to_string())?;
        numbers.extend([values.first().copied(), values.last().copied()]);
    }
    numbers.dedup();
    if numbers.len() == 1 { Ok(Outcome::Done) } else { Err(format!("values of several saves: {numbers:?}")) }
}

/// Saves checkpoints whose values are all the number of the save, without an end.
pub fn save_forever() -> ExitCode {
    for number in 0_u32.. {
        let tensor = Tensor::full(vec![ELEMENTS], number as f32);
        let tensors: Vec<(String, Tensor)> = (0..VARIABLES).map(|at| (format!("v{at}"), tensor.clone())).collect();
        if let Err(error) = save(Path::new("saved"), &tensors) {
            eprintln!("{error}");
            return ExitCode::FAILURE;
        }
        if number == 0 {
            println!("saved");
        }
    }
    ExitCode::SUCCESS
}
