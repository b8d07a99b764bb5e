//! Crates of generated ops, for what a kernel costs to build.

use std::fs;
use std::io;
use std::path::Path;

use super::measure::{Cost, cargo, cost_of};
use crate::source::root;

/// Dtypes of each op: so many kernels it has.
const DTYPES: usize = 4;

/// Ops of the crates that are compared.
const OPS: [usize; 3] = [0, 25, 100];

/// What 100 kernels of elementwise ops cost in an optimised build: the difference of two crates.
pub(super) fn hundred_kernels(target: &Path) -> io::Result<Cost> {
    let folder = target.join("generated");
    let members: Vec<String> = OPS.iter().map(|ops| format!("\"ops-{ops}\"")).collect();
    write(&folder.join("Cargo.toml"), &format!("[workspace]\nresolver = \"3\"\nmembers = [{}]\n", members.join(", ")))?;
    for ops in OPS {
        let member = folder.join(format!("ops-{ops}"));
        let dependency =
            format!("oplink = {{ package = \"oplink-api\", path = \"{}\" }}", root().join("core/api").display());
        let manifest = format!(
            "[package]\nname = \"ops-{ops}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[dependencies]\n{dependency}\n"
        );
        write(&member.join("Cargo.toml"), &manifest)?;
        write(&member.join("src/lib.rs"), &source(ops))?;
    }
    fs::copy(root().join("Cargo.lock"), folder.join("Cargo.lock"))?;
    let build = |ops: usize| {
        let package = format!("ops-{ops}");
        cost_of(cargo(&folder, target).args(["build", "--release", "--package", &package]))
    };
    // The first brings what the others depend on.
    let [_, few, many] = [build(OPS[0])?, build(OPS[1])?, build(OPS[2])?];
    let hundreds = ((OPS[2] - OPS[1]) * DTYPES) as f64 / 100.0;
    let per_hundred = |few: f64, many: f64| (many - few) / hundreds;
    Ok(Cost {
        processor: per_hundred(few.processor, many.processor),
        clock: per_hundred(few.clock, many.clock),
        fresh: 0,
    })
}

/// Ops that differ in how often they multiply.
fn source(ops: usize) -> String {
    let mut text = "//! Generated ops.\n\nuse oplink::prelude::*;\n".to_owned();
    for op in 0..ops {
        let factors = " * scale".repeat(op % 7 + 1);
        text += &format!(
            "
#[op(\"Cost{op}\", input = \"x: T\", input = \"scale: T\", output = \"y: T\",
     attr = \"T: {{float, double, int32, int64}}\", shape = shape_fns::unchanged)]
pub struct Cost{op};

#[kernel(Cost{op}, device = CPU, T = [f32, f64, i32, i64], forward(x => y))]
fn cost_{op}<T: Number>(y: InOut<'_, T>, scale: T) {{
    y.map(|x| x{factors});
}}
"
        );
    }
    text
}

fn write(path: &Path, text: &str) -> io::Result<()> {
    path.parent().map_or(Ok(()), fs::create_dir_all)?;
    fs::write(path, text)
}
