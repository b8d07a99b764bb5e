//! Which type each expression has: known ones, and those that follow from where a value goes.

use super::ty::Ty;

/// A type that may become known later.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TyId(usize);

#[derive(Clone, Copy)]
enum Slot {
    Same(TyId),
    Known(Ty),
    /// An integer's, such as a literal's.
    Integer,
    /// A float's, such as a literal's.
    Float,
    Any,
}

/// The types of one function.
#[derive(Default)]
pub(crate) struct Types(Vec<Slot>);

impl Types {
    fn add(&mut self, slot: Slot) -> TyId {
        self.0.push(slot);
        TyId(self.0.len() - 1)
    }

    pub(crate) fn known(&mut self, ty: Ty) -> TyId {
        self.add(Slot::Known(ty))
    }

    pub(crate) fn integer(&mut self) -> TyId {
        self.add(Slot::Integer)
    }

    pub(crate) fn float(&mut self) -> TyId {
        self.add(Slot::Float)
    }

    pub(crate) fn any(&mut self) -> TyId {
        self.add(Slot::Any)
    }

    fn root(&self, mut id: TyId) -> TyId {
        while let Slot::Same(next) = self.0[id.0] {
            id = next;
        }
        id
    }

    /// Makes both one type; an error names both where they differ.
    pub(crate) fn unify(&mut self, a: TyId, b: TyId) -> Result<(), (String, String)> {
        let (a, b) = (self.root(a), self.root(b));
        if a == b {
            return Ok(());
        }
        let (kept, replaced) = match (self.0[a.0], self.0[b.0]) {
            (_, Slot::Any) | (Slot::Integer, Slot::Integer) | (Slot::Float, Slot::Float) => (a, b),
            (Slot::Any, _) => (b, a),
            (Slot::Known(x), Slot::Known(y)) if x == y => (a, b),
            (Slot::Known(x), Slot::Integer) if x.is_integer() => (a, b),
            (Slot::Known(x), Slot::Float) if x.is_float() => (a, b),
            (Slot::Integer, Slot::Known(y)) if y.is_integer() => (b, a),
            (Slot::Float, Slot::Known(y)) if y.is_float() => (b, a),
            _ => return Err((self.describe(a), self.describe(b))),
        };
        self.0[replaced.0] = Slot::Same(kept);
        Ok(())
    }

    /// The type, as far as it is known or has a default; `None` where nothing is known.
    pub(crate) fn get(&self, id: TyId) -> Option<Ty> {
        match self.0[self.root(id).0] {
            Slot::Known(ty) => Some(ty),
            Slot::Integer => Some(Ty::I32),
            Slot::Float => Some(Ty::F64),
            Slot::Any | Slot::Same(_) => None,
        }
    }

    /// The type of an expression of a function without mistakes.
    pub(crate) fn of(&self, id: TyId) -> Ty {
        self.get(id).unwrap_or(Ty::I32)
    }

    pub(crate) fn is_unknown(&self, id: TyId) -> bool {
        matches!(self.0[self.root(id).0], Slot::Any)
    }

    /// The type in words.
    pub(crate) fn describe(&self, id: TyId) -> String {
        match self.0[self.root(id).0] {
            Slot::Known(ty) => format!("`{}`", ty.name()),
            Slot::Integer => "an integer".to_owned(),
            Slot::Float => "a float".to_owned(),
            Slot::Any | Slot::Same(_) => "a type that is not known yet".to_owned(),
        }
    }
}
