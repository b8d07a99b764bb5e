//! `oplink new`: a crate of a user's own: ops, a plugin, a program that trains, or one that runs a model.

mod inference;
mod template;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use oplink::{Error, Result, ensure};

use template::Template;

/// Make a crate.
#[derive(Args)]
pub(crate) struct NewArguments {
    /// The folder to make; the crate is called as it is
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
    /// What the crate is
    #[arg(long, value_enum, default_value_t = Template::Op)]
    template: Template,
    /// What the template `inference` runs: a SavedModel, by its signature `serving_default` or its only one, or a
    /// frozen GraphDef
    #[arg(long, value_name = "MODEL")]
    model: Option<PathBuf>,
    /// Depend on oplink's source in this folder, and not on its published version
    #[arg(long, value_name = "SOURCE")]
    path: Option<PathBuf>,
}

/// A file of the crate, with its path in it.
type File = (&'static str, Vec<u8>);

/// Names that cargo takes for crates, but that Rust or oplink has another use for.
const TAKEN: [&str; 8] = ["alloc", "core", "oplink", "proc_macro", "self", "std", "super", "test"];

pub(crate) fn new(arguments: &NewArguments) -> Result<ExitCode> {
    let (folder, template) = (&arguments.folder, arguments.template);
    let name = folder.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    check_name(name, template)?;
    let shown = folder.display();
    if folder.exists() {
        return Err(Error::invalid_argument(format!("{shown} is already there; choose another name, or remove it")));
    }
    // All is made before anything is written: a mistake leaves nothing.
    let mut texts = template.texts(name, arguments.path.as_deref())?;
    let mut files = Vec::new();
    match (&arguments.model, template) {
        (Some(model), Template::Inference) => files = inference::files(model, &mut texts)?,
        (None, Template::Inference) => {
            let message =
                "--template inference needs --model MODEL, the SavedModel or frozen graph that the program runs";
            return Err(Error::invalid_argument(message.to_owned()));
        }
        (model, _) => ensure!(model.is_none(), "--model is for --template inference"),
    }
    files.extend(texts.into_iter().map(|(file, text)| (file, text.into_bytes())));
    for (file, content) in files {
        write(&folder.join(file), &content)?;
    }
    println!("{shown} is made: {}. Next:\n\n    cd {shown}", template.what());
    template.next().iter().for_each(|command| println!("    {command}"));
    Ok(ExitCode::SUCCESS)
}

/// Holds a name against what cargo and Rust take for one.
fn check_name(name: &str, template: Template) -> Result<()> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    if !name.starts_with(|c: char| c.is_ascii_alphabetic()) || !name.chars().all(is_part) {
        let message = format!("`{name}` is no crate's name: it starts with a letter; letters, digits, - and _ follow");
        return Err(Error::invalid_argument(message));
    }
    // A package that the manifest's profile names cannot have the crate's own entry there too.
    let in_profile = format!("{name} = {{ ");
    let is_in_profile = template.lines().any(|line| line.starts_with(&in_profile));
    if TAKEN.contains(&&*name.replace('-', "_")) || is_in_profile {
        return Err(Error::invalid_argument(format!("the name `{name}` is taken by another crate; choose another")));
    }
    Ok(())
}

/// Writes a file and the folders that it is in.
fn write(path: &Path, content: &[u8]) -> Result<()> {
    let written = path.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| fs::write(path, content));
    written.map_err(|e| Error::invalid_argument(format!("{}: {e}", path.display())))
}
