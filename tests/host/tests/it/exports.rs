//! The functions that plugins find.

use std::collections::BTreeSet;
use std::path::Path;

/// Names of the functions that a source exports, those made by macros included.
fn exported(text: &str, names: &mut BTreeSet<String>) {
    for line in text.lines() {
        let line = line.trim_start();
        let name = line
            .split_once("extern \"C\" fn ")
            .or_else(|| line.split_once("fn OPLINK_").map(|_| line.split_at("fn ".len())))
            .map(|(_, rest)| rest)
            .or_else(|| line.starts_with("TF_").then_some(line).filter(|line| is_table_line(line)));
        let name: String = name.unwrap_or_default().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
        if name.starts_with("TF_") || name.starts_with("OPLINK_") {
            names.insert(name);
        }
    }
}

/// A line of one of the tables that make functions.
fn is_table_line(line: &str) -> bool {
    line.ends_with(';')
        && (line.contains(") to ") || line.contains(" => ") || line.contains("(*"))
        && !line.contains("::")
}

fn sources(folder: &Path, names: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, names);
        } else if !path.ends_with("exports.rs") {
            exported(&std::fs::read_to_string(&path).unwrap(), names);
        }
    }
}

#[test]
fn the_table_names_every_exported_function() {
    let mut names = BTreeSet::new();
    sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../core/host/src"), &mut names);
    let table: BTreeSet<String> = oplink_host::exported_names().map(str::to_owned).collect();
    assert_eq!(names.difference(&table).collect::<Vec<_>>(), Vec::<&String>::new());
    assert!(table.len() > 170);
}
