//! Real graphs, changed in their bytes or in their fields.

use std::path::Path;
use std::sync::OnceLock;
use std::time::Instant;

use oplink_proto::GraphDef;

use super::mutate;
use super::run::import_and_run;
use crate::drawn::Answer;
use crate::random::Random;
use crate::suite::Outcome;

/// The largest graph that cases are made of: larger ones cost time and have no other ops.
const MAX_BYTES: u64 = 1 << 18;

/// One case: some changes to one of the stored graphs.
///
/// # Errors
/// What is wrong with the answer.
pub(super) fn run(random: &mut Random, deadline: Instant) -> Answer {
    let stored = stored()?;
    let mut bytes = stored[random.below(stored.len())].clone();
    let in_bytes = random.percent(25);
    if in_bytes {
        mutate::bytes(&mut bytes, random);
    }
    let Ok(mut def) = oplink_proto::from_bytes::<GraphDef>(bytes) else {
        return Ok(Outcome::Error("no GraphDef".to_owned()));
    };
    if !in_bytes {
        for _ in 0..=random.below(3) {
            mutate::fields(&mut def, random);
        }
    }
    import_and_run(&def, |_| true, random, deadline)
}

fn stored() -> Result<&'static [Vec<u8>], String> {
    static STORED: OnceLock<Result<Vec<Vec<u8>>, String>> = OnceLock::new();
    STORED.get_or_init(read_stored).as_deref().map_err(Clone::clone)
}

fn read_stored() -> Result<Vec<Vec<u8>>, String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../models");
    let entries = std::fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut paths: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    let small = |path: &&std::path::PathBuf| {
        let is_graph = path.extension().is_some_and(|extension| extension == "pb");
        is_graph && path.metadata().is_ok_and(|metadata| metadata.len() <= MAX_BYTES)
    };
    let read = |path| std::fs::read(path).map_err(|error| format!("{}: {error}", Path::display(path)));
    let stored: Vec<Vec<u8>> = paths.iter().filter(small).map(|path| read(path)).collect::<Result<_, _>>()?;
    if stored.is_empty() { Err(format!("{} holds no graph", folder.display())) } else { Ok(stored) }
}
