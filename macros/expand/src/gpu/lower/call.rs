//! Calls of methods and functions.

use super::Lowerer;
use super::place::{Leaf, Value, ValueType};
use super::value::Found;
use crate::gpu::builtin::{ATOMICS, Builtin, FROM_BITS, FUNCTIONS, Gives, METHODS, POSITIONS, SUBGROUP, Takes};
use crate::gpu::model::{Expr, ExprKind, Memory};
use crate::gpu::ty::Ty;
use crate::text::guess;

impl Lowerer<'_> {
    pub(super) fn method(&mut self, call: &syn::ExprMethodCall) -> Expr {
        let name = call.method.to_string();
        if name == "len" && call.args.is_empty() {
            return self.array_length(call);
        }
        let is_known = METHODS.iter().any(|method| method.name == name);
        if !is_known && !matches!(name.as_str(), "as_" | "clone") {
            return self.unknown_method(&call.method);
        }
        let receiver = self.operand(&call.receiver);
        match (name.as_str(), call.args.len()) {
            ("as_", 0) => {
                let ty = self.types.any();
                self.unknown.push((ty, quote::ToTokens::to_token_stream(&call.method)));
                Expr { ty, kind: ExprKind::Cast(Box::new(receiver)) }
            }
            ("clone", 0) => receiver,
            _ => match METHODS.iter().find(|method| method.name == name) {
                Some(method) => {
                    let arguments: Vec<&syn::Expr> = call.args.iter().collect();
                    self.builtin(method, receiver, &arguments, &call.method)
                }
                None => self.unknown_method(&call.method),
            },
        }
    }

    fn unknown_method(&mut self, method: &syn::Ident) -> Expr {
        let name = method.to_string();
        let near = guess(&name, METHODS.iter().map(|method| method.name));
        let all: Vec<&str> = METHODS.iter().map(|method| method.name).collect();
        self.error(method, format!("there is no method `{name}`{near}\nthe methods are {}", all.join(", ")));
        self.failed()
    }

    fn array_length(&mut self, call: &syn::ExprMethodCall) -> Expr {
        let ty = self.types.known(Ty::Usize);
        let Found::Place(place) = self.place(&call.receiver) else {
            self.error(&call.receiver, "only arrays have a length");
            return self.failed();
        };
        let kind = match (&place.ty, place.whole_array()) {
            (_, Some(Leaf::Array(array))) if matches!(self.body.arrays[array.0].place, Memory::Buffer { .. }) => {
                ExprKind::Length(array)
            }
            (ValueType::Array(_, length), _) => ExprKind::Integer(i128::from(*length)),
            _ => {
                self.error(&call.receiver, "only arrays have a length");
                return self.failed();
            }
        };
        Expr { ty, kind }
    }

    /// A function of the table, its receiver read.
    fn builtin(
        &mut self,
        function: &'static Builtin,
        receiver: Expr,
        arguments: &[&syn::Expr],
        name: &syn::Ident,
    ) -> Expr {
        if arguments.len() + 1 != function.arity {
            let count = function.arity - 1;
            self.error(name, format!("`{}` takes {count} arguments besides its receiver", function.name));
            return self.failed();
        }
        let ty = receiver.ty;
        let class = function.class;
        match self.types.get(ty) {
            Some(known) if !class.has(known) => {
                let message = format!("`{}` is for {}, not for `{}`", function.name, class.words(), known.name());
                self.error(name, message);
            }
            None => self.error(name, "the type that this is called on is not known: write it in a `let` before"),
            Some(_) => {}
        }
        let mut values = vec![receiver];
        for argument in arguments {
            let value = self.operand(without_reference(argument));
            let wanted = match function.takes {
                Takes::Same => ty,
                Takes::I32 => self.types.known(Ty::I32),
                Takes::U32 => self.types.known(Ty::U32),
            };
            self.unify(value.ty, wanted, argument);
            values.push(value);
        }
        self.called(function, ty, values)
    }

    fn called(&mut self, function: &'static Builtin, ty: crate::gpu::infer::TyId, mut values: Vec<Expr>) -> Expr {
        let is_integer = self.types.get(ty).is_some_and(Ty::is_integer);
        let gives = match function.gives {
            Gives::Same => ty,
            Gives::Bool => self.types.known(Ty::Bool),
            Gives::U32 => self.types.known(Ty::U32),
            Gives::F32 => self.types.known(Ty::F32),
        };
        let kind = match function.name {
            "is_nan_value" if is_integer => ExprKind::Bool(false),
            "to_f32" => ExprKind::Cast(Box::new(values.remove(0))),
            _ => ExprKind::Call(function, values),
        };
        Expr { ty: gives, kind }
    }

    /// A call of a function of the body, or of one that every body has.
    pub(super) fn call_value(&mut self, call: &syn::ExprCall) -> Value {
        let Some(function) = self.function_named(call) else { return Value::Scalar(self.call(call)) };
        let value = self.inline(&function, call);
        value.unwrap_or_else(|| {
            self.error(&call.func, "this function gives no value: call it as a statement");
            Value::Scalar(self.failed())
        })
    }

    fn call(&mut self, call: &syn::ExprCall) -> Expr {
        let syn::Expr::Path(path) = &*call.func else {
            self.error(&call.func, "only functions are called, by their paths");
            return self.failed();
        };
        let arguments: Vec<&syn::Expr> = call.args.iter().collect();
        if let Some((ty, name)) = self.type_and_name(path) {
            return self.of_type(ty, &name, &arguments, path);
        }
        let Some(name) = path.path.segments.last().map(|last| &last.ident) else { return self.failed() };
        if let Some(function) = SUBGROUP.iter().find(|function| name == function.name) {
            return self.subgroup(function, &arguments, name);
        }
        if let (Some(function), Some((first, rest))) =
            (FUNCTIONS.iter().find(|function| name == function.name), arguments.split_first())
        {
            let receiver = self.operand(first);
            let ty = self.types.known(Ty::U32);
            self.unify(receiver.ty, ty, first);
            return self.builtin(function, receiver, rest, name);
        }
        let text = name.to_string();
        if ATOMICS.iter().any(|update| update.0 == text) {
            self.error(name, format!("`{text}` is a statement: `{text}(&mut array[index], value);`"));
        } else if POSITIONS.contains(&text.as_str()) {
            self.error(name, format!("`{text}()` has three parts: write `{text}().x`"));
        } else if text == "barrier" || text == "shared" {
            let form = if text == "barrier" { "a statement: `barrier();`" } else { "made in a `let` of its own" };
            self.error(name, format!("`{text}` is {form}"));
        } else if text == "grid_stride" {
            self.error(name, "`grid_stride` stands in `for` only: `for i in grid_stride(count) { … }`");
        } else {
            let message = format!(
                "the function `{text}` is not known here: mark it with #[device_fn], or use the methods of numbers and \
                 the functions of `gpu`"
            );
            self.error(&path.path, message);
        }
        self.failed()
    }

    /// Subgroups have all their threads where an expression of a whole function is; inside of `&&` and `if` they may
    /// not.
    fn subgroup(&mut self, function: &'static Builtin, arguments: &[&syn::Expr], name: &syn::Ident) -> Expr {
        self.grid_only(name, "a subgroup");
        let Some((first, rest)) = arguments.split_first() else {
            self.error(name, format!("`{}` takes a value", function.name));
            return self.failed();
        };
        let receiver = self.operand(first);
        self.builtin(function, receiver, rest, name)
    }

    /// `Type::name(arguments)`: a constant, a conversion, or a method.
    fn of_type(&mut self, ty: Ty, name: &str, arguments: &[&syn::Expr], path: &syn::ExprPath) -> Expr {
        if arguments.is_empty()
            && let Some(constant) = self.constant(ty, name)
        {
            return constant;
        }
        if let (Ty::F32, "from_bits", [argument]) = (ty, name, arguments) {
            let value = self.operand(argument);
            let word = self.types.known(Ty::U32);
            self.unify(value.ty, word, argument);
            return self.called(FROM_BITS, word, vec![value]);
        }
        if let ("from_f32" | "from" | "from_f64" | "from_float" | "from_int", [argument]) = (name, arguments) {
            let value = self.operand(argument);
            let from = match name {
                "from_f32" => Some(Ty::F32),
                "from_f64" | "from_float" => Some(Ty::F64),
                "from_int" => Some(Ty::I64),
                _ => None,
            };
            if let Some(from) = from {
                let from = self.types.known(from);
                self.unify(value.ty, from, argument);
            }
            return self.cast_to(value, ty);
        }
        let method = METHODS.iter().find(|method| method.name == name);
        let last = path.path.segments.last().map(|last| &last.ident);
        if let (Some(method), Some((first, rest)), Some(last)) = (method, arguments.split_first(), last) {
            let receiver = self.operand(without_reference(first));
            let wanted = self.types.known(ty);
            self.unify(receiver.ty, wanted, first);
            return self.builtin(method, receiver, rest, last);
        }
        self.error(path, format!("`{}` has no function `{name}` on a GPU", ty.name()));
        self.failed()
    }
}

/// Methods of generic integers take their arguments by reference.
fn without_reference(expr: &syn::Expr) -> &syn::Expr {
    match expr {
        syn::Expr::Reference(reference) => &reference.expr,
        other => other,
    }
}
