//! A kernel's body after it was read: statements and expressions with types, the same for every language that it is
//! written in. Expressions have no effects; what a block inside of an expression does stands in statements before it.

use super::builtin::Builtin;
use super::infer::TyId;
use super::ty::Ty;

/// A local variable or scalar parameter.
pub(crate) struct Local {
    /// Its name in the texts, used once.
    pub(crate) name: String,
    pub(crate) ty: TyId,
}

/// What can be indexed.
pub(crate) struct Array {
    /// Its name in the texts, used once.
    pub(crate) name: String,
    pub(crate) element: TyId,
    pub(crate) place: Memory,
}

/// Where an array lies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Memory {
    /// An input's or output's buffer.
    Buffer { writable: bool },
    /// Memory of a block's threads, of this many elements.
    Shared(u32),
    /// A thread's own, of this many elements.
    Own(u32),
}

/// A position in [`Body::locals`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct LocalId(pub(crate) usize);

/// A position in [`Body::arrays`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ArrayId(pub(crate) usize);

/// A function's content.
#[derive(Default)]
pub(crate) struct Body {
    pub(crate) locals: Vec<Local>,
    pub(crate) arrays: Vec<Array>,
    pub(crate) statements: Vec<Stmt>,
}

pub(crate) enum Stmt {
    /// Makes a variable.
    Let {
        local: LocalId,
        value: Option<Expr>,
        mutable: bool,
    },
    /// Makes a thread's own array: of one value for each element, or of one for all.
    OwnArray {
        array: ArrayId,
        values: Vec<Expr>,
    },
    Assign(LocalId, Expr),
    Store {
        array: ArrayId,
        index: Expr,
        value: Expr,
    },
    /// Changes an element atomically, whatever other threads do.
    Atomic {
        array: ArrayId,
        update: Update,
        index: Expr,
        value: Expr,
    },
    If {
        condition: Expr,
        then: Vec<Stmt>,
        otherwise: Vec<Stmt>,
    },
    /// Without end.
    Loop(Vec<Stmt>),
    /// Counts from `start` to below `end`, which the body does not change.
    For {
        local: LocalId,
        start: Expr,
        end: Expr,
        step: Option<Expr>,
        body: Vec<Stmt>,
    },
    Break,
    Continue,
    Return(Option<Expr>),
    /// All threads of a block wait for each other.
    Barrier,
}

/// How an element is changed atomically.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Update {
    Add,
    Max,
    Min,
}

#[derive(Clone)]
pub(crate) struct Expr {
    pub(crate) ty: TyId,
    pub(crate) kind: ExprKind,
}

#[derive(Clone)]
pub(crate) enum ExprKind {
    Integer(i128),
    /// Digits as Rust writes them.
    Float(String),
    Bool(bool),
    /// A constant of a type, by name.
    Constant(&'static str),
    Local(LocalId),
    Load(ArrayId, Box<Expr>),
    /// The number of elements of a buffer.
    Length(ArrayId),
    Not(Box<Expr>),
    Negate(Box<Expr>),
    Binary(Operator, Box<Expr>, Box<Expr>),
    Cast(Box<Expr>),
    Call(&'static Builtin, Vec<Expr>),
    /// A position in the grid: its name and which of three directions.
    Position(&'static str, usize),
}

/// An operator of two values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Operator {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    BitAnd,
    BitOr,
    BitXor,
    Shl,
    Shr,
    And,
    Or,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

impl Operator {
    /// As all three languages write it.
    pub(crate) fn symbol(self) -> &'static str {
        match self {
            Self::Add => "+",
            Self::Sub => "-",
            Self::Mul => "*",
            Self::Div => "/",
            Self::Rem => "%",
            Self::BitAnd => "&",
            Self::BitOr => "|",
            Self::BitXor => "^",
            Self::Shl => "<<",
            Self::Shr => ">>",
            Self::And => "&&",
            Self::Or => "||",
            Self::Eq => "==",
            Self::Ne => "!=",
            Self::Lt => "<",
            Self::Le => "<=",
            Self::Gt => ">",
            Self::Ge => ">=",
        }
    }

    pub(crate) fn is_comparison(self) -> bool {
        matches!(self, Self::Eq | Self::Ne | Self::Lt | Self::Le | Self::Gt | Self::Ge)
    }

    pub(crate) fn is_shift(self) -> bool {
        matches!(self, Self::Shl | Self::Shr)
    }

    pub(crate) fn is_logical(self) -> bool {
        matches!(self, Self::And | Self::Or)
    }
}

/// A parameter of a kernel function, as the texts see it.
#[derive(Clone)]
#[allow(clippy::large_enum_variant, reason = "a handful for each kernel, while it is expanded")]
pub(crate) enum ParamKind {
    /// `&[T]`, or `&mut [T]`.
    Buffer { element: Ty, writable: bool },
    /// A value.
    Scalar(Ty),
    /// A struct or a fixed array, whose scalars are parameters each.
    Parts(syn::Type),
}
