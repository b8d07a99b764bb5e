//! Programs of functions of single values: the loops over all elements, with and without broadcasting, in both
//! languages.
//!
//! Parameters are the inputs' buffers, the output's, the attrs, and then for `contiguous` the number of elements in two
//! parts of 32 bits; for `broadcast` the number of elements, the rank, [`RANK`] extents, innermost first, and as many
//! strides for each input.

use super::lower::{self, Lowered, type_of};
use super::model::ParamKind;
use super::print::cuda::Cuda;
use super::print::wgsl::Wgsl;
use super::print::wgsl_words::{is_packed, load_function, load_text};
use super::print::{Dialect, Printer, Value};
use super::ty::Ty;
use super::{GpuRole, Param, Program, Programs, Source, Text, needs};
use crate::errors::Errors;

/// Dimensions that a program can broadcast over, after neighbours were joined.
const RANK: usize = 6;
/// Threads of a block.
const BLOCK: u32 = 256;

/// The function's types: what it takes, and what it gives.
struct Function<'a> {
    source: &'a Source<'a>,
    lowered: Lowered,
    /// Whether each parameter is an attr, and its type.
    params: Vec<(bool, Ty)>,
    output: Ty,
}

/// Writes both programs; `None` after mistakes.
pub(super) fn write(source: &Source<'_>, errors: &mut Errors) -> Option<Programs> {
    let syn::ReturnType::Type(_, output) = &source.sig.output else { return None };
    let output = type_of(output, source.generics)?;
    let mut params = Vec::new();
    let mut kinds = Vec::new();
    for param in &source.binding.params {
        let ty = type_of(&param.ty, source.generics)?;
        params.push((matches!(param.role, GpuRole::Attr(_)), ty));
        kinds.push((param.ident.clone(), ParamKind::Scalar(ty)));
    }
    let lowered = lower::lower(
        &lower::Source { block: source.body, params: &kinds, generics: source.generics, returns: Some(output) },
        errors,
    );
    if !errors.is_empty() {
        return None;
    }
    let function = Function { source, lowered, params, output };
    let broadcast = (function.inputs().count() > 1).then(|| function.program(true));
    Some(Programs::Elementwise { contiguous: function.program(false), broadcast })
}

impl Function<'_> {
    fn program(&self, broadcast: bool) -> Program {
        let params = self.program_params(broadcast);
        let cuda = self.cuda(&params, broadcast);
        let wgsl = self.wgsl(&params, broadcast);
        let values = self.lowered.body.locals.iter().map(|local| self.lowered.types.of(local.ty));
        let needs = needs(values.chain(params.iter().map(|param| param.ty)));
        Program {
            cuda: Text::Written(cuda),
            wgsl: Text::Written(wgsl),
            entry: self.source.entry(),
            params,
            block: [BLOCK, 1, 1],
            needs,
        }
    }

    /// Types of the inputs, in order.
    fn inputs(&self) -> impl Iterator<Item = Ty> + '_ {
        self.params.iter().filter(|param| !param.0).map(|param| param.1)
    }

    fn program_params(&self, broadcast: bool) -> Vec<Param> {
        let scalar = |name: String| Param { kind: "Scalar", ty: Ty::U32, name };
        let mut params: Vec<Param> = self
            .inputs()
            .enumerate()
            .map(|(index, ty)| Param { kind: "Input", ty, name: format!("input{index}") })
            .collect();
        params.push(Param { kind: "Output", ty: self.output, name: "result".to_owned() });
        for (local, (_, ty)) in self.lowered.body.locals.iter().zip(&self.params).filter(|param| param.1.0) {
            params.push(Param { kind: "Scalar", ty: *ty, name: local.name.clone() });
        }
        if !broadcast {
            params.extend(["count_low", "count_high"].map(|name| scalar(name.to_owned())));
            return params;
        }
        params.extend(["count", "rank"].map(|name| scalar(name.to_owned())));
        params.extend((0..RANK).map(|dim| scalar(format!("extent{dim}"))));
        for input in 0..self.inputs().count() {
            params.extend((0..RANK).map(|dim| scalar(format!("stride{input}_{dim}"))));
        }
        params
    }

    /// The call of the function, given how an input is read and an attr's name.
    fn call(&self, mut read: impl FnMut(usize, Ty) -> String, attr: impl Fn(&str, Ty) -> String) -> String {
        let mut input = 0;
        let arguments: Vec<String> = self
            .params
            .iter()
            .zip(&self.lowered.body.locals)
            .map(|((is_attr, ty), local)| {
                if *is_attr {
                    return attr(&local.name, *ty);
                }
                input += 1;
                read(input - 1, *ty)
            })
            .collect();
        format!("value_of({})", arguments.join(", "))
    }

    fn cuda(&self, params: &[Param], broadcast: bool) -> String {
        let printer = Printer::new(&self.lowered.body, &self.lowered.types, Cuda::default());
        let (body, mut dialect) = printer.print();
        let locals = self.lowered.body.locals.iter().zip(&self.params);
        let takes: Vec<String> =
            locals.map(|(local, param)| format!("{} {}", dialect.ty(param.1), local.name)).collect();
        let gives = dialect.ty(self.output);
        let takes = takes.join(", ");
        let entry: Vec<String> = params.iter().map(|param| cuda_param(&mut dialect, param)).collect();
        let entry = format!(
            "extern \"C\" __global__ void __launch_bounds__({BLOCK}) {}({}) {{\n",
            self.source.entry(),
            entry.join(", ")
        );
        let content = if broadcast { self.cuda_broadcast() } else { self.cuda_contiguous() };
        let pack = if broadcast { "" } else { PACK };
        format!(
            "{}{pack}static __device__ __forceinline__ {gives} value_of({takes}) {{\n{body}}}\n{entry}{CUDA_POSITION}{content}}}\n",
            dialect.head()
        )
    }

    /// Elements that a thread reads and writes at once: 16 bytes of the largest type.
    fn width(&self) -> u32 {
        16 / self.inputs().chain([self.output]).map(Ty::bytes).max().unwrap_or(16)
    }

    fn cuda_contiguous(&self) -> String {
        let (width, output) = (self.width(), self.output.name());
        let loads: String = self
            .inputs()
            .enumerate()
            .map(|(k, ty)| {
                let pack = format!("Pack<{}, {width}>", ty.name());
                format!("        const {pack} part{k} = reinterpret_cast<const {pack}*>(input{k})[i];\n")
            })
            .collect();
        let of_part = self.call(|input, _| format!("part{input}.values[k]"), |name, _| name.to_owned());
        let single = self.call(|input, _| format!("input{input}[i]"), |name, _| name.to_owned());
        let places: String = (0..self.inputs().count()).map(|k| format!("(usize)input{k} | ")).collect();
        format!(
            "    const usize count = ((usize)count_high << 32) | count_low;\n    const bool aligned = (({places}(usize)result) & 15) == \
             0;\n    const usize packs = aligned ? count / {width} : 0;\n    for (usize i = first; i < packs; i += step) {{\n{loads}        Pack<{output}, {width}> written;\n        #pragma unroll\n        for (int k = 0; k < \
             {width}; ++k) written.values[k] = {of_part};\n        reinterpret_cast<Pack<{output}, {width}>*>(result)[i] = \
             written;\n    }}\n    for (usize i = packs * {width} + first; i < count; i += step) result[i] = \
             {single};\n"
        )
    }

    fn cuda_broadcast(&self) -> String {
        let inputs = self.inputs().count();
        let starts: String = (0..inputs).map(|k| format!(", from{k} = 0")).collect();
        let mut text =
            format!("    for (usize i = first; i < count; i += step) {{\n        u32 rest = (u32)i, at{starts};\n");
        text += &offsets(inputs, "        ", str::to_owned);
        let value = self.call(|input, _| format!("input{input}[from{input}]"), |name, _| name.to_owned());
        text + &format!("        result[i] = {value};\n    }}\n")
    }

    fn wgsl(&self, params: &[Param], broadcast: bool) -> String {
        let printer = Printer::new(&self.lowered.body, &self.lowered.types, Wgsl::new([BLOCK, 1, 1]));
        let (body, mut dialect) = printer.print();
        let locals = self.lowered.body.locals.iter().zip(&self.params);
        let takes: Vec<String> =
            locals.map(|(local, (_, ty))| format!("{}: {}", local.name, dialect.ty(*ty))).collect();
        let gives = dialect.ty(self.output);
        let bindings = wgsl_bindings(&mut dialect, params);
        let loads = params.iter().filter(|param| param.kind == "Input" && is_packed(param.ty));
        let loads: String = loads.map(|param| load_text(&param.name, param.ty, false)).collect();
        let content = self.wgsl_loop(&mut dialect, broadcast);
        if dialect.is_unavailable {
            return String::new();
        }
        let never = format!("    return {gives}();\n");
        let end = ends(&self.lowered.body.statements, &never);
        format!(
            "{}{bindings}{loads}fn value_of({}) -> {gives} {{\n{body}{end}}}\n@compute @workgroup_size({BLOCK}, 1, 1)\nfn {}\
             (@builtin(global_invocation_id) thread: vec3<u32>, @builtin(num_workgroups) blocks: vec3<u32>) {{\n    let step = \
             blocks.x * {BLOCK}u;\n{content}}}\n",
            dialect.head(),
            takes.join(", "),
            self.source.entry(),
        )
    }

    fn wgsl_loop(&self, dialect: &mut Wgsl, broadcast: bool) -> String {
        let count = if broadcast { "count" } else { "count_low" };
        let mut text = format!("    let count = scalars.{count};\n");
        let lanes = if is_packed(self.output) { 4 / self.output.bytes() } else { 1 };
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
            let inputs = self.inputs().count();
            text += &format!("{inner}var rest = i;\n{inner}var at = 0u;\n");
            text += &(0..inputs).map(|k| format!("{inner}var from{k} = 0u;\n")).collect::<String>();
            text += &offsets(inputs, inner, |name| format!("scalars.{name}"));
        }
        let read = |input: usize, ty: Ty| {
            let at = if broadcast { format!("from{input}") } else { "i".to_owned() };
            let name = format!("input{input}");
            if is_packed(ty) { format!("{}({at})", load_function(&name)) } else { format!("{name}[{at}]") }
        };
        let value = self.call(read, wgsl_scalar);
        if lanes == 1 {
            return text + &format!("        result[i] = {value};\n    }}\n");
        }
        let bits = self.output.bytes() * 8;
        let word = match self.output {
            Ty::Bool => format!("select(0u, 1u, {value})"),
            ty => {
                let value = Value { text: value, ty };
                format!("({} & {}u)", dialect.cast(&value, Ty::U32), (1_u64 << bits) - 1)
            }
        };
        text + &format!(
            "            packed |= {word} << (i % {lanes}u * {bits}u);\n        }}\n        result[word] = packed;\n    }}\n"
        )
    }
}

const PACK: &str = "template <typename T, int N> struct __align__(sizeof(T) * N) Pack {\n    T values[N];\n};\n";
const CUDA_POSITION: &str = "    const usize first = (usize)blockIdx.x * blockDim.x + threadIdx.x, step = (usize)gridDim.x * \
                             blockDim.x;\n";

/// Where each input's element lies: one dimension after the other, innermost first.
fn offsets(inputs: usize, indent: &str, name: impl Fn(&str) -> String) -> String {
    let mut text = String::new();
    for dim in 0..RANK {
        let extent = name(&format!("extent{dim}"));
        let mut step = format!("at = rest % {extent}; rest = rest / {extent};");
        for input in 0..inputs {
            step += &format!(" from{input} += at * {};", name(&format!("stride{input}_{dim}")));
        }
        text += &match dim {
            0 => format!("{indent}{step}\n"),
            _ => format!("{indent}if ({} > {dim}u) {{ {step} }}\n", name("rank")),
        };
    }
    text
}

/// A parameter of the entry in CUDA.
pub(super) fn cuda_param(dialect: &mut Cuda, param: &Param) -> String {
    let Param { kind, ty, name } = param;
    let ty = dialect.ty(*ty);
    match *kind {
        "Scalar" => format!("{} {name}", if ty == "bool" { "u32" } else { ty }),
        "Input" => format!("const {ty}* {name}"),
        _ => format!("{ty}* {name}"),
    }
}

/// The bindings of buffers, and the uniform block of scalars.
pub(super) fn wgsl_bindings(dialect: &mut Wgsl, params: &[Param]) -> String {
    let (mut text, mut fields, mut binding) = (String::new(), Vec::new(), 0);
    for Param { kind, ty, name } in params {
        if *kind == "Scalar" {
            let ty = if *ty == Ty::Bool { "u32" } else { dialect.ty(*ty) };
            fields.push(format!("    {name}: {ty},\n"));
            continue;
        }
        let access = if *kind == "Input" { "read" } else { "read_write" };
        let element = dialect.element_of(name, *ty, true);
        text += &format!("@group(0) @binding({binding}) var<storage, {access}> {name}: array<{element}>;\n");
        binding += 1;
    }
    if !fields.is_empty() {
        text += &format!(
            "struct Scalars {{\n{}}}\n@group(0) @binding({binding}) var<uniform> scalars: Scalars;\n",
            fields.concat()
        );
    }
    text
}

/// A scalar parameter's value in WGSL.
pub(super) fn wgsl_scalar(name: &str, ty: Ty) -> String {
    if ty == Ty::Bool { format!("(scalars.{name} != 0u)") } else { format!("scalars.{name}") }
}

/// What a function ends with where control may seem to get to its end.
fn ends<'a>(statements: &[super::model::Stmt], otherwise: &'a str) -> &'a str {
    match statements.last() {
        Some(super::model::Stmt::Return(_)) => "",
        _ => otherwise,
    }
}
