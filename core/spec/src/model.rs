//! The model of an op declaration: what the grammar says, field for field what TensorFlow's `OpDef` holds.

use crate::dtype::DType;
use crate::value::AttrValue;

/// A whole op declaration.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct OpSpec {
    /// The op's name, such as `MatMul`.
    pub name: String,
    /// Inputs, in the order of the call.
    pub inputs: Vec<ArgSpec>,
    /// Outputs, in the order of the results.
    pub outputs: Vec<ArgSpec>,
    /// Attrs, in the order of their declaration.
    pub attrs: Vec<AttrSpec>,
    /// Names of control outputs; only functions have them.
    pub control_outputs: Vec<String>,
    /// The op's yes-or-no properties.
    pub flags: Flags,
    /// Set when new graphs should not use the op.
    pub deprecation: Option<Deprecation>,
}

/// One input or output.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ArgSpec {
    /// The argument's name, lower case.
    pub name: String,
    /// Where its element type comes from.
    pub ty: ArgType,
    /// The attr `N` of `N * T`: the argument is a sequence of `N` tensors of one type.
    pub number_attr: Option<String>,
    /// `Ref(…)`: the argument is a reference to a tensor that the op may change.
    pub is_ref: bool,
}

/// The element type of an argument.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum ArgType {
    /// A fixed type.
    Type(DType),
    /// The value of the named attr of kind `type`.
    Attr(String),
    /// The values of the named attr of kind `list(type)`: a sequence of tensors, one a type.
    ListAttr(String),
}

/// One attr.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AttrSpec {
    /// The attr's name.
    pub name: String,
    /// The kind of its values.
    pub kind: AttrKind,
    /// The only values it may take; for a list, the only values its elements may take.
    pub allowed: Option<Allowed>,
    /// The least value of an `int`, the least length of a list.
    pub minimum: Option<i64>,
    /// The value when a call does not give one.
    pub default: Option<AttrValue>,
}

/// The kind of an attr's values.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct AttrKind {
    /// The kind of one value.
    pub scalar: ScalarKind,
    /// Whether the attr holds a list of them.
    pub list: bool,
}

/// The kind of a single attr value.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum ScalarKind {
    /// Bytes, mostly UTF-8 text.
    String,
    /// `i64`.
    Int,
    /// `f32`.
    Float,
    /// `bool`.
    Bool,
    /// An element type.
    Type,
    /// A shape, known or not.
    Shape,
    /// A constant tensor.
    Tensor,
    /// The name of a function, with values for its attrs.
    Func,
}

/// The values a constraint `{a, b}` allows, in the order they were written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Allowed {
    /// Types, for `type` and `list(type)`; not empty in an op that passes the checks.
    Types(Vec<DType>),
    /// Byte strings, for `string` and `list(string)`; not empty in an op that passes the checks.
    Strings(Vec<Vec<u8>>),
}

/// The yes-or-no properties of an op.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, Default)]
#[allow(clippy::struct_excessive_bools)]
pub struct Flags {
    /// `op(a, b) == op(b, a)` for all inputs.
    pub commutative: bool,
    /// The op reduces any number of inputs of one type and shape to one output of the same.
    pub aggregate: bool,
    /// Two calls with equal inputs may differ, or have an effect: no elimination of common subexpressions or constants.
    pub stateful: bool,
    /// An input may be a reference to memory that nothing has written yet.
    pub allows_uninitialized_input: bool,
    /// The op exchanges data with other processes.
    pub distributed_communication: bool,
}

/// Why and since which graph version an op is deprecated.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Deprecation {
    /// The first graph version in which the op is not allowed.
    pub version: i32,
    /// What to use instead.
    pub explanation: String,
}

impl OpSpec {
    /// The attr of that name.
    pub fn attr(&self, name: &str) -> Option<&AttrSpec> {
        self.attrs.iter().find(|attr| attr.name == name)
    }

    /// The input of that name.
    pub fn input(&self, name: &str) -> Option<&ArgSpec> {
        self.inputs.iter().find(|arg| arg.name == name)
    }

    /// The output of that name.
    pub fn output(&self, name: &str) -> Option<&ArgSpec> {
        self.outputs.iter().find(|arg| arg.name == name)
    }

    /// Whether an input determines the attr's value, so that a call need not give it.
    pub fn is_inferred(&self, attr: &str) -> bool {
        self.inputs.iter().any(|arg| arg.names_attr(attr))
    }
}

impl ArgSpec {
    /// Whether the argument may stand for other than one tensor: `N * T` or a `list(type)` attr.
    pub fn is_sequence(&self) -> bool {
        self.number_attr.is_some() || matches!(self.ty, ArgType::ListAttr(_))
    }

    /// The attr of the argument's type, if it is not a fixed one.
    pub fn type_attr(&self) -> Option<&str> {
        match &self.ty {
            ArgType::Type(_) => None,
            ArgType::Attr(name) | ArgType::ListAttr(name) => Some(name),
        }
    }

    /// Whether the argument's type or number is the attr.
    pub fn names_attr(&self, attr: &str) -> bool {
        self.type_attr() == Some(attr) || self.number_attr.as_deref() == Some(attr)
    }
}

impl AttrKind {
    /// A kind of single values.
    pub const fn scalar(scalar: ScalarKind) -> AttrKind {
        AttrKind { scalar, list: false }
    }

    /// A kind of lists.
    pub const fn list(scalar: ScalarKind) -> AttrKind {
        AttrKind { scalar, list: true }
    }

    /// The kind of a name such as `int` or `list(int)`, as `OpDef` writes it: without spaces.
    pub fn parse(name: &str) -> Option<AttrKind> {
        let element = name.strip_prefix("list(").and_then(|s| s.strip_suffix(')'));
        ScalarKind::parse(element.unwrap_or(name)).map(|scalar| AttrKind { scalar, list: element.is_some() })
    }
}

impl ScalarKind {
    /// Every kind.
    pub const ALL: &[ScalarKind] = &[
        ScalarKind::String,
        ScalarKind::Int,
        ScalarKind::Float,
        ScalarKind::Bool,
        ScalarKind::Type,
        ScalarKind::Shape,
        ScalarKind::Tensor,
        ScalarKind::Func,
    ];

    /// The kind's name in the grammar.
    pub const fn name(self) -> &'static str {
        match self {
            ScalarKind::String => "string",
            ScalarKind::Int => "int",
            ScalarKind::Float => "float",
            ScalarKind::Bool => "bool",
            ScalarKind::Type => "type",
            ScalarKind::Shape => "shape",
            ScalarKind::Tensor => "tensor",
            ScalarKind::Func => "func",
        }
    }

    /// The kind of a name.
    pub fn parse(name: &str) -> Option<ScalarKind> {
        ScalarKind::ALL.iter().copied().find(|k| k.name() == name)
    }
}
