//! `cargo xtask capi [--release] --prefix DIR` builds the C API and installs it: libraries under the names that
//! programs which were linked against TensorFlow look for, headers, and files for pkg-config.
//!
//! rustc writes its own version script for a `cdylib`, and that cannot carry the version node which such programs ask
//! for. So the crate is built as an archive, and `cc` links the whole of it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{fs, io};

/// The version of TensorFlow whose API this is.
const VERSION: &str = "2.21.0";

/// The library with the code; the others only need it.
const REAL: &str = "tensorflow";
const THIN: &[&str] = &["tensorflow_framework", "tensorflow_cc"];

/// What is exported, under the version node of TensorFlow's libraries.
const VERSION_SCRIPT: &str = "tensorflow {\n  global: TF_*; TFE_*; TSL_*; SE_*; OPLINK_*;\n  local: *;\n};\n";

/// What the archive needs from the system.
const SYSTEM: &[&str] = &["-lgcc_s", "-lutil", "-lrt", "-lpthread", "-lm", "-ldl", "-lc"];

/// Runs the task with its arguments; what went wrong comes back.
pub(crate) fn run(arguments: &[String]) -> Vec<String> {
    let release = arguments.iter().any(|argument| argument == "--release");
    let prefix = arguments.iter().skip_while(|argument| *argument != "--prefix").nth(1);
    let Some(prefix) = prefix else { return vec!["usage: cargo xtask capi [--release] --prefix DIR".to_owned()] };
    match install(Path::new(prefix), release) {
        Ok(()) => Vec::new(),
        Err(error) => vec![error.to_string()],
    }
}

fn install(prefix: &Path, release: bool) -> io::Result<()> {
    let (lib, include, pkg) = (prefix.join("lib"), prefix.join("include"), prefix.join("lib/pkgconfig"));
    [&lib, &include, &pkg].into_iter().try_for_each(fs::create_dir_all)?;
    let lib = lib.canonicalize()?;
    let archive = build(release)?;
    link_real(&lib, &archive)?;
    for name in THIN {
        link_thin(&lib, name)?;
    }
    link_name(&lib, &file_name(REAL, ".2"), "liboplink.so")?;
    copy_folder(&root().join("capi/include"), &include)?;
    pkg_config(&pkg)
}

/// The archive of the crate and all that it is made of. Without `--release` it shares the builds of the tests: those of
/// all packages, with the features that an example asks for besides.
fn build(release: bool) -> io::Result<PathBuf> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    let (profile, what): (_, &[&str]) = match release {
        true => ("release", &["rustc", "--release", "-p", "oplink-capi", "--lib", "--crate-type", "staticlib"]),
        false => ("debug", &["build", "--workspace", "--lib", "--example", "on_devices"]),
    };
    must(command.args(what).current_dir(root()))?;
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
    Ok(target.join(profile).join("liboplink_capi.a"))
}

fn link_real(lib: &Path, archive: &Path) -> io::Result<()> {
    let mut whole = OsString::from("-Wl,--whole-archive,");
    whole.push(archive);
    whole.push(",--no-whole-archive");
    let mut command = shared(lib, REAL)?;
    command.arg(whole).arg("-Wl,--gc-sections,--no-undefined").args(SYSTEM);
    must(&mut command)?;
    names(lib, REAL)
}

fn link_thin(lib: &Path, name: &str) -> io::Result<()> {
    let mut command = shared(lib, name)?;
    command.args(["-nostdlib", "-Wl,--no-as-needed", "-Wl,-rpath,$ORIGIN"]).arg(lib.join(file_name(REAL, ".2")));
    must(&mut command)?;
    names(lib, name)
}

/// The command that links a library under its full name, to be looked for by its SONAME.
fn shared(lib: &Path, name: &str) -> io::Result<Command> {
    let script = lib.join(".version-script");
    fs::write(&script, VERSION_SCRIPT)?;
    let cc = std::env::var_os("CC").unwrap_or_else(|| "cc".into());
    let mut command = Command::new(cc);
    command
        .args(["-shared", "-x", "c", "/dev/null", "-x", "none", "-o"])
        .arg(lib.join(file_name(name, &format!(".{VERSION}"))));
    command.arg(format!("-Wl,-soname,{},--version-script,{}", file_name(name, ".2"), script.display()));
    Ok(command)
}

/// The names under which programs and linkers look for a library.
fn names(lib: &Path, name: &str) -> io::Result<()> {
    link_name(lib, &file_name(name, &format!(".{VERSION}")), &file_name(name, ".2"))?;
    link_name(lib, &file_name(name, ".2"), &file_name(name, ""))?;
    fs::remove_file(lib.join(".version-script")).or_else(ignore_missing)
}

fn file_name(name: &str, suffix: &str) -> String {
    format!("lib{name}.so{suffix}")
}

fn link_name(lib: &Path, target: &str, name: &str) -> io::Result<()> {
    fs::remove_file(lib.join(name)).or_else(ignore_missing)?;
    std::os::unix::fs::symlink(target, lib.join(name))
}

fn ignore_missing(error: io::Error) -> io::Result<()> {
    if error.kind() == io::ErrorKind::NotFound { Ok(()) } else { Err(error) }
}

fn copy_folder(from: &Path, to: &Path) -> io::Result<()> {
    let entries = match fs::read_dir(from) {
        Ok(entries) => entries,
        Err(error) => return ignore_missing(error),
    };
    fs::create_dir_all(to)?;
    for entry in entries {
        let entry = entry?;
        let target = to.join(entry.file_name());
        match entry.file_type()?.is_dir() {
            true => copy_folder(&entry.path(), &target)?,
            false => drop(fs::copy(entry.path(), target)?),
        }
    }
    Ok(())
}

/// Files that find their folder by where they lie themselves, so that it may be moved. A linker takes the code from the
/// library that has it, and not from those that need it.
fn pkg_config(folder: &Path) -> io::Result<()> {
    let variables = "prefix=${pcfiledir}/../..\nlibdir=${prefix}/lib\nincludedir=${prefix}/include\n\n";
    for (name, libraries) in [
        ("tensorflow", "-ltensorflow -ltensorflow_framework"),
        ("tensorflow_cc", "-ltensorflow_cc -ltensorflow -ltensorflow_framework"),
        ("oplink", "-loplink"),
    ] {
        let text = format!(
            "{variables}Name: {name}\nDescription: TensorFlow's C API on oplink\nVersion: {VERSION}\n\
             Libs: -L${{libdir}} {libraries}\nCflags: -I${{includedir}}\n"
        );
        fs::write(folder.join(format!("{name}.pc")), text)?;
    }
    Ok(())
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn must(command: &mut Command) -> io::Result<()> {
    let status = command.status()?;
    if status.success() { Ok(()) } else { Err(io::Error::other(format!("{command:?}: {status}"))) }
}
