//! Values of several scalars: tuples, structs and fixed arrays. Each scalar of such a value is a variable of its own;
//! those of an array's elements are an array, with one for each field where the elements are structs.

use quote::ToTokens;

use super::Lowerer;
use crate::gpu::infer::{TyId, Types};
use crate::gpu::model::{ArrayId, Expr, ExprKind, LocalId, Memory, Operator, Stmt};
use crate::gpu::ty::Ty;

/// The type of a value.
#[derive(Clone)]
pub(super) enum ValueType {
    Scalar(TyId),
    Tuple(Vec<Self>),
    Struct { name: String, fields: Vec<(String, Self)> },
    Array(Box<Self>, u32),
}

/// Where one scalar of a value is kept, for every element where the value is in an array.
#[derive(Clone, Copy)]
pub(super) enum Leaf {
    Local(LocalId),
    Array(ArrayId),
    /// The elements are parameters: a position in [`Lowerer::spread`].
    Spread(usize),
    /// A thread's position: a position in [`Lowerer::positions`].
    Position(usize),
}

/// What may happen to a value that has a place.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Origin {
    /// Nothing else names it.
    Temporary,
    /// Nothing changes it.
    Fixed,
    Variable,
}

/// The place of a value: its leaves in the order of its scalars, and the element where it is part of an array.
#[derive(Clone)]
pub(super) struct Place {
    pub(super) ty: ValueType,
    pub(super) leaves: Vec<Leaf>,
    pub(super) at: Option<Expr>,
    pub(super) origin: Origin,
}

/// A value: a scalar, or the place of several.
pub(super) enum Value {
    Scalar(Expr),
    Parts(Place),
}

/// An array among the parameters; it becomes an array of the thread's own where a variable indexes it.
pub(super) struct Spread {
    pub(super) locals: Vec<LocalId>,
    pub(super) array: Option<ArrayId>,
}

/// Elements that are copied without a loop.
const UNROLLED: u32 = 4;

impl ValueType {
    /// For each scalar: `None`, or the number of elements of the array that it is kept in.
    pub(super) fn lengths(&self) -> Vec<Option<u32>> {
        match self {
            Self::Scalar(_) => vec![None],
            Self::Tuple(parts) => parts.iter().flat_map(Self::lengths).collect(),
            Self::Struct { fields, .. } => fields.iter().flat_map(|field| field.1.lengths()).collect(),
            Self::Array(inner, count) => {
                inner.lengths().into_iter().map(|length| Some(length.unwrap_or(1).saturating_mul(*count))).collect()
            }
        }
    }

    /// The types of the scalars.
    pub(super) fn scalars(&self) -> Vec<TyId> {
        match self {
            Self::Scalar(ty) => vec![*ty],
            Self::Tuple(parts) => parts.iter().flat_map(Self::scalars).collect(),
            Self::Struct { fields, .. } => fields.iter().flat_map(|field| field.1.scalars()).collect(),
            Self::Array(inner, _) => inner.scalars(),
        }
    }

    /// The types of the parts of a tuple or struct.
    fn parts(&self) -> Vec<&Self> {
        match self {
            Self::Tuple(parts) => parts.iter().collect(),
            Self::Struct { fields, .. } => fields.iter().map(|field| &field.1).collect(),
            Self::Scalar(_) | Self::Array(..) => Vec::new(),
        }
    }

    pub(super) fn is_scalar(&self) -> bool {
        matches!(self, Self::Scalar(_))
    }

    /// The type in words, as Rust writes it.
    pub(super) fn describe(&self, types: &Types) -> String {
        match self {
            Self::Scalar(ty) => types.describe(*ty),
            other => format!("`{}`", other.written(types)),
        }
    }

    fn written(&self, types: &Types) -> String {
        match self {
            Self::Scalar(ty) => types.get(*ty).map_or("_", Ty::name).to_owned(),
            Self::Tuple(parts) => {
                let parts: Vec<String> = parts.iter().map(|part| part.written(types)).collect();
                format!("({})", parts.join(", "))
            }
            Self::Struct { name, .. } => name.clone(),
            Self::Array(inner, count) => format!("[{}; {count}]", inner.written(types)),
        }
    }
}

impl Place {
    /// One part of a tuple or struct.
    pub(super) fn part(&self, index: usize) -> Option<Self> {
        let parts = self.ty.parts();
        let ty = (*parts.get(index)?).clone();
        let start: usize = parts[..index].iter().map(|part| part.scalars().len()).sum();
        let leaves = self.leaves[start..start + ty.scalars().len()].to_vec();
        Some(Self { ty, leaves, at: self.at.clone(), origin: self.origin })
    }

    /// The parts of a tuple or struct.
    pub(super) fn parts(&self) -> Vec<Self> {
        (0..self.ty.parts().len()).filter_map(|index| self.part(index)).collect()
    }

    /// An element of an array.
    pub(super) fn element(&self, index: Expr) -> Option<Self> {
        let ValueType::Array(inner, count) = &self.ty else { return None };
        let at = match &self.at {
            None => index,
            Some(outer) => inner_index(outer, *count, index),
        };
        Some(Self { ty: (**inner).clone(), leaves: self.leaves.clone(), at: Some(at), origin: self.origin })
    }

    /// The array that this is all of, where its elements are scalars.
    pub(super) fn whole_array(&self) -> Option<Leaf> {
        match (&self.ty, self.leaves.as_slice(), &self.at) {
            (ValueType::Array(inner, _), [leaf], None) if inner.is_scalar() => Some(*leaf),
            _ => None,
        }
    }
}

/// Where element `index` of array `outer` of arrays of `count` elements lies among all.
fn inner_index(outer: &Expr, count: u32, index: Expr) -> Expr {
    let ty = index.ty;
    if let (ExprKind::Integer(outer), ExprKind::Integer(index)) = (&outer.kind, &index.kind) {
        return Expr { ty, kind: ExprKind::Integer(outer * i128::from(count) + index) };
    }
    let count = Expr { ty, kind: ExprKind::Integer(i128::from(count)) };
    let start = Expr { ty, kind: ExprKind::Binary(Operator::Mul, Box::new(outer.clone()), Box::new(count)) };
    Expr { ty, kind: ExprKind::Binary(Operator::Add, Box::new(start), Box::new(index)) }
}

impl Lowerer<'_> {
    /// Makes variables for a value of this type.
    pub(super) fn fresh(&mut self, ty: &ValueType, text: &str) -> Place {
        let mut leaves = Vec::new();
        for (scalar, length) in ty.scalars().into_iter().zip(ty.lengths()) {
            leaves.push(match length {
                None => {
                    let local = self.local(text, scalar);
                    self.push(Stmt::Let { local, value: None, mutable: true });
                    Leaf::Local(local)
                }
                Some(length) => {
                    let array = self.array(text, scalar, Memory::Own(length));
                    self.push(Stmt::OwnArray { array, values: Vec::new() });
                    Leaf::Array(array)
                }
            });
        }
        Place { ty: ty.clone(), leaves, at: None, origin: Origin::Temporary }
    }

    /// The place of a scalar variable.
    pub(super) fn scalar_place(&self, local: LocalId) -> Place {
        let ty = ValueType::Scalar(self.body.locals[local.0].ty);
        Place { ty, leaves: vec![Leaf::Local(local)], at: None, origin: Origin::Variable }
    }

    /// The place of an array of scalars.
    pub(super) fn array_place(&self, array: ArrayId) -> Place {
        let found = &self.body.arrays[array.0];
        let length = match found.place {
            Memory::Buffer { .. } => 0,
            Memory::Shared(length) | Memory::Own(length) => length,
        };
        let ty = ValueType::Array(Box::new(ValueType::Scalar(found.element)), length);
        Place { ty, leaves: vec![Leaf::Array(array)], at: None, origin: Origin::Variable }
    }

    /// The scalar at a place.
    pub(super) fn read(&mut self, place: &Place) -> Expr {
        let (ValueType::Scalar(ty), Some(leaf)) = (&place.ty, place.leaves.first()) else { return self.failed() };
        let (ty, at) = (*ty, place.at.clone());
        match (*leaf, at) {
            (Leaf::Local(local), _) => self.local_value(local),
            (Leaf::Position(position), _) => self.positions[position].clone(),
            (Leaf::Array(array), Some(at)) => Expr { ty, kind: ExprKind::Load(array, Box::new(at)) },
            (Leaf::Spread(spread), Some(Expr { kind: ExprKind::Integer(at), .. }))
                if let Some(local) = usize::try_from(at).ok().and_then(|at| self.spread[spread].locals.get(at)) =>
            {
                self.local_value(*local)
            }
            (Leaf::Spread(spread), Some(at)) => {
                let array = self.gathered(spread);
                Expr { ty, kind: ExprKind::Load(array, Box::new(at)) }
            }
            (_, None) => self.failed(),
        }
    }

    /// The array of a thread's own that holds the parameters.
    pub(super) fn gathered(&mut self, spread: usize) -> ArrayId {
        if let Some(array) = self.spread[spread].array {
            return array;
        }
        let locals = self.spread[spread].locals.clone();
        let values: Vec<Expr> = locals.iter().map(|&local| self.local_value(local)).collect();
        let first = &self.body.locals[locals[0].0];
        let (name, ty) = (first.name.clone(), first.ty);
        let stem = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '_').to_owned();
        let array = self.array(&stem, ty, Memory::Own(values.len() as u32));
        self.start.push(Stmt::OwnArray { array, values });
        self.spread[spread].array = Some(array);
        array
    }

    /// Sets the scalar at a place.
    pub(super) fn write(&mut self, place: &Place, value: Expr, tokens: impl ToTokens) {
        match (place.leaves.first().copied(), place.at.clone()) {
            (Some(Leaf::Local(local)), _) => self.push(Stmt::Assign(local, value)),
            (Some(Leaf::Array(array)), Some(index)) => self.push(Stmt::Store { array, index, value }),
            _ => self.error(tokens, "this is only read: copy it into a variable with `let mut`"),
        }
    }

    /// Sets a place to a value.
    pub(super) fn assign_value(&mut self, to: &Place, value: Value, tokens: impl ToTokens) {
        match (value, &to.ty) {
            (Value::Scalar(value), ValueType::Scalar(ty)) => {
                self.unify(value.ty, *ty, &tokens);
                self.write(to, value, tokens);
            }
            (Value::Scalar(value), ty) => {
                let (found, wanted) = (self.types.describe(value.ty), ty.describe(&self.types));
                self.mismatch(&found, &wanted, tokens);
            }
            (Value::Parts(from), ty) => {
                if self.unify_types(&from.ty, ty, &tokens) {
                    self.copy(to, &from, &tokens);
                }
            }
        }
    }

    fn copy(&mut self, to: &Place, from: &Place, tokens: &impl ToTokens) {
        match &to.ty {
            ValueType::Scalar(_) => {
                let value = self.read(from);
                self.write(to, value, tokens);
            }
            ValueType::Tuple(_) | ValueType::Struct { .. } => {
                for (to, from) in to.parts().iter().zip(from.parts()) {
                    self.copy(to, &from, tokens);
                }
            }
            ValueType::Array(_, count) if *count <= UNROLLED => {
                for index in 0..*count {
                    let index = self.index_number(index);
                    if let (Some(to), Some(from)) = (to.element(index.clone()), from.element(index)) {
                        self.copy(&to, &from, tokens);
                    }
                }
            }
            ValueType::Array(_, count) => {
                let (start, end) = (self.index_number(0), self.index_number(*count));
                let local = self.local("at", start.ty);
                let index = self.local_value(local);
                let (body, ()) = self.apart(|this| {
                    if let (Some(to), Some(from)) = (to.element(index.clone()), from.element(index)) {
                        this.copy(&to, &from, tokens);
                    }
                });
                self.push(Stmt::For { local, start, end, step: None, body });
            }
        }
    }

    /// A constant index.
    pub(super) fn index_number(&mut self, index: u32) -> Expr {
        Expr { ty: self.types.known(Ty::Usize), kind: ExprKind::Integer(i128::from(index)) }
    }

    /// The value in variables of its own.
    pub(super) fn owned(&mut self, value: Value, text: &str) -> Place {
        match value {
            Value::Scalar(value) => {
                let local = self.local(text, value.ty);
                self.push(Stmt::Let { local, value: Some(value), mutable: true });
                Place { origin: Origin::Temporary, ..self.scalar_place(local) }
            }
            Value::Parts(place) if place.origin == Origin::Temporary && place.at.is_none() => place,
            Value::Parts(place) => {
                let copied = self.fresh(&place.ty, text);
                self.copy(&copied, &place, &proc_macro2::TokenStream::new());
                copied
            }
        }
    }

    /// Makes both one type, or reports that they differ.
    pub(super) fn unify_types(&mut self, found: &ValueType, wanted: &ValueType, tokens: &impl ToTokens) -> bool {
        if let (ValueType::Scalar(found), ValueType::Scalar(wanted)) = (found, wanted) {
            let errors = self.errors.len();
            self.unify(*found, *wanted, tokens);
            return self.errors.len() == errors;
        }
        let same = match (found, wanted) {
            (ValueType::Tuple(found), ValueType::Tuple(wanted)) => found.len() == wanted.len(),
            (ValueType::Struct { name: found, .. }, ValueType::Struct { name: wanted, .. }) => found == wanted,
            (ValueType::Array(found, a), ValueType::Array(wanted, b)) if a == b => {
                return self.unify_types(found, wanted, tokens);
            }
            _ => false,
        };
        if !same {
            let (found, wanted) = (found.describe(&self.types), wanted.describe(&self.types));
            self.mismatch(&found, &wanted, tokens);
            return false;
        }
        let pairs: Vec<_> = found.parts().into_iter().zip(wanted.parts()).collect();
        pairs.into_iter().all(|(found, wanted)| self.unify_types(found, wanted, tokens))
    }

    fn mismatch(&mut self, found: &str, wanted: &str, tokens: impl ToTokens) {
        self.error(tokens, format!("{found} stands where {wanted} belongs"));
    }

    /// The scalar that a value is.
    pub(super) fn scalar(&mut self, value: Value, tokens: impl ToTokens) -> Expr {
        match value {
            Value::Scalar(value) => value,
            Value::Parts(place) => {
                let ty = place.ty.describe(&self.types);
                self.error(tokens, format!("a value of type {ty} stands where a number belongs: use its parts"));
                self.failed()
            }
        }
    }
}
