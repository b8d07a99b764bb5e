//! Calls of the functions that stand in a body: their text is put in the place of each call. Values become variables,
//! arrays keep their place, and an early `return` leaves a loop around the text.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{FnArg, Pat, ReturnType};

use super::{Lowerer, Name, type_of};
use crate::gpu::model::{Expr, LocalId, Stmt};
use crate::gpu::ty::Ty;

/// The function whose text is being read.
pub(super) struct Inlined {
    name: String,
    /// What its `return` assigns to.
    result: Option<LocalId>,
    /// Loops around the function's text.
    loops: usize,
}

impl Lowerer<'_> {
    /// Remembers the functions of a block, which may be called before they stand there.
    pub(super) fn functions_of(&mut self, statements: &[syn::Stmt]) {
        let functions = statements.iter().filter_map(|statement| match statement {
            syn::Stmt::Item(syn::Item::Fn(function)) => Some(function.clone()),
            _ => None,
        });
        self.functions.extend(functions);
    }

    /// The function of this name.
    pub(super) fn function_named(&self, call: &syn::ExprCall) -> Option<syn::ItemFn> {
        let syn::Expr::Path(path) = &*call.func else { return None };
        let name = &path.path.segments.last()?.ident;
        self.functions.iter().rev().find(|function| function.sig.ident == *name).cloned()
    }

    /// The value of a call, where the function has one.
    pub(super) fn inline(&mut self, function: &syn::ItemFn, call: &syn::ExprCall) -> Option<Expr> {
        let name = function.sig.ident.to_string();
        if self.inlined.iter().any(|outer| outer.name == name) {
            self.error(&call.func, format!("`{name}` calls itself: write a loop"));
            return Some(self.failed());
        }
        if call.args.len() != function.sig.inputs.len() {
            let count = function.sig.inputs.len();
            self.error(&call.func, format!("`{name}` takes {count} arguments"));
            return Some(self.failed());
        }
        let mut generics = self.named_generics(function, call);
        let mut scope = Vec::new();
        for (param, argument) in function.sig.inputs.iter().zip(&call.args) {
            scope.extend(self.argument(param, argument, &mut generics));
        }
        if let Some(missing) =
            function.sig.generics.type_params().find(|param| !generics.iter().any(|g| g.0 == param.ident))
        {
            let message =
                format!("the type `{}` of `{name}` is not known here: write `{name}::<type>(…)`", missing.ident);
            self.error(&call.func, message);
            return Some(self.failed());
        }
        let outer = (
            std::mem::replace(&mut self.generics, generics),
            std::mem::replace(&mut self.scopes, vec![Vec::new(), Vec::new(), scope]),
            std::mem::replace(&mut self.operand, false),
        );
        let value = self.text_of(function, name);
        (self.generics, self.scopes, self.operand) = outer;
        value
    }

    /// The types that `name::<types>(…)` gives.
    fn named_generics(&mut self, function: &syn::ItemFn, call: &syn::ExprCall) -> Vec<(Ident, Ty)> {
        let syn::Expr::Path(path) = &*call.func else { return Vec::new() };
        let Some(syn::PathArguments::AngleBracketed(given)) = path.path.segments.last().map(|last| &last.arguments)
        else {
            return Vec::new();
        };
        let mut named = Vec::new();
        for (param, given) in function.sig.generics.type_params().zip(&given.args) {
            if let syn::GenericArgument::Type(ty) = given
                && let Some(ty) = self.type_named(ty)
            {
                named.push((param.ident.clone(), ty));
            }
        }
        named
    }

    /// Binds a parameter, and what its generic type stands for.
    fn argument(
        &mut self,
        param: &FnArg,
        argument: &syn::Expr,
        generics: &mut Vec<(Ident, Ty)>,
    ) -> Option<(String, Name)> {
        let FnArg::Typed(typed) = param else { return None };
        let Pat::Ident(pat) = &*typed.pat else {
            self.error(&typed.pat, "parameters are names");
            return None;
        };
        let text = pat.ident.to_string();
        let (element, writable) = match &*typed.ty {
            syn::Type::Reference(reference) => match &*reference.elem {
                syn::Type::Slice(slice) => (Some(&*slice.elem), reference.mutability.is_some()),
                syn::Type::Array(array) => (Some(&*array.elem), reference.mutability.is_some()),
                _ => (None, false),
            },
            _ => (None, false),
        };
        let Some(element) = element else {
            let value = self.operand(argument);
            let ty = self.argument_type(&typed.ty, value.ty, argument, generics)?;
            let ty = self.types.known(ty);
            self.unify(value.ty, ty, argument);
            let local = self.local(&text, ty);
            self.push(Stmt::Let { local, value: Some(value), mutable: pat.mutability.is_some() });
            return Some((text, Name::Local(local)));
        };
        if writable && self.operand {
            self.error(argument, super::stmt::IN_OPERAND);
        }
        let inner = match argument {
            syn::Expr::Reference(reference) => &reference.expr,
            other => other,
        };
        let Some(array) = self.array_named(inner) else {
            self.error(argument, "an array is passed by its name");
            return None;
        };
        let found = self.body.arrays[array.0].element;
        let ty = self.argument_type(element, found, argument, generics)?;
        let ty = self.types.known(ty);
        self.unify(found, ty, argument);
        Some((text, Name::Array(array)))
    }

    /// A parameter's type; a generic one that is not known yet is the argument's.
    fn argument_type(
        &mut self,
        ty: &syn::Type,
        found: crate::gpu::infer::TyId,
        argument: &syn::Expr,
        generics: &mut Vec<(Ident, Ty)>,
    ) -> Option<Ty> {
        if let Some(known) = type_of(ty, generics) {
            return Some(known);
        }
        let syn::Type::Path(path) = ty else {
            self.error(ty, "parameters are values, and arrays as `&[T]` and `&mut [T]`");
            return None;
        };
        let known = self.types.get(found);
        match (path.path.get_ident(), known) {
            (Some(name), Some(known)) => {
                generics.push((name.clone(), known));
                Some(known)
            }
            _ => {
                self.error(argument, "the type of this argument is not known: write it in a `let` before");
                None
            }
        }
    }

    fn text_of(&mut self, function: &syn::ItemFn, name: String) -> Option<Expr> {
        let returned = match &function.sig.output {
            ReturnType::Type(_, ty) => Some(self.type_named(ty)?),
            ReturnType::Default => None,
        };
        let result = returned.map(|ty| {
            let local = self.open_local();
            let ty = self.types.known(ty);
            self.unify(self.body.locals[local.0].ty, ty, &function.sig.ident);
            local
        });
        self.inlined.push(Inlined { name, result, loops: self.loops });
        let (mut text, ()) = self.apart(|this| {
            let tail = this.statements(&function.block.stmts, result.is_some());
            if let (Some(tail), Some(result)) = (tail, result) {
                this.unify(tail.ty, this.body.locals[result.0].ty, function.block.stmts.last());
                this.push(Stmt::Assign(result, tail));
            }
        });
        self.inlined.pop();
        if returns(function) {
            if !matches!(text.last(), Some(Stmt::Break)) {
                text.push(Stmt::Break);
            }
            self.push(Stmt::Loop(text));
        } else {
            text.into_iter().for_each(|statement| self.push(statement));
        }
        result.map(|result| self.local_value(result))
    }

    /// `return` in a function that was put in place; whether it is one.
    pub(super) fn return_inlined(&mut self, found: &syn::ExprReturn) -> bool {
        let Some(Inlined { result, loops, name }) = self.inlined.last() else { return false };
        let (result, is_in_loop) = (*result, self.loops > *loops);
        if is_in_loop {
            let message =
                format!("`{name}` is called by another function, so it cannot return out of a loop: `break` first");
            self.error(found.return_token, message);
            return true;
        }
        if let (Some(value), Some(result)) = (&found.expr, result) {
            let read = self.expr(value);
            self.unify(read.ty, self.body.locals[result.0].ty, value);
            self.push(Stmt::Assign(result, read));
        }
        self.push(Stmt::Break);
        true
    }
}

/// Whether a function has a `return`.
fn returns(function: &syn::ItemFn) -> bool {
    fn has(tokens: TokenStream) -> bool {
        tokens.into_iter().any(|token| match token {
            TokenTree::Ident(word) => word == "return",
            TokenTree::Group(group) => has(group.stream()),
            _ => false,
        })
    }
    has(function.block.to_token_stream())
}
