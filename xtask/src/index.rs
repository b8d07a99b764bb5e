//! The table of ops by family, from which the facade tells which feature brings an op.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::source::{Source, root, rust_files};

const OPS: &str = "kernels/ops/src/";
const TABLE: &str = "src/op_index.rs";

/// Ops that the sources of each family declare.
fn families(sources: &[Source]) -> BTreeMap<String, Vec<String>> {
    let mut families: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for source in sources {
        let family = source.path.strip_prefix(OPS).and_then(|path| path.strip_suffix("/mod.rs"));
        if let Some(family) = family.filter(|family| !family.contains('/')) {
            families.entry(family.to_owned()).or_default();
        }
    }
    for source in sources {
        let Some((family, _)) = source.path.strip_prefix(OPS).and_then(|path| path.split_once('/')) else {
            continue;
        };
        let mut rest = source.text.as_str();
        while let Some(at) = rest.find("\n#[op(") {
            rest = &rest[at + 6..];
            let name = rest.split('"').nth(1).unwrap_or_default();
            families.entry(family.to_owned()).or_default().push(name.to_owned());
        }
    }
    // Folders of what ops share declare none.
    families.retain(|_, ops| !ops.is_empty());
    families.values_mut().for_each(|ops| ops.sort());
    families
}

fn table(sources: &[Source]) -> String {
    let mut text = String::from(
        "//! Ops by family, a flat table that `cargo xtask index` writes from the sources of the ops.\n\
         #![allow(dead_code, reason = \"a family's table serves builds without the family\")]\n",
    );
    for (family, ops) in families(sources) {
        let _ = writeln!(text, "\n/// Ops of the family `{family}`.\n#[rustfmt::skip]");
        let _ = writeln!(text, "pub(crate) const {}: &[&str] = &[", family.to_uppercase());
        for op in ops {
            let _ = writeln!(text, "    \"{op}\",");
        }
        text.push_str("];\n");
    }
    text
}

/// Whether the table in the repository is the sources' one.
pub(crate) fn check(sources: &[Source]) -> Vec<String> {
    let current = sources.iter().find(|s| s.path == TABLE).map_or("", |s| s.text.as_str());
    if current == table(sources) {
        Vec::new()
    } else {
        vec![format!("{TABLE} is out of date: run `cargo xtask index`")]
    }
}

/// Writes the table.
pub(crate) fn write() -> Vec<String> {
    let result = std::fs::write(root().join(TABLE), table(&rust_files()));
    result.err().map(|error| format!("{TABLE}: {error}")).into_iter().collect()
}
