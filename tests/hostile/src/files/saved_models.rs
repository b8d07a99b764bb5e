//! SavedModels with damage: in the bytes of one of their files, in the fields of their graph, or without a file.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Instant;

use oplink::graph::RunOptions;
use oplink::saved_model::{LoadOptions, SavedModel, SignatureInfo};
use oplink::{Error, Tensor};
use oplink_proto::SavedModel as SavedModelMessage;

use crate::drawn::{Answer, judge, refused};
use crate::graphs::mutate;
use crate::random::Random;
use crate::suite::Outcome;

/// One stored model: its files, by their paths in it.
type Files = Vec<(PathBuf, Vec<u8>)>;

/// One case: a stored model is written with damage, loaded, and each of its signatures is called.
///
/// # Errors
/// What is wrong with an answer.
pub(super) fn run(random: &mut Random, deadline: Instant) -> Answer {
    let stored = stored()?;
    let mut files = stored[random.below(stored.len())].clone();
    damage(&mut files, random);
    let folder = Path::new("model");
    write(folder, &files).map_err(|error| format!("{}: {error}", folder.display()))?;
    let left =
        || RunOptions { timeout: Some(deadline.saturating_duration_since(Instant::now())), ..Default::default() };
    let mut options = LoadOptions::default();
    options.run = left();
    let model = match SavedModel::load_with(folder, &options) {
        Ok(model) => model,
        Err(error) => return refused(&error),
    };
    let mut outcome = Outcome::Done;
    for signature in model.signatures() {
        let Some(inputs) = inputs(signature.info()) else { continue };
        if let Err(error) = signature.run_with(&left(), &inputs) {
            outcome = refused(&error)?;
        }
    }
    let saved = if random.percent(10) { model.save("saved_again") } else { Ok(()) };
    if saved.is_err() { judge(saved) } else { Ok(outcome) }
}

/// Damages one file.
fn damage(files: &mut Files, random: &mut Random) {
    let at = random.below(files.len());
    if random.percent(5) {
        files.remove(at);
        return;
    }
    let (path, bytes) = &mut files[at];
    if path.ends_with("saved_model.pb")
        && random.percent(60)
        && let Ok(mut model) = oplink_proto::from_bytes::<SavedModelMessage>(bytes.clone())
    {
        let graphs = model.meta_graphs.iter_mut().filter_map(|meta| meta.graph_def.as_mut());
        graphs.for_each(|graph| mutate::fields(graph, random));
        *bytes = oplink_proto::to_bytes(&model);
        return;
    }
    mutate::bytes(bytes, random);
}

fn write(folder: &Path, files: &Files) -> std::io::Result<()> {
    let _ = std::fs::remove_dir_all(folder);
    for (path, bytes) in files {
        let path = folder.join(path);
        std::fs::create_dir_all(path.parent().unwrap_or(folder))?;
        std::fs::write(path, bytes)?;
    }
    Ok(())
}

/// Zeros for the inputs of a signature, unknown extents 2; `None` where one cannot be made.
fn inputs(signature: &SignatureInfo) -> Option<Vec<(&str, Tensor)>> {
    let zeros = |input: &oplink::saved_model::TensorInfo| {
        let extents: Vec<usize> = input.shape.dims()?.iter().map(|extent| extent.unwrap_or(2)).collect();
        let elements = extents.iter().try_fold(1_usize, |product, extent| product.checked_mul(*extent))?;
        if elements > 1 << 20 { None } else { Tensor::zeros(input.dtype?, extents).ok() }
    };
    signature.inputs.iter().map(|input| Some((input.name.as_str(), zeros(input)?))).collect()
}

fn stored() -> Result<&'static [Files], String> {
    static STORED: OnceLock<Result<Vec<Files>, String>> = OnceLock::new();
    let read = || read_stored().map_err(|error| error.to_string());
    STORED.get_or_init(read).as_deref().map_err(Clone::clone)
}

fn read_stored() -> Result<Vec<Files>, Error> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../models/saved");
    let mut stored = Vec::new();
    for entry in entries(&folder)? {
        if entry.is_dir() {
            let mut files = Files::new();
            collect(&entry, Path::new(""), &mut files)?;
            stored.push(files);
        }
    }
    if stored.is_empty() { Err(Error::not_found(format!("{} holds no model", folder.display()))) } else { Ok(stored) }
}

/// What a folder holds, by name.
fn entries(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let read =
        || -> std::io::Result<Vec<PathBuf>> { std::fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect() };
    let mut paths = read().map_err(|error| Error::io(folder.display(), error))?;
    paths.sort();
    Ok(paths)
}

fn collect(folder: &Path, below: &Path, files: &mut Files) -> Result<(), Error> {
    for entry in entries(folder)? {
        let name = below.join(entry.file_name().unwrap_or_default());
        if entry.is_dir() {
            collect(&entry, &name, files)?;
        } else {
            let bytes = std::fs::read(&entry).map_err(|error| Error::io(entry.display(), error))?;
            files.push((name, bytes));
        }
    }
    Ok(())
}
