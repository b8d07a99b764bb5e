//! The archive is what installers read.

use std::io::{Cursor, Read};

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use expect_test::expect;
use oplink_wheel::{Host, Wheel, archive, files};
use sha2::{Digest, Sha256};

use crate::declarations::{package, with_contents};

fn wheel() -> Wheel {
    let files = with_contents(files);
    archive(&package(), &[Host::PyTorch, Host::NumPy], "manylinux_2_34_x86_64", files).expect("a wheel")
}

fn member(wheel: &Wheel, name: &str) -> Vec<u8> {
    let mut archive = zip::ZipArchive::new(Cursor::new(&wheel.content)).expect("an archive");
    let mut content = Vec::new();
    archive.by_name(name).expect(name).read_to_end(&mut content).expect("readable");
    content
}

fn text(wheel: &Wheel, name: &str) -> String {
    String::from_utf8(member(wheel, name)).expect("UTF-8")
}

#[test]
fn name_and_metadata() {
    let wheel = wheel();
    assert_eq!(wheel.name, "my_ops-1.2.0rc1-py3-none-manylinux_2_34_x86_64.whl");
    expect![[r#"
        Metadata-Version: 2.4
        Name: my-ops
        Version: 1.2.0rc1
        Requires-Python: >=3.9
        Summary: Ops for tests
        License-Expression: MIT OR Apache-2.0
        License-File: LICENSE
        Author: A. Author
        Author-Email: B <b@example.org>
        Keywords: ops,rust
        Project-URL: Repository, https://example.org/my-ops
        Provides-Extra: torch
        Requires-Dist: torch>=2.10; extra == "torch"
        Provides-Extra: numpy
        Requires-Dist: oplink; extra == "numpy"
        Description-Content-Type: text/markdown

        # my-ops

        Text.
    "#]]
    .assert_eq(&text(&wheel, "my_ops-1.2.0rc1.dist-info/METADATA"));
    let tags = text(&wheel, "my_ops-1.2.0rc1.dist-info/WHEEL");
    assert!(tags.ends_with("Root-Is-Purelib: false\nTag: py3-none-manylinux_2_34_x86_64\n"), "{tags}");
    assert_eq!(member(&wheel, "my_ops-1.2.0rc1.dist-info/licenses/LICENSE"), b"text");
}

#[test]
fn the_record_has_every_file_with_its_hash() {
    let wheel = wheel();
    let record = text(&wheel, "my_ops-1.2.0rc1.dist-info/RECORD");
    let archive = zip::ZipArchive::new(Cursor::new(&wheel.content)).expect("an archive");
    assert_eq!(record.lines().count(), archive.len());
    for line in record.lines() {
        let parts: Vec<&str> = line.split(',').collect();
        if parts[0].ends_with("RECORD") {
            assert_eq!(parts[1..], ["", ""]);
            continue;
        }
        let content = member(&wheel, parts[0]);
        assert_eq!(parts[2], content.len().to_string());
        assert_eq!(parts[1], format!("sha256={}", URL_SAFE_NO_PAD.encode(Sha256::digest(content))));
    }
}

#[test]
fn equal_files_give_equal_bytes() {
    assert_eq!(wheel().content, wheel().content);
}

#[test]
fn a_version_that_python_has_not_is_an_error() {
    let package = oplink_wheel::Package { version: "1.0.0-nightly".to_owned(), ..package() };
    let error = archive(&package, &[], "linux_x86_64", Vec::new()).expect_err("no version");
    assert!(error.contains("1.0.0-nightly"), "{error}");
}
