//! Programs of formulas in CUDA C++. Types have Rust's names, by `typedef`.

use super::{BLOCK, Outline, Param};
use crate::DType;
use crate::device::{ProgramFeature, ProgramParam};

/// Rust's names of types.
const TYPES: &str = "\
typedef signed char i8;
typedef short i16;
typedef int i32;
typedef long long i64;
typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef unsigned long long usize;
typedef float f32;
typedef double f64;
";

/// Elements that are read and written at once.
const PACK: &str = "template <typename T, int N> struct __align__(sizeof(T) * N) Pack {\n    T values[N];\n};\n";

const POSITION: &str = "    const usize first = (usize)blockIdx.x * blockDim.x + threadIdx.x, step = (usize)gridDim.x * \
                        blockDim.x;\n";

/// The program's text; empty where CUDA C++ cannot say it.
pub(super) fn text(outline: &Outline<'_>, params: &[Param], broadcast: bool) -> String {
    let Some(functions) = outline.functions(|formula| &formula.cuda) else { return String::new() };
    let mut head = String::new();
    for (dtype, feature, include) in [
        (DType::Half, ProgramFeature::F16, "#include <cuda_fp16.h>\ntypedef __half f16;\n"),
        (DType::BFloat16, ProgramFeature::BF16, "#include <cuda_bf16.h>\ntypedef __nv_bfloat16 bf16;\n"),
    ] {
        if outline.uses(dtype, feature) {
            head += include;
        }
    }
    let takes: Vec<String> = outline.values().iter().map(|(dtype, name)| format!("{} {name}", ty(*dtype))).collect();
    let body = outline.statements(convert, |dtype, name, value| format!("    const {} {name} = {value};\n", ty(dtype)));
    let (pack, content) = if broadcast { ("", repeated(outline)) } else { (PACK, contiguous(outline)) };
    format!(
        "{head}{TYPES}{pack}{functions}static __device__ __forceinline__ {} value_of({}) {{\n{body}}}\nextern \"C\" __global__ void \
         __launch_bounds__({BLOCK}) {}({}) {{\n{POSITION}{content}}}\n",
        ty(outline.result()),
        takes.join(", "),
        outline.entry,
        params.iter().map(param).collect::<Vec<_>>().join(", ")
    )
}

fn ty(dtype: DType) -> &'static str {
    match dtype {
        DType::Bool => "bool",
        DType::Int8 => "i8",
        DType::Int16 => "i16",
        DType::Int32 => "i32",
        DType::Int64 => "i64",
        DType::UInt8 => "u8",
        DType::UInt16 => "u16",
        DType::UInt32 => "u32",
        DType::UInt64 => "u64",
        DType::Half => "f16",
        DType::BFloat16 => "bf16",
        DType::Double => "f64",
        _ => "f32",
    }
}

/// Between a 16-bit float and `float`.
fn convert(text: String, from: DType, to: DType) -> String {
    match (from, to) {
        (DType::Half, DType::Float) => format!("__half2float({text})"),
        (DType::BFloat16, DType::Float) => format!("__bfloat162float({text})"),
        (DType::Float, DType::Half) => format!("__float2half({text})"),
        (DType::Float, DType::BFloat16) => format!("__float2bfloat16({text})"),
        _ => text,
    }
}

fn param((param, name): &Param) -> String {
    match *param {
        ProgramParam::Scalar(dtype) => format!("{} {name}", ty(dtype)),
        ProgramParam::Input(dtype) => format!("const {}* {name}", ty(dtype)),
        ProgramParam::Output(dtype) | ProgramParam::InOut(dtype) => format!("{}* {name}", ty(dtype)),
    }
}

/// The loop over tensors of one shape, 16 bytes of the largest type at once.
fn contiguous(outline: &Outline<'_>) -> String {
    let bytes = |dtype: DType| dtype.size().unwrap_or(1);
    let largest = outline.inputs.iter().copied().map(bytes).chain([bytes(outline.result())]).max().unwrap_or(16);
    let (width, output) = (16 / largest, ty(outline.result()));
    let loads: String = outline
        .inputs
        .iter()
        .enumerate()
        .map(|(k, &dtype)| {
            let pack = format!("Pack<{}, {width}>", ty(dtype));
            format!("        const {pack} part{k} = reinterpret_cast<const {pack}*>(input{k})[i];\n")
        })
        .collect();
    let of_part = outline.call(|input, _| format!("part{input}.values[k]"), |name, _| name.to_owned());
    let single = outline.call(|input, _| format!("input{input}[i]"), |name, _| name.to_owned());
    let places: String = (0..outline.inputs.len()).map(|k| format!("(usize)input{k} | ")).collect();
    format!(
        "    const usize count = ((usize)count_high << 32) | count_low;\n    const bool aligned = (({places}(usize)result) & 15) == \
         0;\n    const usize packs = aligned ? count / {width} : 0;\n    for (usize i = first; i < packs; i += step) {{\n{loads}        Pack<{output}, {width}> written;\n        #pragma unroll\n        for (int k = 0; k < \
         {width}; ++k) written.values[k] = {of_part};\n        reinterpret_cast<Pack<{output}, {width}>*>(result)[i] = \
         written;\n    }}\n    for (usize i = packs * {width} + first; i < count; i += step) result[i] = \
         {single};\n"
    )
}

/// The loop over the output, with each input's element found by its strides.
fn repeated(outline: &Outline<'_>) -> String {
    let starts: String = (0..outline.inputs.len()).map(|k| format!(", from{k} = 0")).collect();
    let offsets = outline.offsets("        ", str::to_owned);
    let value = outline.call(|input, _| format!("input{input}[from{input}]"), |name, _| name.to_owned());
    format!(
        "    for (usize i = first; i < count; i += step) {{\n        u32 rest = (u32)i, at{starts};\n{offsets}        result[i] = \
         {value};\n    }}\n"
    )
}
