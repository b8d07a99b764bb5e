//! Libraries' files. The test's own executable is a file of this system, with the versions that its linker wrote.

use oplink_wheel::{Host, Library};

#[test]
fn what_is_no_library_is_told() {
    let error = Library::read(b"MZ").expect_err("no ELF file");
    assert!(error.contains("no shared library of Linux"), "{error}");
    let error = Library::read(b"\x7fELF").expect_err("no header");
    assert!(error.contains("cannot be read"), "{error}");
}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[test]
fn a_file_of_this_system_runs_where_its_glibc_is() {
    let program = std::env::current_exe().expect("the test's own path");
    let bytes = std::fs::read(program).expect("the test's own file");
    let library = Library::read(&bytes).expect("an ELF file");
    let platform = library.platform();
    let (start, end) = ("manylinux_2_", format!("_{}", std::env::consts::ARCH));
    let minor = platform.tag.strip_prefix(start).and_then(|rest| rest.strip_suffix(&*end));
    assert!(minor.and_then(|minor| minor.parse::<u32>().ok()).is_some_and(|minor| minor >= 17), "{platform:?}");
    assert!(platform.foreign.is_empty(), "{platform:?}");
    assert!(!library.is_plugin() && library.hosts().is_empty());
    // A file that is cut at any place is read in part or refused.
    for length in (0..bytes.len().min(1 << 16)).step_by(997) {
        let _ = Library::read(&bytes[..length]);
    }
}

#[test]
fn hosts_have_names() {
    for host in Host::ALL {
        assert_eq!(Host::parse(host.name()), Ok(host));
        assert!(host.missing().contains(host.name()));
    }
    let error = Host::parse("torche").expect_err("no host");
    assert!(error.contains("tensorflow, torch, jax, onnxruntime, numpy"), "{error}");
}
