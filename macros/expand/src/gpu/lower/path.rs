//! Names and paths: variables, and constants of types.

use syn::ext::IdentExt;

use super::{Lowerer, Name};
use crate::gpu::model::{Expr, ExprKind};
use crate::gpu::ty::Ty;
use crate::text::guess;

/// Constants of the module `consts`, with their digits.
const NUMBERS: &[(&str, &str)] = &[
    ("E", "2.718281828459045"),
    ("PI", "3.141592653589793"),
    ("TAU", "6.283185307179586"),
    ("FRAC_PI_2", "1.5707963267948966"),
    ("FRAC_PI_4", "0.7853981633974483"),
    ("FRAC_1_PI", "0.3183098861837907"),
    ("FRAC_2_SQRT_PI", "1.1283791670955126"),
    ("FRAC_1_SQRT_2", "0.7071067811865476"),
    ("SQRT_2", "1.4142135623730951"),
    ("LN_2", "0.6931471805599453"),
    ("LN_10", "2.302585092994046"),
    ("LOG2_E", "1.4426950408889634"),
    ("LOG10_E", "0.4342944819032518"),
];

/// Constants of types, as `T::NAME` or `T::function()`, and whether only floats have them.
const OF_TYPES: &[(&str, &str, bool)] = &[
    ("LOWEST", "lowest", false),
    ("HIGHEST", "highest", false),
    ("MIN", "min", false),
    ("MAX", "max", false),
    ("min_value", "min", false),
    ("max_value", "max", false),
    ("INFINITY", "infinity", true),
    ("infinity", "infinity", true),
    ("NEG_INFINITY", "neg_infinity", true),
    ("neg_infinity", "neg_infinity", true),
    ("NAN", "nan", true),
    ("nan", "nan", true),
    ("EPSILON", "epsilon", true),
    ("epsilon", "epsilon", true),
    ("MIN_POSITIVE", "min_positive", true),
    ("min_positive_value", "min_positive", true),
];

/// The last name of a path that is called.
pub(super) fn function_name(function: &syn::Expr) -> Option<String> {
    match function {
        syn::Expr::Path(path) => path.path.segments.last().map(|last| last.ident.unraw().to_string()),
        _ => None,
    }
}

impl Lowerer<'_> {
    pub(super) fn path(&mut self, path: &syn::ExprPath) -> Expr {
        if let Some(ident) = path.path.get_ident() {
            return self.variable(ident);
        }
        let segments: Vec<&syn::Ident> = path.path.segments.iter().map(|segment| &segment.ident).collect();
        if let [.., ty, module, name] = segments.as_slice()
            && *module == "consts"
            && let Some(ty) = Ty::of_name(&ty.to_string())
            && let Some(number) = NUMBERS.iter().find(|number| *name == number.0)
        {
            return self.float_literal(number.1, Some(ty));
        }
        let constant = self.type_and_name(path).and_then(|(ty, name)| self.constant(ty, &name));
        constant.unwrap_or_else(|| {
            self.error(
                path,
                "nothing outside of the function is known here; constants are those of number types, such as `T::MAX` \
                 and `std::f32::consts::PI`, and a `const` in the body",
            );
            self.failed()
        })
    }

    fn variable(&mut self, ident: &syn::Ident) -> Expr {
        match self.find(ident) {
            Some(Name::Local(local) | Name::Number(local, _)) => self.local_value(local),
            Some(Name::Float(value)) => value,
            Some(Name::Array(_) | Name::Place(_)) => {
                self.error(ident, "an array is used by its elements, and by `.len()`");
                self.failed()
            }
            None => {
                let text = ident.unraw().to_string();
                let names: Vec<&str> = self.scopes.iter().flatten().map(|entry| entry.0.as_str()).collect();
                let near = guess(&text, names.into_iter());
                let message = format!("`{text}` is no variable of this function: nothing else is known here{near}");
                self.error(ident, message);
                self.failed()
            }
        }
    }

    /// The type and the name of `Type::name`.
    pub(super) fn type_and_name(&self, path: &syn::ExprPath) -> Option<(Ty, String)> {
        if path.qself.is_some() {
            return None;
        }
        let mut segments = path.path.segments.iter().rev();
        let (name, ty) = (segments.next()?, segments.next()?);
        let generic = self.generics.iter().find(|generic| generic.0 == ty.ident);
        let ty = generic.map(|generic| generic.1).or_else(|| Ty::of_name(&ty.ident.to_string()))?;
        Some((ty, name.ident.unraw().to_string()))
    }

    /// A constant of a type.
    pub(super) fn constant(&mut self, ty: Ty, name: &str) -> Option<Expr> {
        let id = self.types.known(ty);
        let number = |value: i128| match ty.is_float() {
            true => ExprKind::Float(value.to_string()),
            false => ExprKind::Integer(value),
        };
        let kind = match name {
            "zero" | "ZERO" | "default" if ty == Ty::Bool => ExprKind::Bool(false),
            "zero" | "ZERO" | "default" => number(0),
            "one" | "ONE" => number(1),
            "BITS" => return Some(Expr { ty: self.types.known(Ty::U32), kind: number(i128::from(ty.bytes() * 8)) }),
            _ => {
                let found = OF_TYPES.iter().find(|row| row.0 == name && (ty.is_float() || !row.2))?;
                match (found.1, ty.is_integer()) {
                    ("lowest" | "min", true) => ExprKind::Integer(ty.limits().0),
                    ("highest" | "max", true) => ExprKind::Integer(ty.limits().1),
                    ("lowest", false) => ExprKind::Constant("neg_infinity"),
                    ("highest", false) => ExprKind::Constant("infinity"),
                    (constant, _) => ExprKind::Constant(constant),
                }
            }
        };
        Some(Expr { ty: id, kind })
    }
}
