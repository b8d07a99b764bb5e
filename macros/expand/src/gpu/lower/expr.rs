//! Expressions.

use syn::{BinOp, Lit, UnOp};

use super::Lowerer;
use crate::gpu::infer::TyId;
use crate::gpu::model::{Expr, ExprKind, Operator, Stmt};
use crate::gpu::ty::Ty;

const NO_REFERENCES: &str = "values have no references: use the value itself";

impl Lowerer<'_> {
    pub(super) fn expr(&mut self, expr: &syn::Expr) -> Expr {
        match expr {
            syn::Expr::Lit(lit) => self.literal(lit),
            syn::Expr::Paren(inner) => self.expr(&inner.expr),
            syn::Expr::Group(inner) => self.expr(&inner.expr),
            syn::Expr::Unary(unary) => self.unary(unary),
            syn::Expr::Binary(binary) => self.binary(binary),
            syn::Expr::Cast(cast) => self.cast(cast),
            syn::Expr::MethodCall(call) => self.method(call),
            syn::Expr::Block(block) if block.label.is_some() => self.refuse(expr),
            syn::Expr::Path(_)
            | syn::Expr::Call(_)
            | syn::Expr::Index(_)
            | syn::Expr::Field(_)
            | syn::Expr::If(_)
            | syn::Expr::Match(_)
            | syn::Expr::Block(_)
            | syn::Expr::Tuple(_)
            | syn::Expr::Array(_)
            | syn::Expr::Repeat(_)
            | syn::Expr::Struct(_) => {
                let value = self.value(expr);
                self.scalar(value, expr)
            }
            other => self.refuse(other),
        }
    }

    /// An expression inside of another one, where nothing has effects.
    pub(super) fn operand(&mut self, expr: &syn::Expr) -> Expr {
        let outer = std::mem::replace(&mut self.operand, true);
        let value = self.expr(expr);
        self.operand = outer;
        value
    }

    fn literal(&mut self, lit: &syn::ExprLit) -> Expr {
        match &lit.lit {
            Lit::Int(int) => {
                let Ok(value) = int.base10_parse::<i128>() else { return self.failed() };
                match Ty::of_name(int.suffix()) {
                    Some(ty) if ty.is_float() => self.float_literal(&value.to_string(), Some(ty)),
                    Some(ty) => Expr { ty: self.types.known(ty), kind: ExprKind::Integer(value) },
                    None => Expr { ty: self.types.integer(), kind: ExprKind::Integer(value) },
                }
            }
            Lit::Float(float) => self.float_literal(float.base10_digits(), Ty::of_name(float.suffix())),
            Lit::Bool(value) => Expr { ty: self.types.known(Ty::Bool), kind: ExprKind::Bool(value.value) },
            _ => {
                self.error(lit, "literals are numbers, `true` and `false`");
                self.failed()
            }
        }
    }

    pub(super) fn float_literal(&mut self, digits: &str, ty: Option<Ty>) -> Expr {
        let ty = match ty {
            Some(ty) => self.types.known(ty),
            None => self.types.float(),
        };
        Expr { ty, kind: ExprKind::Float(digits.to_owned()) }
    }

    fn unary(&mut self, unary: &syn::ExprUnary) -> Expr {
        if let UnOp::Deref(token) = &unary.op {
            self.error(token, NO_REFERENCES);
            return self.failed();
        }
        let value = self.operand(&unary.expr);
        let ty = value.ty;
        let known = self.types.get(ty);
        let kind = match (&unary.op, value.kind) {
            (UnOp::Neg(_), ExprKind::Integer(number)) => ExprKind::Integer(-number),
            (UnOp::Neg(token), kind) => {
                if known.is_some_and(|ty| !ty.is_signed()) {
                    self.error(token, format!("{} has no negative values", self.types.describe(ty)));
                }
                ExprKind::Negate(Box::new(Expr { ty, kind }))
            }
            (_, kind) => {
                if known.is_some_and(Ty::is_float) {
                    self.error(unary.op, "`!` is for bools and integers");
                }
                ExprKind::Not(Box::new(Expr { ty, kind }))
            }
        };
        Expr { ty, kind }
    }

    fn binary(&mut self, binary: &syn::ExprBinary) -> Expr {
        let Some(operator) = operator(&binary.op) else {
            self.error(binary.op, "an assignment has no value: write it as a statement");
            return self.failed();
        };
        let left = self.operand(&binary.left);
        if operator.is_logical() {
            return self.logical(operator, left, binary);
        }
        let right = self.operand(&binary.right);
        if !operator.is_shift() {
            self.unify(right.ty, left.ty, binary.op);
        }
        self.check_operator(operator, &left, binary);
        let ty = if operator.is_comparison() { self.types.known(Ty::Bool) } else { left.ty };
        Expr { ty, kind: ExprKind::Binary(operator, Box::new(left), Box::new(right)) }
    }

    fn check_operator(&mut self, operator: Operator, left: &Expr, binary: &syn::ExprBinary) {
        use Operator::{Add, BitAnd, BitOr, BitXor, Div, Mul, Rem, Shl, Shr, Sub};
        let Some(ty) = self.types.get(left.ty) else { return };
        let fits = match operator {
            Add | Sub | Mul | Div | Rem => ty != Ty::Bool,
            BitAnd | BitOr | BitXor => !ty.is_float(),
            Shl | Shr => ty.is_integer(),
            _ => true,
        };
        if !fits {
            self.error(binary.op, format!("`{}` is not for `{}`", operator.symbol(), ty.name()));
        }
    }

    /// `&&` and `||`: the right side's statements run only where it counts.
    fn logical(&mut self, operator: Operator, left: Expr, binary: &syn::ExprBinary) -> Expr {
        let (mut statements, right) = self.apart(|this| this.operand(&binary.right));
        let boolean = self.types.known(Ty::Bool);
        self.unify(left.ty, boolean, &binary.left);
        self.unify(right.ty, boolean, &binary.right);
        if statements.is_empty() {
            return Expr { ty: boolean, kind: ExprKind::Binary(operator, Box::new(left), Box::new(right)) };
        }
        let local = self.open_local();
        self.unify(self.body.locals[local.0].ty, boolean, binary);
        self.push(Stmt::Assign(local, left));
        statements.push(Stmt::Assign(local, right));
        let value = self.local_value(local);
        let condition = match operator {
            Operator::And => value.clone(),
            _ => Expr { ty: boolean, kind: ExprKind::Not(Box::new(value.clone())) },
        };
        self.push(Stmt::If { condition, then: statements, otherwise: Vec::new() });
        value
    }

    fn cast(&mut self, cast: &syn::ExprCast) -> Expr {
        let value = self.operand(&cast.expr);
        match self.type_named(&cast.ty) {
            Some(ty) => self.cast_to(value, ty),
            None => self.failed(),
        }
    }

    /// The value as this type; a float's literal becomes one of the type.
    pub(super) fn cast_to(&mut self, value: Expr, to: Ty) -> Expr {
        let ty = self.types.known(to);
        let kind = match &value.kind {
            ExprKind::Integer(number) if to.is_float() => float_kind(ty, &number.to_string()),
            ExprKind::Integer(number) if to.is_integer() && (to.limits().0..=to.limits().1).contains(number) => {
                ExprKind::Integer(*number)
            }
            _ => match float_digits(&value) {
                Some(digits) if to.is_float() => float_kind(ty, &digits),
                _ => ExprKind::Cast(Box::new(value)),
            },
        };
        Expr { ty, kind }
    }

    /// What has no translation, with what to write instead.
    pub(super) fn refuse(&mut self, expr: &syn::Expr) -> Expr {
        match expr {
            syn::Expr::Let(found) => {
                self.error(found.let_token, "there are no patterns: compare the value");
                self.bind_all(&found.pat);
            }
            syn::Expr::Closure(found) => self.error(found, "there are no closures: write the code in place"),
            syn::Expr::Macro(found) => self.error(&found.mac.path, super::stmt::NO_MACROS),
            syn::Expr::Reference(found) => self.error(found.and_token, NO_REFERENCES),
            syn::Expr::Try(found) => self.error(found.question_token, "a GPU kernel cannot fail: there is no `?`"),
            syn::Expr::Unsafe(found) => self.error(found.unsafe_token, "a kernel is safe code"),
            syn::Expr::Loop(found) => {
                self.error(found.loop_token, "loops have no value: assign it to a variable before `break`");
            }
            syn::Expr::Range(_) => self.error(expr, "ranges stand in `for` only"),
            _ => self.error(expr, "this expression is not among those of GPU kernels"),
        }
        self.failed()
    }
}

fn operator(op: &BinOp) -> Option<Operator> {
    Some(match op {
        BinOp::Add(_) => Operator::Add,
        BinOp::Sub(_) => Operator::Sub,
        BinOp::Mul(_) => Operator::Mul,
        BinOp::Div(_) => Operator::Div,
        BinOp::Rem(_) => Operator::Rem,
        BinOp::And(_) => Operator::And,
        BinOp::Or(_) => Operator::Or,
        BinOp::BitXor(_) => Operator::BitXor,
        BinOp::BitAnd(_) => Operator::BitAnd,
        BinOp::BitOr(_) => Operator::BitOr,
        BinOp::Shl(_) => Operator::Shl,
        BinOp::Shr(_) => Operator::Shr,
        BinOp::Eq(_) => Operator::Eq,
        BinOp::Lt(_) => Operator::Lt,
        BinOp::Le(_) => Operator::Le,
        BinOp::Ne(_) => Operator::Ne,
        BinOp::Ge(_) => Operator::Ge,
        BinOp::Gt(_) => Operator::Gt,
        _ => return None,
    })
}

/// A literal with a sign.
fn float_kind(ty: TyId, digits: &str) -> ExprKind {
    match digits.strip_prefix('-') {
        Some(positive) => ExprKind::Negate(Box::new(Expr { ty, kind: ExprKind::Float(positive.to_owned()) })),
        None => ExprKind::Float(digits.to_owned()),
    }
}

/// The digits of a float's literal, with its sign.
pub(super) fn float_digits(value: &Expr) -> Option<String> {
    match &value.kind {
        ExprKind::Float(digits) => Some(digits.clone()),
        ExprKind::Negate(inner) => float_digits(inner).map(|digits| match digits.strip_prefix('-') {
            Some(positive) => positive.to_owned(),
            None => format!("-{digits}"),
        }),
        _ => None,
    }
}
