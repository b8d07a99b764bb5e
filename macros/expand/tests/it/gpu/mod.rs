//! Kernels translated for GPUs: their texts, which are valid WGSL, and what has no translation.
//!
//! With `OPLINK_CUDA_TEXTS` set to a folder, every CUDA text is written there, for a compiler.

mod attribute;
mod casts;
mod constructs;
mod functions;
mod grids;
mod memory;
mod program;
mod refused;
mod scalars;
mod structs;
mod values;

use std::collections::BTreeMap;

use expect_test::Expect;
use syn::visit::Visit;

use super::*;

/// The texts of one program.
#[derive(Clone, Default)]
pub(crate) struct Texts {
    pub(crate) cuda: String,
    pub(crate) wgsl: String,
    /// `params: …`, `block: …` and `needs: …`.
    pub(crate) fields: BTreeMap<String, String>,
}

/// The formulas and programs in an expansion, in order.
pub(crate) fn programs(op: &str, attribute: &str, item: &str) -> Vec<Texts> {
    programs_of(kernel(op, attribute, item), item)
}

/// The programs that `#[program]` leaves, in order.
pub(crate) fn launched(attribute: &str, item: &str) -> Vec<Texts> {
    programs_of(oplink_macros_expand::program(parse(attribute), parse(item)), item)
}

fn programs_of(tokens: TokenStream, item: &str) -> Vec<Texts> {
    assert_eq!(messages(tokens.clone()), Vec::<String>::new(), "{item}");
    let file: syn::File = syn::parse2(tokens).unwrap();
    let mut found = Programs(Vec::new());
    found.visit_file(&file);
    found.0.iter().for_each(check_wgsl);
    write_cuda(item, &found.0);
    found.0
}

struct Programs(Vec<Texts>);

impl<'a> Visit<'a> for Programs {
    fn visit_expr_struct(&mut self, expr: &'a syn::ExprStruct) {
        syn::visit::visit_expr_struct(self, expr);
        let kind = expr.path.segments.last().unwrap().ident.to_string();
        if kind != "DeviceProgram" && kind != "GpuFormula" {
            return;
        }
        let mut texts = Texts::default();
        for field in &expr.fields {
            let syn::Member::Named(name) = &field.member else { continue };
            let value = quote::ToTokens::to_token_stream(&field.expr);
            let text = || match &field.expr {
                syn::Expr::Struct(text) => formula_text(text),
                _ => syn::parse2::<syn::LitStr>(value.clone()).map_or(String::new(), |literal| literal.value()),
            };
            match name.to_string().as_str() {
                "cuda" => texts.cuda = text(),
                "wgsl" => texts.wgsl = text(),
                other => drop(texts.fields.insert(other.to_owned(), value.to_string())),
            }
        }
        self.0.push(texts);
    }
}

/// The functions that a formula calls, and the formula as `value_of`.
fn formula_text(text: &syn::ExprStruct) -> String {
    let mut all = String::new();
    let mut literals = Literals(Vec::new());
    literals.visit_expr_struct(text);
    if literals.0.last().is_some_and(|function| !function.is_empty()) {
        all = literals.0.concat().replace("$f(", "value_of(");
    }
    all
}

struct Literals(Vec<String>);

impl<'a> Visit<'a> for Literals {
    fn visit_lit_str(&mut self, literal: &'a syn::LitStr) {
        self.0.push(literal.value());
    }
}

/// WGSL is parsed and validated with everything allowed that a device may have.
fn check_wgsl(texts: &Texts) {
    if texts.wgsl.is_empty() {
        return;
    }
    let options = naga::front::wgsl::Options {
        capabilities: naga::valid::Capabilities::all(),
        ..naga::front::wgsl::Options::new()
    };
    let module = naga::front::wgsl::Frontend::new_with_options(options).parse(&texts.wgsl);
    let module = module.unwrap_or_else(|error| panic!("{}\n{}", error.emit_to_string(&texts.wgsl), texts.wgsl));
    let mut validator =
        naga::valid::Validator::new(naga::valid::ValidationFlags::all(), naga::valid::Capabilities::all());
    if let Err(error) = validator.validate(&module) {
        panic!("{}\n{}", error.emit_to_string(&texts.wgsl), texts.wgsl);
    }
}

/// Rust's names of types, as programs of formulas start with them.
const TYPES: &str = "typedef signed char i8; typedef short i16; typedef int i32; typedef long long i64; typedef unsigned char u8; \
                     typedef unsigned short u16; typedef unsigned int u32; typedef unsigned long long u64; typedef unsigned long long \
                     usize; typedef float f32; typedef double f64;\n";

fn write_cuda(item: &str, programs: &[Texts]) {
    use std::hash::{DefaultHasher, Hash, Hasher};
    let Some(folder) = std::env::var_os("OPLINK_CUDA_TEXTS") else { return };
    for (index, texts) in programs.iter().enumerate().filter(|program| !program.1.cuda.is_empty()) {
        let mut hasher = DefaultHasher::new();
        (item, index, &texts.cuda).hash(&mut hasher);
        let path = std::path::Path::new(&folder).join(format!("{:016x}.cu", hasher.finish()));
        // The runtime puts the types' names before formulas.
        let names = if texts.cuda.contains("typedef") { "" } else { TYPES };
        std::fs::write(path, format!("{names}{}", texts.cuda)).unwrap();
    }
}

/// All texts of programs, one after the other.
pub(crate) fn check_programs(programs: &[Texts], expected: Expect) {
    let all = programs.iter().map(|texts| {
        let names = ["params", "result", "shapes", "block", "needs"].iter();
        let fields: String = names.filter_map(|name| Some(format!("{name}: {}\n", texts.fields.get(*name)?))).collect();
        let fields = fields.replace(":: oplink :: __private :: ", "");
        let cuda: String =
            texts.cuda.lines().filter(|line| !is_name_of_type(line)).map(|line| format!("{line}\n")).collect();
        format!("{fields}// CUDA\n{cuda}// WGSL\n{}", texts.wgsl)
    });
    expected.assert_eq(&all.collect::<Vec<_>>().join("\n"));
}

/// The lines that every CUDA text has.
fn is_name_of_type(line: &str) -> bool {
    line.starts_with("typedef ") && !line.contains("__")
}

pub(crate) const UNARY: &str =
    r#""Relu" ["x: T"] ["y: T"] ["T: type" "alpha: float = 0.2" "on: bool = true" "n: int = 1"] true"#;
pub(crate) const BINARY: &str = r#""Maximum" ["x: T" "y: T"] ["z: T"] ["T: type"] true"#;
pub(crate) const CAST: &str = r#""Cast" ["x: SrcT"] ["y: DstT"] ["SrcT: type" "DstT: type"] true"#;
pub(crate) const EQUAL: &str = r#""Less" ["x: T" "y: T"] ["z: bool"] ["T: type"] true"#;

/// Scalar kernels of one input, for these types.
pub(crate) fn unary(types: &str, body: &str) -> Vec<Texts> {
    programs(UNARY, &format!("Relu, device = GPU, T = [{types}]"), &format!("fn f<T: Float>(x: T) -> T {{ {body} }}"))
}

/// The statements of a scalar kernel's function in both languages.
pub(crate) fn check_body(types: &str, body: &str, expected: Expect) {
    check_statements(&unary(types, body), "value_of(", expected);
}

/// The statements of a program's entry in both languages.
pub(crate) fn check_grid(item: &str, expected: Expect) {
    check_statements(&launched("block = 64", item), "oplink_f(", expected);
}

fn check_statements(programs: &[Texts], function: &str, expected: Expect) {
    let cut = |text: &str| {
        let start = text.find(function).map_or(0, |at| text[at..].find('\n').unwrap() + at + 1);
        let end = text[start..].find("\n}").map_or(text.len(), |end| start + end + 1);
        text[start..end].to_owned()
    };
    let first = &programs[0];
    let wgsl = if first.wgsl.is_empty() { "(none)\n".to_owned() } else { cut(&first.wgsl) };
    expected.assert_eq(&format!("{}--\n{wgsl}", cut(&first.cuda)));
}
