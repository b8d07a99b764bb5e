//! The page of ops and devices in the documentation. `UPDATE_EXPECT=1` writes it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::PathBuf;

use oplink::DType;
use oplink::descriptors::{KernelDescriptor, KernelEntry, KernelFunction};
use oplink::runtime::Registry;

const HEAD: &str = "\
# Ops and devices

Which ops run where, in a build with every kernel: by the dtypes that the kernel tells apart, which are all that the op
has where none is named. A node whose op a device has no kernel for runs on the host, with copies where its tensors need
them ([graphs](graphs.md)).

- *formula*: one function of single values, which is a loop on the CPU and part of a fused program on a GPU.
- *on the device*: a program of its own, or a product or convolution of the device's library, or a change of shape that
  moves nothing.
- *on the host*: shapes, indices and handles, which GPUs keep in host memory, so that the CPU's kernel serves.

A plugin's device adds its own: `oplink kernels OP --plugin FILE` lists them.
`UPDATE_EXPECT=1 cargo test -p oplink-device-tests page::` writes this page.
";

/// The dtypes that kernels tell apart, by how they compute.
#[derive(Default)]
struct Served {
    formula: BTreeSet<DType>,
    on_device: BTreeSet<DType>,
    on_host: BTreeSet<DType>,
    /// A kernel without a type of its own is there.
    plain: BTreeSet<&'static str>,
}

impl Served {
    fn add(&mut self, entry: &KernelEntry) {
        let is_formula = entry.elementwise.is_some() || entry.gpu_formula().is_some();
        let (how, dtypes) = match entry.function {
            KernelFunction::HostFallback => ("on the host", &mut self.on_host),
            _ if is_formula => ("formula", &mut self.formula),
            _ => ("on the device", &mut self.on_device),
        };
        match entry.dtypes.first() {
            Some(&dtype) => _ = dtypes.insert(dtype),
            None => _ = self.plain.insert(how),
        }
    }

    /// Dtypes with how they are served; `how` is left out where it is as for the CPU.
    fn text(&self) -> String {
        let groups = [("formula", &self.formula), ("on the device", &self.on_device), ("on the host", &self.on_host)];
        let mut parts = Vec::new();
        for (how, dtypes) in groups {
            let mut names: Vec<&str> = dtypes.iter().map(|dtype| dtype.name()).collect();
            names.sort_unstable();
            match (names.is_empty(), self.plain.contains(how)) {
                (true, false) => {}
                (true, true) => parts.push(how.to_owned()),
                (false, _) => parts.push(format!("{how}: {}", names.join(", "))),
            }
        }
        parts.join("; ")
    }
}

fn page() -> String {
    let registry = Registry::global().expect("declarations that agree");
    let mut by_op: BTreeMap<&str, (Served, Served)> = BTreeMap::new();
    let kernels = registry.kernels().filter(|kernel: &&KernelDescriptor| kernel.op != "*");
    for kernel in kernels {
        let (cpu, gpu) = by_op.entry(kernel.op).or_default();
        let served = match kernel.device {
            "CPU" => cpu,
            "GPU" => gpu,
            _ => continue,
        };
        kernel.entries.iter().for_each(|entry| served.add(entry));
    }
    let (both, cpu_only): (Vec<_>, Vec<_>) = by_op.iter().partition(|(_, (_, gpu))| !gpu.text().is_empty());
    let mut page = format!(
        "{HEAD}\n{} ops have kernels, {} of them for GPUs.\n\n| op | GPU | CPU |\n|---|---|---|\n",
        by_op.len(),
        both.len()
    );
    for (op, (cpu, gpu)) in both {
        let cpu = cpu.text().replace("on the device: ", "").replace("on the device", "yes");
        writeln!(page, "| {op} | {} | {} |", gpu.text(), cpu.replace("formula: ", "")).expect("memory");
    }
    writeln!(page, "\n## On the CPU alone\n").expect("memory");
    let mut line = String::new();
    for (at, (op, _)) in cpu_only.iter().enumerate() {
        let word = format!("{op}{}", if at + 1 == cpu_only.len() { "." } else { "," });
        if line.len() + word.len() >= 119 {
            writeln!(page, "{line}").expect("memory");
            line.clear();
        }
        line += if line.is_empty() { "" } else { " " };
        line += &word;
    }
    writeln!(page, "{line}").expect("memory");
    page
}

#[test]
fn the_page_of_ops_and_devices_is_true() {
    let (path, page) = (PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/ops-by-device.md"), page());
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&path, &page).expect("the page is written");
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(written == page, "{} is old: UPDATE_EXPECT=1 writes it", path.display());
}
