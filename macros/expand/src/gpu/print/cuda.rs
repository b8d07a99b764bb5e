//! CUDA C++. Types have Rust's names, by `typedef`.

use std::collections::BTreeSet;

use super::cuda_helpers::{HELPERS, TYPES};
use super::{Dialect, Value, digits_of, with_point};
use crate::gpu::builtin::Builtin;
use crate::gpu::model::{Array, Memory, Operator, Update};
use crate::gpu::ty::Ty;

/// What the text written so far needs before it.
#[derive(Default)]
pub(crate) struct Cuda {
    helpers: BTreeSet<&'static str>,
    types: BTreeSet<Ty>,
    /// Buffers whose lengths are used.
    pub(crate) lengths: BTreeSet<String>,
}

const DIRECTIONS: [&str; 3] = ["x", "y", "z"];

impl Cuda {
    pub(crate) fn ty(&mut self, ty: Ty) -> &'static str {
        self.types.insert(ty);
        ty.name()
    }

    fn helper(&mut self, name: &'static str) -> &'static str {
        self.helpers.insert(name);
        name
    }

    /// What stands before the functions.
    pub(crate) fn head(&self) -> String {
        let mut head = String::new();
        for (ty, header) in [(Ty::F16, "cuda_fp16.h"), (Ty::BF16, "cuda_bf16.h")] {
            if self.types.contains(&ty) {
                head += &format!("#include <{header}>\n");
            }
        }
        head += TYPES;
        for (ty, name) in [(Ty::F16, "__half"), (Ty::BF16, "__nv_bfloat16")] {
            if self.types.contains(&ty) {
                head += &format!("typedef {name} {};\n", ty.name());
            }
        }
        head + &self.helpers().collect::<String>()
    }

    /// The functions that the text calls.
    pub(crate) fn helpers(&self) -> impl Iterator<Item = &'static str> + '_ {
        HELPERS.iter().filter(|helper| self.helpers.contains(helper.0)).map(|helper| helper.1)
    }

    /// The value in single precision, and back: 16-bit floats have no functions of their own.
    fn widened(&mut self, value: &Value) -> Value {
        Value { text: self.cast(value, Ty::F32), ty: Ty::F32 }
    }

    /// The arithmetic of an integer type in an unsigned one, where overflow is defined.
    fn wrapped(&mut self, operator: &str, ty: Ty, left: &str, right: &str) -> String {
        let unsigned = if ty.bytes() == 8 { "u64" } else { "u32" };
        let name = self.ty(ty);
        format!("({name})(({unsigned}){left} {operator} ({unsigned}){right})")
    }

    fn math(&mut self, name: &str, ty: Ty, arguments: &[Value]) -> String {
        let texts: Vec<&str> = arguments.iter().map(|value| value.text.as_str()).collect();
        let suffix = if ty == Ty::F32 { "f" } else { "" };
        let library = |name: &str| format!("{name}{suffix}({})", texts.join(", "));
        match name {
            "exp_m1" => library("expm1"),
            "ln" => library("log"),
            "ln_1p" => library("log1p"),
            "powf" => library("pow"),
            "mul_add" => library("fma"),
            "abs" => library("fabs"),
            "max" => library("fmax"),
            "min" => library("fmin"),
            "round_ties_even" => library("rint"),
            "sigmoid" => format!("{}({})", self.helper("sigmoid_of"), texts[0]),
            "digamma" => format!("({}){}((f64){})", ty.name(), self.helper("digamma_of"), texts[0]),
            "recip" => format!("({} / {})", self.float(ty, "1"), texts[0]),
            "powi" => format!("pow{suffix}({}, ({}){})", texts[0], ty.name(), texts[1]),
            "fract" => format!("{}({})", self.helper("fract_of"), texts[0]),
            "signum" => format!("{}({})", self.helper("signum_of"), texts[0]),
            "is_nan" | "is_nan_value" => format!("{}({})", self.helper("is_nan"), texts[0]),
            "is_infinite" => format!("{}({})", self.helper("is_infinite"), texts[0]),
            "is_finite" => format!("{}({})", self.helper("is_finite"), texts[0]),
            "to_bits" => format!("__float_as_uint({})", texts[0]),
            "clamp" => format!("{}({})", self.helper("clamp_to"), texts.join(", ")),
            _ => library(name),
        }
    }

    fn integer_function(&mut self, name: &str, ty: Ty, arguments: &[Value]) -> String {
        let texts: Vec<&str> = arguments.iter().map(|value| value.text.as_str()).collect();
        let all = texts.join(", ");
        let call = match name {
            "wrapping_add" => return self.binary(Operator::Add, &arguments[0], &arguments[1]),
            "wrapping_sub" => return self.binary(Operator::Sub, &arguments[0], &arguments[1]),
            "wrapping_mul" => return self.binary(Operator::Mul, &arguments[0], &arguments[1]),
            "count_ones" if ty.bytes() == 8 => return format!("(u32)__popcll((u64){all})"),
            "count_ones" => {
                let mask = (1_u64 << (ty.bytes() * 8)) - 1;
                return format!("(u32)__popc((u32){all} & {mask}u)");
            }
            "mul_hi" => "__umulhi",
            "from_bits" => "__uint_as_float",
            "rotate_left" => return format!("__funnelshift_l({0}, {0}, {1})", texts[0], texts[1]),
            "max" => self.helper("larger"),
            "min" => self.helper("smaller"),
            "clamp" => self.helper("clamp_to"),
            "abs" => self.helper("absolute"),
            "signum" => self.helper("sign_of"),
            _ => self.helper("power"),
        };
        format!("{call}({all})")
    }
}

impl Dialect for Cuda {
    fn integer(&mut self, ty: Ty, value: i128) -> String {
        let name = self.ty(ty);
        match ty {
            Ty::I32 if value == i128::from(i32::MIN) => "(-2147483647 - 1)".to_owned(),
            Ty::I64 if value == i128::from(i64::MIN) => "(-9223372036854775807ll - 1)".to_owned(),
            Ty::I32 | Ty::I64 => {
                let suffix = if ty == Ty::I64 { "ll" } else { "" };
                if value < 0 { format!("({value}{suffix})") } else { format!("{value}{suffix}") }
            }
            Ty::U32 => format!("{value}u"),
            Ty::U64 | Ty::Usize => format!("{value}ull"),
            _ => format!("({name})({value})"),
        }
    }

    fn float(&mut self, ty: Ty, digits: &str) -> String {
        let digits = with_point(digits);
        self.ty(ty);
        match ty {
            Ty::F64 => digits,
            Ty::F16 => format!("__float2half({digits}f)"),
            Ty::BF16 => format!("__float2bfloat16({digits}f)"),
            _ => format!("{digits}f"),
        }
    }

    fn constant(&mut self, ty: Ty, name: &str) -> String {
        if let Some(digits) = digits_of(ty, name) {
            return format!("({})", self.float(ty, digits));
        }
        if ty == Ty::F64 {
            let high = match name {
                "infinity" => "0x7ff00000",
                "neg_infinity" => "0xfff00000",
                _ => "0x7ff80000",
            };
            return format!("__hiloint2double({high}, 0)");
        }
        let bits = match name {
            "infinity" => "0x7f800000",
            "neg_infinity" => "0xff800000",
            _ => "0x7fc00000",
        };
        self.cast(&Value { text: format!("__int_as_float({bits})"), ty: Ty::F32 }, ty)
    }

    fn variable(&mut self, name: &str, ty: Ty, init: Option<&str>, mutable: bool) -> String {
        let constant = if mutable { "" } else { "const " };
        let ty = self.ty(ty);
        init.map_or_else(|| format!("{ty} {name};"), |init| format!("{constant}{ty} {name} = {init};"))
    }

    fn own_array(&mut self, name: &str, ty: Ty, length: u32) -> String {
        format!("{} {name}[{length}];", self.ty(ty))
    }

    fn count(&mut self, name: &str, ty: Ty, start: &str) -> String {
        format!("{} {name} = {start}", self.ty(ty))
    }

    fn endless(&self) -> &'static str {
        "while (true)"
    }

    fn load(&mut self, array: &Array, _: Ty, index: &str) -> String {
        format!("{}[{index}]", array.name)
    }

    fn store(&mut self, array: &Array, _: Ty, index: &str, value: &str) -> String {
        format!("{}[{index}] = {value};", array.name)
    }

    fn atomic(&mut self, array: &Array, ty: Ty, update: Update, (index, value): (&str, &str)) -> String {
        let function = match (update, ty) {
            (Update::Add, _) => "atomicAdd",
            (Update::Max, Ty::F32) => self.helper("atomic_larger"),
            (Update::Min, Ty::F32) => self.helper("atomic_smaller"),
            (Update::Max, _) => "atomicMax",
            (Update::Min, _) => "atomicMin",
        };
        format!("{function}(&{}[{index}], {value});", array.name)
    }

    fn length(&mut self, array: &Array) -> String {
        self.lengths.insert(array.name.clone());
        format!("{}_length", array.name)
    }

    fn binary(&mut self, operator: Operator, left: &Value, right: &Value) -> String {
        use Operator::{Add, BitAnd, BitOr, BitXor, Div, Mul, Rem, Shl, Shr, Sub};
        let (ty, symbol) = (left.ty, operator.symbol());
        let (a, b) = (&left.text, &right.text);
        let bits = ty.bytes() * 8 - 1;
        match operator {
            Rem if ty.is_float() => {
                let (a, b) = (self.widened_unless_double(left), self.widened_unless_double(right));
                let text = if ty == Ty::F64 { format!("fmod({a}, {b})") } else { format!("fmodf({a}, {b})") };
                self.back(text, ty)
            }
            Add | Sub | Mul if ty.is_integer() && !matches!(ty, Ty::U32 | Ty::U64 | Ty::Usize) => {
                self.wrapped(symbol, ty, a, b)
            }
            Div | Rem | BitAnd | BitOr | BitXor if ty == Ty::Bool || ty.bytes() < 4 && ty.is_integer() => {
                format!("({})({a} {symbol} {b})", self.ty(ty))
            }
            Shl => format!("({0})(({1}){a} << ((u32){b} & {bits}u))", self.ty(ty), unsigned(ty)),
            Shr => format!("({})({a} >> ((u32){b} & {bits}u))", self.ty(ty)),
            _ => format!("({a} {symbol} {b})"),
        }
    }

    fn negate(&mut self, value: &Value) -> String {
        if value.ty.is_integer() {
            return self.wrapped("-", value.ty, "0", &value.text);
        }
        format!("(-{})", value.text)
    }

    fn not(&mut self, value: &Value) -> String {
        if value.ty == Ty::Bool {
            format!("!{}", value.text)
        } else {
            format!("({})(~{})", value.ty.name(), value.text)
        }
    }

    fn cast(&mut self, value: &Value, to: Ty) -> String {
        let Value { text, ty: from } = value;
        let name = self.ty(to);
        match (*from, to) {
            (from, to) if from == to => text.clone(),
            (Ty::F16, _) => {
                let single = Value { text: format!("__half2float({text})"), ty: Ty::F32 };
                self.cast(&single, to)
            }
            (Ty::BF16, _) => {
                let single = Value { text: format!("__bfloat162float({text})"), ty: Ty::F32 };
                self.cast(&single, to)
            }
            (Ty::F64, Ty::F16) => format!("__double2half({text})"),
            (Ty::F64, Ty::BF16) => format!("__double2bfloat16({text})"),
            (Ty::F32, Ty::F16) => format!("__float2half({text})"),
            (Ty::F32, Ty::BF16) => format!("__float2bfloat16({text})"),
            (_, Ty::F16) => format!("__float2half((f32){text})"),
            (_, Ty::BF16) => format!("__float2bfloat16((f32){text})"),
            (_, Ty::Bool) => format!("({text} != 0)"),
            (from, to) if from.is_float() && to.is_integer() => {
                let (least, most) = to.limits();
                let (low, high) = (self.float(from, &least.to_string()), self.float(from, &(most + 1).to_string()));
                let (least, most) = (self.integer(to, least), self.integer(to, most));
                format!("{}<{name}>({text}, {low}, {high}, {least}, {most})", self.helper("saturated"))
            }
            _ => format!("({name}){text}"),
        }
    }

    fn call(&mut self, function: &Builtin, arguments: &[Value]) -> String {
        let ty = arguments[0].ty;
        if function.name.starts_with("subgroup_") {
            let name = match function.name {
                "subgroup_add" => "subgroup_add",
                "subgroup_max" => "subgroup_max",
                _ => "subgroup_min",
            };
            return format!("{}({})", self.helper(name), arguments[0].text);
        }
        if !ty.is_float() {
            return self.integer_function(function.name, ty, arguments);
        }
        if matches!(ty, Ty::F32 | Ty::F64) {
            return self.math(function.name, ty, arguments);
        }
        let wide: Vec<Value> = arguments
            .iter()
            .map(|argument| if argument.ty == ty { self.widened(argument) } else { argument.clone() })
            .collect();
        let text = self.math(function.name, Ty::F32, &wide);
        if function.name.starts_with("is_") { text } else { self.back(text, ty) }
    }

    fn position(&mut self, name: &str, direction: usize) -> String {
        let name = match name {
            "thread_index" => "threadIdx",
            "block_index" => "blockIdx",
            "block_dim" => "blockDim",
            _ => "gridDim",
        };
        format!("(usize){name}.{}", DIRECTIONS[direction])
    }

    fn barrier(&self) -> &'static str {
        "__syncthreads();"
    }
}

impl Cuda {
    fn widened_unless_double(&mut self, value: &Value) -> String {
        if value.ty == Ty::F64 { value.text.clone() } else { self.widened(value).text }
    }

    /// A result in single precision as the type it is wanted in.
    fn back(&mut self, text: String, ty: Ty) -> String {
        if ty == Ty::F64 { text } else { self.cast(&Value { text, ty: Ty::F32 }, ty) }
    }

    /// The declarations of shared arrays.
    pub(crate) fn shared(&mut self, array: &Array, ty: Ty) -> Option<String> {
        match array.place {
            Memory::Shared(length) => Some(format!("    __shared__ {} {}[{length}];\n", self.ty(ty), array.name)),
            _ => None,
        }
    }
}

fn unsigned(ty: Ty) -> &'static str {
    if ty.bytes() == 8 { "u64" } else { "u32" }
}
