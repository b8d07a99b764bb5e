//! The registered ops and kernels as text.

use oplink::Result;
use oplink::descriptors::KernelDescriptor;
use oplink::runtime::Registry;

/// A line `op NAME` for each op; for each of its kernels a line `kernel DEVICE LABEL ATTRS COMBINATIONS`, with commas
/// between the names of type attrs and between the dtypes of a combination, `;` between combinations, `-` for nothing.
pub(crate) fn registry() -> Result<String> {
    let registry = Registry::global()?;
    let mut text = String::new();
    for op in registry.ops() {
        text += &format!("op {}\n", op.spec.name);
        registry.kernels_of(&op.spec.name).for_each(|kernel| text += &line(kernel));
    }
    Ok(text)
}

fn line(kernel: &KernelDescriptor) -> String {
    let combination = |dtypes: &[oplink::DType]| dtypes.iter().map(|d| d.name()).collect::<Vec<_>>().join(",");
    let combinations: Vec<String> = kernel.entries.iter().map(|entry| combination(entry.dtypes)).collect();
    let shown = |text: String| if text.is_empty() { "-".to_owned() } else { text };
    let (label, attrs) = (shown(kernel.label.to_owned()), shown(kernel.type_attrs.join(",")));
    format!("kernel {} {label} {attrs} {}\n", kernel.device, shown(combinations.join(";")))
}
