//! Files that are no libraries, or no longer: the reason is precise, and nothing is mapped.

use std::path::PathBuf;
use std::process::Command;

use oplink::{Code, ErrorKind, Runtime};

use crate::support::{build, folder};

/// The error of loading these bytes.
fn refused(name: &str, bytes: &[u8]) -> String {
    let file = folder().join(name);
    std::fs::write(&file, bytes).unwrap();
    refused_file(&file)
}

fn refused_file(file: &PathBuf) -> String {
    let error = Runtime::inspect_plugin(file).expect_err("a refusal");
    assert_eq!((error.code(), error.kind()), (Code::NotFound, ErrorKind::PluginRejected), "{error}");
    error.to_string()
}

/// Writes a number of the header, or of the first program headers.
fn changed(bytes: &[u8], at: usize, value: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    bytes[at..at + value.len()].copy_from_slice(value);
    bytes
}

#[track_caller]
fn check(told: &str, part: &str) {
    assert!(told.contains("it is not a library that this process can map: "), "{told}");
    assert!(told.contains(part), "{part:?} is not in: {told}");
}

#[test]
fn what_is_no_library_is_named() {
    check(&refused("text.so", b"this is no library, however long it is"), "it is no ELF file");
    check(&refused("empty.so", b""), "it is no ELF file: it is empty");
    check(&refused("archive.so", b"!<arch>\nfile"), "it is a static archive: link it with `-shared`");
    check(&refused("windows.so", b"MZ and more"), "it is a library for Windows");
    check(&refused_file(&folder().to_owned()), "it is a folder");
}

#[test]
fn libraries_of_other_machines_and_other_kinds_are_named() {
    let library = std::fs::read(build("plugin.c", "kinds", &["PREFIX=\"Kinds\""])).unwrap();
    let other = if cfg!(target_arch = "aarch64") { (62u16, "x86_64") } else { (183u16, "aarch64") };
    let machine = refused("machine.so", &changed(&library, 18, &other.0.to_le_bytes()));
    check(&machine, &format!("it is built for {}, this process runs on {}", other.1, std::env::consts::ARCH));
    check(&refused("bits.so", &changed(&library, 4, &[1])), "it is built for a machine of 32 bits");
    check(&refused("order.so", &changed(&library, 5, &[2])), "a machine of the other byte order");
    for (kind, told) in
        [(1u16, "an object file"), (2, "an executable"), (4, "the memory image"), (77, "ELF type is 77")]
    {
        check(&refused(&format!("kind{kind}.so"), &changed(&library, 16, &kind.to_le_bytes())), told);
    }
    check(&refused_file(&std::env::current_exe().unwrap()), "it is an executable, not a shared library");
}

#[test]
fn a_truncated_library_is_refused_wherever_it_ends() {
    let library = std::fs::read(build("plugin.c", "whole", &["PREFIX=\"Whole\""])).unwrap();
    let lengths = (1..64).map(|part| library.len() * part / 64).chain([5, 30, 63, 64, 100, library.len() - 1]);
    for length in lengths {
        let told = refused("cut.so", &library[..length]);
        check(&told, &format!("it is truncated at byte {length}: "));
    }
}

#[test]
fn a_library_with_damaged_headers_is_refused() {
    let library = std::fs::read(build("plugin.c", "damaged", &["PREFIX=\"Damaged\""])).unwrap();
    // The first program headers begin behind the ELF header: type, flags, offset, address, …, size in the file.
    let huge = u64::MAX.to_le_bytes();
    check(&refused("offset.so", &changed(&library, 64 + 8, &huge)), "it is damaged: a segment of it would be at byte");
    check(&refused("size.so", &changed(&library, 64 + 40, &[0; 8])), "cannot be mapped as its header tells");
    check(&refused("headers.so", &changed(&library, 32, &huge)), "it is damaged: its program headers");
    check(&refused("none.so", &changed(&library, 56, &[0, 0])), "it has no dynamic section");
}

#[test]
fn a_name_without_a_folder_is_searched_as_the_dynamic_linker_does() {
    let place = folder().join("searched");
    let library = oplink_host_tests::build(&place, "plugin.c", "oplink_searched", &["PREFIX=\"Searched\""]);
    let name = library.file_name().unwrap();
    let run = |searched: Option<&std::path::Path>| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_plugins_in_oplink"));
        command.arg(name).env_remove("LD_LIBRARY_PATH").current_dir(folder());
        if let Some(folder) = searched {
            command.env("LD_LIBRARY_PATH", folder);
        }
        String::from_utf8(command.output().unwrap().stdout).unwrap()
    };
    // It is found, and is no plugin of the example ops.
    let found = run(Some(&place));
    assert!(found.contains("it has no op OplinkAffine"), "{found}");
    let missing = run(None);
    assert!(missing.contains("cannot open shared object file"), "{missing}");
}

/// As in TensorFlow, whoever loads a library gets what it registers, be it nothing; a plugin registers something.
#[test]
fn a_library_of_the_system_is_found_by_its_name_alone() {
    let info = oplink_host::load_library("libm.so.6").unwrap();
    assert_eq!((info.ops.len(), info.kernels.len()), (0, 0));
    assert!(info.path.is_absolute(), "{}", info.path.display());
    let error = Runtime::load_plugin("libm.so.6").unwrap_err();
    assert!(error.to_string().contains("registers no ops and no kernels"), "{error}");
    let missing = oplink_host::load_library("libno_such_library.so").unwrap_err();
    assert_eq!(missing.code(), Code::NotFound);
    assert!(missing.to_string().contains("cannot open shared object file"), "{missing}");
}
