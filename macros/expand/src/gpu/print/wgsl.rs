//! WGSL. Integers below 32 bits are held in 32 bits, and lie in buffers several to a word.

use std::collections::BTreeSet;

use super::wgsl_helpers::{HELPERS, Helper};
use super::wgsl_words::{is_packed, load_function};
use super::{Dialect, Value, digits_of, with_point};
use crate::gpu::builtin::Builtin;
use crate::gpu::model::{Array, Memory, Operator, Update};
use crate::gpu::ty::Ty;

/// What the text written so far needs before it, and whether WGSL can say it at all.
pub(crate) struct Wgsl {
    /// Threads of a block.
    block: [u32; 3],
    helpers: BTreeSet<String>,
    /// Helpers' texts, in the order they are needed.
    texts: Vec<String>,
    /// Extensions to enable.
    extensions: BTreeSet<&'static str>,
    /// Buffers with functions that read and write their elements.
    pub(crate) loads: BTreeSet<String>,
    pub(crate) stores: BTreeSet<String>,
    /// Arrays whose elements are changed atomically, or share words that several threads write.
    pub(crate) atomics: BTreeSet<String>,
    pub(crate) is_unavailable: bool,
}

impl Wgsl {
    pub(crate) fn new(block: [u32; 3]) -> Self {
        Self {
            block,
            helpers: BTreeSet::new(),
            texts: Vec::new(),
            extensions: BTreeSet::new(),
            loads: BTreeSet::new(),
            stores: BTreeSet::new(),
            atomics: BTreeSet::new(),
            is_unavailable: false,
        }
    }

    /// The type of a value.
    pub(crate) fn ty(&mut self, ty: Ty) -> &'static str {
        match ty {
            Ty::Bool => "bool",
            Ty::I8 | Ty::I16 | Ty::I32 => "i32",
            Ty::U8 | Ty::U16 | Ty::U32 | Ty::Usize => "u32",
            Ty::I64 => "i64",
            Ty::U64 => "u64",
            Ty::F32 => "f32",
            Ty::F64 => "f64",
            Ty::F16 => {
                self.extensions.insert("f16");
                "f16"
            }
            Ty::BF16 => {
                self.is_unavailable = true;
                "f32"
            }
        }
    }

    /// The type of an element in a buffer: words where several share one.
    pub(crate) fn element(&mut self, ty: Ty) -> &'static str {
        if is_packed(ty) { "u32" } else { self.ty(ty) }
    }

    /// The type of an array's element in memory.
    pub(crate) fn element_of(&mut self, array: &str, ty: Ty, is_packed: bool) -> String {
        let element = if is_packed { self.element(ty) } else { self.ty(ty) };
        match element {
            element if !self.atomics.contains(array) => element.to_owned(),
            "i32" => "atomic<i32>".to_owned(),
            _ => "atomic<u32>".to_owned(),
        }
    }

    /// What stands before the functions: extensions, then helpers.
    pub(crate) fn head(&self) -> String {
        let enable: String = self.extensions.iter().map(|name| format!("enable {name};\n")).collect();
        format!("{enable}{}", self.texts.concat())
    }

    /// The functions that the text calls, each behind those that it calls itself.
    pub(crate) fn into_helpers(self) -> Vec<String> {
        self.texts
    }

    /// The function `name` for `ty`, written once, with those it calls.
    fn helper(&mut self, name: &str, ty: Ty) -> String {
        let type_name = self.ty(ty);
        let full = format!("{name}_{type_name}");
        if self.helpers.insert(full.clone()) {
            let Some(Helper { text, calls, .. }) = HELPERS.iter().find(|helper| helper.name == name) else {
                self.is_unavailable = true;
                return full;
            };
            calls.iter().for_each(|call| drop(self.helper(call, ty)));
            let one =
                self.cast(&Value { text: "1.0f".to_owned(), ty: Ty::F32 }, if ty.is_float() { ty } else { Ty::F32 });
            self.texts.push(text.replace("$T", type_name).replace("$1", &one));
        }
        full
    }

    /// An integer result in the range of its type.
    fn narrowed(text: String, ty: Ty) -> String {
        let bits = ty.bytes() * 8;
        match ty {
            Ty::I8 | Ty::I16 => format!("extractBits({text}, 0u, {bits}u)"),
            Ty::U8 | Ty::U16 => format!("({text} & {}u)", (1_u32 << bits) - 1),
            _ => text,
        }
    }

    fn math(&mut self, name: &str, ty: Ty, arguments: &[Value]) -> String {
        let texts: Vec<&str> = arguments.iter().map(|value| value.text.as_str()).collect();
        let all = texts.join(", ");
        let native = match name {
            "abs" | "floor" | "ceil" | "trunc" | "sqrt" => Some(name),
            "mul_add" => Some("fma"),
            _ => None,
        };
        if let Some(native) = native {
            return format!("{native}({all})");
        }
        if matches!(name, "is_nan" | "is_nan_value") {
            return format!("{}({all})", self.helper("is_nan", ty));
        }
        if name == "to_bits" {
            return format!("bitcast<u32>({all})");
        }
        let exact = [
            "max",
            "min",
            "clamp",
            "is_infinite",
            "is_finite",
            "round",
            "round_ties_even",
            "fract",
            "signum",
            "copysign",
            "recip",
        ];
        // These ask for bits that only single precision has.
        self.is_unavailable |= ty == Ty::F64 && matches!(name, "is_infinite" | "is_finite");
        if exact.contains(&name) {
            return format!("{}({all})", self.helper(name, ty));
        }
        if ty == Ty::F64 {
            self.is_unavailable = true;
            return all;
        }
        match name {
            "ln" => format!("log({all})"),
            "exp" | "exp2" | "log2" | "sin" | "cos" | "tan" | "atan" | "sinh" | "cosh" | "asinh" | "acosh"
            | "atanh" | "atan2" => format!("{name}({all})"),
            "powi" => format!("{}({}, f32({}))", self.helper("powf", ty), texts[0], texts[1]),
            _ => format!("{}({all})", self.helper(name, ty)),
        }
    }

    fn integer_function(&mut self, name: &str, ty: Ty, arguments: &[Value]) -> String {
        let all = arguments.iter().map(|value| value.text.as_str()).collect::<Vec<_>>().join(", ");
        match name {
            "wrapping_add" => self.binary(Operator::Add, &arguments[0], &arguments[1]),
            "wrapping_sub" => self.binary(Operator::Sub, &arguments[0], &arguments[1]),
            "wrapping_mul" => self.binary(Operator::Mul, &arguments[0], &arguments[1]),
            "max" | "min" | "clamp" => format!("{name}({all})"),
            "from_bits" => format!("bitcast<f32>({all})"),
            "mul_hi" | "rotate_left" => format!("{}({all})", self.helper(name, ty)),
            "abs" => Self::narrowed(format!("abs({all})"), ty),
            "signum" => format!("sign({all})"),
            "count_ones" if ty.bytes() == 8 => {
                self.is_unavailable = true;
                all
            }
            "count_ones" => {
                let mask = ((1_u64 << (ty.bytes() * 8)) - 1) as u32;
                format!("countOneBits(u32({all}) & {mask}u)")
            }
            _ => {
                let text = format!("{}({all})", self.helper("pow", ty));
                Self::narrowed(text, ty)
            }
        }
    }

    fn saturated(&mut self, value: &Value, to: Ty) -> String {
        let to = if to == Ty::Usize { Ty::U32 } else { to };
        let (least, most) = to.limits();
        let from = value.ty;
        let (low, high) = (self.float(from, &least.to_string()), self.float(from, &(most + 1).to_string()));
        let (small, large, zero) = (self.integer(to, least), self.integer(to, most), self.integer(to, 0));
        let is_nan = self.helper("is_nan", from);
        let (from, to_name) = (self.ty(from), self.ty(to));
        let name = format!("{from}_to_{}", to.name());
        if self.helpers.insert(name.clone()) {
            self.texts.push(format!(
                "fn {name}(x: {from}) -> {to_name} {{\n    if {is_nan}(x) {{ return {zero}; }}\n    if x <= {low} {{ return \
                 {small}; }}\n    if x >= {high} {{ return {large}; }}\n    return {to_name}(x);\n}}\n"
            ));
        }
        format!("{name}({})", value.text)
    }
}

impl Dialect for Wgsl {
    fn integer(&mut self, ty: Ty, value: i128) -> String {
        match self.ty(ty) {
            "i32" if value < 0 => format!("i32({value})"),
            "i32" => format!("{value}i"),
            "u32" => format!("{value}u"),
            "i64" if value == i128::from(i64::MIN) => "(-9223372036854775807li - 1li)".to_owned(),
            "i64" if value < 0 => format!("({value}li)"),
            "i64" => format!("{value}li"),
            _ => format!("{value}lu"),
        }
    }

    fn float(&mut self, ty: Ty, digits: &str) -> String {
        let digits = with_point(digits);
        let suffix = match self.ty(ty) {
            "f16" => "h",
            "f64" => "lf",
            _ => "f",
        };
        if digits.starts_with('-') { format!("({digits}{suffix})") } else { format!("{digits}{suffix}") }
    }

    fn constant(&mut self, ty: Ty, name: &str) -> String {
        if let Some(digits) = digits_of(ty, name) {
            return self.float(ty, digits);
        }
        let single = Value { text: format!("{}()", self.helper(name, Ty::F32)), ty: Ty::F32 };
        self.cast(&single, ty)
    }

    fn variable(&mut self, name: &str, ty: Ty, init: Option<&str>, mutable: bool) -> String {
        let (word, ty) = (if mutable { "var" } else { "let" }, self.ty(ty));
        init.map_or_else(|| format!("var {name}: {ty};"), |init| format!("{word} {name}: {ty} = {init};"))
    }

    fn own_array(&mut self, name: &str, ty: Ty, length: u32) -> String {
        format!("var {name}: array<{}, {length}>;", self.ty(ty))
    }

    fn count(&mut self, name: &str, ty: Ty, start: &str) -> String {
        format!("var {name}: {} = {start}", self.ty(ty))
    }

    fn endless(&self) -> &'static str {
        "loop"
    }

    fn load(&mut self, array: &Array, ty: Ty, index: &str) -> String {
        let name = &array.name;
        if is_packed(ty) && matches!(array.place, Memory::Buffer { .. }) {
            self.loads.insert(name.clone());
            return format!("{}({index})", load_function(name));
        }
        match ty {
            _ if !self.atomics.contains(name) => format!("{name}[{index}]"),
            Ty::F32 => format!("bitcast<f32>(atomicLoad(&{name}[{index}]))"),
            _ => format!("atomicLoad(&{name}[{index}])"),
        }
    }

    fn store(&mut self, array: &Array, ty: Ty, index: &str, value: &str) -> String {
        let name = &array.name;
        if is_packed(ty) && matches!(array.place, Memory::Buffer { .. }) {
            self.stores.insert(name.clone());
            return format!("store_{name}({index}, {value});");
        }
        match ty {
            _ if !self.atomics.contains(name) => format!("{name}[{index}] = {value};"),
            Ty::F32 => format!("atomicStore(&{name}[{index}], bitcast<u32>({value}));"),
            _ => format!("atomicStore(&{name}[{index}], {value});"),
        }
    }

    fn atomic(&mut self, array: &Array, ty: Ty, update: Update, (index, value): (&str, &str)) -> String {
        let name = &array.name;
        let (native, changed) = match update {
            Update::Add => ("atomicAdd", "(now + other)"),
            Update::Max => ("atomicMax", "select(now, other, other > now)"),
            Update::Min => ("atomicMin", "select(now, other, other < now)"),
        };
        if ty != Ty::F32 {
            return format!("{native}(&{name}[{index}], {value});");
        }
        // Floats have no atomic arithmetic: the bits are exchanged until nobody changed them meanwhile.
        format!(
            "{{ let at = {index}; let other = {value}; loop {{ let seen = atomicLoad(&{name}[at]); let now = bitcast<f32>(seen); let \
             then = bitcast<u32>({changed}); if then == seen {{ break; }} if atomicCompareExchangeWeak(&{name}[at], seen, then).exchanged {{ \
             break; }} }} }}"
        )
    }

    fn length(&mut self, array: &Array) -> String {
        format!("scalars.{}_length_low", array.name)
    }

    fn binary(&mut self, operator: Operator, left: &Value, right: &Value) -> String {
        let (ty, symbol) = (left.ty, operator.symbol());
        let (a, b) = (&left.text, &right.text);
        let bits = ty.bytes() * 8 - 1;
        match operator {
            Operator::BitXor if ty == Ty::Bool => format!("({a} != {b})"),
            // Vulkan's `!=` is false where a number is NaN.
            Operator::Ne if ty.is_float() => format!("(!({a} == {b}))"),
            Operator::Shl => Self::narrowed(format!("({a} << (u32({b}) & {bits}u))"), ty),
            Operator::Shr => format!("({a} >> (u32({b}) & {bits}u))"),
            Operator::Add | Operator::Sub | Operator::Mul | Operator::Div => {
                Self::narrowed(format!("({a} {symbol} {b})"), ty)
            }
            _ => format!("({a} {symbol} {b})"),
        }
    }

    fn negate(&mut self, value: &Value) -> String {
        Self::narrowed(format!("(-{})", value.text), value.ty)
    }

    fn not(&mut self, value: &Value) -> String {
        let symbol = if value.ty == Ty::Bool { "!" } else { "~" };
        Self::narrowed(format!("({symbol}{})", value.text), value.ty)
    }

    fn cast(&mut self, value: &Value, to: Ty) -> String {
        let Value { text, ty: from } = value;
        let name = self.ty(to);
        match (*from, to) {
            (from, to) if from == to => text.clone(),
            (from, Ty::Bool) if from.is_float() => format!("(!({text} == {}))", self.float(from, "0")),
            (from, Ty::Bool) => format!("({text} != {})", self.integer(from, 0)),
            (Ty::Bool, to) if name == "i64" || name == "u64" || to == Ty::F16 || to == Ty::F64 => {
                format!("{name}(select(0.0f, 1.0f, {text}))")
            }
            (Ty::F16, to) if to.is_integer() => {
                let single = Value { text: format!("f32({text})"), ty: Ty::F32 };
                self.saturated(&single, to)
            }
            (from, to) if from.is_float() && to.is_integer() => self.saturated(value, to),
            // The sign goes along.
            (from, Ty::U64) if from.is_signed() => format!("u64(i64({text}))"),
            (from, Ty::I64) if from.is_integer() && !from.is_signed() => format!("i64(u64({text}))"),
            (from, Ty::F16) if from.is_integer() => format!("f16(f32({text}))"),
            (from, to) if from != Ty::Bool && self.ty(from) == name => Self::narrowed(text.clone(), to),
            (_, to) => Self::narrowed(format!("{name}({text})"), to),
        }
    }

    fn call(&mut self, function: &Builtin, arguments: &[Value]) -> String {
        let ty = arguments[0].ty;
        if let Some(operation) = function.name.strip_prefix("subgroup_") {
            let name = match operation {
                "add" => "subgroupAdd",
                "max" => "subgroupMax",
                _ => "subgroupMin",
            };
            return Self::narrowed(format!("{name}({})", arguments[0].text), ty);
        }
        if !ty.is_float() {
            return self.integer_function(function.name, ty, arguments);
        }
        if ty != Ty::F16 {
            return self.math(function.name, ty, arguments);
        }
        let wide: Vec<Value> = arguments
            .iter()
            .map(|argument| match argument.ty {
                Ty::F16 => Value { text: format!("f32({})", argument.text), ty: Ty::F32 },
                _ => argument.clone(),
            })
            .collect();
        let text = self.math(function.name, Ty::F32, &wide);
        if function.name.starts_with("is_") { text } else { format!("f16({text})") }
    }

    fn position(&mut self, name: &str, direction: usize) -> String {
        match name {
            "block_dim" => format!("{}u", self.block[direction]),
            name => format!("{name}.{}", ["x", "y", "z"][direction]),
        }
    }

    fn barrier(&self) -> &'static str {
        "workgroupBarrier();"
    }
}
