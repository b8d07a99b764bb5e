//! Elements below 32 bits in WGSL: several lie in a word of a buffer.

use crate::gpu::ty::Ty;

/// Whether elements of this type share words.
pub(crate) fn is_packed(ty: Ty) -> bool {
    ty.bytes() < 4 && ty != Ty::F16
}

/// The name of the function that reads elements of a buffer.
pub(crate) fn load_function(array: &str) -> String {
    format!("load_{array}")
}

/// The function that reads elements of a buffer where several share a word.
pub(crate) fn load_text(array: &str, ty: Ty, is_atomic: bool) -> String {
    let bits = ty.bytes() * 8;
    let per_word = 32 / bits;
    let (name, word) = (load_function(array), format!("{array}[i / {per_word}u]"));
    let word = if is_atomic { format!("atomicLoad(&{word})") } else { word };
    let offset = format!("(i % {per_word}u) * {bits}u, {bits}u");
    let (result, value) = match ty {
        Ty::Bool => ("bool", format!("extractBits({word}, {offset}) != 0u")),
        Ty::I8 | Ty::I16 => ("i32", format!("extractBits(bitcast<i32>({word}), {offset})")),
        _ => ("u32", format!("extractBits({word}, {offset})")),
    };
    format!("fn {name}(i: u32) -> {result} {{\n    return {value};\n}}\n")
}

/// The function that writes an element of a buffer where several share a word, which other threads may be writing.
pub(crate) fn store_text(array: &str, ty: Ty) -> String {
    let bits = ty.bytes() * 8;
    let (per_word, mask) = (32 / bits, (1_u64 << bits) - 1);
    let (takes, value) = match ty {
        Ty::Bool => ("bool", "select(0u, 1u, value)".to_owned()),
        Ty::I8 | Ty::I16 => ("i32", format!("(bitcast<u32>(value) & {mask}u)")),
        _ => ("u32", format!("(value & {mask}u)")),
    };
    format!(
        "fn store_{array}(i: u32, value: {takes}) {{\n    let shift = (i % {per_word}u) * {bits}u;\n    atomicAnd(&{array}[i / \
         {per_word}u], ~({mask}u << shift));\n    atomicOr(&{array}[i / {per_word}u], {value} << shift);\n}}\n"
    )
}
