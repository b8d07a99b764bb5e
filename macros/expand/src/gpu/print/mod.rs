//! From the model to text. Statements are alike in both languages; what differs is in [`Dialect`].

pub(crate) mod cuda;
mod cuda_helpers;
pub(crate) mod wgsl;
mod wgsl_helpers;
pub(crate) mod wgsl_words;

use super::builtin::Builtin;
use super::infer::{TyId, Types};
use super::model::{Array, ArrayId, Body, Expr, ExprKind, LocalId, Memory, Operator, Stmt, Update};
use super::ty::Ty;

/// A value's text with its type.
#[derive(Clone)]
pub(crate) struct Value {
    pub(crate) text: String,
    pub(crate) ty: Ty,
}

/// One language.
pub(crate) trait Dialect {
    fn integer(&mut self, ty: Ty, value: i128) -> String;
    fn float(&mut self, ty: Ty, digits: &str) -> String;
    fn constant(&mut self, ty: Ty, name: &str) -> String;
    /// A variable; `init` is absent where it is assigned later.
    fn variable(&mut self, name: &str, ty: Ty, init: Option<&str>, mutable: bool) -> String;
    /// An array of a thread's own.
    fn own_array(&mut self, name: &str, ty: Ty, length: u32) -> String;
    fn count(&mut self, name: &str, ty: Ty, start: &str) -> String;
    fn endless(&self) -> &'static str;
    fn load(&mut self, array: &Array, ty: Ty, index: &str) -> String;
    fn store(&mut self, array: &Array, ty: Ty, index: &str, value: &str) -> String;
    /// Changes an element, given by its index and a value atomically.
    fn atomic(&mut self, array: &Array, ty: Ty, update: Update, parts: (&str, &str)) -> String;
    fn length(&mut self, array: &Array) -> String;
    fn binary(&mut self, operator: Operator, left: &Value, right: &Value) -> String;
    fn negate(&mut self, value: &Value) -> String;
    fn not(&mut self, value: &Value) -> String;
    fn cast(&mut self, value: &Value, to: Ty) -> String;
    fn call(&mut self, function: &Builtin, arguments: &[Value]) -> String;
    fn position(&mut self, name: &str, direction: usize) -> String;
    fn barrier(&self) -> &'static str;
}

/// Writes one body.
pub(crate) struct Printer<'a, D> {
    pub(crate) body: &'a Body,
    pub(crate) types: &'a Types,
    pub(crate) dialect: D,
    text: String,
    depth: usize,
}

impl<'a, D: Dialect> Printer<'a, D> {
    pub(crate) fn new(body: &'a Body, types: &'a Types, dialect: D) -> Self {
        Self { body, types, dialect, text: String::new(), depth: 1 }
    }

    /// The body's statements, and the dialect with what they need.
    pub(crate) fn print(mut self) -> (String, D) {
        self.block(&self.body.statements);
        (self.text, self.dialect)
    }

    fn line(&mut self, line: &str) {
        self.text.push_str(&"    ".repeat(self.depth));
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn block(&mut self, statements: &'a [Stmt]) {
        statements.iter().for_each(|statement| self.statement(statement));
    }

    fn nested(&mut self, statements: &'a [Stmt]) {
        self.depth += 1;
        self.block(statements);
        self.depth -= 1;
    }

    fn ty(&self, id: TyId) -> Ty {
        self.types.of(id)
    }

    fn name(&self, local: LocalId) -> &'a str {
        &self.body.locals[local.0].name
    }

    fn array(&self, array: ArrayId) -> &'a Array {
        &self.body.arrays[array.0]
    }

    fn statement(&mut self, statement: &'a Stmt) {
        match statement {
            Stmt::Let { local, value, mutable } => {
                let value = value.as_ref().map(|value| self.expr(value));
                let ty = self.ty(self.body.locals[local.0].ty);
                let line = self.dialect.variable(self.name(*local), ty, value.as_deref(), *mutable);
                self.line(&line);
            }
            Stmt::OwnArray { array, values } => self.own_array(*array, values),
            Stmt::Assign(local, value) => {
                let value = self.expr(value);
                self.line(&format!("{} = {value};", self.name(*local)));
            }
            Stmt::Store { array, index, value } => {
                let (index, value) = (self.expr(index), self.expr(value));
                let array = self.array(*array);
                let line = self.dialect.store(array, self.ty(array.element), &index, &value);
                self.line(&line);
            }
            Stmt::Atomic { array, update, index, value } => {
                let (index, value) = (self.expr(index), self.expr(value));
                let array = self.array(*array);
                let line = self.dialect.atomic(array, self.ty(array.element), *update, (&index, &value));
                self.line(&line);
            }
            Stmt::If { condition, then, otherwise } => self.branch(condition, then, otherwise),
            Stmt::Loop(body) => {
                self.line(&format!("{} {{", self.dialect.endless()));
                self.nested(body);
                self.line("}");
            }
            Stmt::For { local, start, end, step, body } => self.count(*local, (start, end, step.as_ref()), body),
            Stmt::Break => self.line("break;"),
            Stmt::Continue => self.line("continue;"),
            Stmt::Return(None) => self.line("return;"),
            Stmt::Return(Some(value)) => {
                let value = self.expr(value);
                self.line(&format!("return {value};"));
            }
            Stmt::Barrier => self.line(self.dialect.barrier()),
        }
    }

    fn own_array(&mut self, array: ArrayId, values: &'a [Expr]) {
        let Array { name, element, place } = self.array(array);
        let (ty, Memory::Own(length)) = (self.ty(*element), *place) else { return };
        let line = self.dialect.own_array(name, ty, length);
        self.line(&line);
        let [value] = values else {
            for (at, value) in values.iter().enumerate() {
                let value = self.expr(value);
                let index = self.dialect.integer(Ty::U32, at as i128);
                self.line(&format!("{name}[{index}] = {value};"));
            }
            return;
        };
        let value = self.expr(value);
        let (index, zero) = (format!("{name}_at"), self.dialect.integer(Ty::U32, 0));
        let (count, end) =
            (self.dialect.count(&index, Ty::U32, &zero), self.dialect.integer(Ty::U32, i128::from(length)));
        self.line(&format!("for ({count}; {index} < {end}; {index}++) {{"));
        self.line(&format!("    {name}[{index}] = {value};"));
        self.line("}");
    }

    fn branch(&mut self, condition: &'a Expr, then: &'a [Stmt], otherwise: &'a [Stmt]) {
        let condition = self.expr(condition);
        self.line(&format!("if ({}) {{", unwrapped(&condition)));
        self.nested(then);
        if !otherwise.is_empty() {
            self.line("} else {");
            self.nested(otherwise);
        }
        self.line("}");
    }

    fn count(&mut self, local: LocalId, range: (&'a Expr, &'a Expr, Option<&'a Expr>), body: &'a [Stmt]) {
        let (name, ty) = (self.name(local), self.ty(self.body.locals[local.0].ty));
        let (start, end) = (self.expr(range.0), self.expr(range.1));
        let step = match range.2 {
            None => self.dialect.integer(ty, 1),
            Some(step) => {
                let value = Value { text: self.expr(step), ty: self.ty(step.ty) };
                self.dialect.cast(&value, ty)
            }
        };
        let first = self.dialect.count(name, ty, &start);
        self.line(&format!("for ({first}; {name} < {end}; {name} += {step}) {{"));
        self.nested(body);
        self.line("}");
    }

    fn value(&mut self, expr: &'a Expr) -> Value {
        Value { text: self.expr(expr), ty: self.ty(expr.ty) }
    }

    fn expr(&mut self, expr: &'a Expr) -> String {
        let ty = self.ty(expr.ty);
        match &expr.kind {
            ExprKind::Integer(value) => self.dialect.integer(ty, *value),
            ExprKind::Float(digits) => self.dialect.float(ty, digits),
            ExprKind::Bool(value) => value.to_string(),
            ExprKind::Constant(name) => self.dialect.constant(ty, name),
            ExprKind::Local(local) => self.name(*local).to_owned(),
            ExprKind::Load(array, index) => {
                let index = self.expr(index);
                self.dialect.load(self.array(*array), ty, unwrapped(&index))
            }
            ExprKind::Length(array) => self.dialect.length(self.array(*array)),
            ExprKind::Not(value) => {
                let value = self.value(value);
                self.dialect.not(&value)
            }
            ExprKind::Negate(value) => {
                let value = self.value(value);
                self.dialect.negate(&value)
            }
            ExprKind::Binary(operator, left, right) => {
                let (left, right) = (self.value(left), self.value(right));
                self.dialect.binary(*operator, &left, &right)
            }
            ExprKind::Cast(value) => {
                let value = self.value(value);
                self.dialect.cast(&value, ty)
            }
            ExprKind::Call(function, arguments) => {
                let arguments: Vec<Value> = arguments.iter().map(|argument| self.value(argument)).collect();
                self.dialect.call(function, &arguments)
            }
            ExprKind::Position(name, direction) => self.dialect.position(name, *direction),
        }
    }
}

/// The text without the parentheses around all of it.
fn unwrapped(text: &str) -> &str {
    let Some(inner) = text.strip_prefix('(').and_then(|text| text.strip_suffix(')')) else { return text };
    let mut depth = 0_i32;
    for c in inner.chars() {
        depth += i32::from(c == '(') - i32::from(c == ')');
        if depth < 0 {
            return text;
        }
    }
    inner
}

/// Digits with a point or an exponent.
fn with_point(digits: &str) -> String {
    if digits.contains(['.', 'e', 'E']) {
        digits.trim_end_matches('.').to_owned() + trailing(digits)
    } else {
        format!("{digits}.0")
    }
}

fn trailing(digits: &str) -> &'static str {
    if digits.ends_with('.') { ".0" } else { "" }
}

/// The digits of a float's constant; `None` for infinities and NaN.
fn digits_of(ty: Ty, name: &str) -> Option<&'static str> {
    Some(match (name, ty) {
        ("max", Ty::F16) => "65504.0",
        ("max", Ty::BF16) => "3.3895314e38",
        ("max", Ty::F32) => "3.4028235e38",
        ("max", _) => "1.7976931348623157e308",
        ("min", Ty::F16) => "-65504.0",
        ("min", Ty::BF16) => "-3.3895314e38",
        ("min", Ty::F32) => "-3.4028235e38",
        ("min", _) => "-1.7976931348623157e308",
        ("epsilon", Ty::F16) => "9.765625e-4",
        ("epsilon", Ty::BF16) => "0.0078125",
        ("epsilon", Ty::F32) => "1.1920929e-7",
        ("epsilon", _) => "2.220446049250313e-16",
        ("min_positive", Ty::F16) => "6.103515625e-5",
        ("min_positive", Ty::BF16 | Ty::F32) => "1.17549435e-38",
        ("min_positive", _) => "2.2250738585072014e-308",
        _ => return None,
    })
}
