//! Expressions that may give several scalars, and how their parts are named.

use syn::ext::IdentExt;
use syn::{Member, Pat};

use super::place::{Leaf, Origin, Place, Value, ValueType};
use super::{Lowerer, Name};
use crate::gpu::builtin::POSITIONS;
use crate::gpu::model::{Expr, ExprKind, LocalId, Memory, Stmt};
use crate::gpu::ty::Ty;
use crate::text::guess;

/// What an expression names.
pub(super) enum Found {
    Place(Place),
    /// A mistake, which is reported.
    Failed,
    /// It is no place.
    Other,
}

/// The result of branches: what it is follows from the first that gives a value.
pub(super) struct Outcome {
    local: LocalId,
    /// Where its variables are declared: a list of statements, and a position in it.
    list: usize,
    position: usize,
    place: Option<Place>,
}

impl Lowerer<'_> {
    pub(super) fn value(&mut self, expr: &syn::Expr) -> Value {
        match expr {
            syn::Expr::Paren(inner) => self.value(&inner.expr),
            syn::Expr::Group(inner) => self.value(&inner.expr),
            syn::Expr::Tuple(tuple) => {
                let parts: Vec<Place> = tuple.elems.iter().map(|part| self.owned_part(part)).collect();
                let ty = ValueType::Tuple(parts.iter().map(|part| part.ty.clone()).collect());
                let leaves = parts.into_iter().flat_map(|part| part.leaves).collect();
                Value::Parts(Place { ty, leaves, at: None, origin: Origin::Temporary })
            }
            syn::Expr::Array(array) => self.array_value("array", array),
            syn::Expr::Repeat(repeat) => self.repeated_value("array", repeat),
            syn::Expr::Struct(found) => self.struct_value(found),
            syn::Expr::Path(_) | syn::Expr::Field(_) | syn::Expr::Index(_) => match self.place(expr) {
                Found::Place(place) if place.ty.is_scalar() => Value::Scalar(self.read(&place)),
                Found::Place(place) => self.whole(place, expr),
                Found::Failed => Value::Scalar(self.failed()),
                Found::Other => match expr {
                    syn::Expr::Path(path) => Value::Scalar(self.path(path)),
                    other => Value::Scalar(self.refuse(other)),
                },
            },
            syn::Expr::Call(call) => self.call_value(call),
            syn::Expr::If(branch) => self.if_value(branch),
            syn::Expr::Match(found) => self.match_value(found),
            syn::Expr::Block(block) if block.label.is_none() => self.block_value(&block.block),
            other => Value::Scalar(self.expr(other)),
        }
    }

    fn owned_part(&mut self, expr: &syn::Expr) -> Place {
        let value = self.operand_value(expr);
        self.owned(value, "part")
    }

    /// As [`Self::operand`], of any type.
    pub(super) fn operand_value(&mut self, expr: &syn::Expr) -> Value {
        let outer = std::mem::replace(&mut self.operand, true);
        let value = self.value(expr);
        self.operand = outer;
        value
    }

    /// All of an array, struct or tuple; memory that threads share is used by its elements.
    fn whole(&mut self, place: Place, expr: &syn::Expr) -> Value {
        if let Some(Leaf::Array(array)) = place.whole_array()
            && !matches!(self.body.arrays[array.0].place, Memory::Own(_))
        {
            self.error(expr, "an array is used by its elements, and by `.len()`");
            return Value::Scalar(self.failed());
        }
        Value::Parts(place)
    }

    /// The place that an expression names.
    pub(super) fn place(&mut self, expr: &syn::Expr) -> Found {
        match expr {
            syn::Expr::Paren(inner) => self.place(&inner.expr),
            syn::Expr::Group(inner) => self.place(&inner.expr),
            syn::Expr::Path(path) => match path.path.get_ident().and_then(|ident| self.find(ident)) {
                Some(Name::Local(local) | Name::Number(local, _)) => Found::Place(self.scalar_place(local)),
                Some(Name::Array(array)) => Found::Place(self.array_place(array)),
                Some(Name::Place(place)) => Found::Place(place),
                Some(Name::Float(_)) | None => Found::Other,
            },
            syn::Expr::Field(field) => self.field(field),
            syn::Expr::Index(index) => self.element(index),
            syn::Expr::Call(call) if self.function_named(call).is_some() => match self.call_value(call) {
                Value::Parts(place) => Found::Place(place),
                Value::Scalar(_) => Found::Other,
            },
            syn::Expr::Tuple(_) | syn::Expr::Array(_) | syn::Expr::Repeat(_) | syn::Expr::Struct(_) => {
                match self.value(expr) {
                    Value::Parts(place) => Found::Place(place),
                    Value::Scalar(_) => Found::Failed,
                }
            }
            _ => Found::Other,
        }
    }

    /// `value[index]`.
    pub(super) fn element(&mut self, found: &syn::ExprIndex) -> Found {
        let base = self.place(&found.expr);
        let array = match base {
            Found::Place(place) if matches!(place.ty, ValueType::Array(..)) => Some(place),
            Found::Failed => None,
            Found::Place(_) | Found::Other => {
                self.error(&found.expr, "only buffers, shared arrays and own arrays are indexed");
                None
            }
        };
        if let syn::Expr::Range(range) = &*found.index {
            self.error(range, "there are no slices: index single elements");
            return Found::Failed;
        }
        let index = self.operand(&found.index);
        let usize_type = self.types.known(Ty::Usize);
        self.unify(index.ty, usize_type, &found.index);
        array.and_then(|array| array.element(index)).map_or(Found::Failed, Found::Place)
    }

    /// `thread_index().x` and its like, and the parts of tuples and structs.
    fn field(&mut self, field: &syn::ExprField) -> Found {
        if let syn::Expr::Call(call) = &*field.base
            && let Some(name) = super::path::function_name(&call.func)
            && let Some(position) = POSITIONS.iter().find(|known| name == **known)
            && let Member::Named(member) = &field.member
            && let Some(direction) = ["x", "y", "z"].iter().position(|direction| member == direction)
        {
            self.grid_only(&field.base, position);
            let ty = self.types.known(Ty::Usize);
            let value = Expr { ty, kind: ExprKind::Position(position, direction) };
            return Found::Place(self.owned_scalar(value));
        }
        let base = match self.place(&field.base) {
            Found::Place(place) => place,
            Found::Failed => return Found::Failed,
            Found::Other => return self.no_fields(field),
        };
        let index = match (&base.ty, &field.member) {
            (ValueType::Tuple(_), Member::Unnamed(index)) => Some(index.index as usize),
            (ValueType::Struct { fields, .. }, Member::Named(name)) => {
                fields.iter().position(|other| name.unraw() == other.0)
            }
            (ValueType::Scalar(_) | ValueType::Array(..), _) => return self.no_fields(field),
            _ => None,
        };
        match index.and_then(|index| base.part(index)) {
            Some(part) => Found::Place(part),
            None => self.no_such_field(&base.ty, &field.member),
        }
    }

    /// A value that is read where it is used.
    fn owned_scalar(&mut self, value: Expr) -> Place {
        let ty = ValueType::Scalar(value.ty);
        self.positions.push(value);
        let leaf = Leaf::Position(self.positions.len() - 1);
        Place { ty, leaves: vec![leaf], at: None, origin: Origin::Fixed }
    }

    fn no_fields(&mut self, field: &syn::ExprField) -> Found {
        self.error(
            &field.member,
            "the fields are those of structs with #[device_struct], the parts of tuples, and `x`, `y` and `z` of \
             `thread_index()`, `block_index()`, `block_dim()` and `grid_dim()`",
        );
        Found::Failed
    }

    pub(super) fn no_such_field(&mut self, ty: &ValueType, member: &Member) -> Found {
        let message = match (ty, member) {
            (ValueType::Struct { name, fields }, Member::Named(field)) => {
                let all: Vec<&str> = fields.iter().map(|field| field.0.as_str()).collect();
                let near = guess(&field.to_string(), all.iter().copied());
                format!("`{name}` has no field `{field}`{near}\nits fields are {}", crate::text::list_of(&all))
            }
            _ => format!("{} has no such part", ty.describe(&self.types)),
        };
        self.error(member, message);
        Found::Failed
    }

    fn block_value(&mut self, block: &syn::Block) -> Value {
        self.scopes.push(Vec::new());
        let value = self.statements(&block.stmts, true);
        self.scopes.pop();
        value.unwrap_or_else(|| Value::Scalar(self.failed()))
    }

    fn if_value(&mut self, branch: &syn::ExprIf) -> Value {
        let condition = self.condition(&branch.cond);
        let Some((_, other)) = &branch.else_branch else {
            self.error(branch.if_token, "an `if` that gives a value has an `else`");
            return Value::Scalar(self.failed());
        };
        let mut outcome = self.outcome();
        let (then, ()) = self.apart(|this| {
            if let Some(value) = this.statements(&branch.then_branch.stmts, true) {
                this.give(&mut outcome, value, &branch.then_branch);
            }
        });
        let (otherwise, ()) = self.apart(|this| {
            let value = match &**other {
                syn::Expr::Block(block) => this.statements(&block.block.stmts, true),
                other => Some(this.value(other)),
            };
            if let Some(value) = value {
                this.give(&mut outcome, value, other);
            }
        });
        self.push(Stmt::If { condition, then, otherwise });
        self.result(outcome)
    }

    /// A result that branches give, declared here.
    pub(super) fn outcome(&mut self) -> Outcome {
        let ty = self.types.any();
        let local = self.local("value", ty);
        let list = self.out.len() - 1;
        Outcome { local, list, position: self.out[list].len(), place: None }
    }

    /// A branch gives its value.
    pub(super) fn give(&mut self, outcome: &mut Outcome, value: Value, tokens: impl quote::ToTokens) {
        if outcome.place.is_none() {
            self.declare(
                outcome,
                match &value {
                    Value::Scalar(_) => None,
                    Value::Parts(place) => Some(&place.ty),
                },
            );
        }
        if let Some(place) = outcome.place.clone() {
            self.assign_value(&place, value, tokens);
        }
    }

    fn declare(&mut self, outcome: &mut Outcome, ty: Option<&ValueType>) {
        let (declared, place) = match ty {
            None => {
                let declared = vec![Stmt::Let { local: outcome.local, value: None, mutable: true }];
                (declared, self.scalar_place(outcome.local))
            }
            Some(ty) => self.apart(|this| this.fresh(ty, "value")),
        };
        self.out[outcome.list].splice(outcome.position..outcome.position, declared);
        outcome.place = Some(Place { origin: Origin::Temporary, ..place });
    }

    /// What the branches gave; a variable that is never used where all of them leave.
    pub(super) fn result(&mut self, mut outcome: Outcome) -> Value {
        if outcome.place.is_none() {
            self.declare(&mut outcome, None);
        }
        match outcome.place {
            Some(place) if !place.ty.is_scalar() => Value::Parts(place),
            _ => Value::Scalar(self.local_value(outcome.local)),
        }
    }

    /// Binds the names of a pattern to a value.
    pub(super) fn bind_pattern(&mut self, pat: &Pat, value: Value) {
        match pat {
            Pat::Wild(_) => {}
            Pat::Paren(inner) => self.bind_pattern(&inner.pat, value),
            Pat::Type(typed) => {
                if let Some(ty) = self.value_type(&typed.ty) {
                    let place = self.owned(value, "part");
                    self.unify_types(&place.ty, &ty, &typed.pat);
                    self.bind_pattern(&typed.pat, Value::Parts(place));
                }
            }
            Pat::Ident(name) if name.by_ref.is_none() && name.subpat.is_none() => self.bind_value(name, value),
            Pat::Tuple(_) | Pat::Struct(_) | Pat::Slice(_) => {
                let Value::Parts(place) = value else {
                    self.error(pat, "this pattern takes a value apart that is a single number");
                    return self.bind_all(pat);
                };
                match self.parts_of_pattern(pat, &place) {
                    Some(parts) => {
                        for (pat, part) in parts {
                            self.bind_pattern(pat, Value::Parts(part));
                        }
                    }
                    None => self.bind_all(pat),
                }
            }
            _ => {
                self.error(pat, "`let` binds names, and the parts of tuples, arrays and structs");
                self.bind_all(pat);
            }
        }
    }

    /// The patterns inside of a pattern, with the parts that they take.
    fn parts_of_pattern<'p>(&mut self, pat: &'p Pat, place: &Place) -> Option<Vec<(&'p Pat, Place)>> {
        match (pat, &place.ty) {
            (Pat::Tuple(tuple), ValueType::Tuple(parts)) => {
                if tuple.elems.len() != parts.len() {
                    let (found, wanted) = (parts.len(), tuple.elems.len());
                    self.error(pat, format!("a tuple of {found} values is taken apart into {wanted}"));
                    return None;
                }
                Some(tuple.elems.iter().zip(place.parts()).collect())
            }
            (Pat::Struct(found), ValueType::Struct { fields, .. }) => {
                let mut all = Vec::new();
                for part in &found.fields {
                    let index = match &part.member {
                        Member::Named(name) => fields.iter().position(|field| name.unraw() == field.0),
                        Member::Unnamed(_) => None,
                    };
                    match index.and_then(|index| place.part(index)) {
                        Some(place) => all.push((&*part.pat, place)),
                        None => {
                            self.no_such_field(&place.ty, &part.member);
                            return None;
                        }
                    }
                }
                Some(all)
            }
            (Pat::Slice(found), ValueType::Array(_, count)) => {
                if found.elems.len() != *count as usize {
                    let wanted = found.elems.len();
                    self.error(pat, format!("an array of {count} values is taken apart into {wanted}"));
                    return None;
                }
                let mut all = Vec::new();
                for (index, pat) in (0..*count).zip(&found.elems) {
                    let index = self.index_number(index);
                    all.push((pat, place.element(index)?));
                }
                Some(all)
            }
            (_, ty) => {
                let ty = ty.describe(&self.types);
                self.error(pat, format!("this pattern does not fit a value of type {ty}"));
                None
            }
        }
    }

    /// Binds a name to a value.
    pub(super) fn bind_value(&mut self, name: &syn::PatIdent, value: Value) {
        let text = name.ident.unraw().to_string();
        let name = self.named(&text, name.mutability.is_some(), value);
        self.bind(text, name);
    }

    /// What a name stands for: values that nothing else names, and those that nobody changes, are not copied.
    pub(super) fn named(&mut self, text: &str, mutable: bool, value: Value) -> Name {
        let place = match value {
            Value::Parts(place)
                if place.origin == Origin::Fixed && !mutable && place.at.is_none() && !place.ty.is_scalar() =>
            {
                place
            }
            Value::Parts(place) if place.ty.is_scalar() && place.origin != Origin::Temporary => {
                let value = self.read(&place);
                self.owned(Value::Scalar(value), text)
            }
            value => self.owned(value, text),
        };
        let origin = if mutable { Origin::Variable } else { Origin::Fixed };
        match (place.leaves.as_slice(), place.whole_array()) {
            (_, Some(Leaf::Array(array))) => Name::Array(array),
            ([Leaf::Local(local)], _) if place.ty.is_scalar() => Name::Local(*local),
            _ => Name::Place(Place { origin, ..place }),
        }
    }
}
