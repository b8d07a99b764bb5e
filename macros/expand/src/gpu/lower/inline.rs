//! Calls of the functions that stand in a body: their text is put in the place of each call. Values become variables,
//! arrays keep their place, and an early `return` leaves a loop around the text.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{FnArg, Pat, ReturnType};

use super::place::{Leaf, Origin, Place, Value, ValueType};
use super::value::Found;
use super::{Lowerer, Name, type_of};
use crate::gpu::model::Stmt;
use crate::gpu::ty::Ty;

/// The function whose text is being read.
pub(super) struct Inlined {
    name: String,
    /// What its `return` assigns to.
    result: Option<Place>,
    /// Loops around the function's text.
    loops: usize,
}

impl Lowerer<'_> {
    /// The function of this name.
    pub(super) fn function_named(&self, call: &syn::ExprCall) -> Option<syn::ItemFn> {
        let syn::Expr::Path(path) = &*call.func else { return None };
        let name = &path.path.segments.last()?.ident;
        self.functions.iter().rev().find(|function| function.sig.ident == *name).cloned()
    }

    /// The value of a call, where the function has one.
    pub(super) fn inline(&mut self, function: &syn::ItemFn, call: &syn::ExprCall) -> Option<Value> {
        let name = function.sig.ident.to_string();
        if self.inlined.iter().any(|outer| outer.name == name) {
            self.error(&call.func, format!("`{name}` calls itself: write a loop"));
            return Some(Value::Scalar(self.failed()));
        }
        if call.args.len() != function.sig.inputs.len() {
            let count = function.sig.inputs.len();
            self.error(&call.func, format!("`{name}` takes {count} arguments"));
            return Some(Value::Scalar(self.failed()));
        }
        let outer_items = self.items();
        self.items_of(&function.block.stmts);
        let value = self.inline_with(function, call, name);
        self.forget_items(outer_items);
        value
    }

    fn inline_with(&mut self, function: &syn::ItemFn, call: &syn::ExprCall, name: String) -> Option<Value> {
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
            return Some(Value::Scalar(self.failed()));
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
        if self.is_parts(&typed.ty) {
            let name = self.parts_argument(&typed.ty, (&text, pat.mutability.is_some()), argument, generics)?;
            return Some((text, name));
        }
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
        let array = match self.place(inner) {
            Found::Failed => return None,
            Found::Place(place) => match place.whole_array() {
                Some(Leaf::Array(array)) => Some(array),
                Some(Leaf::Spread(spread)) if !writable => Some(self.gathered(spread)),
                _ => None,
            },
            Found::Other => None,
        };
        let Some(array) = array else {
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

    /// Whether a parameter is a struct, a tuple, or a fixed array that is passed by value or holds structs.
    fn is_parts(&self, ty: &syn::Type) -> bool {
        let is_struct = |ty: &syn::Type| match ty {
            syn::Type::Path(path) => {
                let last = path.path.segments.last();
                last.is_some_and(|last| self.structs.iter().any(|found| found.ident == last.ident))
            }
            syn::Type::Tuple(_) => true,
            _ => false,
        };
        match ty {
            syn::Type::Reference(reference) => match &*reference.elem {
                syn::Type::Array(array) => is_struct(&array.elem) || matches!(&*array.elem, syn::Type::Array(_)),
                inner => is_struct(inner),
            },
            syn::Type::Array(_) => true,
            other => is_struct(other),
        }
    }

    /// Binds a parameter of several scalars: a reference is another name of the argument.
    fn parts_argument(
        &mut self,
        ty: &syn::Type,
        (text, mutable): (&str, bool),
        argument: &syn::Expr,
        generics: &[(Ident, Ty)],
    ) -> Option<Name> {
        let (inner, reference) = match ty {
            syn::Type::Reference(reference) => (&*reference.elem, Some(reference.mutability.is_some())),
            other => (other, None),
        };
        let outer = std::mem::replace(&mut self.generics, generics.to_vec());
        let wanted = self.value_type(inner);
        self.generics = outer;
        let wanted = wanted?;
        let Some(writable) = reference else {
            let value = self.operand_value(argument);
            let place = self.owned_or_fixed(value, text);
            self.unify_types(&place.ty, &wanted, &argument);
            return Some(self.named(text, mutable, Value::Parts(place)));
        };
        if writable && self.operand {
            self.error(argument, super::stmt::IN_OPERAND);
        }
        let argument = match argument {
            syn::Expr::Reference(reference) => &reference.expr,
            other => other,
        };
        let mut place = match self.place(argument) {
            Found::Place(place) => place,
            Found::Failed => return None,
            Found::Other => {
                self.error(argument, "a struct, tuple or array is passed by its name");
                return None;
            }
        };
        self.unify_types(&place.ty, &wanted, &argument);
        place.at = place.at.map(|at| self.fixed(at));
        place.origin = if writable { Origin::Variable } else { Origin::Fixed };
        Some(match place.whole_array() {
            Some(Leaf::Array(array)) => Name::Array(array),
            _ => Name::Place(place),
        })
    }

    /// The value in variables that nothing changes, or its own.
    fn owned_or_fixed(&mut self, value: Value, text: &str) -> Place {
        match value {
            Value::Parts(place) if place.origin == Origin::Fixed && place.at.is_none() => place,
            value => self.owned(value, text),
        }
    }

    fn text_of(&mut self, function: &syn::ItemFn, name: String) -> Option<Value> {
        let returned = match &function.sig.output {
            ReturnType::Type(_, ty) => Some(self.value_type(ty)?),
            ReturnType::Default => None,
        };
        let result = returned.map(|ty| match ty {
            ValueType::Scalar(ty) => {
                let local = self.open_local();
                self.unify(self.body.locals[local.0].ty, ty, &function.sig.ident);
                Place { origin: Origin::Temporary, ..self.scalar_place(local) }
            }
            ty => self.fresh(&ty, "value"),
        });
        self.inlined.push(Inlined { name, result: result.clone(), loops: self.loops });
        let (mut text, ()) = self.apart(|this| {
            let tail = this.statements(&function.block.stmts, result.is_some());
            if let (Some(tail), Some(result)) = (tail, &result) {
                this.assign_value(result, tail, function.block.stmts.last());
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
        result.map(|result| match result.ty {
            ValueType::Scalar(_) => Value::Scalar(self.read(&result)),
            _ => Value::Parts(result),
        })
    }

    /// `return` in a function that was put in place; whether it is one.
    pub(super) fn return_inlined(&mut self, found: &syn::ExprReturn) -> bool {
        let Some(Inlined { result, loops, name }) = self.inlined.last() else { return false };
        let (result, is_in_loop) = (result.clone(), self.loops > *loops);
        if is_in_loop {
            let message =
                format!("`{name}` is called by another function, so it cannot return out of a loop: `break` first");
            self.error(found.return_token, message);
            return true;
        }
        if let (Some(value), Some(result)) = (&found.expr, result) {
            let read = self.value(value);
            self.assign_value(&result, read, value);
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
