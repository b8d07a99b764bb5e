//! The methods and functions that a GPU kernel may call: a flat table.

use super::model::Update;
use super::ty::Ty;

/// Which types a function is defined for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Class {
    Float,
    Integer,
    /// Signed integers and floats.
    Signed,
    Number,
    /// Floats of 32 bits.
    Single,
    /// Unsigned integers of 32 bits.
    Word,
}

/// What a function gives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Gives {
    /// A value of the receiver's type.
    Same,
    Bool,
    U32,
    F32,
}

/// What the arguments after the first are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Takes {
    /// Values of the receiver's type.
    Same,
    I32,
    U32,
}

/// One function. The first argument is the receiver.
#[derive(Debug)]
pub(crate) struct Builtin {
    pub(crate) name: &'static str,
    /// Arguments, the receiver included.
    pub(crate) arity: usize,
    pub(crate) class: Class,
    pub(crate) takes: Takes,
    pub(crate) gives: Gives,
}

const fn float(name: &'static str, arity: usize) -> Builtin {
    Builtin { name, arity, class: Class::Float, takes: Takes::Same, gives: Gives::Same }
}

const fn test(name: &'static str) -> Builtin {
    Builtin { name, arity: 1, class: Class::Float, takes: Takes::Same, gives: Gives::Bool }
}

const fn of(class: Class, name: &'static str, arity: usize) -> Builtin {
    Builtin { name, arity, class, takes: Takes::Same, gives: Gives::Same }
}

/// Every method.
pub(crate) const METHODS: &[Builtin] = &[
    float("exp", 1),
    float("exp2", 1),
    float("exp_m1", 1),
    float("ln", 1),
    float("ln_1p", 1),
    float("log2", 1),
    float("log10", 1),
    float("sqrt", 1),
    float("cbrt", 1),
    float("sin", 1),
    float("cos", 1),
    float("tan", 1),
    float("asin", 1),
    float("acos", 1),
    float("atan", 1),
    float("sinh", 1),
    float("cosh", 1),
    float("tanh", 1),
    float("asinh", 1),
    float("acosh", 1),
    float("atanh", 1),
    float("floor", 1),
    float("ceil", 1),
    float("round", 1),
    float("round_ties_even", 1),
    float("trunc", 1),
    float("fract", 1),
    float("recip", 1),
    float("sigmoid", 1),
    float("erf", 1),
    float("erfc", 1),
    float("erfinv", 1),
    float("lgamma", 1),
    float("digamma", 1),
    float("powf", 2),
    float("atan2", 2),
    float("hypot", 2),
    float("copysign", 2),
    float("mul_add", 3),
    Builtin { takes: Takes::I32, ..float("powi", 2) },
    test("is_nan"),
    test("is_infinite"),
    test("is_finite"),
    Builtin { class: Class::Number, ..test("is_nan_value") },
    Builtin { gives: Gives::F32, ..float("to_f32", 1) },
    of(Class::Signed, "abs", 1),
    of(Class::Signed, "signum", 1),
    of(Class::Number, "max", 2),
    of(Class::Number, "min", 2),
    of(Class::Number, "clamp", 3),
    of(Class::Integer, "wrapping_add", 2),
    of(Class::Integer, "wrapping_sub", 2),
    of(Class::Integer, "wrapping_mul", 2),
    Builtin { takes: Takes::U32, ..of(Class::Integer, "pow", 2) },
    Builtin { gives: Gives::U32, ..of(Class::Integer, "count_ones", 1) },
    Builtin { gives: Gives::U32, ..of(Class::Single, "to_bits", 1) },
    Builtin { takes: Takes::U32, ..of(Class::Word, "rotate_left", 2) },
];

/// `f32::from_bits`.
pub(crate) const FROM_BITS: &Builtin = &Builtin { gives: Gives::F32, ..of(Class::Word, "from_bits", 1) };

/// Functions of the module `gpu` that any thread may call for itself.
pub(crate) const FUNCTIONS: &[Builtin] = &[of(Class::Word, "mul_hi", 2)];

/// Functions of the module `gpu` that change an element atomically.
pub(crate) const ATOMICS: &[(&str, Update)] =
    &[("atomic_add", Update::Add), ("atomic_max", Update::Max), ("atomic_min", Update::Min)];

/// Functions of the module `gpu` over the threads of a subgroup.
pub(crate) const SUBGROUP: &[Builtin] =
    &[of(Class::Number, "subgroup_add", 1), of(Class::Number, "subgroup_max", 1), of(Class::Number, "subgroup_min", 1)];

/// Functions of the module `gpu` that give a position or a size in three directions.
pub(crate) const POSITIONS: &[&str] = &["thread_index", "block_index", "block_dim", "grid_dim"];

/// Whether every body has a function of this name.
pub(crate) fn is_builtin(name: &str) -> bool {
    let named = |function: &Builtin| function.name == name;
    ["barrier", "shared", "grid_stride"].contains(&name)
        || POSITIONS.contains(&name)
        || ATOMICS.iter().any(|update| update.0 == name)
        || FUNCTIONS.iter().chain(SUBGROUP).any(named)
}

impl Class {
    pub(crate) fn has(self, ty: Ty) -> bool {
        match self {
            Self::Float => ty.is_float(),
            Self::Integer => ty.is_integer(),
            Self::Signed => ty.is_signed(),
            Self::Number => ty != Ty::Bool,
            Self::Single => ty == Ty::F32,
            Self::Word => ty == Ty::U32,
        }
    }

    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::Float => "floats",
            Self::Integer => "integers",
            Self::Signed => "floats and signed integers",
            Self::Number => "numbers",
            Self::Single => "`f32`",
            Self::Word => "`u32`",
        }
    }
}
