//! Programs of formulas in WGSL. Integers below 32 bits are held in 32 bits, and lie in buffers several to a word.

use super::{BLOCK, Outline, Param};
use crate::DType;
use crate::device::{ProgramFeature, ProgramParam};

/// The program's text; empty where WGSL cannot say it.
pub(super) fn text(outline: &Outline<'_>, params: &[Param], broadcast: bool) -> String {
    let Some(functions) = outline.functions(|formula| &formula.wgsl) else { return String::new() };
    if outline.uses(DType::BFloat16, ProgramFeature::BF16) {
        return String::new();
    }
    let head = if outline.uses(DType::Half, ProgramFeature::F16) { "enable f16;\n" } else { "" };
    let loads = outline.inputs.iter().enumerate().filter(|(_, dtype)| is_packed(**dtype));
    let loads: String = loads.map(|(index, &dtype)| load(index, dtype)).collect();
    let takes: Vec<String> = outline.values().iter().map(|(dtype, name)| format!("{name}: {}", ty(*dtype))).collect();
    let body = outline.statements(convert, |_, name, value| format!("    let {name} = {value};\n"));
    format!(
        "{head}{}{loads}{functions}fn value_of({}) -> {} {{\n{body}}}\n@compute @workgroup_size({BLOCK}, 1, 1)\nfn {}\
         (@builtin(global_invocation_id) thread: vec3<u32>, @builtin(num_workgroups) blocks: vec3<u32>) {{\n    let step = \
         blocks.x * {BLOCK}u;\n{}}}\n",
        bindings(params),
        takes.join(", "),
        ty(outline.result()),
        outline.entry,
        content(outline, broadcast)
    )
}

/// The type of a value.
fn ty(dtype: DType) -> &'static str {
    match dtype {
        DType::Bool => "bool",
        DType::Int8 | DType::Int16 | DType::Int32 => "i32",
        DType::UInt8 | DType::UInt16 | DType::UInt32 => "u32",
        DType::Int64 => "i64",
        DType::UInt64 => "u64",
        DType::Half => "f16",
        DType::Double => "f64",
        _ => "f32",
    }
}

/// Whether elements share words of a buffer.
fn is_packed(dtype: DType) -> bool {
    bytes(dtype) < 4 && dtype != DType::Half
}

fn bytes(dtype: DType) -> u32 {
    dtype.size().unwrap_or(4) as u32
}

/// Between a 16-bit float and `float`.
fn convert(text: String, from: DType, to: DType) -> String {
    match (from, to) {
        (DType::Half, DType::Float) => format!("f32({text})"),
        (DType::Float, DType::Half) => format!("f16({text})"),
        _ => text,
    }
}

/// The bindings of buffers, and the uniform block of scalars.
fn bindings(params: &[Param]) -> String {
    let (mut text, mut fields, mut binding) = (String::new(), String::new(), 0);
    for (param, name) in params {
        let (access, dtype) = match *param {
            ProgramParam::Scalar(dtype) => {
                fields += &format!("    {name}: {},\n", ty(dtype));
                continue;
            }
            ProgramParam::Input(dtype) => ("read", dtype),
            ProgramParam::Output(dtype) | ProgramParam::InOut(dtype) => ("read_write", dtype),
        };
        let element = if is_packed(dtype) { "u32" } else { ty(dtype) };
        text += &format!("@group(0) @binding({binding}) var<storage, {access}> {name}: array<{element}>;\n");
        binding += 1;
    }
    text + &format!("struct Scalars {{\n{fields}}}\n@group(0) @binding({binding}) var<uniform> scalars: Scalars;\n")
}

/// The function that reads elements of an input where several share a word.
fn load(input: usize, dtype: DType) -> String {
    let bits = bytes(dtype) * 8;
    let per_word = 32 / bits;
    let (word, offset) = (format!("input{input}[i / {per_word}u]"), format!("(i % {per_word}u) * {bits}u, {bits}u"));
    let value = match dtype {
        DType::Bool => format!("extractBits({word}, {offset}) != 0u"),
        DType::Int8 | DType::Int16 => format!("extractBits(bitcast<i32>({word}), {offset})"),
        _ => format!("extractBits({word}, {offset})"),
    };
    format!("fn load_input{input}(i: u32) -> {} {{\n    return {value};\n}}\n", ty(dtype))
}

/// The loop: over the output's elements, or over its words where several share one.
fn content(outline: &Outline<'_>, broadcast: bool) -> String {
    let result = outline.result();
    let mut text = format!("    let count = scalars.{};\n", if broadcast { "count" } else { "count_low" });
    let (lanes, bits) = (if is_packed(result) { 4 / bytes(result) } else { 1 }, bytes(result) * 8);
    let inner = if lanes > 1 { "            " } else { "        " };
    if lanes > 1 {
        text += &format!(
            "    for (var word = thread.x; word < (count + {0}u) / {lanes}u; word += step) {{\n        var packed = 0u;\n        \
             for (var i = word * {lanes}u; i < min(count, word * {lanes}u + {lanes}u); i++) {{\n",
            lanes - 1
        );
    } else {
        text += "    for (var i = thread.x; i < count; i += step) {\n";
    }
    if broadcast {
        text += &format!("{inner}var rest = i;\n{inner}var at = 0u;\n");
        text += &(0..outline.inputs.len()).map(|k| format!("{inner}var from{k} = 0u;\n")).collect::<String>();
        text += &outline.offsets(inner, |name| format!("scalars.{name}"));
    }
    let read = |input: usize, dtype: DType| {
        let at = if broadcast { format!("from{input}") } else { "i".to_owned() };
        if is_packed(dtype) { format!("load_input{input}({at})") } else { format!("input{input}[{at}]") }
    };
    let value = outline.call(read, |name, dtype| match dtype {
        DType::Bool => format!("(scalars.{name} != 0u)"),
        _ => format!("scalars.{name}"),
    });
    if lanes == 1 {
        return text + &format!("        result[i] = {value};\n    }}\n");
    }
    let mask = (1_u64 << bits) - 1;
    let word = match ty(result) {
        "bool" => format!("select(0u, 1u, {value})"),
        "i32" => format!("(u32({value}) & {mask}u)"),
        _ => format!("({value} & {mask}u)"),
    };
    text + &format!(
        "            packed |= {word} << (i % {lanes}u * {bits}u);\n        }}\n        result[word] = packed;\n    }}\n"
    )
}
