//! `oplink wheel --editable`: a folder with the package, which an environment finds and which is built again on import.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

use oplink::{Result, ensure};
use oplink_wheel::{File, Rebuild};

use super::{Ready, WheelArguments, invalid, of_file};

/// When a build started: sources that are newer are not in it.
pub(super) struct Moment(SystemTime);

impl Moment {
    pub(super) fn now() -> Self {
        Self(SystemTime::now())
    }
}

/// Writes the package's folder, each file at once, so that a program that imports it meanwhile sees whole ones; gives
/// the folder that it is in.
pub(super) fn write(ready: &Ready, arguments: &WheelArguments, started: Moment) -> Result<PathBuf> {
    let folder = ready.manifest.target.join("wheel").join(&ready.manifest.package.name);
    let rebuild = rebuild(ready, arguments)?;
    let files = oplink_wheel::editable_files(&ready.contents(), &rebuild);
    files.iter().try_for_each(|file| replace(&folder, file))?;
    let mark = folder.join(ready.manifest.package.module()).join("built");
    let marked = fs::File::create(&mark).and_then(|file| file.set_modified(started.0));
    marked.map_err(|error| of_file(&mark, &error))?;
    Ok(folder)
}

/// Puts a file in the place of an older one, where it differs.
fn replace(folder: &Path, file: &File) -> Result<()> {
    let path = folder.join(&file.path);
    if fs::read(&path).is_ok_and(|old| old == file.content) {
        return Ok(());
    }
    let new = path.with_extension(format!("{}.new", std::process::id()));
    let parent = path.parent().unwrap_or(folder);
    let written =
        fs::create_dir_all(parent).and_then(|()| fs::write(&new, &file.content)).and_then(|()| fs::rename(&new, &path));
    written.map_err(|error| of_file(&path, &error))
}

/// This command, as the package runs it.
fn rebuild(ready: &Ready, arguments: &WheelArguments) -> Result<Rebuild> {
    let program = std::env::current_exe().map_err(|error| invalid(format!("where this command is: {error}")))?;
    let manifest = text(&ready.manifest.path)?;
    let mut command = vec![text(&program)?, "wheel".to_owned(), "--refresh".to_owned()];
    command.extend(["--manifest-path".to_owned(), manifest.clone()]);
    command.extend(["--profile".to_owned(), arguments.profile.clone()]);
    let hosts: Vec<&str> = arguments.hosts.iter().map(|host| host.name()).collect();
    if !hosts.is_empty() {
        command.extend(["--hosts".to_owned(), hosts.join(",")]);
    }
    if !arguments.cargo.is_empty() {
        command.push("--".to_owned());
        command.extend(arguments.cargo.iter().cloned());
    }
    let workspace = &ready.manifest.workspace;
    let mut manifests = vec![manifest, text(&workspace.join("Cargo.toml"))?, text(&workspace.join("Cargo.lock"))?];
    manifests.dedup();
    let folder = std::env::current_dir().map_err(|error| invalid(format!("the current folder: {error}")))?;
    Ok(Rebuild { command, folder: text(&folder)?, dependencies: text(&ready.built.dependencies())?, manifests })
}

fn text(path: &Path) -> Result<String> {
    let text = path.to_str().ok_or_else(|| invalid(format!("the path {} is not UTF-8", path.display())))?;
    Ok(text.to_owned())
}

/// Installs a wheel that points to the folder.
///
/// # Errors
/// There is no environment, or its pip fails.
pub(super) fn install(ready: &Ready, arguments: &WheelArguments, folder: &Path) -> Result<()> {
    let platform = ready.library.platform();
    let pointer = ready.manifest.package.pointer(&ready.hosts, &platform.tag, &text(folder)?).map_err(invalid)?;
    let wheel = super::write(&ready.manifest.target.join("wheel"), &pointer)?;
    let active = || Some(PathBuf::from(std::env::var_os("VIRTUAL_ENV")?).join("bin/python"));
    let python = arguments.python.clone().or_else(active).ok_or_else(|| {
        invalid("--editable installs into the active virtual environment, and none is: name a Python by --python")
    })?;
    let mut command = Command::new(&python);
    command.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps", "--force-reinstall"]);
    let status = command.arg(&wheel).status();
    let status = status.map_err(|error| invalid(format!("{} does not start: {error}", python.display())))?;
    ensure!(
        status.success(),
        "{} -m pip failed; its messages stand above, and the wheel to install is {}",
        python.display(),
        wheel.display()
    );
    println!("{} is installed from {}: {}", pointer.name, folder.display(), ready.summary());
    Ok(())
}
