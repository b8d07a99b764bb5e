//! The package that is built again when sources changed.

use oplink_wheel::{Rebuild, editable_files};

use crate::declarations::{package, with_contents};

fn rebuild() -> Rebuild {
    Rebuild {
        command: vec!["/bin/oplink".to_owned(), "wheel".to_owned()],
        folder: "/home/a \"b\"".to_owned(),
        dependencies: "/t/libmy_ops.d".to_owned(),
        manifests: vec!["/c/Cargo.toml".to_owned()],
    }
}

#[test]
fn the_package_looks_at_its_sources_before_anything_else() {
    let files = with_contents(|contents| editable_files(contents, &rebuild()));
    let text = |name: &str| {
        let file = files.iter().find(|file| file.path == name).unwrap_or_else(|| panic!("no {name}"));
        String::from_utf8_lossy(&file.content).into_owned()
    };
    let init = text("my_ops/__init__.py");
    let at = |part: &str| init.find(part).unwrap_or_else(|| panic!("no {part} in {init}"));
    assert!(at("_sources.refresh()") < at("import importlib"));
    let sources = text("my_ops/_sources.py");
    assert!(
        sources.ends_with(
            r#"
COMMAND = ("/bin/oplink", "wheel")
FOLDER = "/home/a \"b\""
DEPENDENCIES = "/t/libmy_ops.d"
MANIFESTS = ("/c/Cargo.toml",)
"#
        ),
        "{sources}"
    );
}

#[test]
fn what_is_installed_points_to_the_folder() {
    let wheel = package().pointer(&[], "linux_x86_64", "/t/wheel").expect("a wheel");
    let mut archive = zip::ZipArchive::new(std::io::Cursor::new(wheel.content)).expect("an archive");
    let mut path = archive.by_name("my_ops.pth").expect("a path file");
    assert_eq!(std::io::read_to_string(&mut path).expect("text"), "/t/wheel\n");
}
