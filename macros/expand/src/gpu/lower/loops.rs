//! Loops: `while`, `for` over ranges, `for` over the elements of a grid.

use syn::Pat;
use syn::ext::IdentExt;

use super::{Lowerer, Name};
use crate::gpu::model::{Expr, ExprKind, Operator, Stmt};
use crate::gpu::ty::Ty;

impl Lowerer<'_> {
    pub(super) fn while_statement(&mut self, repeated: &syn::ExprWhile) {
        self.no_label(repeated.label.as_ref());
        let (mut check, condition) = self.apart(|this| this.condition(&repeated.cond));
        let stop = Expr { ty: condition.ty, kind: ExprKind::Not(Box::new(condition)) };
        check.push(Stmt::If { condition: stop, then: vec![Stmt::Break], otherwise: Vec::new() });
        let (body, ()) = self.repeated(&repeated.body);
        check.extend(body);
        self.push(Stmt::Loop(check));
    }

    /// A loop's body.
    pub(super) fn repeated(&mut self, body: &syn::Block) -> (Vec<Stmt>, ()) {
        self.loops += 1;
        let (body, _) = self.apart(|this| this.statements(&body.stmts, false));
        self.loops -= 1;
        (body, ())
    }

    pub(super) fn for_statement(&mut self, repeated: &syn::ExprForLoop) {
        self.no_label(repeated.label.as_ref());
        if let syn::Expr::Call(call) = &*repeated.expr
            && super::path::function_name(&call.func).is_some_and(|name| name == "grid_stride")
        {
            return self.grid_stride(repeated, call);
        }
        let Some((start, end, step)) = self.range(&repeated.expr) else { return };
        let Some(name) = self.loop_variable(&repeated.pat) else { return };
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

    /// The name of a loop's variable, unless it is `_`.
    #[allow(clippy::option_option, reason = "no name is not the same as a mistake")]
    fn loop_variable<'p>(&mut self, pat: &'p Pat) -> Option<Option<&'p syn::Ident>> {
        match pat {
            Pat::Ident(name) if name.mutability.is_none() && name.by_ref.is_none() => Some(Some(&name.ident)),
            Pat::Wild(_) => Some(None),
            pat => {
                self.error(pat, "the variable of a `for` is one name, without `mut`");
                None
            }
        }
    }

    /// `for i in grid_stride(count)`: the numbers below `count` that are this thread's.
    fn grid_stride(&mut self, repeated: &syn::ExprForLoop, call: &syn::ExprCall) {
        self.grid_only(&call.func, "`grid_stride`");
        let (Some(count), 1) = (call.args.first(), call.args.len()) else {
            return self.error(call, "write `grid_stride(count)`, with the number of elements");
        };
        let Some(name) = self.loop_variable(&repeated.pat) else { return };
        let read = self.expr(count);
        let index = self.types.known(Ty::Usize);
        let ty = match self.types.get(read.ty) {
            Some(Ty::U32) => Ty::U32,
            _ => {
                if self.types.unify(read.ty, index).is_err() {
                    let found = self.types.describe(read.ty);
                    return self.error(count, format!("`grid_stride` counts in `usize` or `u32`, this is {found}"));
                }
                Ty::Usize
            }
        };
        let (start, step) = self.grid_positions();
        let end = self.cast_to(read, Ty::Usize);
        let (end, step) = (self.fixed(end), self.fixed(step));
        let text = name.map_or_else(|| "step".to_owned(), |name| name.unraw().to_string());
        let local = self.local(&text, index);
        self.scopes.push(Vec::new());
        let mut body = Vec::new();
        let bound = if ty == Ty::Usize {
            local
        } else {
            let value = self.local_value(local);
            let value = self.cast_to(value, ty);
            let bound = self.local(&text, value.ty);
            body.push(Stmt::Let { local: bound, value: Some(value), mutable: false });
            bound
        };
        if name.is_some() {
            self.bind(text, Name::Local(bound));
        }
        body.extend(self.repeated(&repeated.body).0);
        self.scopes.pop();
        self.push(Stmt::For { local, start, end, step: Some(step), body });
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
