//! Types of several scalars as they are written, values of them, and the structs among a function's parameters.

use quote::ToTokens;
use syn::Member;
use syn::ext::IdentExt;

use super::place::{Leaf, Origin, Place, Spread, Value, ValueType};
use super::{Lowerer, type_of};
use crate::gpu::model::{Expr, LocalId, Memory, Stmt};

/// Structs within structs.
const DEPTH: usize = 16;

const TYPES: &str = "the types of values are `bool`, `f16`, `bf16`, `f32`, `f64`, integers of 8 to 64 bits, `usize`, the \
                     function's generic parameters, tuples and arrays of these, and structs with #[device_struct]";

impl Lowerer<'_> {
    /// The type that tokens name; a mistake is reported.
    pub(super) fn value_type(&mut self, ty: &syn::Type) -> Option<ValueType> {
        self.nested_type(ty, 0)
    }

    fn nested_type(&mut self, ty: &syn::Type, depth: usize) -> Option<ValueType> {
        if let Some(scalar) = type_of(ty, &self.generics) {
            return Some(ValueType::Scalar(self.types.known(scalar)));
        }
        match ty {
            syn::Type::Infer(_) => Some(ValueType::Scalar(self.types.any())),
            syn::Type::Group(group) => self.nested_type(&group.elem, depth),
            syn::Type::Paren(paren) => self.nested_type(&paren.elem, depth),
            syn::Type::Tuple(tuple) => {
                let parts = tuple.elems.iter().map(|part| self.nested_type(part, depth));
                parts.collect::<Option<Vec<_>>>().map(ValueType::Tuple)
            }
            syn::Type::Array(array) => {
                let element = self.nested_type(&array.elem, depth)?;
                Some(ValueType::Array(Box::new(element), self.length(&array.len)?))
            }
            syn::Type::Path(path) if depth < DEPTH => {
                let last = path.path.segments.last()?;
                let found = self.structs.iter().rev().find(|found| found.ident == last.ident).cloned();
                let Some(found) = found.filter(|_| last.arguments.is_empty()) else {
                    self.error(ty, TYPES);
                    return None;
                };
                let mut fields = Vec::new();
                for field in &found.fields {
                    let name = field.ident.as_ref()?.unraw().to_string();
                    fields.push((name, self.nested_type(&field.ty, depth + 1)?));
                }
                Some(ValueType::Struct { name: last.ident.to_string(), fields })
            }
            _ => {
                self.error(ty, TYPES);
                None
            }
        }
    }

    /// `Name { field: value, … }`.
    pub(super) fn struct_value(&mut self, found: &syn::ExprStruct) -> Value {
        let path = syn::Type::Path(syn::TypePath { attrs: Vec::new(), qself: None, path: found.path.clone() });
        let Some(ty @ ValueType::Struct { .. }) = self.value_type(&path) else { return Value::Scalar(self.failed()) };
        if let Some(rest) = &found.rest {
            self.error(rest, "a struct's fields are all written out");
            return Value::Scalar(self.failed());
        }
        let ValueType::Struct { fields, .. } = &ty else { return Value::Scalar(self.failed()) };
        let mut given: Vec<Option<Place>> = vec![None; fields.len()];
        for value in &found.fields {
            let Member::Named(name) = &value.member else { continue };
            let Some(index) = fields.iter().position(|field| name.unraw() == field.0) else {
                self.no_such_field(&ty, &value.member);
                return Value::Scalar(self.failed());
            };
            let read = self.operand_value(&value.expr);
            let place = self.owned(read, &fields[index].0);
            self.unify_types(&place.ty, &fields[index].1, &value.expr);
            given[index] = Some(place);
        }
        if let Some(missing) = given.iter().position(Option::is_none) {
            self.error(&found.path, format!("the field `{}` is missing", fields[missing].0));
            return Value::Scalar(self.failed());
        }
        let leaves = given.into_iter().flatten().flat_map(|place| place.leaves).collect();
        Value::Parts(Place { ty, leaves, at: None, origin: Origin::Temporary })
    }

    /// `[a, b, c]`.
    pub(super) fn array_value(&mut self, text: &str, listed: &syn::ExprArray) -> Value {
        let values: Vec<Value> = listed.elems.iter().map(|value| self.operand_value(value)).collect();
        let first = match values.first() {
            Some(Value::Scalar(_)) => ValueType::Scalar(self.types.any()),
            Some(Value::Parts(place)) => place.ty.clone(),
            None => {
                self.error(listed, "an array has at least one element");
                return Value::Scalar(self.failed());
            }
        };
        let count = values.len() as u32;
        if let ValueType::Scalar(element) = first {
            let mut scalars = Vec::new();
            for (value, tokens) in values.into_iter().zip(&listed.elems) {
                let value = self.scalar(value, tokens);
                self.unify(value.ty, element, tokens);
                scalars.push(value);
            }
            let array = self.array(text, element, Memory::Own(count));
            self.push(Stmt::OwnArray { array, values: scalars });
            return Value::Parts(Place { origin: Origin::Temporary, ..self.array_place(array) });
        }
        let place = self.fresh(&ValueType::Array(Box::new(first), count), text);
        for (index, (value, tokens)) in (0..).zip(values.into_iter().zip(&listed.elems)) {
            let index = self.index_number(index);
            if let Some(element) = place.element(index) {
                self.assign_value(&element, value, tokens);
            }
        }
        Value::Parts(place)
    }

    /// `[value; length]`.
    pub(super) fn repeated_value(&mut self, text: &str, repeat: &syn::ExprRepeat) -> Value {
        let value = self.operand_value(&repeat.expr);
        let Some(length) = self.length(&repeat.len) else { return Value::Scalar(self.failed()) };
        match value {
            Value::Scalar(value) => {
                let array = self.array(text, value.ty, Memory::Own(length));
                self.push(Stmt::OwnArray { array, values: vec![value] });
                Value::Parts(Place { origin: Origin::Temporary, ..self.array_place(array) })
            }
            Value::Parts(element) => {
                let ty = ValueType::Array(Box::new(element.ty.clone()), length);
                let place = self.fresh(&ty, text);
                let (start, end) = (self.index_number(0), self.index_number(length));
                let local = self.local("at", start.ty);
                let index = self.local_value(local);
                let (body, ()) = self.apart(|this| {
                    if let Some(to) = place.element(index) {
                        this.assign_value(&to, Value::Parts(element), &repeat.expr);
                    }
                });
                self.push(Stmt::For { local, start, end, step: None, body });
                Value::Parts(place)
            }
        }
    }

    /// A parameter of several scalars: each is a parameter of the program, in the order of the fields.
    pub(super) fn spread_param(&mut self, text: &str, ty: &syn::Type) -> Option<Place> {
        let ty = self.value_type(ty)?;
        let mut leaves = Vec::new();
        for (locals, length) in self.param_locals(&ty, text).into_iter().zip(ty.lengths()) {
            leaves.push(match (locals.as_slice(), length) {
                ([local], None) => Leaf::Local(*local),
                _ => {
                    self.spread.push(Spread { locals, array: None });
                    Leaf::Spread(self.spread.len() - 1)
                }
            });
        }
        Some(Place { ty, leaves, at: None, origin: Origin::Fixed })
    }

    /// The variables of each leaf, made in the order in which a launch passes values.
    fn param_locals(&mut self, ty: &ValueType, text: &str) -> Vec<Vec<LocalId>> {
        match ty {
            ValueType::Scalar(ty) => vec![vec![self.local(text, *ty)]],
            ValueType::Tuple(parts) => {
                let parts = parts.iter().enumerate();
                parts.flat_map(|(index, part)| self.param_locals(part, &format!("{text}_{index}"))).collect()
            }
            ValueType::Struct { fields, .. } => {
                fields.iter().flat_map(|(name, ty)| self.param_locals(ty, &format!("{text}_{name}"))).collect()
            }
            ValueType::Array(inner, count) => {
                let mut all: Vec<Vec<LocalId>> = vec![Vec::new(); inner.scalars().len()];
                for index in 0..*count {
                    let locals = self.param_locals(inner, &format!("{text}_{index}"));
                    all.iter_mut().zip(locals).for_each(|(all, locals)| all.extend(locals));
                }
                all
            }
        }
    }

    /// Remembers the functions and structs of a block, which may be used before they stand there.
    pub(super) fn items_of(&mut self, statements: &[syn::Stmt]) {
        let before = self.structs.len();
        for statement in statements {
            match statement {
                syn::Stmt::Item(syn::Item::Fn(function)) => self.functions.push(function.clone()),
                syn::Stmt::Item(syn::Item::Struct(found)) => {
                    let text = found.to_token_stream().to_string();
                    let same = |other: &&syn::ItemStruct| other.ident == found.ident;
                    let other =
                        self.structs[before..].iter().find(same).map(|other| other.to_token_stream().to_string());
                    if other.is_some_and(|other| other != text) {
                        self.error(&found.ident, format!("two structs are named `{}`: rename one", found.ident));
                    }
                    self.structs.push(found.clone());
                }
                _ => {}
            }
        }
    }

    /// How many functions and structs are known.
    pub(super) fn items(&self) -> (usize, usize) {
        (self.functions.len(), self.structs.len())
    }

    /// Forgets those of an inner block.
    pub(super) fn forget_items(&mut self, (functions, structs): (usize, usize)) {
        self.functions.truncate(functions);
        self.structs.truncate(structs);
    }

    /// The numbers of the loop `for i in grid_stride(count)`: of the thread, of all, and from one to the thread's next.
    pub(super) fn grid_positions(&mut self) -> (Expr, Expr) {
        use crate::gpu::model::{ExprKind, Operator};
        use crate::gpu::ty::Ty;
        let ty = self.types.known(Ty::Usize);
        let position = |name| Box::new(Expr { ty, kind: ExprKind::Position(name, 0) });
        let times = |a, b| Expr { ty, kind: ExprKind::Binary(Operator::Mul, position(a), position(b)) };
        let block = Box::new(times("block_index", "block_dim"));
        let first = Expr { ty, kind: ExprKind::Binary(Operator::Add, block, position("thread_index")) };
        (first, times("grid_dim", "block_dim"))
    }
}
