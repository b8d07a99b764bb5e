//! Folders that hold no SavedModel.

use std::path::Path;

use oplink_api::{Code, Error, ErrorKind};

use crate::{CHUNKED_FILE, FILE, TEXT_FILE};

/// Names that a message shows of a folder.
const SHOWN: usize = 5;

/// That a path is no folder of a SavedModel, what it is instead, and what to do.
#[cold]
pub(crate) fn no_saved_model(path: &Path) -> Error {
    let why = if path.is_file() {
        format!("it is a file; give the folder that holds `{FILE}`")
    } else {
        match std::fs::read_dir(path) {
            Ok(entries) => {
                let mut names: Vec<String> =
                    entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
                names.sort();
                reason(path, &names)
            }
            Err(error) => error.to_string(),
        }
    };
    let message = format!("no SavedModel at {}: {why}", path.display());
    Error::new(Code::NotFound, ErrorKind::Io, message)
}

fn is_saved_model(folder: &Path) -> bool {
    [FILE, TEXT_FILE, CHUNKED_FILE].iter().any(|name| folder.join(name).exists())
}

fn reason(folder: &Path, names: &[String]) -> String {
    let inside = |suffix: &str| names.iter().find(|name| name.ends_with(suffix));
    let models: Vec<&str> =
        names.iter().filter(|name| is_saved_model(&folder.join(name))).map(String::as_str).collect();
    if names.is_empty() {
        return "the folder is empty".to_owned();
    }
    if !models.is_empty() {
        return format!("the folder holds SavedModels; give one of them: {}", shown(&models));
    }
    if let Some(parent) = folder.parent().filter(|parent| is_saved_model(parent)) {
        return format!("the folder is a part of the SavedModel {}; give that", parent.display());
    }
    if let Some(model) = inside(".keras").or_else(|| inside(".h5")) {
        return format!(
            "the folder holds the Keras model `{model}`; in Python, `keras.saving.load_model(FILE).export(FOLDER)` writes \
             a SavedModel, which runs here"
        );
    }
    if let Some(index) = inside(".index") {
        let index = index.trim_end_matches(".index");
        return format!("the folder holds the checkpoint `{index}`: values of variables, and no graph to run");
    }
    if let Some(graph) = inside(".pb").or_else(|| inside(".pbtxt")) {
        return format!("the folder has no `{FILE}`; give the graph `{graph}` itself");
    }
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    format!("the folder has no `{FILE}`, it holds {}", shown(&names))
}

fn shown(names: &[&str]) -> String {
    let more = names.len().saturating_sub(SHOWN);
    let listed = names.iter().take(SHOWN).map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    if more == 0 { listed } else { format!("{listed} and {more} more") }
}
