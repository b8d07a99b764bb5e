//! `match` on numbers and bools: a chain of comparisons.

use syn::Pat;
use syn::ext::IdentExt;

use super::place::Value;
use super::value::Outcome;
use super::{Lowerer, Name};
use crate::gpu::model::{Expr, ExprKind, Operator, Stmt};
use crate::gpu::ty::Ty;

const PATTERNS: &str =
    "patterns are numbers, `true`, `false`, ranges of numbers, several of these between `|`, a name, and `_`";

impl Lowerer<'_> {
    pub(super) fn match_statement(&mut self, found: &syn::ExprMatch) {
        let value = self.matched(found);
        self.arms(&value, &found.arms, &mut None);
    }

    pub(super) fn match_value(&mut self, found: &syn::ExprMatch) -> Value {
        let value = self.matched(found);
        let mut result = Some(self.outcome());
        self.arms(&value, &found.arms, &mut result);
        match result {
            Some(outcome) => self.result(outcome),
            None => Value::Scalar(self.failed()),
        }
    }

    fn matched(&mut self, found: &syn::ExprMatch) -> Expr {
        let value = self.operand(&found.expr);
        self.fixed(value)
    }

    /// The first arm that fits, else the next ones; the last one needs no comparison, as `match` leaves nothing out.
    fn arms(&mut self, value: &Expr, arms: &[syn::Arm], result: &mut Option<Outcome>) {
        let Some((arm, rest)) = arms.split_first() else { return };
        let (pat, guard) = parts(&arm.pat);
        let fits = self.pattern(value, pat);
        let condition = fits.filter(|_| !rest.is_empty() || guard.is_some());
        let (then, guard) = self.apart(|this| {
            if let Pat::Ident(name) = pat {
                this.bind_matched(name, value);
            }
            let guard = guard.map(|guard| this.condition(guard));
            if guard.is_none() {
                this.arm(&arm.body, result);
            }
            guard
        });
        match (condition, guard) {
            (condition, Some(guard)) => self.guarded((value, arm), rest, result, (condition, then, guard)),
            (None, None) => then.into_iter().for_each(|statement| self.push(statement)),
            (Some(condition), None) => {
                let (otherwise, ()) = self.apart(|this| this.arms(value, rest, result));
                self.push(Stmt::If { condition, then, otherwise });
            }
        }
    }

    /// An arm with `if`: what its condition needs is computed before.
    fn guarded(
        &mut self,
        (value, arm): (&Expr, &syn::Arm),
        rest: &[syn::Arm],
        result: &mut Option<Outcome>,
        (condition, before, guard): (Option<Expr>, Vec<Stmt>, Expr),
    ) {
        before.into_iter().for_each(|statement| self.push(statement));
        let condition = match condition {
            Some(condition) => self.joined(Operator::And, condition, guard),
            None => guard,
        };
        let (then, ()) = self.apart(|this| {
            if let Pat::Ident(name) = parts(&arm.pat).0 {
                this.bind_matched(name, value);
            }
            this.arm(&arm.body, result);
        });
        let (otherwise, ()) = self.apart(|this| this.arms(value, rest, result));
        self.push(Stmt::If { condition, then, otherwise });
    }

    fn bind_matched(&mut self, name: &syn::PatIdent, value: &Expr) {
        let text = name.ident.unraw().to_string();
        let local = self.local(&text, value.ty);
        self.push(Stmt::Let { local, value: Some(value.clone()), mutable: name.mutability.is_some() });
        self.bind(text, Name::Local(local));
    }

    fn arm(&mut self, body: &syn::Expr, result: &mut Option<Outcome>) {
        let Some(outcome) = result else { return self.effect(body) };
        let value = match body {
            syn::Expr::Block(block) if block.label.is_none() => self.statements(&block.block.stmts, true),
            syn::Expr::Return(_) | syn::Expr::Break(_) | syn::Expr::Continue(_) => {
                self.effect(body);
                None
            }
            other => Some(self.value(other)),
        };
        if let Some(value) = value {
            self.give(outcome, value, body);
        }
    }

    /// Whether the value fits; `None` for what always does.
    fn pattern(&mut self, value: &Expr, pat: &Pat) -> Option<Expr> {
        match pat {
            Pat::Wild(_) => None,
            Pat::Ident(name) if name.by_ref.is_none() && name.subpat.is_none() => {
                match self.find(&name.ident) {
                    // A constant of the function is compared with, any other name is bound.
                    Some(Name::Number(local, _)) => {
                        let constant = self.local_value(local);
                        Some(self.compared(Operator::Eq, value, constant, pat))
                    }
                    Some(Name::Float(constant)) => Some(self.compared(Operator::Eq, value, constant, pat)),
                    _ => None,
                }
            }
            Pat::Paren(inner) => self.pattern(value, &inner.pat),
            Pat::Lit(lit) => self.equals(value, &syn::Expr::Lit(lit.clone()), pat),
            Pat::Path(path) => self.equals(value, &syn::Expr::Path(path.clone()), pat),
            Pat::Or(cases) => {
                let mut all: Option<Expr> = None;
                for case in &cases.cases {
                    let one = self.pattern(value, case)?;
                    all = Some(match all {
                        Some(before) => self.joined(Operator::Or, before, one),
                        None => one,
                    });
                }
                all
            }
            // A negative number.
            Pat::Verbatim(tokens) => match syn::parse2::<syn::Expr>(tokens.clone()) {
                Ok(number) => self.equals(value, &number, pat),
                Err(_) => self.refuse_pattern(pat),
            },
            Pat::Range(range) => self.within(value, range),
            _ => self.refuse_pattern(pat),
        }
    }

    fn refuse_pattern(&mut self, pat: &Pat) -> Option<Expr> {
        self.error(pat, PATTERNS);
        self.bind_all(pat);
        None
    }

    fn equals(&mut self, value: &Expr, other: &syn::Expr, pat: &Pat) -> Option<Expr> {
        let other = self.operand(other);
        if let (ExprKind::Bool(wanted), Some(Ty::Bool)) = (&other.kind, self.types.get(value.ty)) {
            return Some(match wanted {
                true => value.clone(),
                false => Expr { ty: value.ty, kind: ExprKind::Not(Box::new(value.clone())) },
            });
        }
        Some(self.compared(Operator::Eq, value, other, pat))
    }

    fn within(&mut self, value: &Expr, range: &syn::PatRange) -> Option<Expr> {
        let below = match range.limits {
            syn::RangeLimits::Closed(_) => Operator::Le,
            syn::RangeLimits::HalfOpen(_) => Operator::Lt,
        };
        let ends = [(&range.start, Operator::Ge), (&range.end, below)];
        let mut all: Option<Expr> = None;
        for (end, operator) in ends {
            let Some(end) = end else { continue };
            let bound = self.operand(end);
            let one = self.compared(operator, value, bound, range);
            all = Some(match all {
                Some(before) => self.joined(Operator::And, before, one),
                None => one,
            });
        }
        all
    }

    fn compared(&mut self, operator: Operator, value: &Expr, other: Expr, tokens: impl quote::ToTokens) -> Expr {
        self.unify(other.ty, value.ty, tokens);
        let ty = self.types.known(Ty::Bool);
        Expr { ty, kind: ExprKind::Binary(operator, Box::new(value.clone()), Box::new(other)) }
    }

    fn joined(&mut self, operator: Operator, left: Expr, right: Expr) -> Expr {
        let ty = self.types.known(Ty::Bool);
        Expr { ty, kind: ExprKind::Binary(operator, Box::new(left), Box::new(right)) }
    }
}

/// An arm's pattern and its condition after `if`.
fn parts(pat: &Pat) -> (&Pat, Option<&syn::Expr>) {
    match pat {
        Pat::Guard(guarded) => (&guarded.pat, Some(&guarded.guard)),
        pat => (pat, None),
    }
}
