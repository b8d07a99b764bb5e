//! What makes names: `let`, arrays and `const`.

use quote::ToTokens;
use syn::Pat;
use syn::ext::IdentExt;

use super::expr::float_digits;
use super::place::{Value, ValueType};
use super::stmt::IN_OPERAND;
use super::{Lowerer, Name};
use crate::gpu::model::{Expr, ExprKind, Memory, Stmt};
use crate::gpu::ty::Ty;

impl Lowerer<'_> {
    pub(super) fn let_statement(&mut self, local: &syn::Local) {
        let (pat, ty) = match &local.pat {
            Pat::Type(typed) => (&*typed.pat, Some(&*typed.ty)),
            pat => (pat, None),
        };
        let name = match pat {
            Pat::Ident(name) => name,
            Pat::Wild(_) => return,
            Pat::Tuple(_) | Pat::Struct(_) | Pat::Slice(_) | Pat::Paren(_) if local.init.is_some() => {
                let Some(init) = &local.init else { return };
                if init.diverge.is_some() {
                    return self.error(local, "`let` has no `else`: write `if`");
                }
                let value = self.value(&init.expr);
                let value = match ty.and_then(|ty| self.value_type(ty)) {
                    Some(ty) => {
                        let place = self.owned(value, "part");
                        self.unify_types(&place.ty, &ty, &init.expr);
                        Value::Parts(place)
                    }
                    None => value,
                };
                return self.bind_pattern(pat, value);
            }
            _ => {
                self.error(pat, "`let` binds names, and the parts of tuples, arrays and structs");
                return self.bind_all(pat);
            }
        };
        if let Some(by_ref) = &name.by_ref {
            return self.error(by_ref, "values have no references: bind the value itself");
        }
        match &local.init {
            Some(init) if init.diverge.is_some() => self.error(local, "`let` has no `else`: write `if`"),
            Some(init) if Self::is_array(&init.expr) => {
                let errors = self.errors.len();
                self.let_array(name, ty, &init.expr);
                if self.errors.len() > errors {
                    let element = self.types.any();
                    let array = self.array("array", element, Memory::Own(1));
                    self.bind(name.ident.unraw().to_string(), Name::Array(array));
                }
            }
            init => self.let_value(name, ty, init.as_ref().map(|init| &*init.expr)),
        }
    }

    /// Names of a pattern that is a mistake, so that using them is not a mistake too.
    pub(super) fn bind_all(&mut self, pat: &Pat) {
        match pat {
            Pat::Ident(name) => {
                let (text, ty) = (name.ident.unraw().to_string(), self.types.any());
                let local = self.local(&text, ty);
                self.bind(text, Name::Local(local));
            }
            Pat::Tuple(tuple) => tuple.elems.iter().for_each(|pat| self.bind_all(pat)),
            Pat::Slice(slice) => slice.elems.iter().for_each(|pat| self.bind_all(pat)),
            Pat::TupleStruct(tuple) => tuple.elems.iter().for_each(|pat| self.bind_all(pat)),
            Pat::Struct(found) => found.fields.iter().for_each(|field| self.bind_all(&field.pat)),
            Pat::Paren(inner) => self.bind_all(&inner.pat),
            Pat::Type(typed) => self.bind_all(&typed.pat),
            _ => {}
        }
    }

    fn let_value(&mut self, name: &syn::PatIdent, ty: Option<&syn::Type>, init: Option<&syn::Expr>) {
        let text = name.ident.unraw().to_string();
        let declared = match ty {
            Some(syn::Type::Infer(_)) | None => None,
            Some(ty) => self.value_type(ty),
        };
        let declared = match declared {
            None => self.types.any(),
            Some(ValueType::Scalar(declared)) => declared,
            Some(ty) => {
                let place = match init {
                    Some(init) => {
                        let value = self.value(init);
                        let place = self.owned(value, &text);
                        self.unify_types(&place.ty, &ty, &init);
                        place
                    }
                    None => self.fresh(&ty, &text),
                };
                return self.bind_value(name, Value::Parts(place));
            }
        };
        let value = match init.map(|init| (self.value(init), init)) {
            Some((Value::Parts(place), init)) => {
                if ty.is_some() {
                    self.unify_types(&place.ty, &ValueType::Scalar(declared), &init);
                }
                return self.bind_value(name, Value::Parts(place));
            }
            Some((Value::Scalar(value), init)) => Some((value, init)),
            None => None,
        };
        if let Some((value, tokens)) = &value {
            self.unify(value.ty, declared, tokens);
        }
        if self.types.is_unknown(declared) {
            self.unknown.push((declared, name.ident.to_token_stream()));
        }
        let local = self.local(&text, declared);
        let mutable = name.mutability.is_some() || init.is_none();
        self.push(Stmt::Let { local, value: value.map(|value| value.0), mutable });
        self.bind(text, Name::Local(local));
    }

    /// `shared::<T, N>()` or `[value; N]`.
    fn is_array(init: &syn::Expr) -> bool {
        match init {
            syn::Expr::Repeat(_) | syn::Expr::Array(_) => true,
            syn::Expr::Call(call) => super::path::function_name(&call.func).is_some_and(|name| name == "shared"),
            _ => false,
        }
    }

    fn let_array(&mut self, name: &syn::PatIdent, ty: Option<&syn::Type>, init: &syn::Expr) {
        if self.operand {
            return self.error(init, IN_OPERAND);
        }
        let text = name.ident.unraw().to_string();
        let value = match init {
            syn::Expr::Repeat(repeat) => self.repeated_value(&text, repeat),
            syn::Expr::Array(listed) if !listed.elems.is_empty() => self.array_value(&text, listed),
            syn::Expr::Call(call) => {
                self.grid_only(init, "shared memory");
                let Some((element, length)) = self.shared_arguments(call, ty) else { return };
                if self.loops > 0 || self.scopes.len() > 2 {
                    return self.error(init, "a shared array is made at the start of the function, outside of blocks");
                }
                let element = self.types.known(element);
                let array = self.array(&text, element, Memory::Shared(length));
                return self.bind(text, Name::Array(array));
            }
            _ => return self.error(init, "an array is written `[value; length]` or `[value, …]`"),
        };
        if let (Some(ty), Value::Parts(place)) = (ty, &value)
            && let Some(ty) = self.value_type(ty)
        {
            self.unify_types(&place.ty, &ty, &init);
        }
        self.bind_value(name, value);
    }

    /// Element and length of `shared::<T, N>()`, or of the declared type `[T; N]`.
    fn shared_arguments(&mut self, call: &syn::ExprCall, ty: Option<&syn::Type>) -> Option<(Ty, u32)> {
        if let Some(syn::Type::Array(array)) = ty {
            return Some((self.type_named(&array.elem)?, self.length(&array.len)?));
        }
        let form = "a shared array is made by `shared::<f32, 256>()`, with its type and its length";
        let syn::Expr::Path(path) = &*call.func else { return None };
        let arguments = path.path.segments.last().map(|last| &last.arguments);
        let Some(syn::PathArguments::AngleBracketed(arguments)) = arguments else {
            self.error(&call.func, form);
            return None;
        };
        match (arguments.args.first(), arguments.args.iter().nth(1)) {
            (Some(syn::GenericArgument::Type(element)), Some(syn::GenericArgument::Const(length))) => {
                Some((self.type_named(element)?, self.length(length)?))
            }
            (Some(syn::GenericArgument::Type(element)), Some(syn::GenericArgument::Type(length))) => {
                let length: syn::Expr = syn::parse2(length.to_token_stream()).ok()?;
                Some((self.type_named(element)?, self.length(&length)?))
            }
            _ => {
                self.error(&call.func, form);
                None
            }
        }
    }

    /// The length of an array: a literal, or a constant of the function.
    pub(super) fn length(&mut self, expr: &syn::Expr) -> Option<u32> {
        let value = match expr {
            syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(lit), .. }) => lit.base10_parse::<i128>().ok(),
            syn::Expr::Path(path) => path.path.get_ident().and_then(|ident| match self.find(ident) {
                Some(Name::Number(_, value)) => Some(value),
                _ => None,
            }),
            syn::Expr::Block(block) => match block.block.stmts.as_slice() {
                [syn::Stmt::Expr(inner, None)] => return self.length(inner),
                _ => None,
            },
            syn::Expr::Paren(inner) => return self.length(&inner.expr),
            syn::Expr::Group(inner) => return self.length(&inner.expr),
            _ => None,
        };
        let length = value.and_then(|value| u32::try_from(value).ok()).filter(|&length| length > 0);
        if length.is_none() {
            self.error(expr, "a length is a number from 1, or a `const` of this function: no others are known here");
        }
        length
    }

    pub(super) fn item(&mut self, item: &syn::Item) {
        match item {
            syn::Item::Use(_) | syn::Item::Fn(_) | syn::Item::Struct(_) => {}
            syn::Item::Const(item) => {
                let Some(ty) = self.type_named(&item.ty) else { return };
                let value = self.expr(&item.expr);
                let ty = self.types.known(ty);
                self.unify(value.ty, ty, &item.expr);
                let text = item.ident.unraw().to_string();
                if float_digits(&value).is_some() {
                    return self.bind(text, Name::Float(Expr { ty, ..value }));
                }
                let local = self.local(&text, ty);
                let number = match value.kind {
                    ExprKind::Integer(number) => Name::Number(local, number),
                    _ => Name::Local(local),
                };
                self.push(Stmt::Let { local, value: Some(value), mutable: false });
                self.bind(text, number);
            }
            _ => self.error(item, "a kernel's body has no items but `const`, `fn`, `struct` and `use`"),
        }
    }
}
