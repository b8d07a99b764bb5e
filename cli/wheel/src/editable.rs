//! The package as it is installed for development: a folder that is built again when the crate's sources changed.

use crate::python::{string, tuple};
use crate::{Contents, File, Host, Package, Result, archive, files};

/// How the package is built again.
#[derive(Clone, Debug)]
pub struct Rebuild {
    /// The command, and its arguments.
    pub command: Vec<String>,
    /// The folder to run it in.
    pub folder: String,
    /// Cargo's list of the files that the library is made of.
    pub dependencies: String,
    /// Files that the build depends on beside these: manifests and the lock file.
    pub manifests: Vec<String>,
}

/// What the package imports first.
const SOURCES: &str = include_str!("../python/sources.py");

/// The line of the package that makes it new.
const REFRESH: &str = "from . import _sources\n\n_sources.refresh()\n\n";

/// The files of the package that is built again, with paths that start with the package's name.
pub fn editable_files(contents: &Contents<'_>, rebuild: &Rebuild) -> Vec<File> {
    let module = contents.package.module();
    let init = format!("{module}/__init__.py");
    let mut files = files(contents);
    for file in files.iter_mut().filter(|file| file.path == init) {
        let text = String::from_utf8_lossy(&file.content);
        file.content = text.replacen("import importlib\n", &format!("{REFRESH}import importlib\n"), 1).into_bytes();
    }
    let list = |items: &[String]| tuple(&items.iter().map(|item| string(item)).collect::<Vec<_>>());
    let constants = format!(
        "\nCOMMAND = {}\nFOLDER = {}\nDEPENDENCIES = {}\nMANIFESTS = {}\n",
        list(&rebuild.command),
        string(&rebuild.folder),
        string(&rebuild.dependencies),
        list(&rebuild.manifests)
    );
    files.push(File::text(format!("{module}/_sources.py"), format!("{SOURCES}{constants}")));
    files
}

impl Package {
    /// A wheel that points to the folder that the package is in.
    ///
    /// # Errors
    /// Python has no version as the crate's.
    pub fn pointer(&self, hosts: &[Host], platform: &str, folder: &str) -> Result<crate::Wheel> {
        let path = File::text(format!("{}.pth", self.module()), format!("{folder}\n"));
        archive(self, hosts, platform, vec![path])
    }
}
