//! Between messages and the op language's model.
//!
//! What a spec cannot hold, and what happens to it:
//!
//! | in `OpDef` | |
//! |---|---|
//! | `summary`, `description` of op, args and attrs; `ArgDef.experimental_full_type`; `ArgDef.handle_data` | in [`OpExtras`] |
//! | names of dimensions; dimensions of a shape of unknown rank; a minimum with `has_minimum` unset | dropped: they mean nothing |
//! | resources and variants in tensors; reference types as values; numbers of types that TensorFlow 2.21 does not have | [`ConvertError`] |

mod arg;
mod attr;
mod error;
mod extras;
mod op;
mod tensor;
mod value;

pub use error::ConvertError;
pub use extras::{ArgExtras, OpExtras};
pub use op::{op_def_to_spec, spec_to_op_def};
pub use tensor::{shape_from_spec, shape_to_spec, tensor_to_spec};
pub use value::{attr_value_from_spec, attr_value_to_spec};

use oplink_spec::DType;

/// Distance between a type's number and its reference type's.
const REF_OFFSET: i32 = 100;

/// The type of a number of `DataType`, and whether it is the reference type; `None` for a number that TensorFlow does
/// not use.
pub fn dtype_from_wire(number: i32) -> Option<(DType, bool)> {
    if number > REF_OFFSET {
        let base = DType::from_number(number - REF_OFFSET)?;
        return Some((base, true));
    }
    DType::from_number(number).map(|dtype| (dtype, false))
}

/// The type of a number in a place where only types of values may stand.
fn value_dtype(number: i32) -> Result<DType, ConvertError> {
    match dtype_from_wire(number) {
        Some((dtype, false)) => Ok(dtype),
        Some((dtype, true)) => Err(ConvertError::new(format!("a reference to {dtype} is no type of a value"))),
        None => Err(ConvertError::new(format!("no type has the number {number}"))),
    }
}
