//! Statements.

use syn::BinOp;

use super::Lowerer;
use super::place::{Leaf, Place, Value, ValueType};
use super::value::Found;
use crate::gpu::builtin::ATOMICS;
use crate::gpu::model::{Array, Expr, ExprKind, LocalId, Memory, Operator, Stmt, Update};
use crate::gpu::ty::Ty;

pub(super) const IN_OPERAND: &str =
    "a block inside of an expression only computes a value: write this in a `let` before it";
const LABEL: &str = "loops have no labels: leave the outer loop by a `bool` variable";
const VALUE_OF_LOOP: &str = "loops have no value: assign it to a variable before `break`";

impl Lowerer<'_> {
    /// Reads statements; where a value is wanted, that of the last expression, unless control never gets there.
    pub(super) fn statements(&mut self, statements: &[syn::Stmt], wants_value: bool) -> Option<Value> {
        let outer = self.items();
        self.items_of(statements);
        let value = self.each_statement(statements, wants_value);
        self.forget_items(outer);
        value
    }

    fn each_statement(&mut self, statements: &[syn::Stmt], wants_value: bool) -> Option<Value> {
        for (index, statement) in statements.iter().enumerate() {
            match statement {
                syn::Stmt::Local(local) => self.let_statement(local),
                syn::Stmt::Item(item) => self.item(item),
                syn::Stmt::Expr(expr, None) if wants_value && index + 1 == statements.len() => {
                    if !leaves(expr) {
                        return Some(self.value(expr));
                    }
                    self.effect(expr);
                }
                syn::Stmt::Expr(expr, _) => self.effect(expr),
                syn::Stmt::Macro(found) => self.error(&found.mac.path, NO_MACROS),
            }
        }
        None
    }

    /// An expression as a statement.
    pub(super) fn effect(&mut self, expr: &syn::Expr) {
        if self.operand && !matches!(expr, syn::Expr::Block(_) | syn::Expr::Paren(_) | syn::Expr::Group(_)) {
            return self.error(expr, IN_OPERAND);
        }
        match expr {
            syn::Expr::Paren(inner) => self.effect(&inner.expr),
            syn::Expr::Group(inner) => self.effect(&inner.expr),
            syn::Expr::Assign(assign) => {
                let value = self.value(&assign.right);
                self.assign(&assign.left, value, &assign.right);
            }
            syn::Expr::Binary(binary) => match assigned_operator(&binary.op) {
                Some(operator) => {
                    let value = self.expr(&binary.right);
                    self.update(&binary.left, operator, value, &binary.right);
                }
                None => self.error(expr, NO_EFFECT),
            },
            syn::Expr::If(branch) => self.if_statement(branch),
            syn::Expr::While(repeated) => self.while_statement(repeated),
            syn::Expr::Loop(repeated) => {
                self.no_label(repeated.label.as_ref());
                let (body, ()) = self.repeated(&repeated.body);
                self.push(Stmt::Loop(body));
            }
            syn::Expr::ForLoop(repeated) => self.for_statement(repeated),
            syn::Expr::Break(found) => match &found.expr {
                Some(value) => self.error(value, VALUE_OF_LOOP),
                None => self.push(Stmt::Break),
            },
            syn::Expr::Continue(_) => self.push(Stmt::Continue),
            syn::Expr::Return(found) => self.return_statement(found),
            syn::Expr::Block(block) => {
                self.no_label(block.label.as_ref());
                self.scopes.push(Vec::new());
                self.statements(&block.block.stmts, false);
                self.scopes.pop();
            }
            syn::Expr::Call(call) if super::path::function_name(&call.func).is_some_and(|name| name == "barrier") => {
                self.grid_only(expr, "a barrier");
                self.push(Stmt::Barrier);
            }
            syn::Expr::Call(call) => self.call_statement(call, expr),
            syn::Expr::Macro(found) => self.error(&found.mac.path, NO_MACROS),
            syn::Expr::Match(found) => self.match_statement(found),
            syn::Expr::MethodCall(_) => self.value_statement(expr),
            _ => self.error(expr, NO_EFFECT),
        }
    }

    fn call_statement(&mut self, call: &syn::ExprCall, expr: &syn::Expr) {
        if let Some(update) = atomic(call) {
            self.atomic(update, call);
        } else if let Some(function) = self.function_named(call) {
            if self.inline(&function, call).is_some() {
                self.error(expr, NO_EFFECT);
            }
        } else {
            self.value_statement(expr);
        }
    }

    /// A value that nothing takes.
    fn value_statement(&mut self, expr: &syn::Expr) {
        let errors = self.errors.len();
        self.expr(expr);
        if self.errors.len() == errors {
            self.error(expr, NO_EFFECT);
        }
    }

    pub(super) fn no_label(&mut self, label: Option<&syn::Label>) {
        if let Some(label) = label {
            self.error(&label.name, LABEL);
        }
    }

    /// `place = value`.
    fn assign(&mut self, place: &syn::Expr, value: Value, right: &syn::Expr) {
        if let syn::Expr::Tuple(tuple) = place {
            return self.assign_parts(tuple, value);
        }
        if let Some(to) = self.assigned(place) {
            self.assign_value(&to, value, right);
        }
    }

    /// `(a, b) = value`.
    fn assign_parts(&mut self, tuple: &syn::ExprTuple, value: Value) {
        let parts = match value {
            Value::Parts(from) if matches!(&from.ty, ValueType::Tuple(parts) if parts.len() == tuple.elems.len()) => {
                self.owned(Value::Parts(from), "part").parts()
            }
            _ => return self.error(tuple, "this tuple does not fit the value"),
        };
        for (place, part) in tuple.elems.iter().zip(parts) {
            if !matches!(place, syn::Expr::Infer(_)) {
                self.assign(place, Value::Parts(part), place);
            }
        }
    }

    /// `place += value` and its like.
    fn update(&mut self, place: &syn::Expr, operator: Operator, value: Expr, right: &syn::Expr) {
        let Some(to) = self.assigned(place) else { return };
        let current = self.read(&to);
        if !to.ty.is_scalar() {
            return self.error(place, "only numbers are updated: write the part");
        }
        if !operator.is_shift() {
            self.unify(value.ty, current.ty, right);
        }
        let value = Expr { ty: current.ty, kind: ExprKind::Binary(operator, Box::new(current), Box::new(value)) };
        self.write(&to, value, place);
    }

    /// What stands on the left side.
    fn assigned(&mut self, place: &syn::Expr) -> Option<Place> {
        let message = match place {
            syn::Expr::Paren(inner) => return self.assigned(&inner.expr),
            syn::Expr::Path(_) => "only a variable or an element is assigned to",
            syn::Expr::Index(_) | syn::Expr::Field(_) => "only a variable, a part of it or an element is assigned to",
            _ => "only a variable or an element `name[index]` is assigned to",
        };
        if matches!(place, syn::Expr::Path(_) | syn::Expr::Index(_) | syn::Expr::Field(_)) {
            match self.place(place) {
                Found::Place(to) if !self.is_shared_memory(&to) => return Some(to),
                Found::Failed => return None,
                Found::Place(_) | Found::Other => {}
            }
        }
        self.error(place, message);
        None
    }

    /// Whether this is all of an array that is no thread's own.
    fn is_shared_memory(&self, place: &Place) -> bool {
        match place.whole_array() {
            Some(Leaf::Array(array)) => !matches!(self.body.arrays[array.0].place, Memory::Own(_)),
            _ => false,
        }
    }

    /// `atomic_add(&mut array[index], value)` and its like.
    fn atomic(&mut self, update: Update, call: &syn::ExprCall) {
        self.grid_only(&call.func, "an atomic update");
        let place = match call.args.first() {
            Some(syn::Expr::Reference(place)) if call.args.len() == 2 => match &*place.expr {
                syn::Expr::Index(place) => Some(place),
                _ => None,
            },
            _ => None,
        };
        let Some(place) = place else {
            return self.error(call, "an atomic update is written `atomic_add(&mut array[index], value);`");
        };
        let element = match self.element(place) {
            Found::Place(Place { leaves, at: Some(index), ty: ValueType::Scalar(_), .. }) => match leaves.as_slice() {
                [Leaf::Array(array)] => Some((*array, index)),
                _ => None,
            },
            Found::Failed => return,
            _ => None,
        };
        let Some((array, index)) = element else {
            return self.error(place, "an atomic update changes a number in a buffer or a shared array");
        };
        let Array { element, place: memory, .. } = self.body.arrays[array.0];
        let value = self.operand(&call.args[1]);
        self.unify(value.ty, element, &call.args[1]);
        if !matches!(self.types.get(element), Some(Ty::I32 | Ty::U32 | Ty::F32)) {
            self.error(place, "atomic updates are for elements of `i32`, `u32` and `f32`");
        }
        if matches!(memory, Memory::Own(_)) {
            self.error(place, "no other thread sees this array: assign to the element");
        }
        self.push(Stmt::Atomic { array, update, index, value });
    }

    fn if_statement(&mut self, branch: &syn::ExprIf) {
        let condition = self.condition(&branch.cond);
        let (then, _) = self.apart(|this| this.statements(&branch.then_branch.stmts, false));
        let otherwise = branch.else_branch.as_ref().map(|(_, other)| self.apart(|this| this.effect(other)).0);
        self.push(Stmt::If { condition, then, otherwise: otherwise.unwrap_or_default() });
    }

    pub(super) fn condition(&mut self, expr: &syn::Expr) -> Expr {
        let condition = self.expr(expr);
        let boolean = self.types.known(Ty::Bool);
        self.unify(condition.ty, boolean, expr);
        condition
    }

    /// The value in a variable that nothing changes, unless it cannot change.
    pub(super) fn fixed(&mut self, value: Expr) -> Expr {
        if matches!(value.kind, ExprKind::Integer(_) | ExprKind::Length(_) | ExprKind::Position(..)) {
            return value;
        }
        let local = self.local("bound", value.ty);
        self.push(Stmt::Let { local, value: Some(value), mutable: false });
        self.local_value(local)
    }

    fn return_statement(&mut self, found: &syn::ExprReturn) {
        if self.return_inlined(found) {
            return;
        }
        let value = found.expr.as_ref().map(|value| (self.expr(value), value));
        if let (Some((value, tokens)), Some(ty)) = (&value, self.source.returns) {
            let ty = self.types.known(ty);
            self.unify(value.ty, ty, tokens);
        }
        self.push(Stmt::Return(value.map(|value| value.0)));
    }

    /// A variable that branches assign to.
    pub(super) fn open_local(&mut self) -> LocalId {
        let ty = self.types.any();
        let local = self.local("value", ty);
        self.push(Stmt::Let { local, value: None, mutable: true });
        local
    }
}

pub(super) const NO_MACROS: &str = "a GPU has no macros and no panics: write the code itself";
const NO_EFFECT: &str = "this statement has no effect on a GPU";

/// The update that a function of this name makes.
fn atomic(call: &syn::ExprCall) -> Option<Update> {
    let name = super::path::function_name(&call.func)?;
    ATOMICS.iter().find(|update| update.0 == name).map(|update| update.1)
}

/// Whether control goes elsewhere.
fn leaves(expr: &syn::Expr) -> bool {
    matches!(expr, syn::Expr::Return(_) | syn::Expr::Break(_) | syn::Expr::Continue(_))
}

fn assigned_operator(op: &BinOp) -> Option<Operator> {
    Some(match op {
        BinOp::AddAssign(_) => Operator::Add,
        BinOp::SubAssign(_) => Operator::Sub,
        BinOp::MulAssign(_) => Operator::Mul,
        BinOp::DivAssign(_) => Operator::Div,
        BinOp::RemAssign(_) => Operator::Rem,
        BinOp::BitXorAssign(_) => Operator::BitXor,
        BinOp::BitAndAssign(_) => Operator::BitAnd,
        BinOp::BitOrAssign(_) => Operator::BitOr,
        BinOp::ShlAssign(_) => Operator::Shl,
        BinOp::ShrAssign(_) => Operator::Shr,
        _ => return None,
    })
}
