//! The op language of oplink: one parser, checker and printer of op declarations, at compile time and at run time.
//!
//! An op is declared by a few short texts, its pieces:
//!
//! - inputs and outputs, `name: type-expr`: a type (`float`, `int32`, …), an attr of kind `type`, an attr of kind
//!   `list(type)`, a number of tensors `N * type-expr` with an attr `N` of kind `int`, or `Ref(type-expr)`;
//! - attrs, `name: kind [>= n] [= default]`: the kind is `string`, `int`, `float`, `bool`, `type`, `shape`, `tensor`,
//!   `func` or `list(…)` of one of them. In place of `type` stands `{float, int32}`, `numbertype`, `realnumbertype` or
//!   `quantizedtype`, in place of `string` stands `{'a', 'b'}`. The minimum is the least `int` or length of a list.
//!   Defaults of lists stand in brackets; shapes, tensors and functions are text protos in braces.
//!
//! ```
//! use oplink_spec::{Flags, OpSpec, Piece};
//!
//! let inputs = ["concat_dim: int32", "values: N * T"];
//! let attrs = ["N: int >= 2", "T: type"];
//! let concat = OpSpec::from_pieces("Concat", &inputs, &["output: T"], &attrs, Flags::default(), None).unwrap();
//! assert_eq!(OpSpec::parse(&concat.to_string()), Ok(concat));
//!
//! let errors = OpSpec::from_pieces("Relu", &["x: T"], &["y: U"], &["T: type"], Flags::default(), None).unwrap_err();
//! let (piece, error) = &errors[0];
//! assert_eq!(*piece, Piece::Output(0));
//! assert_eq!(
//!     error.render("y: U"),
//!     "`U` is neither a type nor a declared attr\n  | y: U\n  |    ^\nhelp: declare the attr, as in `U: type`"
//! );
//! ```
//!
//! The grammar is TensorFlow's, that of `REGISTER_OP`, read somewhat more widely: every type has a name in it,
//! `N * Ref(T)` means `Ref(N * T)`, and a type's default may be `float` for `DT_FLOAT`. What is printed is the narrow
//! form. Refused, although TensorFlow takes them, are numbers with a leading zero, floats too large to be finite,
//! shapes with dimensions below -1 or of unknown rank with dimensions, and the names of dimensions.
//!
//! The fields of an `OpDef` that the grammar has no words for: the summary and descriptions of the op, its arguments
//! and attrs, and of an argument `handle_data` and `experimental_full_type`; of values, the names of dimensions and the
//! resource handles and variants in tensors. Control outputs, flags and deprecation stand beside the pieces.
#![warn(clippy::missing_errors_doc)]
#![forbid(unsafe_code)]

mod check;
mod diagnostic;
mod dtype;
mod model;
mod names;
mod parse;
mod print;
pub mod sorting;
mod value;
pub mod wire;

pub use diagnostic::{Diagnostic, Piece, Problem};
pub use dtype::{DType, NUMBER_TYPES, QUANTIZED_TYPES, REAL_NUMBER_TYPES};
pub use model::{Allowed, ArgSpec, ArgType, AttrKind, AttrSpec, Deprecation, Flags, OpSpec, ScalarKind};
pub use names::{nearest, snake_case};
pub use parse::{parse_arg, parse_attr};
pub use value::{AttrValue, FuncValue, ListValue, ShapeValue, TensorValue};
