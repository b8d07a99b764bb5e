//! The bundle's programs: built by cargo, without what they do not need to run.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs};

use serde_json::Value;

use super::{must, output_of};
use crate::source::root;

/// A program: its name in the bundle, the package's folder, the kind of target and the target's name.
const PROGRAMS: [(&str, &str, &str, &str); 6] = [
    ("cuda", "devices/gpu", "bench", "cuda"),
    ("device", "devices/gpu", "test", "it"),
    ("hosts", "tests/hosts/gpu", "test", "it"),
    ("kernels", "kernels/gpu", "test", "it"),
    ("networks", "kernels/gpu", "bench", "networks"),
    ("suite", "tests/devices", "bin", "devices"),
];

/// A program that was built.
pub(super) struct Built {
    name: &'static str,
    executable: PathBuf,
}

/// Builds all programs at once, so that they share their crates.
pub(super) fn build(debug: bool) -> Result<Vec<Built>, String> {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(["build", "--message-format=json-render-diagnostics"]);
    // Those of a debug build are the tests', which are of the whole workspace.
    command.args(match debug {
        true => &["--workspace"][..],
        false => &["--release"],
    });
    if !debug {
        let packages = ["oplink-device-gpu", "oplink-kernels-gpu", "oplink-device-tests", "oplink-host-gpu-tests"];
        command.args(packages.iter().flat_map(|package| ["-p", package]));
    }
    command.args(["--test", "it", "--bench", "cuda", "--bench", "networks", "--bin", "devices"]);
    // What cargo sets for this program is not for that build.
    env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("CARGO_PKG_")).for_each(|(name, _)| {
        command.env_remove(name);
    });
    let messages = output_of(command.current_dir(root()).stderr(Stdio::inherit()))?;
    let messages: Vec<Value> = messages.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    PROGRAMS.iter().map(|program| built(program, &messages)).collect()
}

/// The program among cargo's messages.
fn built(
    &(name, folder, kind, target): &(&'static str, &str, &str, &str),
    messages: &[Value],
) -> Result<Built, String> {
    let manifest = Path::new(folder).join("Cargo.toml");
    let is_it = |message: &&Value| {
        let of = message["manifest_path"].as_str().is_some_and(|path| Path::new(path).ends_with(&manifest));
        of && message["target"]["kind"][0] == kind && message["target"]["name"] == target
    };
    let executable = messages.iter().filter(is_it).find_map(|message| message["executable"].as_str());
    let executable = executable.ok_or_else(|| format!("cargo built no {kind} `{target}` of {folder}"))?;
    Ok(Built { name, executable: PathBuf::from(executable) })
}

/// Puts the programs into a folder, stripped; the version of glibc that they need.
pub(super) fn install(programs: &[Built], folder: &Path) -> Result<String, String> {
    fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut needed = String::new();
    for Built { name, executable } in programs {
        let program = folder.join(name);
        must(Command::new("strip").arg("-o").arg(&program).arg(executable))?;
        let symbols = output_of(Command::new("objdump").arg("-T").arg(&program))?;
        needed =
            newest(&symbols).into_iter().chain([needed]).max_by_key(|version| numbers(version)).unwrap_or_default();
    }
    Ok(needed)
}

/// The newest version of glibc that symbols name.
fn newest(symbols: &str) -> Option<String> {
    let versions = symbols.split("GLIBC_").skip(1).map(|rest| {
        let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
        rest[..end].to_owned()
    });
    versions.max_by_key(|version| numbers(version))
}

fn numbers(version: &str) -> Vec<u32> {
    version.split('.').filter_map(|number| number.parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_as_numbers() {
        let symbols =
            "0000 DF *UND* 0000 (GLIBC_2.2.5) memcpy\n0000 DF *UND* (GLIBC_2.34) dlopen\n(GLIBC_2.17) x\n(GCC_3.0) y";
        assert_eq!(newest(symbols).as_deref(), Some("2.34"));
        assert_eq!(newest("(GLIBC_2.4) a (GLIBC_2.14) b").as_deref(), Some("2.14"));
        assert_eq!(newest("no versions"), None);
    }

    #[test]
    fn a_program_is_found_by_its_package_kind_and_name() {
        let message = |folder: &str, kind: &str, executable: &str| -> Value {
            serde_json::json!({
                "manifest_path": format!("/x/{folder}/Cargo.toml"),
                "target": { "kind": [kind], "name": "it" },
                "executable": executable,
            })
        };
        let messages = [message("kernels/gpu", "test", "/x/a"), message("devices/gpu", "test", "/x/b")];
        let found = built(&("device", "devices/gpu", "test", "it"), &messages).expect("it is there");
        assert_eq!(found.executable, Path::new("/x/b"));
        let missing = built(&("suite", "tests/devices", "test", "it"), &messages).err().expect("it is not there");
        assert!(missing.contains("cargo built no test `it` of tests/devices"), "{missing}");
    }
}
