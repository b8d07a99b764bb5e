//! Statements.

use syn::ext::IdentExt;
use syn::{BinOp, Pat};

use super::{Lowerer, Name};
use crate::gpu::builtin::ATOMICS;
use crate::gpu::model::{Array, Expr, ExprKind, LocalId, Memory, Operator, Stmt, Update};
use crate::gpu::ty::Ty;

pub(super) const IN_OPERAND: &str =
    "a block inside of an expression only computes a value: write this in a `let` before it";
const LABEL: &str = "loops have no labels: leave the outer loop by a `bool` variable";
const VALUE_OF_LOOP: &str = "loops have no value: assign it to a variable before `break`";

impl Lowerer<'_> {
    /// Reads statements; where a value is wanted, that of the last expression, unless control never gets there.
    pub(super) fn statements(&mut self, statements: &[syn::Stmt], wants_value: bool) -> Option<Expr> {
        self.functions_of(statements);
        for (index, statement) in statements.iter().enumerate() {
            match statement {
                syn::Stmt::Local(local) => self.let_statement(local),
                syn::Stmt::Item(item) => self.item(item),
                syn::Stmt::Expr(expr, None) if wants_value && index + 1 == statements.len() => {
                    if !leaves(expr) {
                        return Some(self.expr(expr));
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
                let value = self.expr(&assign.right);
                self.assign(&assign.left, None, value, &assign.right);
            }
            syn::Expr::Binary(binary) => match assigned_operator(&binary.op) {
                Some(operator) => {
                    let value = self.expr(&binary.right);
                    self.assign(&binary.left, Some(operator), value, &binary.right);
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
            syn::Expr::Call(call) if let Some(update) = atomic(call) => self.atomic(update, call),
            syn::Expr::Macro(found) => self.error(&found.mac.path, NO_MACROS),
            syn::Expr::Match(found) => self.match_statement(found),
            syn::Expr::Call(call) if let Some(function) = self.function_named(call) => {
                if self.inline(&function, call).is_some() {
                    self.error(expr, NO_EFFECT);
                }
            }
            syn::Expr::MethodCall(_) | syn::Expr::Call(_) => {
                let errors = self.errors.len();
                self.expr(expr);
                if self.errors.len() == errors {
                    self.error(expr, NO_EFFECT);
                }
            }
            _ => self.error(expr, NO_EFFECT),
        }
    }

    fn no_label(&mut self, label: Option<&syn::Label>) {
        if let Some(label) = label {
            self.error(&label.name, LABEL);
        }
    }

    fn assign(&mut self, place: &syn::Expr, operator: Option<Operator>, value: Expr, right: &syn::Expr) {
        if let syn::Expr::Paren(inner) = place {
            return self.assign(&inner.expr, operator, value, right);
        }
        let combine = |this: &mut Self, current: Expr| match operator {
            None => {
                this.unify(value.ty, current.ty, right);
                value
            }
            Some(operator) => {
                if !operator.is_shift() {
                    this.unify(value.ty, current.ty, right);
                }
                Expr { ty: current.ty, kind: ExprKind::Binary(operator, Box::new(current), Box::new(value)) }
            }
        };
        match place {
            syn::Expr::Path(path) => match path.path.get_ident().and_then(|ident| self.find(ident)) {
                Some(Name::Local(local)) => {
                    let current = self.local_value(local);
                    let value = combine(self, current);
                    self.push(Stmt::Assign(local, value));
                }
                _ => self.error(place, "only a variable or an element is assigned to"),
            },
            syn::Expr::Index(found) => {
                let Some((array, index)) = self.element(found) else { return };
                let element = self.body.arrays[array.0].element;
                let current = Expr { ty: element, kind: ExprKind::Load(array, Box::new(index.clone())) };
                let value = combine(self, current);
                self.push(Stmt::Store { array, index, value });
            }
            _ => self.error(place, "only a variable or an element `name[index]` is assigned to"),
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
        let Some((array, index)) = self.element(place) else { return };
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

    fn while_statement(&mut self, repeated: &syn::ExprWhile) {
        self.no_label(repeated.label.as_ref());
        let (mut check, condition) = self.apart(|this| this.condition(&repeated.cond));
        let stop = Expr { ty: condition.ty, kind: ExprKind::Not(Box::new(condition)) };
        check.push(Stmt::If { condition: stop, then: vec![Stmt::Break], otherwise: Vec::new() });
        let (body, ()) = self.repeated(&repeated.body);
        check.extend(body);
        self.push(Stmt::Loop(check));
    }

    /// A loop's body.
    fn repeated(&mut self, body: &syn::Block) -> (Vec<Stmt>, ()) {
        self.loops += 1;
        let (body, _) = self.apart(|this| this.statements(&body.stmts, false));
        self.loops -= 1;
        (body, ())
    }

    fn for_statement(&mut self, repeated: &syn::ExprForLoop) {
        self.no_label(repeated.label.as_ref());
        let Some((start, end, step)) = self.range(&repeated.expr) else { return };
        let name = match &*repeated.pat {
            Pat::Ident(name) if name.mutability.is_none() && name.by_ref.is_none() => Some(&name.ident),
            Pat::Wild(_) => None,
            pat => return self.error(pat, "the variable of a `for` is one name, without `mut`"),
        };
        let end = self.fixed(end);
        let step = step.map(|step| self.fixed(step));
        let text = name.map_or_else(|| "step".to_owned(), |name| name.unraw().to_string());
        let local = self.local(&text, start.ty);
        self.scopes.push(Vec::new());
        if name.is_some() {
            self.bind(text, Name::Local(local));
        }
        let (body, ()) = self.repeated(&repeated.body);
        self.scopes.pop();
        self.push(Stmt::For { local, start, end, step, body });
    }

    /// Start, end and step of `a..b` and `(a..b).step_by(n)`.
    fn range(&mut self, expr: &syn::Expr) -> Option<(Expr, Expr, Option<Expr>)> {
        let form = "`for` goes over a range `a..b` or `(a..b).step_by(n)`";
        match expr {
            syn::Expr::Paren(inner) => self.range(&inner.expr),
            syn::Expr::Group(inner) => self.range(&inner.expr),
            syn::Expr::MethodCall(call) if call.method == "step_by" && call.args.len() == 1 => {
                let (start, end, _) = self.range(&call.receiver)?;
                let step = self.expr(&call.args[0]);
                let index = self.types.known(Ty::Usize);
                self.unify(step.ty, index, &call.args[0]);
                Some((start, end, Some(step)))
            }
            syn::Expr::MethodCall(call) => {
                self.error(&call.method, format!("{form}, which this method does not give"));
                None
            }
            syn::Expr::Range(range) => {
                let (Some(start), Some(end)) = (&range.start, &range.end) else {
                    self.error(range, "a range has a start and an end: write `a..b`");
                    return None;
                };
                let (first, mut last) = (self.expr(start), self.expr(end));
                self.unify(last.ty, first.ty, end);
                if matches!(range.limits, syn::RangeLimits::Closed(_)) {
                    last = plus_one(last);
                }
                Some((first, last, None))
            }
            _ => {
                self.error(expr, form);
                None
            }
        }
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

/// One more, for the end of `a..=b`: a range up to the largest value of its type is empty.
fn plus_one(value: Expr) -> Expr {
    let ty = value.ty;
    if let ExprKind::Integer(number) = value.kind {
        return Expr { ty, kind: ExprKind::Integer(number + 1) };
    }
    let one = Expr { ty, kind: ExprKind::Integer(1) };
    Expr { ty, kind: ExprKind::Binary(Operator::Add, Box::new(value), Box::new(one)) }
}
