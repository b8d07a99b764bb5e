//! Expressions.

use syn::{BinOp, Lit, Member, UnOp};

use super::{Lowerer, Name};
use crate::gpu::builtin::POSITIONS;
use crate::gpu::model::{ArrayId, Expr, ExprKind, Operator, Stmt};
use crate::gpu::ty::Ty;

const NO_REFERENCES: &str = "values have no references: use the value itself";

impl Lowerer<'_> {
    pub(super) fn expr(&mut self, expr: &syn::Expr) -> Expr {
        match expr {
            syn::Expr::Lit(lit) => self.literal(lit),
            syn::Expr::Path(path) => self.path(path),
            syn::Expr::Paren(inner) => self.expr(&inner.expr),
            syn::Expr::Group(inner) => self.expr(&inner.expr),
            syn::Expr::Unary(unary) => self.unary(unary),
            syn::Expr::Binary(binary) => self.binary(binary),
            syn::Expr::Cast(cast) => self.cast(cast),
            syn::Expr::MethodCall(call) => self.method(call),
            syn::Expr::Call(call) => self.call(call),
            syn::Expr::Index(index) => match self.element(index) {
                Some((array, at)) => {
                    Expr { ty: self.body.arrays[array.0].element, kind: ExprKind::Load(array, Box::new(at)) }
                }
                None => self.failed(),
            },
            syn::Expr::Field(field) => self.field(field),
            syn::Expr::If(branch) => self.if_value(branch),
            syn::Expr::Match(found) => self.match_value(found),
            syn::Expr::Block(block) if block.label.is_none() => self.block_value(&block.block),
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
        match value.kind {
            ExprKind::Float(digits) if to.is_float() => Expr { ty, kind: ExprKind::Float(digits) },
            kind => Expr { ty, kind: ExprKind::Cast(Box::new(Expr { ty: value.ty, kind })) },
        }
    }

    /// `name[index]`.
    pub(super) fn element(&mut self, found: &syn::ExprIndex) -> Option<(ArrayId, Expr)> {
        let array = self.array_named(&found.expr);
        if array.is_none() {
            self.error(&found.expr, "only buffers, shared arrays and own arrays are indexed, by their names");
        }
        if let syn::Expr::Range(range) = &*found.index {
            self.error(range, "there are no slices: index single elements");
            return None;
        }
        let index = self.operand(&found.index);
        let usize_type = self.types.known(Ty::Usize);
        self.unify(index.ty, usize_type, &found.index);
        Some((array?, index))
    }

    /// The array that a name stands for.
    pub(super) fn array_named(&self, expr: &syn::Expr) -> Option<ArrayId> {
        match expr {
            syn::Expr::Paren(inner) => self.array_named(&inner.expr),
            syn::Expr::Path(path) => match self.find(path.path.get_ident()?)? {
                Name::Array(array) => Some(array),
                _ => None,
            },
            _ => None,
        }
    }

    /// `thread_index().x` and its like.
    fn field(&mut self, field: &syn::ExprField) -> Expr {
        let direction = match &field.member {
            Member::Named(name) => ["x", "y", "z"].iter().position(|direction| name == direction),
            Member::Unnamed(_) => None,
        };
        let position = match &*field.base {
            syn::Expr::Call(call) => super::path::function_name(&call.func),
            _ => None,
        };
        let position = position.and_then(|name| POSITIONS.iter().find(|known| name == **known));
        if let (Some(direction), Some(position)) = (direction, position) {
            self.grid_only(&field.base, position);
            return Expr { ty: self.types.known(Ty::Usize), kind: ExprKind::Position(position, direction) };
        }
        self.error(
            &field.member,
            "the only fields are `x`, `y` and `z` of `thread_index()`, `block_index()`, `block_dim()` and `grid_dim()`",
        );
        self.failed()
    }

    fn if_value(&mut self, branch: &syn::ExprIf) -> Expr {
        let condition = self.condition(&branch.cond);
        let Some((_, other)) = &branch.else_branch else {
            self.error(branch.if_token, "an `if` that gives a value has an `else`");
            return self.failed();
        };
        let local = self.open_local();
        let ty = self.body.locals[local.0].ty;
        let (then, ()) = self.apart(|this| {
            if let Some(value) = this.statements(&branch.then_branch.stmts, true) {
                this.unify(value.ty, ty, &branch.then_branch);
                this.push(Stmt::Assign(local, value));
            }
        });
        let (otherwise, ()) = self.apart(|this| {
            let value = match &**other {
                syn::Expr::Block(block) => this.statements(&block.block.stmts, true),
                other => Some(this.expr(other)),
            };
            if let Some(value) = value {
                this.unify(value.ty, ty, other);
                this.push(Stmt::Assign(local, value));
            }
        });
        self.push(Stmt::If { condition, then, otherwise });
        self.local_value(local)
    }

    fn block_value(&mut self, block: &syn::Block) -> Expr {
        self.scopes.push(Vec::new());
        let value = self.statements(&block.stmts, true);
        self.scopes.pop();
        value.unwrap_or_else(|| self.failed())
    }

    /// What has no translation, with what to write instead.
    fn refuse(&mut self, expr: &syn::Expr) -> Expr {
        match expr {
            syn::Expr::Let(found) => {
                self.error(found.let_token, "there are no patterns: compare the value");
                self.bind_all(&found.pat);
            }
            syn::Expr::Closure(found) => self.error(found, "there are no closures: write the code in place"),
            syn::Expr::Macro(found) => self.error(&found.mac.path, super::stmt::NO_MACROS),
            syn::Expr::Reference(found) => self.error(found.and_token, NO_REFERENCES),
            syn::Expr::Try(found) => self.error(found.question_token, "a GPU kernel cannot fail: there is no `?`"),
            syn::Expr::Tuple(found) => self.error(found, "there are no tuples: use a variable for each value"),
            syn::Expr::Struct(found) => self.error(&found.path, "there are no structs: use a variable for each field"),
            syn::Expr::Unsafe(found) => self.error(found.unsafe_token, "a kernel is safe code"),
            syn::Expr::Loop(found) => {
                self.error(found.loop_token, "loops have no value: assign it to a variable before `break`");
            }
            syn::Expr::Array(_) | syn::Expr::Repeat(_) => {
                self.error(expr, "an array is made in a `let` of its own: `let mut name = [value; length]`");
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
