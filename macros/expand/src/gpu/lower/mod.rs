//! From a function's body in Rust to the model: names are resolved, types inferred, blocks inside of expressions become
//! statements. What has no translation is a mistake on its token, with what to write instead.

mod bindings;
mod call;
mod expr;
mod inline;
mod loops;
mod matches;
mod path;
mod place;
mod stmt;
mod types;
mod value;

use proc_macro2::Ident;
use quote::ToTokens;
use syn::ext::IdentExt;

use place::{Place, Spread};

use super::infer::{TyId, Types};
use super::model::{Array, ArrayId, Body, Expr, ExprKind, Local, LocalId, Memory, ParamKind, Stmt};
use super::ty::Ty;
use crate::errors::Errors;

/// A function to be read.
pub(crate) struct Source<'a> {
    pub(crate) block: &'a syn::Block,
    pub(crate) params: &'a [(Ident, ParamKind)],
    /// What the function's generic parameters stand for.
    pub(crate) generics: &'a [(Ident, Ty)],
    /// What it returns: a value for scalar kernels, nothing for grid kernels.
    pub(crate) returns: Option<Ty>,
}

/// A function that was read.
pub(crate) struct Lowered {
    pub(crate) body: Body,
    pub(crate) types: Types,
    /// For each parameter, of how many scalars it is made; 0 for a buffer.
    pub(crate) scalars: Vec<usize>,
}

/// Reads a function's body; its mistakes are added to `errors`.
pub(crate) fn lower(source: &Source<'_>, errors: &mut Errors) -> Lowered {
    let mut lowerer = Lowerer {
        source,
        errors,
        body: Body::default(),
        types: Types::default(),
        scopes: vec![Vec::new()],
        out: vec![Vec::new()],
        loops: 0,
        operand: false,
        unknown: Vec::new(),
        generics: source.generics.to_vec(),
        functions: Vec::new(),
        structs: Vec::new(),
        spread: Vec::new(),
        positions: Vec::new(),
        start: Vec::new(),
        inlined: Vec::new(),
    };
    lowerer.items_of(&source.block.stmts);
    let scalars = lowerer.params();
    lowerer.function();
    lowerer.report_unknown();
    let Lowerer { mut body, types, mut out, start: mut statements, .. } = lowerer;
    statements.extend(out.pop().unwrap_or_default());
    body.statements = statements;
    Lowered { body, types, scalars }
}

/// What a name stands for.
#[derive(Clone)]
enum Name {
    Local(LocalId),
    Array(ArrayId),
    /// A `const` or `let` whose integer is known here, beside its variable.
    Number(LocalId, i128),
    /// A `const` whose float is known here.
    Float(Expr),
    /// A value of several scalars.
    Place(Place),
}

struct Lowerer<'a> {
    source: &'a Source<'a>,
    errors: &'a mut Errors,
    body: Body,
    types: Types,
    /// The names in reach, innermost scope last.
    scopes: Vec<Vec<(String, Name)>>,
    /// The statement lists that are being written, innermost last.
    out: Vec<Vec<Stmt>>,
    /// Loops around the current place.
    loops: usize,
    /// Whether the current place is inside of an operand, where nothing may have effects.
    operand: bool,
    /// Types that were unknown where they came up, with the place.
    unknown: Vec<(TyId, proc_macro2::TokenStream)>,
    /// What generic parameters stand for at the current place.
    generics: Vec<(Ident, Ty)>,
    /// The functions that stand in the body.
    functions: Vec<syn::ItemFn>,
    /// The structs that stand in the body.
    structs: Vec<syn::ItemStruct>,
    /// The arrays among the parameters.
    spread: Vec<Spread>,
    /// Positions of the thread that were named.
    positions: Vec<Expr>,
    /// What is done before the body.
    start: Vec<Stmt>,
    /// Those whose texts the current place is in, innermost last.
    inlined: Vec<inline::Inlined>,
}

impl Lowerer<'_> {
    fn error(&mut self, tokens: impl ToTokens, message: impl std::fmt::Display) {
        self.errors.at(tokens, format!("no translation to the GPU: {message}"));
    }

    /// Reports what only functions over a grid have.
    fn grid_only(&mut self, tokens: impl ToTokens, what: &str) {
        if self.source.returns.is_some() {
            self.error(tokens, format!("{what} is for kernels over a grid: this function sees one element"));
        }
    }

    /// Stands for an expression with a mistake, which fits everywhere.
    fn failed(&mut self) -> Expr {
        Expr { ty: self.types.any(), kind: ExprKind::Bool(false) }
    }

    /// Binds the parameters: of how many scalars each is made.
    fn params(&mut self) -> Vec<usize> {
        let source = self.source;
        let mut scalars = Vec::new();
        for (ident, kind) in source.params {
            let text = ident.unraw().to_string();
            let before = self.body.locals.len();
            let name = match kind {
                ParamKind::Buffer { element, writable } => {
                    let element = self.types.known(*element);
                    Name::Array(self.array(&text, element, Memory::Buffer { writable: *writable }))
                }
                ParamKind::Scalar(ty) => {
                    let ty = self.types.known(*ty);
                    Name::Local(self.local(&text, ty))
                }
                ParamKind::Parts(ty) => match self.spread_param(&text, ty) {
                    Some(place) => Name::Place(place),
                    None => Name::Local(LocalId(0)),
                },
            };
            scalars.push(self.body.locals.len() - before);
            self.bind(text, name);
        }
        scalars
    }

    fn function(&mut self) {
        let source = self.source;
        self.scopes.push(Vec::new());
        let tail = self.statements(&source.block.stmts, source.returns.is_some());
        if let (Some(tail), Some(ty)) = (tail, source.returns) {
            let tail = self.scalar(tail, source.block.stmts.last());
            let ty = self.types.known(ty);
            self.unify(tail.ty, ty, source.block.stmts.last());
            self.push(Stmt::Return(Some(tail)));
        }
        self.scopes.pop();
    }

    /// A name in the texts that nothing else has.
    fn unique(&self, text: &str) -> String {
        let clean: String = text.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        let number = self.body.locals.len() + self.body.arrays.len();
        let stem = clean.trim_matches('_');
        let stem = if stem.starts_with(|c: char| c.is_ascii_alphabetic()) { stem } else { "value" };
        format!("{stem}_{number}")
    }

    fn local(&mut self, text: &str, ty: TyId) -> LocalId {
        let name = self.unique(text);
        self.body.locals.push(Local { name, ty });
        LocalId(self.body.locals.len() - 1)
    }

    fn array(&mut self, text: &str, element: TyId, place: Memory) -> ArrayId {
        let name = self.unique(text);
        self.body.arrays.push(Array { name, element, place });
        ArrayId(self.body.arrays.len() - 1)
    }

    fn bind(&mut self, text: String, name: Name) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.push((text, name));
        }
    }

    fn find(&self, ident: &Ident) -> Option<Name> {
        let text = ident.unraw().to_string();
        self.scopes.iter().rev().flat_map(|scope| scope.iter().rev()).find(|entry| entry.0 == text).map(|e| e.1.clone())
    }

    fn push(&mut self, statement: Stmt) {
        if let Some(out) = self.out.last_mut() {
            out.push(statement);
        }
    }

    /// The statements that `write` makes, apart.
    fn apart<R>(&mut self, write: impl FnOnce(&mut Self) -> R) -> (Vec<Stmt>, R) {
        self.out.push(Vec::new());
        self.scopes.push(Vec::new());
        let result = write(self);
        self.scopes.pop();
        (self.out.pop().unwrap_or_default(), result)
    }

    fn unify(&mut self, found: TyId, wanted: TyId, tokens: impl ToTokens) {
        if let Err((found, wanted)) = self.types.unify(found, wanted) {
            self.error(tokens, format!("{found} stands where {wanted} belongs"));
        }
    }

    fn local_value(&self, local: LocalId) -> Expr {
        Expr { ty: self.body.locals[local.0].ty, kind: ExprKind::Local(local) }
    }

    fn report_unknown(&mut self) {
        for (ty, tokens) in std::mem::take(&mut self.unknown) {
            if self.errors.is_empty() && self.types.is_unknown(ty) {
                self.error(tokens, "the type of this value is not known: write `let name: type = …`");
            }
        }
    }

    /// The type that a path or its short form names.
    fn type_named(&mut self, ty: &syn::Type) -> Option<Ty> {
        let found = type_of(ty, &self.generics);
        if found.is_none() {
            self.error(
                ty,
                "the types of values are `bool`, `f16`, `bf16`, `f32`, `f64`, integers of 8 to 64 bits, `usize`, and the \
                 function's generic parameters",
            );
        }
        found
    }
}

/// The scalar type that a Rust type is, given what generic parameters stand for.
pub(crate) fn type_of(ty: &syn::Type, generics: &[(Ident, Ty)]) -> Option<Ty> {
    match ty {
        syn::Type::Path(path) if path.qself.is_none() => {
            let last = path.path.segments.last().filter(|last| last.arguments.is_empty())?;
            let generic = generics.iter().find(|generic| path.path.is_ident(&generic.0));
            generic.map(|generic| generic.1).or_else(|| Ty::of_name(&last.ident.to_string()))
        }
        syn::Type::Group(group) => type_of(&group.elem, generics),
        syn::Type::Paren(paren) => type_of(&paren.elem, generics),
        _ => None,
    }
}
