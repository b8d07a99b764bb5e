//! `oplink new`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::command::{Run, oplink_in, temporary};

const REPOSITORY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

const MODEL: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/models/digits/digits.pb");

/// An empty folder.
fn empty(name: &str) -> PathBuf {
    let folder = temporary(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// Runs `oplink new` in this folder.
fn new(folder: &Path, arguments: &[&str]) -> Run {
    oplink_in(folder, &[&["new"], arguments].concat())
}

fn read(folder: &Path, file: &str) -> String {
    fs::read_to_string(folder.join(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

#[test]
fn a_crate_depends_on_the_published_version_and_holds_no_path() {
    let folder = empty("new-published");
    let run = new(&folder, &["in/my-ops"]);
    assert!(run.success && run.stdout.contains("cd in/my-ops"), "{}{}", run.stdout, run.stderr);
    let crate_folder = folder.join("in/my-ops");
    let manifest = read(&crate_folder, "Cargo.toml");
    assert!(manifest.contains("name = \"my-ops\""), "{manifest}");
    assert!(manifest.contains(&format!("oplink = \"{}\"", env!("CARGO_PKG_VERSION"))), "{manifest}");
    assert!(manifest.contains("[profile.dev]\nopt-level = 2"), "{manifest}");
    let own = "my-ops = { opt-level = 0, codegen-units = 256, debug = true, debug-assertions = true, overflow-checks = true }";
    assert!(manifest.contains(&format!("\n{own}\n")), "{manifest}");
    assert!(read(&crate_folder, "src/main.rs").contains("use my_ops::ScaleShift;"));
    for file in ["Cargo.toml", ".gitignore", "src/lib.rs", "src/main.rs"] {
        let text = read(&crate_folder, file);
        assert!(!text.contains(env!("CARGO_MANIFEST_DIR")) && !text.contains("{name}"), "{file}: {text}");
        assert!(!text.contains("path = "), "{file}: {text}");
    }
}

#[test]
fn a_path_is_written_where_it_is_asked_for() {
    let folder = empty("new-path");
    let run = new(&folder, &["ops", "--path", REPOSITORY]);
    assert!(run.success, "{}", run.stderr);
    let source = fs::canonicalize(REPOSITORY).expect("the repository");
    let line = format!("oplink = {{ path = \"{}\" }}", source.display());
    assert!(read(&folder.join("ops"), "Cargo.toml").contains(&line), "no {line}");
}

#[test]
fn mistakes_are_told_and_leave_nothing() {
    let folder = empty("new-mistakes");
    let cases: [(&[&str], &str); 9] = [
        (&["1st"], "`1st` is no crate's name"),
        (&["my ops"], "`my ops` is no crate's name"),
        (&[""], "<FOLDER>"),
        (&["oplink"], "the name `oplink` is taken"),
        (&["oplink-graph"], "the name `oplink-graph` is taken"),
        (&["ndarray"], "the name `ndarray` is taken"),
        (&["ops", "--path", "nowhere"], "--path nowhere: No such file"),
        (&["ops", "--path", env!("CARGO_MANIFEST_DIR")], "is not that of the crate oplink"),
        (&[], "<FOLDER>"),
    ];
    for (arguments, part) in cases {
        let run = new(&folder, arguments);
        assert!(!run.success && run.stderr.contains(part), "{arguments:?}: {}", run.stderr);
    }
    assert_eq!(fs::read_dir(&folder).expect("the folder").count(), 0);
    assert!(new(&folder, &["twice"]).success);
    fs::write(folder.join("twice/mine"), "mine").expect("writable");
    let run = new(&folder, &["twice"]);
    assert!(!run.success && run.stderr.contains("twice is already there"), "{}", run.stderr);
    assert_eq!(read(&folder, "twice/mine"), "mine");
}

#[test]
fn a_program_of_a_model_knows_what_it_feeds_and_fetches() {
    let folder = empty("new-inference");
    let run = new(&folder, &["app", "--template", "inference", "--model", MODEL]);
    assert!(run.success, "{}", run.stderr);
    let app = folder.join("app");
    let main = read(&app, "src/main.rs");
    assert!(main.contains(r#"&[("image", DType::UInt8, &[1, 28, 28, 1])]"#), "{main}");
    assert!(main.contains(r#"OUTPUTS: &[&str] = &["Identity", "Identity_1"]"#), "{main}");
    assert_eq!(fs::read(app.join("model.pb")).expect("the model"), fs::read(MODEL).expect("the model"));
    assert!(read(&app, "select.toml").contains("Conv2D = [\"T=float\"]"));
    assert!(read(&app, ".cargo/config.toml").contains("OPLINK_SELECTION"));
}

#[test]
fn models_that_do_not_fit_the_template_leave_nothing() {
    let folder = empty("new-models");
    let cases: [(&[&str], &str); 4] = [
        (&["app", "--template", "inference"], "needs --model MODEL"),
        (&["app", "--template", "training", "--model", MODEL], "--model is for --template inference"),
        (&["app", "--template", "inference", "--model", "nowhere.pb"], "nowhere.pb"),
        (&["app", "--template", "inference", "--model", env!("CARGO_MANIFEST_DIR")], "no SavedModel"),
    ];
    for (arguments, part) in cases {
        let run = new(&folder, arguments);
        assert!(!run.success && run.stderr.contains(part), "{arguments:?}: {}", run.stderr);
    }
    assert_eq!(fs::read_dir(&folder).expect("the folder").count(), 0);
}

/// The templates of crates that need no more than Cargo to be checked.
const CHECKED: [&[&str]; 3] =
    [&["--template", "op"], &["--template", "training"], &["--template", "inference", "--model", MODEL]];

/// Makes a crate of a template on the repository's sources and returns its folder.
fn made(folder: &Path, template: &[&str]) -> PathBuf {
    let name = format!("made-{}", template[1]);
    let run = new(folder, &[&[&*name, "--path", REPOSITORY], template].concat());
    assert!(run.success, "{template:?}: {}", run.stderr);
    folder.join(name)
}

/// Runs cargo on a workspace in a folder, with the lock file of the repository, so that nothing is asked of the
/// network. The folder is inside the repository's, whose workspace it is no member of.
fn cargo(folder: &Path, workspace: &str, arguments: &[&str]) {
    fs::copy(Path::new(REPOSITORY).join("Cargo.lock"), folder.join("Cargo.lock")).expect("a lock file");
    let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap_or_default() + "\n" + workspace;
    fs::write(folder.join("Cargo.toml"), manifest).expect("writable");
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(arguments).args(["--offline", "--quiet", "--target-dir"]).arg(temporary("new-target"));
    let output = cargo.current_dir(folder).env_remove("OPLINK_SELECTION").output().expect("cargo starts");
    let told = String::from_utf8_lossy(&output.stderr);
    // Of the crates' own sources alone: a selection leaves imports of kernels unused, which cargo shows for a path.
    let own = told.contains("--> src/") || told.contains("--> made-");
    assert!(output.status.success() && !own, "{}: {told}", folder.display());
}

/// In one workspace, whose crates share what they depend on, and all of its features.
#[test(Slow)]
fn what_is_made_compiles() {
    let folder = empty("new-compiles");
    for template in CHECKED {
        made(&folder, template);
    }
    cargo(&folder, "[workspace]\nresolver = \"3\"\nmembers = [\"made-*\"]\n", &["check", "--all-targets"]);
}

/// Each with the features that it asks for, and the program of a model with its selection.
#[test(Long)]
fn what_is_made_compiles_by_itself() {
    let folder = empty("new-compiles-alone");
    for template in CHECKED {
        cargo(&made(&folder, template), "[workspace]\n", &["check", "--all-targets"]);
    }
}

#[test]
fn a_plugin_says_how_it_becomes_a_wheel() {
    let folder = empty("new-readme");
    let run = new(&folder, &["my-ops", "--template", "plugin"]);
    assert!(run.success && run.stdout.contains("oplink wheel"), "{}{}", run.stdout, run.stderr);
    let readme = read(&folder.join("my-ops"), "README.md");
    assert!(readme.contains("# my-ops\n") && readme.contains("\noplink wheel "), "{readme}");
    assert!(readme.contains("import my_ops.torch\n") && !readme.contains("crate_name"), "{readme}");
    let manifest = read(&folder.join("my-ops"), "Cargo.toml");
    assert!(manifest.contains("\"host-torch\", \"host-jax\", \"host-onnxruntime\""), "{manifest}");
}

#[test(Long)]
fn a_plugin_that_is_made_can_be_loaded_and_becomes_a_wheel() {
    let folder = empty("new-plugin");
    let crate_folder = made(&folder, &["--template", "plugin"]);
    cargo(&crate_folder, "[workspace]\n", &["build"]);
    let target = temporary("new-target");
    let plugin = target.join("debug/libmade_plugin.so");
    let run = oplink_in(&folder, &["plugin", "load", plugin.to_str().expect("UTF-8")]);
    assert!(run.success && run.stdout.contains("1 ops"), "{}{}", run.stdout, run.stderr);
    let cargo_arguments = ["--", "--offline", "--target-dir", target.to_str().expect("UTF-8")];
    let run = oplink_in(&crate_folder, &[&["wheel", "--profile", "dev"][..], &cargo_arguments].concat());
    assert!(
        run.success && run.stdout.contains("1 ops for tensorflow, torch, jax, onnxruntime, numpy"),
        "{}",
        run.stderr
    );
    let wheels = fs::read_dir(crate_folder.join("dist")).expect("a folder").filter_map(Result::ok);
    let names: Vec<String> = wheels.filter_map(|file| file.file_name().into_string().ok()).collect();
    assert!(names.len() == 1 && names[0].starts_with("made_plugin-0.1.0-py3-none-"), "{names:?}");
}
