//! Checkpoints with damaged bytes: the values that were saved, or an error.

use std::path::Path;
use std::time::Instant;

use oplink::{Result as OplinkResult, TString, Tensor};
use oplink_bundle::{BundleReader, BundleWriter};

use crate::drawn::{Answer, refused};
use crate::graphs::mutate;
use crate::random::Random;
use crate::suite::Outcome;

/// One case: a checkpoint is written, one of its files is damaged, and every value is read.
///
/// # Errors
/// A value that was read is not what was saved; what is wrong with an error.
pub(super) fn run(random: &mut Random, _deadline: Instant) -> Answer {
    let prefix = Path::new("saved");
    let saved = tensors(random);
    save(prefix, &saved).map_err(|error| format!("a checkpoint cannot be written: {error}"))?;
    let file = Path::new(if random.percent(50) { "saved.index" } else { "saved.data-00000-of-00001" });
    let intact = std::fs::read(file).map_err(|error| format!("{}: {error}", file.display()))?;
    let mut damaged = intact.clone();
    mutate::bytes(&mut damaged, random);
    std::fs::write(file, &damaged).map_err(|error| format!("{}: {error}", file.display()))?;
    let reader = match BundleReader::open(prefix) {
        Ok(reader) => reader,
        Err(error) => return refused(&error),
    };
    let mut outcome = Outcome::Done;
    for (name, tensor) in &saved {
        match reader.read(name) {
            Ok(read) if same(&read, tensor) => {}
            Ok(_) => return Err(format!("`{name}` was read with another value than was saved")),
            Err(error) => outcome = refused(&error)?,
        }
    }
    let names: Vec<Vec<u8>> = reader.tensors().map(|info| info.name.to_vec()).collect();
    for name in names {
        if let Err(error) = reader.read(name) {
            outcome = refused(&error)?;
        }
    }
    Ok(outcome)
}

fn tensors(random: &mut Random) -> Vec<(String, Tensor)> {
    let make = |at: usize, random: &mut Random| match at % 4 {
        0 => Tensor::from_slice(&(0..random.below(400)).map(|value| value as f32).collect::<Vec<f32>>()),
        1 => Tensor::from_slice(&(0..random.below(9)).map(|at| TString::from("text".repeat(at))).collect::<Vec<_>>()),
        2 => Tensor::from_slice(&(0..random.below(50) as i64).collect::<Vec<i64>>()),
        _ => Tensor::scalar(random.percent(50)),
    };
    (0..=random.below(19)).map(|at| (format!("scope_{}/variable_{at}", at / 5), make(at, random))).collect()
}

/// Writes a checkpoint.
///
/// # Errors
/// As the writer.
pub(super) fn save(prefix: &Path, tensors: &[(String, Tensor)]) -> OplinkResult<()> {
    let mut writer = BundleWriter::new(prefix)?;
    for (name, tensor) in tensors {
        writer.add(name, tensor)?;
    }
    writer.finish()
}

fn same(read: &Tensor, saved: &Tensor) -> bool {
    let shown = |tensor: &Tensor| oplink::graph::tensor_to_proto(tensor).ok();
    (read.dtype(), read.shape()) == (saved.dtype(), saved.shape()) && shown(read) == shown(saved)
}
